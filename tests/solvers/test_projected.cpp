// Projected iterations on regions: what each method owes, judged from outside.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <contact/problem_builder.hpp>
#include <tact/contact/judge.hpp>
#include <tact/solvers/regions/projected_solver.hpp>
#include <tact/solvers/solvers.hpp>

using namespace tact;

namespace {

constexpr double tight_projected = 1e-6;  // m/s

const std::vector<ProjectedMethod> with_friction = {ProjectedMethod::pcg_pgs, ProjectedMethod::pgs,
                                                    ProjectedMethod::nncg, ProjectedMethod::apgd};

ProjectedOptions with(ProjectedMethod method, double tolerance, FrictionLaw law = FrictionLaw::disc)
{
  ProjectedOptions options;
  options.method = method;
  options.law = law;
  options.tolerance = tolerance;
  options.gs.change = 0.0;  // go on to the tolerance
  options.max_sweeps = 100000;
  return options;
}

ProjectedReport solved(const ContactProblem& problem, const ProjectedOptions& options,
                       ContactSolution& solution)
{
  ProjectedSolver solver(options);
  solver.begin(problem);
  return solver.solve(problem, solution);
}

double furthest(const VectorXd& a, const VectorXd& b)
{
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("every projected method reaches the shared residual on every problem for both laws")
{
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid})
    for (const double mu : {0.0, 0.5})
      for (const NamedProblem& named : all_problems(mu))
        for (const ProjectedMethod method : with_friction) {
          CAPTURE(std::string(name(method)));
          CAPTURE(std::string(named.name));
          CAPTURE(mu);
          CAPTURE(static_cast<int>(law));
          ContactSolution solution;
          const ProjectedReport report =
              solved(named.problem, with(method, tight_projected, law), solution);
          CHECK(report.ok());
          const Residuals residuals = measure(named.problem, solution, law);
          CHECK(residuals.worst() <= tight_projected);
          CHECK(residuals.worst() == report.residuals.worst());
          CHECK(residuals.cone_violation <= 1e-14);
        }
}

TEST_CASE("without friction all methods agree with exact anticipation on the velocity")
{
  for (const NamedProblem& named : all_problems(0.0)) {
    CAPTURE(std::string(named.name));
    ContactSolution reference;
    REQUIRE(solve_contact(named.problem, reference, "anticipation",
                          {.tolerance = 1e-10, .max_iterations = 20000})
                .ok());
    std::vector<ProjectedMethod> methods = with_friction;
    methods.push_back(ProjectedMethod::mprgp);
    for (const ProjectedMethod method : methods) {
      CAPTURE(std::string(name(method)));
      ContactSolution solution;
      REQUIRE(solved(named.problem, with(method, 1e-9), solution).ok());
      CHECK(furthest(solution.v, reference.v) < 1e-6);
    }
  }
}

TEST_CASE("mprgp refuses friction, and what it refuses is told")
{
  ContactSolution solution;
  const ProjectedReport report =
      solved(box_stack(2, 0.5), with(ProjectedMethod::mprgp, tight_projected), solution);
  CHECK(report.status == SolveStatus::unsupported);
  CHECK(report.note.find("friction") != std::string::npos);
  CHECK(solve_contact(box_stack(2, 0.5), solution, "mprgp").status == SolveStatus::unsupported);
}

TEST_CASE("solved apart or as one problem: the same velocity")
{
  for (const ProjectedMethod method : with_friction) {
    CAPTURE(std::string(name(method)));
    const ContactProblem problem = scattered(0.0);
    ContactSolution apart, as_one;
    ProjectedOptions options = with(method, 1e-9);
    const ProjectedReport many = solved(problem, options, apart);
    options.separate = false;
    const ProjectedReport one = solved(problem, options, as_one);
    CHECK(many.ok());
    CHECK(one.ok());
    CHECK(many.regions == 11);
    CHECK(one.regions == 1);
    CHECK(furthest(apart.v, as_one.v) < 1e-7);
  }
}

TEST_CASE("W as a matrix or velocities of nodes: the same iteration and the same answer")
{
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid})
    for (const NamedProblem& named : all_problems(0.3))
      for (const bool separate : {true, false}) {
        CAPTURE(std::string(named.name));
        CAPTURE(static_cast<int>(law));
        CAPTURE(separate);
        // Few enough iterations that round-off has no time to grow, by each method in turn.
        ProjectedOptions options = with(ProjectedMethod::pcg_pgs, 1e-9, law);
        options.separate = separate;
        options.max_cg = 5;
        options.max_sweeps = 10;
        ContactSolution by_nodes, by_matrix;
        const ProjectedReport nodes = solved(named.problem, options, by_nodes);
        options.dense = true;
        const ProjectedReport matrix = solved(named.problem, options, by_matrix);
        CHECK(matrix.regions == nodes.regions);
        CHECK(matrix.all_iterations == nodes.all_iterations);
        CHECK(nodes.assembly == 0.0);
        CHECK(matrix.assembly > 0.0);
        CHECK(furthest(by_nodes.v, by_matrix.v) < 1e-10);
      }
}

TEST_CASE("all forms agree where the velocity is unique: apart or as one and with or without W")
{
  const ContactProblem problem = scattered(0.0);
  std::vector<ContactSolution> answers;
  for (const bool separate : {true, false})
    for (const bool dense : {false, true}) {
      ProjectedOptions options = with(ProjectedMethod::pcg_pgs, 1e-9);
      options.separate = separate;
      options.dense = dense;
      CHECK(solved(problem, options, answers.emplace_back()).ok());
      CHECK(furthest(answers.back().v, answers.front().v) < 1e-7);
    }
}

TEST_CASE("the same bits for any number of threads, whatever the method")
{
  const ContactProblem problem = scattered(0.5);
  for (const ProjectedMethod method : with_friction) {
    CAPTURE(std::string(name(method)));
    std::vector<ContactSolution> answers;
    for (const int threads : {1, 2, 4}) {
      const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
      tbb::task_arena(threads).execute(
          [&] { (void)solved(problem, with(method, 1e-5), answers.emplace_back()); });
    }
    for (const ContactSolution& answer : answers) {
      CHECK(answer.v == answers[0].v);
      CHECK(answer.lambda == answers[0].lambda);
    }
  }
}

TEST_CASE(
    "both rules of conjugate directions lead to the answer in far fewer steps than sweeps alone")
{
  const ContactProblem problem = box_stack(10, 0.0);  // sweeps are slow on what is high
  for (const ConjugateRule rule : {ConjugateRule::fletcher_reeves, ConjugateRule::polak_ribiere}) {
    ProjectedOptions options = with(ProjectedMethod::pcg_pgs, 1e-8);
    options.rule = rule;
    options.cg.change = 0.0;
    ContactSolution by_cg, by_sweeps;
    const ProjectedReport cg = solved(problem, options, by_cg);
    const ProjectedReport pgs = solved(problem, with(ProjectedMethod::pgs, 1e-8), by_sweeps);
    CHECK(cg.ok());
    CHECK(pgs.ok());
    CHECK(cg.cg_iterations <= 2 * 3 * problem.size());
    CHECK(3 * cg.all_iterations < pgs.all_iterations);
    CHECK(furthest(by_cg.v, by_sweeps.v) < 1e-6);
  }
}

TEST_CASE("each phase ends by its own thresholds and limits, and hands on its best answer")
{
  const ContactProblem problem = mixed_pile(0.5);
  ProjectedOptions options = with(ProjectedMethod::pcg_pgs, 1e-7);
  options.first_sweeps = 0;
  ContactSolution solution;
  options.max_cg = 3;
  CHECK(solved(problem, options, solution).cg_iterations == 3);

  options.max_cg = 0;
  options.cg.residual = 1e12;  // ends at the first look
  solution = {};
  CHECK(solved(problem, options, solution).cg_iterations == 1);

  options.cg = {.change = 1e-9, .residual = 0.0};
  options.max_sweeps = 2;
  solution = {};
  const ProjectedReport limited = solved(problem, options, solution);
  CHECK(limited.cg_iterations > 10);
  CHECK(limited.cg_iterations <= 2 * 3 * problem.size());
  CHECK(limited.sweeps == 2);
  CHECK(limited.limited == 1);
  const double after_cg = limited.residuals.worst();

  options.max_cg = 1;
  solution = {};
  CHECK(solved(problem, options, solution).residuals.worst() > after_cg);

  options.gs.change = 1e9;  // every step counts as small
  options.max_sweeps = 1000;
  solution = {};
  const ProjectedReport stalled = solved(problem, options, solution);
  CHECK(stalled.sweeps == 1);
  CHECK(stalled.status == SolveStatus::stalled);
}

// Conjugate gradients alone share the impulse among them, each with a bound of friction of its own.
TEST_CASE("redundant contacts of one point are solved by the sweep before conjugate gradients")
{
  for (const int contacts : {1, 3, 7, 11}) {
    CAPTURE(contacts);
    ProblemBuilder builder;
    builder.dt = 1e-3;
    const int node = builder.add(ProblemBuilder::Lattice{.places = {Vector3d::Zero()}});
    for (int k = 0; k < contacts; ++k) {
      ProblemBuilder::Contact contact;
      contact.supports = {{.node = node, .weight = 1.0}};
      contact.normal = Vector3d::UnitZ();
      contact.mu = 0.3;
      builder.add(contact);
    }
    ContactProblem problem = builder.build();
    problem.v_star.setZero();
    problem.v_star.segment<3>(3 * node) = Vector3d(1.0, 0.0, -1.0);  // slides: mu is less than 1
    ContactSolution solution;
    const ProjectedReport report = solved(problem, with(ProjectedMethod::pcg_pgs, 1e-9), solution);
    CHECK(report.ok());
    CHECK(report.cg_iterations == 0);
    CHECK(report.sweeps == 1);
    CHECK(std::abs(solution.v[3 * node] - 0.7) < 1e-9);  // 1 - mu
  }
}

TEST_CASE("a warm start at the solution is left as it is, and a useless one does no harm")
{
  for (const NamedProblem& named : all_problems(0.5)) {
    CAPTURE(std::string(named.name));
    for (const ProjectedMethod method : with_friction) {
      CAPTURE(std::string(name(method)));
      ContactSolution solution;
      REQUIRE(solved(named.problem, with(method, tight_projected), solution).ok());
      const ContactSolution before = solution;
      const ProjectedReport again =
          solved(named.problem, with(method, 2.0 * tight_projected), solution);
      CHECK(again.all_iterations == 0);
      CHECK(furthest(solution.v, before.v) < 1e-12);
      ContactSolution useless{.v = VectorXd::Ones(5),
                              .lambda = VectorXd::Constant(3 * named.problem.size(), std::nan(""))};
      CHECK(solved(named.problem, with(method, 1e-4), useless).ok());
    }
  }
}

TEST_CASE("contacts that are appended give the answer of a problem that had them from the start")
{
  const ContactProblem problem = cube_pile(3, 0.0);
  for (const ProjectedMethod method : with_friction) {
    ProjectedSolver solver(with(method, 1e-9));
    solver.begin(problem);
    ContactProblem half = problem;
    half.contacts.resize(half.contacts.size() / 2);
    ContactSolution grown, at_once;
    CHECK(solver.solve(half, grown).ok());
    CHECK(solver.solve(problem, grown).ok());
    CHECK(solved(problem, with(method, 1e-9), at_once).ok());
    CHECK(furthest(grown.v, at_once.v) < 1e-6);
  }
}

TEST_CASE(
    "an audit of all regions finds them as near to the exact answer as the tolerance asks for")
{
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    ContactSolution solution;
    ProjectedOptions options = with(ProjectedMethod::pcg_pgs, 1e-9, law);
    options.audit = 1.0;
    const ProjectedReport report = solved(scattered(0.3), options, solution);
    CHECK(report.audit.regions == 11);
    CHECK(report.audit.unsolved == 0);
    CHECK(report.audit.difference < 1e-7);  // the residual is not the error: conditions of some ten
    options.tolerance = 0.1;
    solution = {};
    CHECK(solved(scattered(0.3), options, solution).audit.difference > 1e-6);
  }
}

// A point slides on the ground with two contacts in one place, the first without friction. Both
// share the normal impulse m g dt in any way: any loss of speed from 0 to mu g dt is an answer.
// From no impulses the solvers of the cone find one of them; here the iteration starts at both
// ends.
TEST_CASE("an audit tells several exact answers from a wrong one")
{
  ProblemBuilder builder;
  const int node = builder.add(
      ProblemBuilder::Lattice{.places = {Vector3d::Zero()}, .velocity = Vector3d::UnitX()});
  for (const double mu : {0.0, 0.5})
    builder.add(ProblemBuilder::Contact{.supports = {{.node = node}}, .mu = mu});
  const ContactProblem problem = builder.build();
  const double weight = 0.01 * builder.dt * builder.gravity.norm();  // N s, of 10 g
  const double widest = 0.5 * builder.dt * builder.gravity.norm();   // m/s
  ProjectedOptions options = with(ProjectedMethod::pgs, 1e-9);
  options.audit = 1.0;
  double spread = 0.0;
  for (const int carries : {0, 1}) {
    ContactSolution solution;
    solution.lambda = VectorXd::Zero(6);
    solution.lambda[3 * carries] = weight;
    const AuditReport audit = solved(problem, options, solution).audit;
    CHECK(audit.regions == 1);
    CHECK(audit.unsolved == 0);
    CHECK(audit.residual < 1e-9);
    CHECK(audit.difference < 1e-8);
    CHECK(audit.spread <= widest + 1e-9);
    CHECK(audit.ambiguous == (audit.spread > 1e-6 ? 1 : 0));
    spread += audit.spread;
  }
  CHECK(std::abs(spread - widest) < 1e-7);  // whichever answer is found, it lies between both ends
}

TEST_CASE("an audit of a tenth of the regions takes another tenth in every solve")
{
  const ContactProblem problem = scattered(0.3);
  ProjectedOptions options = with(ProjectedMethod::pgs, 1e-6);
  options.audit = 0.1;
  ProjectedSolver solver(options);
  int audited = 0;
  for (int k = 0; k < 10; ++k) {
    solver.begin(problem);
    ContactSolution solution;
    audited += solver.solve(problem, solution).audit.regions;
  }
  CHECK(audited == 11);
}
