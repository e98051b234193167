// Coupled problems solved: how many sweeps, how good, the same on any number of threads.
#include <numeric>

#include <doctest/doctest.h>
#include <tbb/global_control.h>

#include <contact/problem_builder.hpp>
#include <tact/contact/judge.hpp>
#include <tact/samples/coupled_families.hpp>
#include <tact/solvers/coupling/coupling_solver.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/solvers.hpp>

namespace tact {
namespace {

// Residual of no impulses at all: what relative tolerances are relative to.
double first_residual(const ContactProblem& problem)
{
  return measure(problem, {problem.v_star, VectorXd::Zero(3 * problem.size())}).natural;
}

SolveReport solve_to(double relative, const ContactProblem& problem, ContactSolution& solution,
                     CouplingOptions options = {})
{
  options.tolerance = relative * first_residual(problem);
  return solve_coupling(problem, solution, options);
}

CouplingOptions sweeps_only()
{
  return {.max_sweeps = 400, .correct = false, .newton = false, .interior = false};
}

CouplingOptions with_corrections()
{
  return {.max_sweeps = 400, .newton = false, .interior = false};
}

// Energy of the contact problem without friction: what sweeps and corrections lower.
double energy(const ContactProblem& problem, const ContactSolution& solution)
{
  const VectorXd x = solution.v - problem.v_star;
  const VectorXd q = contact_velocities(problem, problem.v_star);
  VectorXd Ax(x.size());
  multiply(problem, x, Ax);
  return 0.5 * x.dot(Ax) + solution.lambda.dot(q);
}

}  // namespace

TEST_CASE("one body: a handful of sweeps to 1e-6 for any mass and number of contacts")
{
  struct Case {
    double mass_ratio;
    int most_sweeps;
  };
  for (const auto& [mass_ratio, most_sweeps] : {Case{1.0, 25}, Case{30.0, 12}, Case{1000.0, 8}}) {
    for (const int contacts : {500, 5000}) {
      const ContactProblem problem = pressed_body({.contacts = contacts, .mass_ratio = mass_ratio});
      ContactSolution solution;
      const SolveReport report = solve_to(1e-6, problem, solution);
      const Residuals residuals = measure(problem, solution);
      CHECK(report.ok());
      CHECK(report.iterations <= most_sweeps);
      CHECK(residuals.worst() <= 1e-6 * first_residual(problem));
      CHECK(residuals.cone_violation <= 1e-12);
    }
  }
}

TEST_CASE("answers are not limited by the single precision of the rows")
{
  const ContactProblem problem = pressed_body({.contacts = 500});
  ContactSolution solution;
  const SolveReport report = solve_to(1e-12, problem, solution);
  CHECK(report.ok());
  CHECK(measure(problem, solution).worst() <= 1e-12 * first_residual(problem));
}

TEST_CASE("ten bodies on one mat with rigid contacts between them are solved to 1e-9")
{
  for (const double mass_ratio : {1.0, 30.0, 1000.0}) {
    const ContactProblem problem = bodies_on_mat({.contacts = 500, .mass_ratio = mass_ratio});
    ContactSolution solution, rough, plain;
    CHECK(solve_to(1e-9, problem, solution).ok());
    CHECK(measure(problem, solution).worst() <= 1e-9 * first_residual(problem));
    const SolveReport report = solve_to(1e-3, problem, rough);
    CHECK(report.ok());
    CouplingOptions slow = sweeps_only();
    slow.max_sweeps = 3 * report.iterations;
    CHECK_FALSE(solve_to(1e-3, problem, plain, slow).ok());
  }
}

TEST_CASE("the collective correction saves most sweeps of one body")
{
  const ContactProblem problem = pressed_body({.contacts = 500});
  ContactSolution corrected, plain;
  const SolveReport fast = solve_to(1e-6, problem, corrected, with_corrections());
  const SolveReport slow = solve_to(1e-6, problem, plain, sweeps_only());
  CHECK(fast.ok());
  CHECK(fast.iterations <= 12);
  CHECK(slow.iterations >= 10 * fast.iterations);
}

// Heavy bodies hardly follow one contact of the mat, but push each other: corrections begin there
// when sweeps have turned out to be slow.
TEST_CASE("the collective correction saves two thirds of the sweeps of ten bodies of any mass")
{
  CouplingOptions plain = sweeps_only();
  plain.max_sweeps = 1000;
  for (const auto family : {bodies_on_mat, bodies_on_faces}) {
    for (const double mass_ratio : {1.0, 30.0, 1000.0}) {
      CAPTURE(mass_ratio);
      const ContactProblem problem = family({.contacts = 500, .mass_ratio = mass_ratio});
      ContactSolution corrected, uncorrected;
      const SolveReport fast = solve_to(1e-3, problem, corrected, with_corrections());
      const SolveReport slow = solve_to(1e-3, problem, uncorrected, plain);
      CHECK(fast.ok());
      CHECK(3 * fast.iterations <= slow.iterations);
    }
  }
}

// A light box that slides on a net of springs, which hangs a little above the ground.
ContactProblem box_on_net()
{
  constexpr int nodes_a_side = 15;
  constexpr double width = 0.15;  // m
  ProblemBuilder builder;
  builder.dt = 0.005;
  ProblemBuilder::Lattice lattice = net(nodes_a_side, width / nodes_a_side, 0.0);
  lattice.stiffness = 20.0;
  const int first = builder.add(lattice);
  const Vector3d centre(0.5 * width, 0.5 * width, 0.025);
  ProblemBuilder::Box box{.mass = 0.05, .size = {width, width, 0.05}, .centre = centre};
  box.velocity = {0.3, 0.0, -1.0};
  box.spin = {0.5, 0.2, 1.0};
  const int body = builder.add(box);
  for (int i = 0; i < nodes_a_side * nodes_a_side; ++i) {
    const Vector3d arm = builder.place(first + i) - centre;
    ProblemBuilder::Contact contact;
    contact.supports = {{.node = body, .weight = 1.0, .rigid = true, .arm = arm},
                        {.node = first + i, .weight = -1.0}};
    contact.normal = Vector3d(0.05 * std::sin(7.0 * i), 0.05 * std::cos(3.0 * i), 1.0).normalized();
    contact.gap = 1e-4 * (7 * i % 5);
    builder.add(contact);
  }
  return builder.build();
}

TEST_CASE("corrections in plain passes save four fifths of them")
{
  const ContactProblem problem = box_on_net();
  int passes[2] = {0, 0};
  for (const bool corrected : {false, true}) {
    NestedOptions options = accelerated_options();
    options.scheme = NestedScheme::gauss_seidel;
    options.tolerance = 1e-4;
    options.correct_bodies = corrected;
    NestedSolver solver(options);
    solver.begin(problem);
    ContactSolution solution;
    const NestedReport report = solver.solve(problem, solution);
    passes[corrected ? 1 : 0] = report.passes;
    if (corrected) CHECK(report.ok());
    if (corrected) CHECK(measure(problem, solution).worst() <= 1e-4);
  }
  CHECK(5 * passes[1] <= passes[0]);
}

TEST_CASE("without friction neither sweeps nor corrections raise the energy")
{
  const ContactProblem problem = bodies_on_faces({.contacts = 1500, .mu = 0.0});
  double before = 0.0;  // of no impulses
  for (int sweeps = 1; sweeps <= 30; ++sweeps) {
    CouplingOptions options = with_corrections();
    options.max_sweeps = sweeps;
    ContactSolution solution;
    (void)solve_to(1e-9, problem, solution, options);
    const double after = energy(problem, solution);
    CHECK(after <= before + 1e-9 * std::abs(before));  // of rounded rows
    before = after;
  }
  CHECK(before < -1e-3);
}

TEST_CASE("pinched sheets and towers end with a finite residual and an honest status")
{
  for (const double mass_ratio : {1.0, 1000.0}) {
    for (const ContactProblem& problem :
         {pinched_sheet({.contacts = 300, .mass_ratio = mass_ratio}),
          pinched_tower({.contacts = 300, .mass_ratio = mass_ratio})}) {
      ContactSolution solution;
      const double first = first_residual(problem);
      const SolveReport report = solve_to(1e-6, problem, solution, {.max_sweeps = 300});
      const double reached = measure(problem, solution).worst();
      CHECK(std::isfinite(reached));
      CHECK(report.ok() == (reached <= 1e-6 * first));
      CHECK(reached <= 1.001 * first);  // the best of all iterates, the first included
    }
  }
}

TEST_CASE("bits do not depend on the number of threads")
{
  struct Case {
    const char* name;
    ContactProblem problem;
    CouplingOptions options;
  };
  CouplingOptions chunked = with_corrections();
  chunked.max_sweeps = 12;
  chunked.chunks = 5;
  const std::vector<Case> cases = {
      {"newton", pressed_body({.contacts = 9000}), {}},
      {"newton with rigid contacts", bodies_on_mat({.contacts = 9000}), {.max_sweeps = 8}},
      {"sweeps with corrections", bodies_on_faces({.contacts = 9000}), chunked}};
  for (const Case& each : cases) {
    CAPTURE(each.name);
    ContactSolution one;
    for (const int threads : {1, 2, 3, 4}) {
      const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
      ContactSolution solution;
      (void)solve_to(1e-8, each.problem, solution, each.options);
      if (threads == 1) one = solution;
      CHECK(solution.lambda == one.lambda);
      CHECK(solution.v == one.v);
    }
  }
}

TEST_CASE("coupling agrees with anticipation where both apply")
{
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (const ContactProblem& problem : {box_stack(4, 0.5, 1.0), pressed_body({.contacts = 60}),
                                          bodies_on_mat({.contacts = 50})}) {
      ContactSolution ours, theirs;
      ContactOptions options{.tolerance = 1e-7, .law = law};
      const SolveReport report = solve_contact(problem, ours, "coupling", options);
      const SolveReport other = solve_contact(problem, theirs, "anticipation", options);
      INFO(problem.size(), " contacts: ", report.note, ", ", report.residual, " m/s");
      CHECK(report.ok());
      // Where friction leaves more than one answer each may find its own: only what both are sure
      // of.
      if (report.ok() && other.ok()) CHECK((ours.v - theirs.v).lpNorm<Eigen::Infinity>() <= 1e-5);
    }
  }
}

TEST_CASE("a warm start at the answer costs no sweep")
{
  const ContactProblem problem = pressed_body({.contacts = 400});
  ContactSolution solution;
  CHECK(solve_to(1e-8, problem, solution).ok());
  const SolveReport again = solve_to(1e-6, problem, solution);
  CHECK(again.ok());
  CHECK(again.iterations == 0);
}

TEST_CASE("coupling says what it does not take")
{
  ContactSolution solution;
  const SolveReport net = solve_contact(net_on_ground(4, 0.4), solution, "coupling");
  CHECK(net.status == SolveStatus::unsupported);
  CHECK(net.note.find("couples nodes") != std::string::npos);
  ContactProblem skewed = pressed_body({.contacts = 3});
  skewed.blocks[1].J(0, 0) += 0.1;  // no arm gives such a row
  CHECK(solve_contact(skewed, solution, "coupling").status == SolveStatus::unsupported);
}

}  // namespace tact
