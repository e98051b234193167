#include <bench/lemke.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include <fmt/core.h>

#include <bench/statistics.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/timer.hpp>
#include <tact/files/text_file.hpp>
#include <tact/samples/contact_families.hpp>
#include <tact/solvers/pivoting/dense_contact.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>
#include <tact/solvers/pivoting/lemke_structured.hpp>

namespace tact {
namespace {

constexpr double solved_below = 1e-9;  // shared residual
constexpr double same_answer = 1e-6;   // of the largest velocity
constexpr int largest_standard = 64;   // contacts: beyond, the dense tableau takes 100 ms and more
constexpr double repeat_seconds = 2e-3;  // an instance is repeated for this long, 3 to 200 times

struct Outcome {
  int pivots = 0;
  int restarts = 0;
};
using Solve = std::function<Outcome(const ContactProblem&, ContactSolution&)>;

// Each solver keeps its memory from instance to instance, as it would from step to step.
Solve make_solver(const std::string& method, int directions)
{
  if (method == "cone") {
    return [solver = ConeLemke({.directions = directions})](const ContactProblem& problem,
                                                            ContactSolution& solution) mutable {
      const ConeReport report = solver.solve(problem, solution);
      return Outcome{report.pivots, report.restarts};
    };
  }
  if (method == "standard") {
    return [solver = StandardLemke({.directions = directions})](const ContactProblem& problem,
                                                                ContactSolution& solution) mutable {
      const SolveReport report = solver.solve(problem, solution);
      return Outcome{report.iterations, report.restarts};
    };
  }
  return [solver = StructuredLemke({.reduced = method == "reduced", .directions = directions})](
             const ContactProblem& problem, ContactSolution& solution) mutable {
    const StructuredReport report = solver.solve(problem, solution);
    return Outcome{report.pivots, report.restarts};
  };
}

struct Instance {
  ContactProblem problem;
  VectorXd cone_velocity;  // of the first method measured, which is `cone`
};

double best_time(const Solve& solve, const ContactProblem& problem, ContactSolution& solution)
{
  double best = 0.0;
  const Timer total;
  for (int repetition = 0; repetition < 200; ++repetition) {
    const Timer timer;
    solve(problem, solution);
    const double seconds = timer.seconds();
    best = repetition == 0 ? seconds : std::min(best, seconds);
    if (repetition >= 2 && total.seconds() > repeat_seconds) break;
  }
  return best;
}

LemkeRow measure_method(const ContactBatch& batch, const std::string& method,
                        std::vector<Instance>& instances)
{
  LemkeRow row{.family = batch.family,
               .problem = batch.name,
               .n = instances.front().problem.size(),
               .m = instances.front().problem.components(),
               .d = batch.directions,
               .in_paper = batch.in_paper,
               .method = method,
               .instances = static_cast<int>(instances.size())};
  const FrictionPyramid pyramid(batch.directions);
  const Solve solve = make_solver(method, batch.directions);
  std::vector<double> times, pivots;
  int solved = 0, different = 0;
  for (Instance& instance : instances) {
    ContactSolution solution;
    const Outcome outcome = solve(instance.problem, solution);
    times.push_back(1e6 * best_time(solve, instance.problem, solution));
    pivots.push_back(outcome.pivots);
    row.restarts += outcome.restarts;
    const double residual = measure(instance.problem, solution, pyramid).worst();
    row.residual_max = std::max(row.residual_max, residual);
    if (residual <= solved_below) ++solved;
    if (method == "cone") instance.cone_velocity = solution.v;
    const double largest = std::max(instance.cone_velocity.cwiseAbs().maxCoeff(),
                                    instance.problem.v_star.cwiseAbs().maxCoeff());
    if ((solution.v - instance.cone_velocity).cwiseAbs().maxCoeff() > same_answer * largest)
      ++different;
  }
  row.median_us = median(times);
  row.p90_us = percentile(times, 0.9);
  row.pivots = median(pivots);
  row.solved = static_cast<double>(solved) / row.instances;
  row.other_answer = static_cast<double>(different) / row.instances;
  return row;
}

std::vector<std::string> methods_for(const ContactBatch& batch, int contacts)
{
  if (batch.family == "stress") return {"cone"};
  if (contacts > largest_standard) return {"cone", "reduced", "structural"};
  return {"cone", "reduced", "structural", "standard"};
}

std::vector<ContactBatch> batches_for(const BenchOptions& options)
{
  std::vector<ContactBatch> batches = lloyd_batches(options.directions);
  if (options.quick) {  // a taste of each family
    for (ContactBatch& batch : batches) batch.instances = 4;
    std::erase_if(batches, [](const ContactBatch& batch) { return !batch.in_paper; });
    return batches;
  }
  for (ContactBatch& batch : stress_batches()) batches.push_back(std::move(batch));
  return batches;
}

}  // namespace

std::vector<LemkeRow> measure_lemke(const BenchOptions& options)
{
  std::vector<LemkeRow> rows;
  const Timer total;
  double told = 0.0;
  for (const ContactBatch& batch : batches_for(options)) {
    std::vector<Instance> instances(batch.instances);
    for (int i = 0; i < batch.instances; ++i) instances[i].problem = batch.instance(i);
    for (const std::string& method : methods_for(batch, instances.front().problem.size())) {
      rows.push_back(measure_method(batch, method, instances));
    }
    if (!options.quiet && total.seconds() > told + 10.0) {
      told = total.seconds();
      fmt::print(stderr, "bench lemke: {:.0f} s, {}\n", told, batch.name);
    }
  }
  return rows;
}

int run_lemke_bench(const BenchOptions& options)
{
  const std::vector<LemkeRow> rows = measure_lemke(options);
  const std::vector<Claim> claims = lemke_claims(rows);
  if (!options.json_file.empty()) write_text(options.json_file, lemke_json(rows, claims));
  if (!options.plot_file.empty()) write_text(options.plot_file, lemke_plot(rows));
  fmt::print("{}", lemke_table(rows, claims, options.quick));
  return exit_code(claims, options.quick);
}

}  // namespace tact
