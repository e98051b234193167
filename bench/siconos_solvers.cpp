#include <bench/siconos_solvers.hpp>

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include <bench/siconos_module.hpp>
#include <tact/core/error.hpp>

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

enum class TaskEnd { done, unknown, out_of_time };

TaskEnd run(ModuleSolve solve, SiconosTask& task)
{
  return solve(&task) ? TaskEnd::done : TaskEnd::unknown;
}

// Memory that a child process shares.
class SharedDoubles {
 public:
  explicit SharedDoubles(std::size_t count)
      : bytes_(count * sizeof(double)),
        memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
  {
    if (memory_ == MAP_FAILED) throw Error("bench solvers: no memory to share with a process");
  }
  ~SharedDoubles() { munmap(memory_, bytes_); }
  SharedDoubles(const SharedDoubles&) = delete;
  SharedDoubles& operator=(const SharedDoubles&) = delete;
  double* data() { return static_cast<double*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_;
};

// In a process of its own, which the system ends after so many seconds: the library offers no way
// to stop a solver. It leaves the impulses, and behind them iterations and seconds.
TaskEnd run_with_limit(ModuleSolve solve, SiconosTask& task, int limit)
{
  const std::size_t n = static_cast<std::size_t>(task.dimension) * task.contacts;
  SharedDoubles shared(n + 2);
  const pid_t child = fork();
  if (child < 0) throw Error("bench solvers: no process for a solver");
  if (child == 0) {
    const rlimit seconds{static_cast<rlim_t>(limit), static_cast<rlim_t>(limit)};
    setrlimit(RLIMIT_CPU, &seconds);
    const TaskEnd end = run(solve, task);
    std::copy_n(task.lambda, n, shared.data());
    shared.data()[n] = task.iterations;
    shared.data()[n + 1] = task.seconds;
    _exit(static_cast<int>(end));
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) {
    task.seconds = limit;
    return TaskEnd::out_of_time;
  }
  std::copy_n(shared.data(), n, task.lambda);
  task.iterations = static_cast<int>(shared.data()[n]);
  task.seconds = shared.data()[n + 1];
  return static_cast<TaskEnd>(WEXITSTATUS(status));
}

}  // namespace

std::vector<std::string> siconos_solvers()
{
  if (!siconos_entry()) return {};
  return {"nsgs", "nsn-ac", "admm", "prox"};
}

std::optional<SiconosAnswer> solve_by_siconos(const std::string& solver,
                                              const FrictionProblem& problem, double tolerance,
                                              int limit)
{
  const ModuleSolve solve = siconos_entry();
  if (!solve) return std::nullopt;
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
  const TaskEnd end = limit > 0 ? run_with_limit(solve, task, limit) : run(solve, task);
  if (end == TaskEnd::unknown) return std::nullopt;
  answer.ended = end == TaskEnd::out_of_time;
  answer.iterations = task.iterations;
  answer.seconds = task.seconds;
  return answer;
}

}  // namespace tact
