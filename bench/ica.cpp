#include <bench/ica.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <bench/cpu_timer.hpp>
#include <bench/scene_problems.hpp>
#include <tact/files/text_file.hpp>
#include <tact/solvers/reproduction/ica.hpp>

namespace tact {
namespace {

constexpr int steps_a_window = 20;         // 600 ms
constexpr int most_full_contacts = 1200;   // W of so many takes 100 MB, and a solve seconds
constexpr double ica_tolerance = 1e-3;     // m/s, that of the scene
constexpr double paper_change = 0.05;      // between two iterations of an inner loop, Sec. 5.5
constexpr int paper_mesh = 140;            // tetrahedra of a letter
constexpr double most_run_seconds = 60.0;  // of processor time, of one run

// Letters fall into one narrow box, and its walls come in at once.
SceneSteps pile(int letters, int tetrahedra, bool friction, const std::string& method)
{
  SceneSteps steps{.scene = "letters", .set = {"/columns=2", "/rows=2", "/push_start=1.2"}};
  steps.set.emplace_back("/push_end=3");
  steps.set.emplace_back("/contact/rows_per_pair=0");
  steps.set.push_back(fmt::format("/count={}", letters));
  steps.set.push_back(fmt::format("/tetrahedra={}", tetrahedra));
  steps.set.push_back("/contact/solver=" + method);
  if (!friction) steps.set.emplace_back("/mu=0");
  steps.threads = 1;
  return steps;
}

class IcaBench {
 public:
  explicit IcaBench(const BenchOptions& options) : options_(options) {}

  IcaMeasurements run()
  {
    const std::vector<int> piles = options_.quick ? std::vector{4} : std::vector{6, 12, 24, 48};
    const std::vector<int> meshes = options_.quick ? std::vector{70} : std::vector{70, 280, 560};
    for (const int letters : piles) {
      for (const bool friction : {false, true})
        for (const char* method : {"ica", "full", "anticipation", "auto"})
          add_run(letters, paper_mesh, friction, method);
      for (const int tetrahedra : meshes)
        for (const char* method : {"ica", "auto"}) add_run(letters, tetrahedra, true, method);
    }
    for (const int tetrahedra : {70, 140, 280, 560})
      if (!options_.quick || tetrahedra < 200) add_convergence(tetrahedra);
    measured_.responses = measure_responses();
    return std::move(measured_);
  }

 private:
  void tell(const std::string& what) const
  {
    if (!options_.quiet) fmt::print(stderr, "bench ica: {}\n", what);
  }

  void add_run(int letters, int tetrahedra, bool friction, const std::string& method)
  {
    tell(fmt::format("{} letters of {} tetrahedra, {}, {}", letters, tetrahedra, method,
                     friction ? "friction" : "no friction"));
    SceneSteps steps = pile(letters, tetrahedra, friction, method);
    steps.last = options_.quick ? steps_a_window : 5 * steps_a_window;
    IcaRow start;
    start.letters = letters;
    start.tetrahedra = tetrahedra;
    start.friction = friction;
    start.method = method;
    IcaRow row = start;
    double spent = 0.0;
    CpuTimer timer;
    run_steps(steps, [&](int k, const StepResult& step) {
      const double seconds = timer.seconds();
      spent += seconds;
      add_step(row, step, 1e3 * seconds);
      if (k % steps_a_window == 0) {
        row.until = step.start.t + step.dt;
        measured_.windows.push_back(finished(row));
        row = start;
      }
      timer = CpuTimer();
      const bool large = method == "full" && step.problem.size() > most_full_contacts;
      return !large && spent < (options_.quick ? 5.0 : most_run_seconds);
    });
  }

  static void add_step(IcaRow& row, const StepResult& step, double ms)
  {
    ++row.steps;
    row.step_ms += ms;
    row.contacts += step.report.contacts;
    row.unconverged += step.report.unconverged;
    if (step.report.contacts > 0)
      row.largest_island += 1.0 * step.report.island_contacts / step.report.contacts;
  }

  static IcaRow finished(IcaRow row)
  {
    for (double* sum : {&row.step_ms, &row.contacts, &row.largest_island}) *sum /= row.steps;
    return row;
  }

  // The pile after 1.2 s, when it has come to lie.
  void add_convergence(int tetrahedra)
  {
    tell(fmt::format("convergence with {} tetrahedra a letter", tetrahedra));
    SceneSteps steps = pile(options_.quick ? 4 : 12, tetrahedra, true, "auto");
    steps.last = 2 * steps_a_window;
    const std::vector<ContactProblem> problems = recorded_problems(steps, steps.last);
    if (problems.empty()) return;
    const ContactProblem& problem = problems.back();
    IcaConvergence row;
    row.tetrahedra = tetrahedra;
    row.contacts = problem.size();
    tbb::task_arena(1).execute([&] {
      for (const double change : {0.0, paper_change}) {
        IcaSolver solver(
            {.tolerance = ica_tolerance, .inner_change = change, .keep_history = change == 0.0});
        ContactSolution solution;
        solver.begin(problem);
        const NestedReport report = solver.solve(problem, solution);
        if (change == 0.0) row.history = report.history;
        if (change > 0.0) row.inner_loops = solver.inner_loops();
        row.status = name(report.status);
      }
    });
    measured_.convergence.push_back(std::move(row));
  }

  BenchOptions options_;
  IcaMeasurements measured_;
};

}  // namespace

IcaMeasurements measure_ica(const BenchOptions& options)
{
  return IcaBench(options).run();
}

int run_ica_bench(const BenchOptions& options)
{
  const IcaMeasurements measured = measure_ica(options);
  if (!options.json_file.empty()) write_text(options.json_file, ica_json(measured));
  if (!options.plot_file.empty()) write_text(options.plot_file, ica_plot(measured));
  fmt::print("{}", ica_table(measured, options.quick));
  return exit_code(ica_claims(measured), options.quick);
}

}  // namespace tact
