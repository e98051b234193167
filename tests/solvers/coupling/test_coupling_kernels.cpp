// The two kernels of sweeps, and what they are made of.
#include <numeric>

#include <doctest/doctest.h>

#include <contact/problem_builder.hpp>
#include <tact/core/random.hpp>
#include <tact/samples/coupled_families.hpp>
#include <tact/solvers/coupling/coupling_kernel.hpp>
#include <tact/solvers/coupling/coupling_pattern.hpp>
#include <tact/solvers/coupling/low_rank_kernel.hpp>
#include <tact/solvers/nested/nested.hpp>

namespace tact {
namespace {

CoupledProblem coupled(const ContactProblem& problem)
{
  DiagonalBlocks D;
  REQUIRE(D.load(problem));
  std::vector<int> all(problem.size());
  std::iota(all.begin(), all.end(), 0);
  CoupledProblem inner;
  REQUIRE(inner.load(problem, D, all));
  return inner;
}

struct Situation {
  const char* name;
  ContactProblem problem;
};

// P^-1 of bodies is full, as where springs hold them.
ContactProblem held_bodies_on_faces()
{
  ContactProblem problem = bodies_on_faces({.contacts = 170, .mass_ratio = 5.0});
  for (std::size_t k = 0; k + 1 < problem.A.size(); ++k) {
    Eigen::Matrix<double, 6, 3> G;  // springs, kg
    for (int i = 0; i < 18; ++i) G(i % 6, i / 6) = 0.1 * ((5 * i) % 7 - 3);
    const Matrix6d held = G * G.transpose();
    BlockMatrix& A = problem.A[k];
    for (int row = 0; row < 2; ++row) {
      for (int slot = A.pattern->first_slot(row); slot < A.pattern->first_slot(row + 1); ++slot) {
        const int column = A.pattern->columns(row)[slot - A.pattern->first_slot(row)];
        A.blocks[slot] += held.block<3, 3>(3 * row, 3 * column);
      }
    }
  }
  return problem;
}

// [Miguel11] fig. 1, and what is harder: several contacts a node, contacts on faces, no friction,
// bodies that springs hold.
std::vector<Situation> situations()
{
  return {{"rigid only", box_stack(6, 0.4, 20.0)},
          {"deformable only", cube_pile(3, 0.4)},
          {"mixed", mixed_pile(0.4)},
          {"one body on many nodes", pressed_body({.contacts = 120})},
          {"ten bodies on faces", bodies_on_faces({.contacts = 200})},
          {"body on a lattice", body_on_lattice({.contacts = 90})},
          {"pinched sheet", pinched_sheet({.contacts = 100})},
          {"pinched tower", pinched_tower({.contacts = 211})},
          {"no friction", pressed_body({.contacts = 83, .mu = 0.0})},
          {"held bodies", held_bodies_on_faces()}};
}

}  // namespace

TEST_CASE("low rank and standard kernels make the same iterates after every sweep")
{
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (const Situation& situation : situations()) {
      CAPTURE(situation.name);
      const CoupledProblem problem = coupled(situation.problem);
      CompactRows rows;
      rows.load(problem, law);
      const auto fast = make_coupling_kernel(CouplingKernelKind::low_rank);
      const auto slow = make_coupling_kernel(CouplingKernelKind::standard);
      fast->load(rows);
      slow->load(rows);
      VectorXd lambda = VectorXd::Zero(3 * problem.size()), w(problem.response_size());
      w.setZero();
      VectorXd other_lambda = lambda, other_w = w;
      double largest = 0.0, speed = 0.0;
      for (int sweep = 0; sweep < 50; ++sweep) {
        fast->sweep(rows, lambda, w);
        slow->sweep(rows, other_lambda, other_w);
        largest = std::max(largest, (w - other_w).lpNorm<Eigen::Infinity>());
        speed = std::max(speed, w.lpNorm<Eigen::Infinity>());
      }
      CHECK(largest <= 1e-10);  // m/s, rad/s: both in double, some hundred additions a velocity
      CHECK(speed > 1e-3);      // something happened
    }
  }
}

TEST_CASE("compact rows relax a contact as the law does, to single precision")
{
  Random random(9);
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (const Situation& situation : situations()) {
      const CoupledProblem problem = coupled(situation.problem);
      CompactRows rows;
      rows.load(problem, law);
      for (int c = 0; c < problem.size(); ++c) {
        const CoupledContact& contact = problem.contacts[c];
        const Vector3d u = random.in_cube(1.0) - Vector3d(0.3, 0.0, 0.0);
        const Vector3d start = clamp_to_cone(random.in_cube(1.0), contact.mu, law);
        const Vector3d lambda = start / contact.W(0, 0);
        const OwnResponse own(contact.W);
        const Vector3d expected = relax(own, {.mu = contact.mu}, law, u, lambda);
        CHECK((rows.relax(c, u, lambda) - expected).norm() <=
              1e-5 * (lambda.norm() + own.per_tangent * u.norm() + own.per_normal * u.norm()));
      }
    }
  }
}

TEST_CASE("runs of contacts on one body make the iterates of contacts one by one")
{
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (const Situation& situation : situations()) {
      CAPTURE(situation.name);
      const CoupledProblem problem = coupled(situation.problem);
      for (const int chunks : {1, 3}) {
        CompactRows rows;
        rows.load(problem, law, chunks);
        LowRankKernel together, apart = LowRankKernel::one_by_one();
        VectorXd lambda = VectorXd::Zero(3 * problem.size());
        VectorXd w = VectorXd::Zero(problem.response_size()), other_lambda = lambda, other_w = w;
        double largest = 0.0;
        for (int sweep = 0; sweep < 50; ++sweep) {
          together.sweep(rows, lambda, w);
          apart.sweep(rows, other_lambda, other_w);
          largest = std::max(largest,
                             (w - other_w).lpNorm<Eigen::Infinity>() / w.lpNorm<Eigen::Infinity>());
        }
        CHECK(largest <= 1e-12);  // some thousand roundings of 1e-16
      }
    }
  }
}

TEST_CASE("contacts on one body are one run and other bodies or two bodies end it")
{
  const auto in_runs = [](const ContactProblem& problem, int chunks = 1) {
    CompactRows rows;
    rows.load(coupled(problem), FrictionLaw::disc, chunks);
    int count = 0, next = 0;
    for (const ContactRun& run : rows.runs) {
      CHECK(run.first == next);  // every contact is swept once and in its place
      next = run.last;
      for (int c = run.first; run.slot >= 0 && c < run.last; ++c) {
        CHECK(rows.contacts[c + 1].first_body == rows.contacts[c].first_body + 1);
        CHECK(rows.body_slots[rows.contacts[c].first_body] == run.slot);
        ++count;
      }
    }
    CHECK(next == rows.size());
    return count;
  };
  CHECK(in_runs(pressed_body({.contacts = 83})) == 83);
  CHECK(in_runs(pressed_body({.contacts = 83}), 3) == 83);
  CHECK(in_runs(bodies_on_mat({.contacts = 200})) == 200);  // not the 52 between two bodies
  CHECK(in_runs(cube_pile(2, 0.4)) == 0);
}

TEST_CASE("contacts fall into the sets of rigid bodies and of deformables and of both")
{
  const auto count = [](const CoupledProblem& problem, ConstraintSet set) {
    return std::count_if(problem.contacts.begin(), problem.contacts.end(),
                         [&](const CoupledContact& contact) { return contact.set() == set; });
  };
  const CoupledProblem stack = coupled(box_stack(4, 0.4, 1.0));
  CHECK(count(stack, ConstraintSet::rigid) == stack.size());
  const CoupledProblem pile = coupled(cube_pile(2, 0.4));
  CHECK(count(pile, ConstraintSet::deformable) == pile.size());
  const CoupledProblem mat = coupled(bodies_on_mat({.contacts = 200}));
  CHECK(count(mat, ConstraintSet::mixed) == 200);
  CHECK(count(mat, ConstraintSet::rigid) == 52);  // 13 pairs of neighbours, four each
}

TEST_CASE("rigid bodies add a dense part of rank six each and nodes a sparse one")
{
  const CouplingPattern one = coupling_pattern(pressed_body({.contacts = 200}));
  CHECK(one.dense_rank == 6);
  CHECK(CouplingPattern::entries(one.full) == 200 * 200);
  CHECK(CouplingPattern::entries(one.sparse) == 200);  // one contact a node
  const CouplingPattern ten = coupling_pattern(bodies_on_mat({.contacts = 200}));
  CHECK(ten.dense_rank == 60);
  CHECK(ten.mixed == 200);
  const CouplingPattern soft = coupling_pattern(cube_pile(2, 0.4));
  CHECK(soft.dense_rank == 0);
  CHECK(CouplingPattern::entries(soft.full) == CouplingPattern::entries(soft.sparse));
  CHECK(soft.deformable == soft.contacts);
}

TEST_CASE("a contact of a rigid body with a node takes at most 200 bytes of a sweep")
{
  const CoupledProblem problem = coupled(pressed_body({.contacts = 5000}));
  CompactRows rows;
  rows.load(problem, FrictionLaw::disc);
  CHECK(static_cast<double>(rows.bytes()) / problem.size() <= 200.0);
}

TEST_CASE("a contact with an embedded surface takes at most 200 bytes of a sweep")
{
  const CoupledProblem problem = coupled(body_on_lattice({.contacts = 600}));
  CHECK(problem.node_supports.size() > 4.5 * problem.size());
  CompactRows rows;
  rows.load(problem, FrictionLaw::disc);
  CHECK(static_cast<double>(rows.bytes()) / problem.size() <= 200.0);
}

TEST_CASE("indices below and above 65536 come back as they were put")
{
  CompactIndices indices;
  for (const int index : {3, 65535, 0, 65536, 7, 1234567}) indices.push_back(index);
  CHECK(indices.bytes() == 4 * 6);
  int k = 0;
  for (const int index : {3, 65535, 0, 65536, 7, 1234567}) CHECK(indices[k++] == index);
  indices.clear();
  indices.push_back(65535);
  CHECK(indices.bytes() == 2);
}

TEST_CASE("what a coupled problem says of velocities is what the rows of the contact problem say")
{
  for (const Situation& situation : situations()) {
    CAPTURE(situation.name);
    const CoupledProblem problem = coupled(situation.problem);
    VectorXd lambda(3 * problem.size());
    for (int i = 0; i < lambda.size(); ++i) lambda[i] = 0.01 * ((7 * i) % 11 - 4);
    VectorXd w;
    problem.respond(lambda, w);
    VectorXd in_order(lambda.size());
    for (int c = 0; c < problem.size(); ++c) {
      in_order.segment<3>(3 * problem.order[c]) = lambda.segment<3>(3 * c);
    }
    const VectorXd impulse = generalised_impulse(situation.problem, in_order);
    VectorXd v = situation.problem.v_star;
    DiagonalBlocks D;
    REQUIRE(D.load(situation.problem));
    for (int i = 0; i < situation.problem.nodes(); ++i) {
      v.segment<3>(3 * i) += D.solve(i, impulse.data() + 3 * i);
    }
    double largest = 0.0;
    for (int c = 0; c < problem.size(); ++c) {
      const CoupledContact& contact = problem.contacts[c];
      const Vector3d expected =
          contact_velocity(situation.problem, situation.problem.contacts[problem.order[c]], v);
      largest = std::max(largest, (contact.q + problem.velocity(contact, w) - expected).norm());
    }
    CHECK(largest <= 1e-9 * (1.0 + v.lpNorm<Eigen::Infinity>()));
  }
}

TEST_CASE("split bodies answer as the whole on the mean of their copies")
{
  const CoupledProblem problem = coupled(bodies_on_faces({.contacts = 400}));
  CompactRows rows;
  rows.load(problem, FrictionLaw::disc, 7);
  const auto kernel = make_coupling_kernel(CouplingKernelKind::low_rank);
  VectorXd lambda = VectorXd::Zero(3 * problem.size()), w = VectorXd::Zero(problem.response_size());
  for (int sweep = 0; sweep < 20; ++sweep) kernel->sweep(rows, lambda, w);
  VectorXd expected;
  problem.respond(lambda, expected);
  // Rows are in single precision: 6e-8 of velocities of about 1.
  CHECK((w - expected).lpNorm<Eigen::Infinity>() <= 1e-5);
  CHECK(w.lpNorm<Eigen::Infinity>() > 0.01);
}

}  // namespace tact
