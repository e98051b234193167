#include <tact/samples/coupled_families.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include <tact/bodies/rotation.hpp>
#include <tact/core/random.hpp>
#include <tact/sim/contact_rows.hpp>

namespace tact {
namespace {

constexpr double radius = 0.1;     // m, of bodies
constexpr double depth = 0.05;     // m, of their lower side under their centre
constexpr double node_mass = 1.0;  // kg, along the normal
constexpr double sideways = 3.0;   // times as much

// Rigid bodies first, then one component of nodes that nothing couples.
class CoupledBuilder {
 public:
  explicit CoupledBuilder(int bodies) : first_node_(2 * bodies) {}

  void add_body(double mass, const Vector6d& velocity)
  {
    const std::array<std::array<int, 2>, 1> couple = {{{0, 1}}};
    BlockMatrix A = zero_matrix(std::make_shared<const BlockPattern>(2, couple));
    A.blocks[A.pattern->diagonal_slot(0)] = mass * Matrix3d::Identity();
    A.blocks[A.pattern->diagonal_slot(1)] = 0.4 * mass * radius * radius * Matrix3d::Identity();
    problem_.rigid.push_back(2 * static_cast<int>(problem_.A.size()));
    problem_.A.push_back(std::move(A));
    for (const double x : velocity) velocities_.push_back(x);
  }

  int add_node(const Vector3d& normal, const Vector3d& velocity = Vector3d::Zero())
  {
    const Matrix3d along = normal * normal.transpose();
    masses_.emplace_back(node_mass * (along + sideways * (Matrix3d::Identity() - along)));
    for (const double x : velocity) node_velocities_.push_back(x);
    return static_cast<int>(masses_.size()) - 1;
  }

  void begin_contact(const Vector3d& normal, double mu, double gap_rate)
  {
    frame_ = contact_frame(normal).transpose();
    ContactRows rows;
    rows.first = static_cast<int>(problem_.blocks.size());
    rows.mu = mu;
    rows.bias[0] = gap_rate;
    problem_.contacts.push_back(rows);
  }
  void on_body(int body, const Vector3d& arm, double weight)
  {
    add_block(2 * body, weight * frame_);
    add_block(2 * body + 1, -weight * frame_ * cross_matrix(arm));
  }
  void on_node(int node, double weight) { add_block(first_node_ + node, weight * frame_); }

  ContactProblem build()
  {
    const int nodes = static_cast<int>(masses_.size());
    if (nodes > 0) {
      BlockMatrix A = zero_matrix(
          std::make_shared<const BlockPattern>(nodes, std::span<const std::array<int, 2>>()));
      for (int i = 0; i < nodes; ++i) A.blocks[A.pattern->diagonal_slot(i)] = masses_[i];
      problem_.A.push_back(std::move(A));
    }
    velocities_.insert(velocities_.end(), node_velocities_.begin(), node_velocities_.end());
    problem_.v_star = Eigen::Map<const VectorXd>(velocities_.data(),
                                                 static_cast<Eigen::Index>(velocities_.size()));
    return std::move(problem_);
  }

 private:
  void add_block(int node, const Matrix3d& J)
  {
    problem_.blocks.push_back({node, J});
    ++problem_.contacts.back().count;
  }

  int first_node_;
  ContactProblem problem_;
  Matrix3d frame_ = Matrix3d::Identity();
  std::vector<Matrix3d> masses_;
  std::vector<double> velocities_, node_velocities_;
};

Vector6d twist(const Vector3d& v, const Vector3d& omega)
{
  Vector6d both;
  both << v, omega;
  return both;
}

// m/s: most contacts touch, the others close a gap.
double some_gap(Random& random, double largest)
{
  const double gap = random.uniform(0.0, largest);
  return random.uniform(-1.0, 1.0) > 0.2 ? gap : 0.0;
}

Vector3d on_disc(Random& random)
{
  const double angle = random.uniform(-std::numbers::pi, std::numbers::pi);
  const double r = radius * std::sqrt(random.uniform());
  return {r * std::cos(angle), r * std::sin(angle), 0.0};
}

// Nodes of two layers of a lattice over the disc, and the tetrahedron that a place is in: each cell
// has six, one for every order of the three coordinates (Kuhn's subdivision).
class TetLattice {
 public:
  TetLattice(CoupledBuilder& builder, int nodes_a_side) : side_(nodes_a_side)
  {
    for (int i = 0; i < 2 * side_ * side_; ++i)
      nodes_.push_back(builder.add_node(Vector3d::UnitZ()));
  }

  // Adds `share` of the place's weights, place[2] from 0 to 1 through the layer.
  void add_weights(const Vector3d& place, double share, std::map<int, double>& weights) const
  {
    const double cells = side_ - 1;
    const Vector3d at(0.5 * (place[0] / radius + 1.0) * cells,
                      0.5 * (place[1] / radius + 1.0) * cells, place[2]);
    std::array<int, 3> corner = {}, order = {0, 1, 2};
    Vector3d rest;
    for (int k = 0; k < 3; ++k) {
      corner[k] = std::clamp(static_cast<int>(at[k]), 0, k < 2 ? side_ - 2 : 0);
      rest[k] = std::clamp(at[k] - corner[k], 0.0, 1.0);
    }
    std::sort(order.begin(), order.end(), [&](int a, int b) { return rest[a] > rest[b]; });
    double before = 1.0;
    for (const int k : order) {
      weights[node_at(corner)] += share * (before - rest[k]);
      before = rest[k];
      ++corner[k];
    }
    weights[node_at(corner)] += share * before;
  }

 private:
  int node_at(const std::array<int, 3>& corner) const
  {
    return nodes_[(corner[2] * side_ + corner[1]) * side_ + corner[0]];
  }

  int side_;
  std::vector<int> nodes_;
};

ContactProblem on_mat(const CoupledFamily& family, double share_on_faces)
{
  constexpr int bodies = 10, columns = 5;
  Random random(5);
  CoupledBuilder builder(bodies);
  for (int b = 0; b < bodies; ++b) {
    const Vector3d v((b % columns < 2 ? 0.3 : -0.3) + random.uniform(-0.1, 0.1),
                     (b < columns ? 0.2 : -0.2) + random.uniform(-0.1, 0.1),
                     -1.0 + random.uniform(-0.3, 0.3));
    builder.add_body(family.mass_ratio * (b % 3 == 0 ? 10.0 : 1.0), twist(v, random.in_cube(1.0)));
  }
  const auto lean = [&] {
    return Vector3d(random.uniform(-0.15, 0.15), random.uniform(-0.15, 0.15), 1.0).normalized();
  };
  const int each = family.contacts / bodies;
  const int on_faces = static_cast<int>(share_on_faces * each);
  const int side = std::max(3, static_cast<int>(std::ceil(std::sqrt(each - on_faces))));
  for (int b = 0; b < bodies; ++b) {
    std::vector<int> node(side * side);
    std::vector<Vector3d> arm(side * side);
    for (int i = 0; i < side * side; ++i) {
      node[i] = builder.add_node(Vector3d::UnitZ());
      const int column = i % side, row = i / side;
      arm[i] = 0.95 * radius *
               Vector3d(2.0 * column / (side - 1) - 1.0, 2.0 * row / (side - 1) - 1.0, 0.0);
      arm[i][2] = -depth + random.uniform(-0.002, 0.002);
    }
    for (int i = 0; i < each - on_faces; ++i) {
      builder.begin_contact(lean(), family.mu, some_gap(random, 0.3));
      builder.on_body(b, arm[i], 1.0);
      builder.on_node(node[i], -1.0);
    }
    for (int k = 0; k < on_faces; ++k) {
      const int corner = random.below(side - 1) * side + random.below(side - 1);
      const std::array<int, 3> face = {corner, corner + 1, corner + side};
      const double s = random.uniform(0.0, 0.6), t = random.uniform(0.0, 0.6) * (1.0 - s);
      const std::array<double, 3> weight = {1.0 - s - t, s, t};
      Vector3d place = Vector3d::Zero();
      for (int i = 0; i < 3; ++i) place += weight[i] * arm[face[i]];
      builder.begin_contact(lean(), family.mu, some_gap(random, 0.3));
      builder.on_body(b, place, 1.0);
      for (int i = 0; i < 3; ++i) builder.on_node(node[face[i]], -weight[i]);
    }
  }
  for (int b = 0; b < bodies; ++b) {
    for (const bool ahead : {false, true}) {
      const int other = ahead ? b + columns : b + 1;
      if (ahead ? other >= bodies : other % columns == 0) continue;
      const Vector3d apart = ahead ? Vector3d::UnitY() : Vector3d::UnitX();
      const Vector3d along = ahead ? Vector3d::UnitX() : Vector3d::UnitY();
      for (int k = 0; k < 4; ++k) {
        const Vector3d place = radius * (apart + (k & 1 ? 0.8 : -0.8) * along +
                                         (k & 2 ? 0.4 : -0.4) * Vector3d::UnitZ());
        builder.begin_contact(-apart, family.mu, random.uniform(0.0, 0.05));
        builder.on_body(b, place, 1.0);
        builder.on_body(other, place - 2.0 * radius * apart, -1.0);
      }
    }
  }
  return builder.build();
}

ContactProblem pinched(const CoupledFamily& family, int bodies)
{
  Random random(5);
  CoupledBuilder builder(bodies);
  const bool tower = bodies > 2;
  for (int b = 0; b < bodies; ++b) {
    const double share = tower ? 0.3 + 0.2 * b : 1.0;
    Vector6d v = share * twist({0.1, 0.0, -1.0}, {0.3, 0.2, 0.0});
    if (b == 0) v = twist({0.0, 0.0, -0.1}, {0.0, 0.0, 0.05});
    v[0] += random.uniform(-0.3, 0.3);
    v[1] += random.uniform(-0.3, 0.3);
    v[5] += random.uniform(-1.0, 1.0);
    builder.add_body(family.mass_ratio * (tower && b % 2 == 1 ? 10.0 : 1.0), v);
  }
  const int each = family.contacts / (2 * (bodies - 1));
  for (int lower = 0; lower + 1 < bodies; ++lower) {
    for (int k = 0; k < each; ++k) {
      Vector3d place = on_disc(random);
      place[2] = random.uniform(-0.003, 0.003);
      const auto lean = [&] {
        return Vector3d(2.0 * place[0] + random.uniform(-0.1, 0.1),
                        2.0 * place[1] + random.uniform(-0.1, 0.1), 1.0)
            .normalized();
      };
      const Vector3d above = lean(), below = lean();
      const Vector3d slow(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1),
                          random.uniform(-0.25, -0.15));
      const int node = builder.add_node(above, slow);
      builder.begin_contact(above, family.mu, some_gap(random, 0.1));
      builder.on_body(lower + 1, place - depth * Vector3d::UnitZ(), 1.0);
      builder.on_node(node, -1.0);
      builder.begin_contact(below, family.mu, some_gap(random, 0.1));
      builder.on_body(lower, place + depth * Vector3d::UnitZ(), -1.0);
      builder.on_node(node, 1.0);
    }
  }
  for (int k = 0; k < 4; ++k) {
    builder.begin_contact(Vector3d::UnitZ(), family.mu, 0.0);
    builder.on_body(0, {k & 1 ? radius : -radius, k & 2 ? radius : -radius, -depth}, 1.0);
  }
  return builder.build();
}

}  // namespace

ContactProblem pressed_body(const CoupledFamily& family)
{
  Random random(5);
  CoupledBuilder builder(1);
  builder.add_body(family.mass_ratio, twist({0.1, 0.0, -1.0}, {0.3, 0.2, 0.0}));
  for (int k = 0; k < family.contacts; ++k) {
    Vector3d place = on_disc(random);
    place[2] = -depth + random.uniform(-0.01, 0.01);
    const Vector3d normal = Vector3d(-4.0 * place[0] + random.uniform(-0.1, 0.1),
                                     -4.0 * place[1] + random.uniform(-0.1, 0.1), 1.0)
                                .normalized();
    const int node = builder.add_node(normal);
    builder.begin_contact(normal, family.mu, some_gap(random, 0.3));
    builder.on_body(0, place, 1.0);
    builder.on_node(node, -1.0);
  }
  return builder.build();
}

ContactProblem body_on_lattice(const CoupledFamily& family)
{
  constexpr double edge = 0.5;  // of a cell: the fine edge that a contact is in the middle of
  Random random(5);
  CoupledBuilder builder(1);
  builder.add_body(family.mass_ratio, twist({0.1, 0.0, -1.0}, {0.3, 0.2, 0.0}));
  const int side = std::max(2, static_cast<int>(std::lround(std::sqrt(0.64 * family.contacts))));
  const double cell = 2.0 * radius / (side - 1);
  const TetLattice lattice(builder, side);
  for (int k = 0; k < family.contacts; ++k) {
    Vector3d place = on_disc(random);
    const Vector3d along = 0.5 * edge * random.in_cube(1.0).cwiseProduct(Vector3d(cell, cell, 1.0));
    place[2] = random.uniform();
    std::map<int, double> weights;
    for (const double end : {-1.0, 1.0}) lattice.add_weights(place + end * along, 0.5, weights);
    const Vector3d normal = Vector3d(-4.0 * place[0] + random.uniform(-0.1, 0.1),
                                     -4.0 * place[1] + random.uniform(-0.1, 0.1), 1.0)
                                .normalized();
    builder.begin_contact(normal, family.mu, some_gap(random, 0.3));
    builder.on_body(0, {place[0], place[1], -depth}, 1.0);
    for (const auto& [node, weight] : weights) {
      if (weight > 0.0) builder.on_node(node, -weight);
    }
  }
  return builder.build();
}

ContactProblem bodies_on_mat(const CoupledFamily& family)
{
  return on_mat(family, 0.0);
}

ContactProblem bodies_on_faces(const CoupledFamily& family)
{
  return on_mat(family, 0.3);
}

ContactProblem pinched_sheet(const CoupledFamily& family)
{
  return pinched(family, 2);
}

ContactProblem pinched_tower(const CoupledFamily& family)
{
  return pinched(family, 6);
}

}  // namespace tact
