// The interior point on coupled problems, and its system against one that nothing is eliminated
// from.
#include <numeric>

#include <doctest/doctest.h>
#include <Eigen/LU>

#include <tact/contact/judge.hpp>
#include <tact/core/random.hpp>
#include <tact/samples/coupled_families.hpp>
#include <tact/solvers/coupling/condensed_interior.hpp>
#include <tact/solvers/coupling/coupling_solver.hpp>
#include <threads.hpp>

namespace tact {
namespace {

struct Coupled {
  ContactProblem problem;
  DiagonalBlocks D;
  CoupledProblem coupled;

  explicit Coupled(ContactProblem from) : problem(std::move(from))
  {
    REQUIRE(D.load(problem));
    std::vector<int> all(problem.size());
    std::iota(all.begin(), all.end(), 0);
    REQUIRE(coupled.load(problem, D, all));
  }
};

// A and the scaled rows as dense matrices.
struct Dense {
  MatrixXd A, J;

  explicit Dense(const CoupledProblem& from)
      : A(MatrixXd::Zero(from.response_size(), from.response_size())),
        J(MatrixXd::Zero(3 * from.size(), from.response_size()))
  {
    for (int b = 0; b < from.body_count(); ++b)
      A.block<6, 6>(from.body_at(b), from.body_at(b)) = from.bodies[b].mass;
    for (int i = 0; i < static_cast<int>(from.nodes.size()); ++i)
      A.block<3, 3>(from.node_at(i), from.node_at(i)) = from.nodes[i].inverse.inverse();
    for (int c = 0; c < from.size(); ++c) {
      const CoupledContact& contact = from.contacts[c];
      for (const BodySupport& s : from.bodies_of(contact))
        J.block<3, 6>(3 * c, from.body_at(s.body)) += s.rows(contact.frame);
      for (const NodeSupport& s : from.nodes_of(contact))
        J.block<3, 3>(3 * c, from.node_at(s.node)) += s.weight * contact.frame;
      J.row(3 * c) /= contact.mu;
    }
  }
};

Matrix3d random_term(Random& random)
{
  Matrix3d T;
  for (double& entry : T.reshaped()) entry = random.uniform(-1.0, 1.0);
  return T * T.transpose() + 0.1 * T;  // not symmetric, and no eigenvalue far below zero
}

double interior_first_residual(const ContactProblem& problem)
{
  return measure(problem, {problem.v_star, VectorXd::Zero(3 * problem.size())}).natural;
}

SolveReport solve_by_interior(const ContactProblem& problem, double relative,
                              ContactSolution& solution)
{
  CouplingOptions options{.max_sweeps = 0, .newton = false};
  options.tolerance = relative * interior_first_residual(problem);
  return solve_coupling(problem, solution, options);
}

}  // namespace

TEST_CASE("the condensed system has the answer of the system that nothing is eliminated from")
{
  Random random(1);
  for (const ContactProblem& from : {pressed_body({.contacts = 40, .mass_ratio = 3.0}),
                                     bodies_on_mat({.contacts = 60, .mass_ratio = 30.0})}) {
    const Coupled the(from);
    REQUIRE(CondensedSystem::applies(the.coupled));
    const Dense dense(the.coupled);
    std::vector<CondensedSystem::Term> terms(the.coupled.size());
    MatrixXd T = MatrixXd::Zero(dense.J.rows(), dense.J.rows());
    VectorXd r(dense.J.rows()), r_c(dense.J.rows());
    for (int c = 0; c < the.coupled.size(); ++c) {
      terms[c].T = random_term(random);
      for (int k = 0; k < 3; ++k) {
        terms[c].r[k] = random.uniform(-1.0, 1.0);
        terms[c].r_c[k] = random.uniform(-1.0, 1.0);
      }
      T.block<3, 3>(3 * c, 3 * c) = terms[c].T;
      r.segment<3>(3 * c) = terms[c].r;
      r_c.segment<3>(3 * c) = terms[c].r_c;
    }
    const MatrixXd H = dense.A + dense.J.transpose() * T * dense.J;
    const VectorXd dw = H.partialPivLu().solve(dense.J.transpose() * (r_c - T * r));
    const VectorXd exact = r_c - T * (dense.J * dw + r);
    CondensedSystem system;
    system.load(the.coupled, 0.0);
    REQUIRE(system.factor(terms));
    VectorXd dz;
    system.solve(terms, dz);
    // Both lose the digits of the condition of H, below 1e5.
    CHECK((dz - exact).norm() <= 1e-10 * exact.norm());
    const VectorXd moved = dense.J * dw;
    for (int c = 0; c < the.coupled.size(); ++c)
      CHECK((system.velocity(c, dz) - moved.segment<3>(3 * c)).norm() <= 1e-10 * moved.norm());
  }
}

TEST_CASE("one body: an interior point reaches 1e-9 in some twenty steps for any mass")
{
  for (const double mu : {0.0, 0.5}) {
    for (const double mass_ratio : {1.0, 30.0, 1000.0}) {
      CAPTURE(mu);
      CAPTURE(mass_ratio);
      const ContactProblem problem =
          pressed_body({.contacts = 500, .mass_ratio = mass_ratio, .mu = mu});
      ContactSolution solution;
      const SolveReport report = solve_by_interior(problem, 1e-9, solution);
      CHECK(report.ok());
      CHECK(report.iterations <= 30);
      CHECK(measure(problem, solution).natural <= 1e-9 * interior_first_residual(problem));
    }
  }
}

TEST_CASE("ten bodies on a mat: an interior point reaches 1e-6 within forty steps")
{
  for (const double mass_ratio : {1.0, 30.0, 1000.0}) {
    CAPTURE(mass_ratio);
    const ContactProblem problem = bodies_on_mat({.contacts = 2000, .mass_ratio = mass_ratio});
    ContactSolution solution;
    const SolveReport report = solve_by_interior(problem, 1e-6, solution);
    CHECK(report.ok());
    CHECK(report.iterations <= 40);
  }
}

TEST_CASE("without friction an interior point and Newton's method on bodies agree on velocities")
{
  const ContactProblem problem = bodies_on_mat({.contacts = 500, .mass_ratio = 30.0, .mu = 0.0});
  const double first = interior_first_residual(problem);
  ContactSolution interior, newton;
  CHECK(solve_by_interior(problem, 1e-10, interior).ok());
  CHECK(solve_coupling(problem, newton, {.tolerance = 1e-10 * first, .interior = false}).ok());
  // A residual of 1e-10 leaves an error that is larger by the condition of the problem, some 1e3.
  CHECK((interior.v - newton.v).lpNorm<Eigen::Infinity>() < 1e-6 * first);
}

TEST_CASE("nodes with two contacts are not for the condensed system, and an answer is still found")
{
  const Coupled faces(bodies_on_faces({.contacts = 500}));
  CHECK_FALSE(CondensedSystem::applies(faces.coupled));
  ContactSolution solution;
  const double first = interior_first_residual(faces.problem);
  CHECK(solve_coupling(faces.problem, solution, {.tolerance = 1e-3 * first}).ok());
}

TEST_CASE("an interior point gives the same bits on any number of threads")
{
  const ContactProblem problem = pressed_body({.contacts = 10'000});
  ContactSolution one;
  with_threads(1, [&] { CHECK(solve_by_interior(problem, 1e-6, one).ok()); });
  for (const int threads : {2, 4}) {
    ContactSolution several;
    with_threads(threads, [&] { (void)solve_by_interior(problem, 1e-6, several); });
    CHECK(several.lambda == one.lambda);
  }
}

}  // namespace tact
