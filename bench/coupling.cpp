#include <bench/coupling.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>

#include <fmt/core.h>
#include <tbb/task_arena.h>

#include <bench/cpu_timer.hpp>
#include <bench/scene_problems.hpp>
#include <bench/statistics.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/samples/coupled_families.hpp>
#include <tact/scene/built_in_scenes.hpp>
#include <tact/solvers/coupling/coupling_solver.hpp>
#include <tact/solvers/coupling/low_rank_kernel.hpp>

namespace tact {
namespace {

// Which steps of a scene are measured. Figure 4 is over contacts, which come one step after the
// other; figure 6 over the steps, and the bunny's impact lasts from step 55 to 100.
struct PaperScene {
  const char* name;
  int first, last, every;
  int quick_last;
};
constexpr std::array paper_scenes = {PaperScene{"vertebrae", 4, 0, 4, 24},
                                     PaperScene{"bunny", 40, 160, 1, 62}};
constexpr std::array mass_ratios = {1.0, 30.0, 1000.0};
constexpr double least_seconds = 0.1;  // of repetitions behind one median
constexpr int least_repetitions = 3, most_repetitions = 15;

// In memory that has been used before, as from step to step.
double median_ms(const std::function<void()>& work)
{
  std::vector<double> times;
  double spent = 0.0;
  work();
  while (static_cast<int>(times.size()) < least_repetitions ||
         (spent < least_seconds && static_cast<int>(times.size()) < most_repetitions)) {
    const CpuTimer timer;
    work();
    times.push_back(1e3 * timer.seconds());
    spent += 1e-3 * times.back();
  }
  return median(times);
}

// Bytes that programs can have, what the system caches included; 0 where it does not tell.
double available_memory()
{
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  double kilobytes = 0.0;
  while (file >> key >> kilobytes) {
    std::getline(file, unit);
    if (key == "MemAvailable:") return 1024.0 * kilobytes;
  }
  return 0.0;
}

// one_by_one: the low-rank kernel through the state of bodies from contact to contact.
std::unique_ptr<CouplingKernel> kernel_named(const std::string& method)
{
  if (method == "one_by_one") return std::make_unique<LowRankKernel>(LowRankKernel::one_by_one());
  return make_coupling_kernel(method == "standard" ? CouplingKernelKind::standard
                                                   : CouplingKernelKind::low_rank);
}

// Whether B in full fits into a quarter of that.
bool standard_fits(int contacts)
{
  return 72.0 * contacts * contacts < 0.25 * available_memory();
}

class CouplingBench {
 public:
  explicit CouplingBench(const BenchOptions& options) : options_(options) {}

  CouplingMeasurements run()
  {
    for (const int contacts : options_.quick
                                  ? std::vector{500, 1000}
                                  : std::vector{500, 1000, 2000, 5000, 10'000, 20'000, 50'000}) {
      tell("one body, {} contacts", contacts);
      add_kernels("pressed-body", 0, pressed_body({.contacts = contacts}));
    }
    for (const int contacts : options_.quick ? std::vector{500} : std::vector{500, 5000}) {
      tell("one body on an embedded surface, {} contacts", contacts);
      add_kernels("lattice", 0, body_on_lattice({.contacts = contacts}));
    }
    check_agreement();
    for (const PaperScene& scene : paper_scenes) add_scene(scene);
    for (const int contacts : options_.quick ? std::vector{500} : std::vector{500, 5000, 50'000}) {
      for (const double ratio : mass_ratios) add_one_body(contacts, ratio);
    }
    for (const double ratio : mass_ratios) add_ten_bodies(ratio);
    return std::move(measured_);
  }

 private:
  template <class... Values>
  void tell(fmt::format_string<Values...> format, Values&&... values) const
  {
    if (options_.quiet) return;
    fmt::print(stderr, "bench coupling: {}\n",
               fmt::format(format, std::forward<Values>(values)...));
  }

  void add_kernels(const std::string& scene, int step, const ContactProblem& problem)
  {
    DiagonalBlocks D;
    if (!D.load(problem)) throw Error("bench coupling: a block of A is not positive definite");
    std::vector<int> all(problem.size());
    std::iota(all.begin(), all.end(), 0);
    CoupledProblem coupled;
    CompactRows rows;
    const auto build_rows = [&] {
      if (!coupled.load(problem, D, all)) throw Error("bench coupling: rows have no frame");
      rows.load(coupled, FrictionLaw::disc);
    };
    const double rows_ms = median_ms(build_rows);
    VectorXd near_lambda, near_w;  // both kernels sweep from here
    CouplingSolver solver({.tolerance = 1e-6, .max_sweeps = 40});
    (void)solver.solve(coupled, near_lambda, near_w);
    for (const char* method : {"low_rank", "one_by_one", "standard"}) {
      CouplingKernelRow row{.scene = scene, .step = step, .contacts = problem.size(), .method = {}};
      row.method = method;
      const bool standard = row.method == "standard";
      if (standard && !standard_fits(problem.size())) continue;
      if (row.method == "one_by_one" && step > 0) continue;
      const auto kernel = kernel_named(row.method);
      row.build_ms = rows_ms + (standard ? median_ms([&] { kernel->load(rows); }) : 0.0);
      VectorXd lambda = near_lambda, w = near_w;
      kernel->sweep(rows, lambda, w);
      row.iteration_ms = median_ms([&] { kernel->sweep(rows, lambda, w); });
      row.bytes_per_contact =
          static_cast<double>((standard ? 0 : rows.bytes()) + kernel->bytes()) / problem.size();
      measured_.kernels.push_back(row);
    }
  }

  // The scene as it runs, every contact with its rows. Scenes that this build does not have are
  // left out.
  void add_scene(const PaperScene& scene)
  {
    if (!has_scene(scene.name)) return tell("there is no scene {}", scene.name);
    tell("{} as it runs", scene.name);
    const SceneSteps steps = {.scene = scene.name,
                              .set = {"/contact/rows_per_pair=0"},
                              .last = options_.quick ? scene.quick_last : scene.last};
    run_steps(steps, [&](int k, const StepResult& step) {
      const bool wanted = k >= scene.first && (k - scene.first) % scene.every == 0;
      if (wanted && step.problem.size() > 0) add_kernels(scene.name, k, step.problem);
      return true;
    });
  }

  static bool has_scene(const std::string& name)
  {
    const auto& scenes = built_in_scenes();
    return std::any_of(scenes.begin(), scenes.end(),
                       [&](const auto& scene) { return scene.name == name; });
  }

  void check_agreement()
  {
    for (const ContactProblem& problem :
         {pressed_body({.contacts = 500}), bodies_on_faces({.contacts = 500})}) {
      DiagonalBlocks D;
      if (!D.load(problem)) throw Error("bench coupling: a block of A is not positive definite");
      std::vector<int> all(problem.size());
      std::iota(all.begin(), all.end(), 0);
      CoupledProblem coupled;
      if (!coupled.load(problem, D, all)) throw Error("bench coupling: rows have no frame");
      CompactRows rows;
      rows.load(coupled, FrictionLaw::disc);
      const auto fast = make_coupling_kernel(CouplingKernelKind::low_rank);
      const auto slow = make_coupling_kernel(CouplingKernelKind::standard);
      slow->load(rows);
      VectorXd lambda = VectorXd::Zero(3 * coupled.size());
      VectorXd w = VectorXd::Zero(coupled.response_size());
      VectorXd other_lambda = lambda, other_w = w;
      for (int sweep = 0; sweep < 40; ++sweep) {
        fast->sweep(rows, lambda, w);
        slow->sweep(rows, other_lambda, other_w);
        measured_.disagreement =
            std::max(measured_.disagreement, (w - other_w).lpNorm<Eigen::Infinity>());
      }
    }
  }

  void add_solve(const std::string& scene, double ratio, const ContactProblem& problem,
                 const std::string& method, double tolerance, int most_sweeps)
  {
    const double first =
        measure(problem, {problem.v_star, VectorXd::Zero(3 * problem.size())}).natural;
    CouplingOptions options;
    options.tolerance = tolerance * first;
    options.max_sweeps = most_sweeps;
    options.newton = method == "coupling";
    options.interior = method == "coupling" || method == "interior";
    options.correct = method != "sweeps";
    CouplingSolveRow row;
    row.scene = scene;
    row.mass_ratio = ratio;
    row.contacts = problem.size();
    row.method = method;
    row.tolerance = tolerance;
    ContactSolution solution;
    SolveReport report;
    const auto solve = [&] {
      solution = {};
      report = solve_coupling(problem, solution, options);
    };
    row.total_ms = median_ms(solve);
    row.sweeps = report.iterations;
    row.status = name(report.status);
    row.residual = measure(problem, solution).worst() / first;
    measured_.solves.push_back(row);
  }

  void add_one_body(int contacts, double ratio)
  {
    tell("one body of mass ratio {} with {} contacts: solves", ratio, contacts);
    const ContactProblem problem = pressed_body({.contacts = contacts, .mass_ratio = ratio});
    add_solve("pressed-body", ratio, problem, "coupling", 1e-6, 1000);
    add_solve("pressed-body", ratio, problem, "interior", 1e-6, 0);
    if (contacts > 5000) return;
    add_solve("pressed-body", ratio, problem, "correction", 1e-6, 400);
    add_solve("pressed-body", ratio, problem, "sweeps", 1e-6, 400);
  }

  void add_ten_bodies(double ratio)
  {
    const int contacts = options_.quick ? 500 : 5000;
    tell("ten bodies of mass ratio {} with {} contacts: solves", ratio, contacts);
    const ContactProblem mat = bodies_on_mat({.contacts = contacts, .mass_ratio = ratio});
    const ContactProblem faces = bodies_on_faces({.contacts = contacts, .mass_ratio = ratio});
    for (const char* method : {"coupling", "correction", "sweeps"}) {
      add_solve("ten-bodies", ratio, mat, method, 1e-3, 1000);
    }
    add_solve("ten-bodies", ratio, mat, "coupling", 1e-6, 1000);
    add_solve("ten-bodies", ratio, mat, "interior", 1e-6, 0);
    for (const char* method : {"correction", "sweeps"}) {
      add_solve("ten-bodies-on-faces", ratio, faces, method, 1e-3, 1000);
    }
  }

  BenchOptions options_;
  CouplingMeasurements measured_;
};

}  // namespace

CouplingMeasurements measure_coupling(const BenchOptions& options)
{
  CouplingMeasurements measured;
  tbb::task_arena(1).execute([&] { measured = CouplingBench(options).run(); });
  return measured;
}

int run_coupling_bench(const BenchOptions& options)
{
  const CouplingMeasurements measured = measure_coupling(options);
  if (!options.json_file.empty()) write_text(options.json_file, coupling_json(measured));
  if (!options.plot_file.empty()) write_text(options.plot_file, coupling_plot(measured));
  fmt::print("{}", coupling_table(measured, options.quick));
  return exit_code(coupling_claims(measured), options.quick);
}

}  // namespace tact
