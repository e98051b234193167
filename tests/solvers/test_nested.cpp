// What the solver object promises beyond its answers: growing problems, threads, memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <span>

#include <Eigen/Cholesky>

#include <contact/problem_builder.hpp>
#include <tact/contact/compliance.hpp>
#include <tact/contact/free_motion.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/solvers/automatic.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/reproduction/ica.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

ContactProblem first_contacts(ContactProblem problem, int count)
{
  problem.contacts.resize(count);
  return problem;
}

std::vector<NestedOptions> all_options()
{
  std::vector<NestedOptions> all = {automatic_options(), anticipation_options(),
                                    accelerated_options()};
  all.push_back(accelerated_options());
  all.back().scheme = NestedScheme::gauss_seidel;
  // Some components exact, some nodal: the cubes have 27 nodes, the net more.
  all.push_back(accelerated_options());
  all.back().max_exact_nodes = 30;
  for (NestedOptions& options : all) {
    options.tolerance = 1e-9;
    options.max_passes = options.max_sweeps = 20000;
  }
  return all;
}

}  // namespace

TEST_CASE("contacts that are appended give the answer of a problem that had them from the start")
{
  for (const NestedOptions& options : all_options()) {
    for (const NamedProblem& named : all_problems(0.0)) {  // a unique velocity
      CAPTURE(std::string(named.name));
      NestedSolver solver(options);
      solver.begin(named.problem);
      ContactSolution grown;
      for (const int share : {3, 2, 1}) {
        const int count = named.problem.size() / share;
        CHECK(solver.solve(first_contacts(named.problem, count), grown).ok());
      }
      NestedSolver fresh(options);
      fresh.begin(named.problem);
      ContactSolution at_once;
      CHECK(fresh.solve(named.problem, at_once).ok());
      CHECK((grown.v - at_once.v).cwiseAbs().maxCoeff() < 2e-6);
    }
  }
}

// The problem about another velocity than v*, where components have more than `most` nodes: those
// that passes treat by nodes.
ContactProblem about_another_motion(ContactProblem problem, int most, double speed)
{
  Random random(3);
  const ContactProblem of = problem;
  problem.rest.setZero(problem.v_star.size());
  int first = 0;
  for (const BlockMatrix& A : problem.A) {
    const auto length = A.size();
    if (A.rows() > std::max(most, 2)) {  // lone bodies are never treated by nodes
      VectorXd shift(length), rest;
      for (double& x : shift) x = random.uniform(-speed, speed);
      problem.v_star.segment(first, length) += shift;
      multiply(A, shift, rest);
      problem.rest.segment(first, length) = -rest;
    }
    first += static_cast<int>(length);
  }
  return problem;
}

TEST_CASE("about an expected motion a problem has the answers that it has about v*")
{
  int changed = 0;
  for (const NamedProblem& named : all_problems(0.0)) {  // a unique velocity
    CAPTURE(std::string(named.name));
    for (NestedOptions options : all_options()) {
      if (options.max_exact_nodes > 1000) continue;
      const ContactProblem other =
          about_another_motion(named.problem, options.max_exact_nodes, 0.3);
      changed += !other.rest.isZero(0.0);
      validate(other);
      ContactSolution a, b;
      NestedSolver solver(options), solver_of_other(options);
      solver.begin(named.problem);
      solver_of_other.begin(other);
      CHECK(solver.solve(named.problem, a).ok());
      CHECK(solver_of_other.solve(other, b).ok());
      CHECK((a.v - b.v).cwiseAbs().maxCoeff() < 2e-6);
      // One judge: the answer is as good of either. Round-off of A (v - v*) is what may differ.
      CHECK(measure(named.problem, b).worst() <= 1.01e-9);
      const ContactProblem again = about_free_motion(other);
      CHECK(again.rest.size() == 0);
      CHECK((again.v_star - named.problem.v_star).cwiseAbs().maxCoeff() < 1e-9);
    }
  }
  CHECK(changed > 5);
}

TEST_CASE("exact and nodal components mix in one island, and agree with all exact")
{
  for (const double mu : {0.0, 0.5}) {
    const ContactProblem problem = mixed_pile(mu);
    NestedOptions options = accelerated_options();
    options.max_exact_nodes = 30;  // the cube is exact, the net under it is not
    options.tolerance = 1e-8;
    NestedSolver mixed(options);
    mixed.begin(problem);
    ContactSolution a;
    const NestedReport report = mixed.solve(problem, a);
    CHECK(report.ok());
    CHECK(report.passes > 0);
    CHECK(measure(problem, a).worst() <= 1e-8);
    if (mu > 0.0) continue;  // with friction there may be several answers
    NestedOptions exact = anticipation_options();
    exact.tolerance = 1e-9;
    exact.max_sweeps = 20000;
    NestedSolver reference(exact);
    reference.begin(problem);
    ContactSolution b;
    CHECK(reference.solve(problem, b).ok());
    CHECK((a.v - b.v).cwiseAbs().maxCoeff() < 1e-5);
  }
}

TEST_CASE("the same bits for any number of threads")
{
  std::vector<NamedProblem> problems = all_problems(0.5);
  problems.push_back({"large net", net_on_ground(60, 0.4)});  // its products run on several threads
  for (NestedOptions options : all_options()) {
    options.tolerance = 1e-5;
    for (const NamedProblem& named : problems) {
      CAPTURE(std::string(named.name));
      ContactSolution one;
      const auto solve = [&](ContactSolution& solution) {
        NestedSolver solver(options);
        solver.begin(named.problem);
        (void)solver.solve(named.problem, solution);
      };
      with_threads(1, [&] { solve(one); });
      for (const int threads : {2, 4}) {
        ContactSolution several;
        with_threads(threads, [&] { solve(several); });
        CHECK(several.v == one.v);
        CHECK(several.lambda == one.lambda);
      }
    }
  }
}

TEST_CASE("a stack with a box of 1,000 kg on boxes of 1 kg stands still, after few sweeps")
{
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (const double mu : {0.0, 0.5}) {
      const ContactProblem problem = box_stack(4, mu, 1000.0);
      NestedSolver solver({.tolerance = 1e-10, .law = law});
      solver.begin(problem);
      ContactSolution solution;
      const NestedReport report = solver.solve(problem, solution);
      CHECK(report.ok());
      CHECK(report.sweeps <= 64);  // Newton's method; sweeps alone take thousands
      CHECK(solution.v.cwiseAbs().maxCoeff() < 1e-10);
    }
  }
}

TEST_CASE("W = J A^-1 J', for contacts that come at once or one after the other")
{
  const ContactProblem problem = cube_pile(1, 0.3);
  const BlockMatrix& A = problem.A[0];
  BlockCholesky factor(*A.pattern);
  REQUIRE(factor.factor(A));
  MatrixXd J = MatrixXd::Zero(3 * problem.size(), A.size());
  std::vector<std::span<const RowBlock>> contacts;
  for (int c = 0; c < problem.size(); ++c) {
    const ContactRows& rows = problem.contacts[c];
    contacts.emplace_back(problem.blocks.data() + rows.first, rows.count);
    for (const RowBlock& block : contacts.back()) {
      J.block<3, 3>(3 * c, 3 * block.node) = block.J;
    }
  }
  const MatrixXd W = J * to_dense(A).llt().solve(J.transpose());

  for (const int batch : {9, 4, 1}) {  // 9 contacts in all
    CAPTURE(batch);
    Compliance compliance;
    std::vector<int> slot(problem.size());
    for (int first = 0; first < problem.size(); first += batch) {
      const int count = std::min(batch, problem.size() - first);
      for (int c = 0; c < count; ++c) slot[first + c] = compliance.slots() + 3 * c;
      compliance.append(factor, std::span(contacts).subspan(first, count), 0);
    }
    for (int c = 0; c < problem.size(); ++c) {
      for (int d = 0; d < problem.size(); ++d) {
        for (int i = 0; i < 3; ++i) {
          const Eigen::Map<const Vector3d> row(compliance.row(slot[c] + i) + slot[d]);
          const Vector3d expected = W.block<1, 3>(3 * c + i, 3 * d).transpose();
          CHECK((row - expected).norm() < 1e-13 * W.norm());
        }
      }
    }
  }
}

TEST_CASE("islands: contacts that share a component belong together, the others do not")
{
  const ContactProblem problem = scattered(0.3);  // 5 cubes, 5 points, a point on a net
  NestedSolver solver;
  solver.begin(problem);
  ContactSolution solution;
  CHECK(solver.solve(problem, solution).islands == 11);
  const ContactProblem pile = cube_pile(3, 0.3);
  solver.begin(pile);
  CHECK(solver.solve(pile, solution).islands == 1);
}

TEST_CASE("ready factors are used and change nothing")
{
  const ContactProblem problem = cube_pile(3, 0.3);
  std::vector<BlockCholesky> factors;
  std::vector<const BlockCholesky*> handed;
  for (const BlockMatrix& A : problem.A) {
    REQUIRE(factors.emplace_back(*A.pattern).factor(A));
  }
  for (const BlockCholesky& factor : factors) handed.push_back(&factor);
  NestedSolver a, b;
  ContactSolution own, given;
  a.begin(problem);
  (void)a.solve(problem, own);
  b.begin(problem, handed);
  (void)b.solve(problem, given);
  CHECK(own.v == given.v);
}

TEST_CASE("without contacts the answer is v*, and history and refusals")
{
  ContactProblem problem = cube_pile(1, 0.3);
  NestedOptions options = automatic_options();
  options.keep_history = true;
  NestedSolver solver(options);
  solver.begin(problem);
  ContactSolution solution;
  const NestedReport solved = solver.solve(problem, solution);
  CHECK(solved.ok());
  CHECK_FALSE(solved.history.empty());
  CHECK(solved.history.back() <= options.tolerance);
  CHECK(solved.residuals.worst() == measure(problem, solution).worst());
  CHECK_THROWS_AS((void)solver.solve(first_contacts(problem, 1), solution), Error);

  problem.contacts.clear();
  solver.begin(problem);
  CHECK(solver.solve(problem, solution).ok());
  CHECK(solution.v == problem.v_star);
}

TEST_CASE("a plan goes on while its answer is not good, and is left as soon as it is")
{
  static constexpr std::array sweeps_only = {
      PlanStep{&method::warm_start}, PlanStep{&method::sweeps, 3}, PlanStep{&method::sweeps, 4}};
  const ContactProblem problem = box_stack(4, 0.5);
  NestedOptions options{.plan = [](IslandKind kind) {
    CHECK(kind == IslandKind::rigid);
    return IslandPlan(sweeps_only);
  }};
  options.tolerance = 1e-9;
  NestedSolver planned(options), by_responses({.tolerance = 1e-9});
  planned.begin(problem);
  ContactSolution solution;
  const NestedReport missed = planned.solve(problem, solution);
  CHECK(missed.sweeps == 7);
  CHECK_FALSE(missed.ok());
  by_responses.begin(problem);
  CHECK(by_responses.solve(problem, solution).ok());
  const NestedReport warm = planned.solve(problem, solution);
  CHECK(warm.sweeps == 0);
  CHECK(warm.ok());
}

TEST_CASE("bilateral rows are refused before anything is solved")
{
  ContactProblem problem = box_stack(2, 0.5);
  problem.bilateral_blocks.push_back({0, RowVector3d(1.0, 0.0, 0.0)});
  problem.bilateral.push_back({.first = 0, .count = 1});
  NestedSolver solver;
  CHECK_THROWS_WITH_AS(solver.begin(problem),
                       "contact problem: found 1 bilateral rows, expected contacts only", Error);
}

TEST_CASE("contacts inside a pass of ica swept region by region: the same bits as swept together")
{
  for (const double mu : {0.0, 0.5})
    for (const NamedProblem& named : all_problems(mu)) {
      CAPTURE(std::string(named.name));
      IcaOptions options{.max_passes = 40};  // the bits of each pass count, not where they end
      ContactSolution together, apart;
      options.settled = -1.0;
      IcaSolver all(options);
      all.begin(named.problem);
      const NestedReport report = all.solve(named.problem, together);
      options.settled = 0.0;
      IcaSolver regions(options);
      regions.begin(named.problem);
      CHECK(regions.solve(named.problem, apart).passes == report.passes);
      CHECK(apart.v == together.v);
      CHECK(apart.lambda == together.lambda);
    }
}

TEST_CASE("regions inside a pass of ica that have settled may rest: the answer is as good")
{
  for (const NamedProblem& named : all_problems(0.0)) {  // a unique velocity
    CAPTURE(std::string(named.name));
    IcaOptions options{.max_passes = 100000, .tolerance = 1e-7};
    ContactSolution all_sweeps, settled;
    IcaSolver exact(options);
    exact.begin(named.problem);
    const NestedReport report = exact.solve(named.problem, all_sweeps);
    options.settled = 0.01;
    IcaSolver hurried(options);
    hurried.begin(named.problem);
    const NestedReport other = hurried.solve(named.problem, settled);
    CHECK(report.ok());
    CHECK(other.ok());
    CHECK(measure(named.problem, settled).worst() <= options.tolerance);
    CHECK((settled.v - all_sweeps.v).cwiseAbs().maxCoeff() < 1e-4);
  }
}
