#include <tact/solvers/pivoting/lemke_cone.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <tact/solvers/pivoting/cover_table.hpp>

namespace tact {
namespace {

constexpr double end_tolerance = 1e-8;
constexpr double certificate_tolerance = 1e-11;
constexpr int restart_stride = 997;  // a prime: tries share no covering vector

// Covering vectors tried before giving up, and z0 near the end of each: most problems want 1e-8, a
// few with heavy bodies on top a tighter one.
constexpr int most_tries = 6;
constexpr std::array<double, most_tries> end_tolerance_of_try = {1.0, 1e-2, 1.0, 1e-3, 1e-1, 1e-4};

}  // namespace

ConeLemke::ConeLemke(const ConeOptions& options) : options_(options), pyramid_(options.directions)
{
}

ConeReport ConeLemke::solve(const ContactProblem& problem, ContactSolution& solution)
{
  ConeReport report;
  whitened_.load(problem);
  path_.load(whitened_, pyramid_);
  cover_.resize(3 * problem.contacts.size() + whitened_.bilateral().size());
  if (whitened_.contradictory()) {
    report.status = SolveStatus::no_solution;
    whitened_.write_free(solution);
    return report;
  }
  if (options_.warm_start && try_warm(report)) {
    write(solution);
    return report;
  }
  constexpr double none = std::numeric_limits<double>::infinity();
  double best = none;  // certificate of the answer in `solution`
  for (int attempt = 0; attempt < most_tries; ++attempt) {
    if (attempt > 0) ++report.restarts;
    report.status = try_cold(attempt);
    count(report);
    if (report.status != SolveStatus::converged) continue;
    const bool good = certified(report);
    if (report.certificate < best) write(solution);
    best = std::min(best, report.certificate);
    if (good) return report;
    report.status = SolveStatus::stalled;
  }
  if (best == none)
    write(solution);  // no try came to an end
  else
    report.certificate = best;
  return report;
}

void ConeLemke::choose_cover(int offset)
{
  std::fill(cover_.begin(), cover_.end(), 0.0);  // bilateral rows hold from the start
  for (int c = 0; c < whitened_.size(); ++c) {
    const double* from = cover_vector(c + offset);
    const double mu = whitened_.contacts()[c].mu;
    const double shrink = mu > 1.0 ? 1.0 / mu : 1.0;  // stay inside the dual cone
    cover_[3 * c] = from[0];
    cover_[3 * c + 1] = shrink * from[1];
    cover_[3 * c + 2] = shrink * from[2];
  }
}

SolveStatus ConeLemke::try_cold(int attempt)
{
  choose_cover(options_.first_cover + attempt * restart_stride);
  const double tighter = end_tolerance_of_try[attempt % end_tolerance_of_try.size()];
  return path_.run_cold(cover_.data(), {end_tolerance * tighter, options_.max_pivots});
}

// The answer counts only when it obeys the unperturbed law; a fresh factorisation mends most that
// do not.
bool ConeLemke::certified(ConeReport& report)
{
  report.certificate = path_.certificate() / path_.scale();
  if (report.certificate <= certificate_tolerance) return true;
  if (!path_.polish()) return false;
  report.certificate = path_.certificate() / path_.scale();
  return report.certificate <= 10.0 * certificate_tolerance;
}

void ConeLemke::count(ConeReport& report) const
{
  report.pivots += path_.pivots();
  report.backward += path_.backward();
  report.corrections += path_.kernel().corrections();
  report.refactors += path_.kernel().refactors();
  report.largest_kernel = std::max(report.largest_kernel, path_.largest_kernel());
}

void ConeLemke::write(ContactSolution& solution)
{
  path_.impulses(solution.lambda);
  path_.bilateral_impulses(beta_);
  whitened_.write(path_.velocities(), beta_, solution);
  if (options_.warm_start) set_warm_start(path_.states(), solution.lambda);
}

void ConeLemke::set_warm_start(const std::vector<ConeState>& states, const VectorXd& lambda)
{
  warm_.states = states;
  warm_.lambda = lambda;
  warm_.beta = beta_;
}

bool ConeLemke::try_warm(ConeReport& report)
{
  if (!warm_.fits(whitened_)) return false;
  const double scale = warm_.choose_cover(whitened_, pyramid_, cover_);
  const SolveStatus end =
      path_.run_warm(cover_.data(), warm_.states, scale, {end_tolerance, options_.max_pivots});
  count(report);
  if (end != SolveStatus::converged || !certified(report)) return false;
  report.status = SolveStatus::converged;
  report.warm = true;
  return true;
}

ConeReport solve_lemke_cone(const ContactProblem& problem, ContactSolution& solution,
                            const ConeOptions& options)
{
  return ConeLemke(options).solve(problem, solution);
}

}  // namespace tact
