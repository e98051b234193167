#include <contact/problem_builder.hpp>

#include <algorithm>

#include <cmath>

#include <Eigen/Dense>

namespace tact {
namespace {

Matrix3d skew(const Vector3d& r)
{
  Matrix3d S;
  S << 0.0, -r[2], r[1], r[2], 0.0, -r[0], -r[1], r[0], 0.0;
  return S;
}

// Rows: the normal and two tangents.
Matrix3d frame(const Vector3d& normal)
{
  const Vector3d axis = std::abs(normal[0]) < 0.6 ? Vector3d::UnitX() : Vector3d::UnitY();
  Matrix3d F;
  F.row(0) = normal.normalized();
  F.row(1) = axis.cross(normal).normalized();
  F.row(2) = normal.normalized().cross(F.row(1).transpose());
  return F;
}

}  // namespace

int ProblemBuilder::add(const Lattice& lattice)
{
  const int first = problem_.nodes();
  const int nodes = static_cast<int>(lattice.places.size());
  BlockMatrix A = zero_matrix(std::make_shared<const BlockPattern>(nodes, lattice.pairs));
  const BlockPattern& pattern = *A.pattern;
  for (int i = 0; i < nodes; ++i) {
    A.blocks[pattern.diagonal_slot(i)] = lattice.mass * Matrix3d::Identity();
  }
  for (const auto& [i, j] : lattice.pairs) {
    const Vector3d n = (lattice.places[j] - lattice.places[i]).normalized();
    const Matrix3d along = n * n.transpose();
    const Matrix3d K =
        dt * dt * lattice.stiffness * (along + lattice.sideways * (Matrix3d::Identity() - along));
    A.blocks[pattern.diagonal_slot(i)] += K;
    A.blocks[pattern.diagonal_slot(j)] += K;
    A.blocks[pattern.slot(i, j)] -= K;
    A.blocks[pattern.slot(j, i)] -= K;
  }
  problem_.A.push_back(std::move(A));
  // At rest length and moving as one: A v* = M (v + dt g) has the solution v + dt g.
  const VectorXd v_star = (lattice.velocity + dt * gravity).replicate(nodes, 1);
  problem_.v_star.conservativeResize(3 * (first + nodes));
  problem_.v_star.tail(3 * nodes) = v_star;
  places_.insert(places_.end(), lattice.places.begin(), lattice.places.end());
  return first;
}

int ProblemBuilder::add(const Box& box)
{
  const int first = problem_.nodes();
  const std::array<std::array<int, 2>, 1> couple = {{{0, 1}}};
  BlockMatrix A = zero_matrix(std::make_shared<const BlockPattern>(2, couple));
  const Vector3d squares = box.size.cwiseAbs2();
  const Vector3d inertia = (squares.sum() * Vector3d::Ones() - squares) * box.mass / 12.0;
  A.blocks[A.pattern->diagonal_slot(0)] = box.mass * Matrix3d::Identity();
  A.blocks[A.pattern->diagonal_slot(1)] = inertia.asDiagonal();
  problem_.A.push_back(std::move(A));
  problem_.rigid.push_back(first);
  problem_.v_star.conservativeResize(3 * (first + 2));
  problem_.v_star.tail<6>() << box.velocity + dt * gravity, box.spin;
  places_.insert(places_.end(), 2, box.centre);
  return first;
}

void ProblemBuilder::add(const Contact& contact)
{
  const Matrix3d F = frame(contact.normal);
  ContactRows rows{.first = static_cast<int>(problem_.blocks.size()),
                   .bias = {contact.gap / dt, 0.0, 0.0},
                   .mu = contact.mu,
                   .restitution = contact.restitution,
                   .approach = contact.approach};
  for (const Support& support : contact.supports) {
    problem_.blocks.push_back({support.node, support.weight * F});
    if (!support.rigid) continue;
    problem_.blocks.push_back({support.node + 1, -support.weight * F * skew(support.arm)});
  }
  rows.count = static_cast<int>(problem_.blocks.size()) - rows.first;
  problem_.contacts.push_back(rows);
}

ProblemBuilder::Lattice net(int nodes_a_side, double spacing, double height)
{
  ProblemBuilder::Lattice net{.mass = 2e-3, .stiffness = 200.0, .sideways = 0.02};
  const auto index = [&](int i, int j) { return i * nodes_a_side + j; };
  for (int i = 0; i < nodes_a_side; ++i) {
    for (int j = 0; j < nodes_a_side; ++j) {
      net.places.emplace_back(spacing * i, spacing * j, height);
      if (i > 0) net.pairs.push_back({index(i - 1, j), index(i, j)});
      if (j > 0) net.pairs.push_back({index(i, j - 1), index(i, j)});
      if (i > 0 && j > 0) net.pairs.push_back({index(i - 1, j - 1), index(i, j)});
    }
  }
  return net;
}

ProblemBuilder::Lattice soft_cube(int nodes_a_side, double spacing, const Vector3d& corner)
{
  ProblemBuilder::Lattice cube{.mass = 0.02, .stiffness = 4000.0, .sideways = 0.3};
  const int n = nodes_a_side;
  for (int k = 0; k < n * n * n; ++k) {
    cube.places.push_back(corner + spacing * Vector3d(k % n, k / n % n, k / (n * n)));
  }
  for (int a = 0; a < n * n * n; ++a) {
    for (int b = 0; b < a; ++b) {
      const Vector3d apart = (cube.places[a] - cube.places[b]) / spacing;
      if (apart.cwiseAbs().maxCoeff() < 1.5) cube.pairs.push_back({b, a});
    }
  }
  return cube;
}

ContactProblem block_on_slope(double angle, double mu, double dt)
{
  ProblemBuilder builder;
  builder.dt = dt;
  builder.gravity = 9.81 * Vector3d(std::sin(angle), 0.0, -std::cos(angle));
  const int box = builder.add(ProblemBuilder::Box{.mass = 2.0, .size = {0.4, 0.4, 0.1}});
  for (int k = 0; k < 8; ++k) {  // every corner twice: lambda is not unique, v is
    const Vector3d arm(k & 1 ? 0.2 : -0.2, k & 2 ? 0.2 : -0.2, -0.05);
    builder.add({.supports = {{.node = box, .rigid = true, .arm = arm}}, .mu = mu});
  }
  return builder.build();
}

ContactProblem box_stack(int boxes, double mu, double top_mass)
{
  ProblemBuilder builder;
  int below = -1;
  for (int b = 0; b < boxes; ++b) {
    const int box = builder.add(ProblemBuilder::Box{.mass = b == boxes - 1 ? top_mass : 1.0,
                                                    .centre = {0.0, 0.0, 0.1 + 0.2 * b}});
    for (int k = 0; k < 4; ++k) {
      const Vector3d corner(k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, -0.1);
      ProblemBuilder::Contact contact{.supports = {{.node = box, .rigid = true, .arm = corner}},
                                      .mu = mu};
      if (below >= 0) {
        contact.supports.push_back(
            {.node = below, .weight = -1.0, .rigid = true, .arm = corner + Vector3d(0, 0, 0.2)});
      }
      builder.add(contact);
    }
    below = box;
  }
  return builder.build();
}

ContactProblem net_on_ground(int nodes_a_side, double mu)
{
  ProblemBuilder builder;
  ProblemBuilder::Lattice sheet = net(nodes_a_side, 0.02, 0.001);
  sheet.velocity = {0.3, 0.1, -0.5};
  builder.add(sheet);
  // Hills, so that only a part of the nodes touches, along normals of their own.
  for (int node = 0; node < nodes_a_side * nodes_a_side; ++node) {
    const Vector3d p = builder.place(node) / 0.02;
    const Vector3d normal(0.3 * std::sin(0.9 * p[0]), 0.3 * std::cos(1.3 * p[1]), 1.0);
    const double gap = 0.004 * (1.0 + std::sin(0.7 * p[0] + 0.5 * p[1]));
    builder.add({.supports = {{.node = node}}, .normal = normal, .gap = gap, .mu = mu});
  }
  return builder.build();
}

ContactProblem cube_pile(int cubes, double mu)
{
  ProblemBuilder builder;
  constexpr int side = 3;
  int below = -1;
  for (int c = 0; c < cubes; ++c) {
    const double shift = 0.01 * c;  // so that nodes stand on faces, not on nodes
    ProblemBuilder::Lattice cube = soft_cube(side, 0.05, {shift, shift, 0.11 * c});
    cube.velocity = {0.2 * c, 0.0, -0.4};
    const int first = builder.add(cube);
    for (int k = 0; k < side * side; ++k) {
      ProblemBuilder::Contact contact{.supports = {{.node = first + k}}, .gap = 1e-3, .mu = mu};
      if (below >= 0) {
        if (k % side == side - 1 || k / side == side - 1) continue;  // beyond the edge
        const int face = below + side * side * (side - 1) + k;
        const double s = 0.2;  // shift over spacing
        contact.supports.push_back({.node = face, .weight = -(1 - s) * (1 - s)});
        contact.supports.push_back({.node = face + 1, .weight = -s * (1 - s)});
        contact.supports.push_back({.node = face + side, .weight = -s * (1 - s)});
        contact.supports.push_back({.node = face + side + 1, .weight = -s * s});
      }
      builder.add(contact);
    }
    below = first;
  }
  return builder.build();
}

ContactProblem mixed_pile(double mu)
{
  ProblemBuilder builder;
  constexpr int wide = 6;
  const int sheet = builder.add(net(wide, 0.05, 0.0));
  const int cube = builder.add(soft_cube(3, 0.05, {0.06, 0.06, 0.002}));
  const int box = builder.add(ProblemBuilder::Box{.mass = 0.5,
                                                  .size = {0.1, 0.1, 0.05},
                                                  .centre = {0.11, 0.11, 0.13},
                                                  .spin = {0.5, 0.0, 1.0}});
  for (int node = 0; node < wide * wide; ++node) {
    builder.add({.supports = {{.node = sheet + node}}, .gap = 5e-4, .mu = mu});
  }
  for (int k = 0; k < 9; ++k) {  // the cube's lowest nodes on the triangles of the net
    const Vector3d p = builder.place(cube + k) / 0.05;
    const int i = static_cast<int>(p[0]), j = static_cast<int>(p[1]);
    const double s = p[0] - i, t = p[1] - j;
    const int corner = sheet + i * wide + j;
    builder.add({.supports = {{.node = cube + k},
                              {.node = corner, .weight = -(1 - std::max(s, t))},
                              {.node = corner + wide + 1, .weight = -std::min(s, t)},
                              {.node = s > t ? corner + wide : corner + 1,
                               .weight = -std::abs(s - t) - 1e-12}},
                 .mu = mu});
  }
  for (int k = 0; k < 9; ++k) {  // the cube's highest nodes under the box
    const int top = cube + 18 + k;
    builder.add(
        {.supports = {{.node = box, .rigid = true, .arm = builder.place(top) - builder.place(box)},
                      {.node = top, .weight = -1.0}},
         .mu = mu});
  }
  return builder.build();
}

ContactProblem scattered(double mu)
{
  ProblemBuilder builder;
  for (int k = 0; k < 5; ++k) {
    ProblemBuilder::Lattice cube = soft_cube(2, 0.05, {k * 1.0, 0.0, 0.0});
    cube.velocity = {0.1 * k, 0.0, -1.0};
    const int first = builder.add(cube);
    for (int i = 0; i < 4; ++i) builder.add({.supports = {{.node = first + i}}, .mu = mu});
    const int point = builder.add(ProblemBuilder::Lattice{.places = {{0.0, 1.0, 0.1 * k}}});
    builder.add({.supports = {{.node = point}}, .mu = mu});
  }
  const int sheet = builder.add(net(4, 0.02, 1.0));
  const int point = builder.add(
      ProblemBuilder::Lattice{.places = {{0.03, 0.03, 1.0}}, .velocity = {0.0, 0.3, -2.0}});
  builder.add({.supports = {{.node = point},
                            {.node = sheet + 5, .weight = -0.5},
                            {.node = sheet + 6, .weight = -0.5}},
               .mu = mu});
  return builder.build();
}

ContactProblem reversed(ContactProblem problem)
{
  std::reverse(problem.contacts.begin(), problem.contacts.end());
  return problem;
}

ContactProblem in_small_units(ContactProblem problem)
{
  std::vector<char> angular(problem.nodes(), 0);
  for (const int node : problem.rigid) angular[node + 1] = 1;
  int first = 0;
  for (BlockMatrix& A : problem.A) {
    for (int i = 0; i < A.rows(); ++i) {
      int slot = A.pattern->first_slot(i);
      for (const int j : A.pattern->columns(i)) {
        const double arms = std::pow(1000.0, angular[first + i] + angular[first + j]);
        A.blocks[slot++] *= 1000.0 * arms;
      }
    }
    first += A.rows();
  }
  for (int node = 0; node < problem.nodes(); ++node) {
    if (angular[node] == 0) problem.v_star.segment<3>(3 * node) *= 1000.0;
  }
  for (RowBlock& block : problem.blocks) {
    if (angular[block.node] != 0) block.J *= 1000.0;
  }
  for (ContactRows& contact : problem.contacts) contact.bias *= 1000.0;
  return problem;
}

std::vector<NamedProblem> all_problems(double mu)
{
  return {{"block on a slope", block_on_slope(0.3, mu)}, {"stack of 4 boxes", box_stack(4, mu)},
          {"net on hills", net_on_ground(8, mu)},        {"pile of 3 soft cubes", cube_pile(3, mu)},
          {"cube on net under box", mixed_pile(mu)},     {"scattered", scattered(mu)}};
}

}  // namespace tact
