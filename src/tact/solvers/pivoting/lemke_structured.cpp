#include <tact/solvers/pivoting/lemke_structured.hpp>

#include <algorithm>

namespace tact {
namespace {

constexpr double structured_certificate_tolerance = 1e-10;
constexpr int most_structured_tries = 4;        // covering vectors tried with all rows
constexpr int structured_restart_stride = 997;  // a prime: tries share no covering vector

}  // namespace

StructuredLemke::StructuredLemke(const StructuredOptions& options)
    : options_(options), pyramid_(options.directions)
{
}

StructuredReport StructuredLemke::solve(const ContactProblem& problem, ContactSolution& solution)
{
  StructuredReport report;
  whitened_.load(problem);
  path_.load(whitened_, pyramid_);
  if (whitened_.contradictory()) {
    report.status = SolveStatus::no_solution;
    whitened_.write_free(solution);
    return report;
  }
  bool solved = false;
  if (options_.reduced) {
    solved = attempt({.all_rows = false, .max_pivots = options_.max_pivots}, report);
    report.expanded = !solved;
  }
  for (int number = 0; number < most_structured_tries && !solved; ++number) {
    if (number > 0 || options_.reduced) ++report.restarts;
    const double tighter = number % 2 == 0 ? 1.0 : 1e-3;
    solved = attempt({.all_rows = true,
                      .first_cover = number * structured_restart_stride,
                      .end_tolerance = 1e-8 * tighter,
                      .max_pivots = options_.max_pivots},
                     report);
  }
  write(solution);
  return report;
}

bool StructuredLemke::attempt(const StructuredPath::Options& path, StructuredReport& report)
{
  report.status = path_.run(path);
  report.pivots += path_.pivots();
  report.refactors += path_.refactors();
  report.largest_kernel = std::max(report.largest_kernel, path_.largest_kernel());
  if (report.status != SolveStatus::converged) return false;
  report.certificate = path_.certificate();
  if (report.certificate <= structured_certificate_tolerance) return true;
  report.status = SolveStatus::stalled;
  return false;
}

void StructuredLemke::write(ContactSolution& solution) const
{
  path_.impulses(solution.lambda);
  VectorXd beta;
  path_.bilateral_impulses(beta);
  whitened_.write(path_.velocities(), beta, solution);
}

}  // namespace tact
