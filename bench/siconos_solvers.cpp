#include <bench/siconos_solvers.hpp>

#include <dlfcn.h>

#include <bench/siconos_module.hpp>

namespace tact {
namespace {

constexpr int max_iterations = 20000;

using ModuleSolve = bool (*)(SiconosTask*);

// The module is loaded when first asked for, and stays.
ModuleSolve siconos_entry()
{
#ifdef TACT_SICONOS_MODULE
  static void* const module = dlopen(TACT_SICONOS_MODULE, RTLD_NOW | RTLD_LOCAL);
  if (module) return reinterpret_cast<ModuleSolve>(dlsym(module, "tact_solve_by_siconos"));
#endif
  return nullptr;
}

}  // namespace

std::vector<std::string> siconos_solvers()
{
  if (!siconos_entry()) return {};
  return {"nsgs", "nsn-ac", "admm", "prox"};
}

std::optional<SiconosAnswer> solve_by_siconos(const std::string& solver,
                                              const FrictionProblem& problem, double tolerance)
{
  SparseRows W = problem.W;
  W.makeCompressed();
  SiconosAnswer answer;
  answer.lambda.resize(problem.size());
  SiconosTask task{.solver = solver.c_str(),
                   .dimension = problem.dimension,
                   .contacts = problem.contacts(),
                   .row_starts = W.outerIndexPtr(),
                   .columns = W.innerIndexPtr(),
                   .entries = W.valuePtr(),
                   .q = problem.q.data(),
                   .mu = problem.mu.data(),
                   .tolerance = tolerance,
                   .max_iterations = max_iterations,
                   .lambda = answer.lambda.data(),
                   .iterations = 0,
                   .seconds = 0.0};
  const ModuleSolve solve = siconos_entry();
  if (!solve || !solve(&task)) return std::nullopt;
  answer.iterations = task.iterations;
  answer.seconds = task.seconds;
  return answer;
}

}  // namespace tact
