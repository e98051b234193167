// Solvers must not allocate after their first solve of a size: they run inside time steps.
#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <numeric>

#include <contact/problem_builder.hpp>
#include <contact/rigid_problems.hpp>
#include <tact/samples/coupled_families.hpp>
#include <tact/solvers/automatic.hpp>
#include <tact/solvers/coupling/low_rank_kernel.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>
#include <tact/solvers/regions/projected_solver.hpp>

extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);

namespace {
std::atomic<long> allocations{0};
}

extern "C" void* malloc(std::size_t size)
{
  ++allocations;
  return __libc_malloc(size);
}

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size)
{
  ++allocations;
  return __libc_memalign(alignment, size);
}

extern "C" int posix_memalign(void** out, std::size_t alignment, std::size_t size)
{
  ++allocations;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : 12;  // ENOMEM
}

using namespace tact;

TEST_CASE("the counter counts")
{
  const long before = allocations;
  const std::vector<double> some(1000);
  const VectorXd more(1000);
  // A compiler may leave out the memory that nobody looks at.
  for (const double* volatile seen : {some.data(), more.data()}) static_cast<void>(seen);
  CHECK(allocations >= before + 2);
}

TEST_CASE("cone-state Lemke does not allocate after the first solve, cold or warm")
{
  Random random(1);
  for (const bool warm : {false, true}) {
    for (const int bodies : {1, 3, 5}) {
      std::vector<ContactProblem> problems;
      for (int i = 0; i < 10; ++i) problems.push_back(block_stack(bodies, 8 * bodies - 4, random));
      ConeLemke solver({.warm_start = warm});
      ContactSolution solution;
      solver.solve(problems[0], solution);
      solver.solve(problems[0], solution);  // the first warm start has buffers of its own
      const long before = allocations;
      for (const ContactProblem& problem : problems) solver.solve(problem, solution);
      const long made = allocations - before;
      CAPTURE(warm);
      CAPTURE(bodies);
      CHECK(made == 0);
    }
  }
}

TEST_CASE("iterative solvers do not allocate after the first solve, growing problems included")
{
  NestedOptions some_exact = accelerated_options();
  some_exact.max_exact_nodes = 30;  // cubes, but not nets
  for (const NestedOptions& options :
       {automatic_options(), anticipation_options(), accelerated_options(), some_exact}) {
    for (const NamedProblem& named : all_problems(0.5)) {
      CAPTURE(std::string(named.name));
      ContactProblem half = named.problem;
      half.contacts.resize(half.contacts.size() / 2);
      NestedSolver solver(options);
      ContactSolution solution, cold;
      const auto step = [&] {
        solution.lambda.resize(0);
        solver.begin(named.problem);
        (void)solver.solve(half, solution);
        (void)solver.solve(named.problem, solution);
      };
      step();
      step();
      const long before = allocations;
      step();
      const long made = allocations - before;
      // The only memory asked for is that of the solution, which changes its size twice, and of the
      // threads' tasks.
      CHECK(made <= 8);
    }
  }
}

TEST_CASE("projected solvers do not allocate after the first solve either")
{
  for (const ProjectedMethod method : {ProjectedMethod::pcg_pgs, ProjectedMethod::pgs,
                                       ProjectedMethod::nncg, ProjectedMethod::apgd}) {
    for (const NamedProblem& named : all_problems(0.5)) {
      CAPTURE(std::string(named.name));
      ProjectedOptions options;
      options.method = method;
      ProjectedSolver solver(options);
      ContactSolution solution;
      const auto step = [&] {
        solution.lambda.resize(0);
        solver.begin(named.problem);
        (void)solver.solve(named.problem, solution);
      };
      step();
      step();
      const long before = allocations;
      step();
      const long made = allocations - before;
      CHECK(made <= 8);  // the solution, the note of the report, the threads' tasks
    }
  }
}

TEST_CASE("sweeps over coupled contacts do not allocate")
{
  for (const ContactProblem& problem :
       {pressed_body({.contacts = 203}), bodies_on_faces({.contacts = 200})}) {
    DiagonalBlocks D;
    REQUIRE(D.load(problem));
    std::vector<int> all(problem.size());
    std::iota(all.begin(), all.end(), 0);
    CoupledProblem coupled;
    REQUIRE(coupled.load(problem, D, all));
    CompactRows rows;
    rows.load(coupled, FrictionLaw::disc);
    LowRankKernel kernel;
    VectorXd lambda = VectorXd::Zero(3 * coupled.size()),
             w = VectorXd::Zero(coupled.response_size());
    const long before = allocations;
    for (int sweep = 0; sweep < 10; ++sweep) kernel.sweep(rows, lambda, w);
    const long made = allocations - before;
    CHECK(made == 0);
  }
}
