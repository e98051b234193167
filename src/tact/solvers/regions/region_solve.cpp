#include <tact/solvers/regions/region_solve.hpp>

#include <algorithm>
#include <cmath>

namespace tact {

void RegionVectors::resize(std::size_t contacts)
{
  for (LaneBuffer* vector : {&residual, &old_residual, &point}) vector->assign(3 * contacts, 0.0);
  bounds.assign(contacts, 0);
}

RegionSolve::RegionSolve(NestedIsland& island, const ProjectedOptions& options,
                         RegionVectors& vectors)
    : island_(island), options_(options), vectors_(vectors)
{
}

RegionReport RegionSolve::run()
{
  respond(island_.lambda.data(), island_.state);
  if (!look(0) || options_.min_sweeps > 0) {
    switch (options_.method) {
      case ProjectedMethod::pcg_pgs:
        gauss_seidel(false, std::min(options_.first_sweeps, options_.max_sweeps));
        if (good() && options_.min_sweeps == 0) break;
        report_.status = SolveStatus::iteration_limit;  // what the first sweeps say does not count
        if (!good()) conjugate_gradients();
        gauss_seidel(false, options_.max_sweeps);
        break;
      case ProjectedMethod::pgs: gauss_seidel(false, options_.max_sweeps); break;
      case ProjectedMethod::nncg: gauss_seidel(true, options_.max_sweeps); break;
      case ProjectedMethod::apgd: accelerated_gradients(); break;
      case ProjectedMethod::mprgp: proportioning(); break;
    }
  }
  island_.restore_best();
  if (good()) report_.status = SolveStatus::converged;
  return report_;
}

// In units of what is asked for: the mean over the tolerance or the worst over its own, whichever
// is larger.
bool RegionSolve::look(int at)
{
  const NaturalSum seen =
      island_.sweep.look(island_.range(), island_.lambda.data(), island_.state.data());
  const double mean = seen.rms();
  if (options_.keep_history) report_.history.push_back(mean);
  double score = mean / options_.tolerance;
  if (options_.worst > 0.0) score = std::max(score, seen.worst / options_.worst);
  island_.look(score, at);
  return good();
}

bool RegionSolve::good() const
{
  return island_.best.worst <= 1.0;
}

void RegionSolve::respond(const double* p, std::span<double> answer)
{
  std::fill(answer.begin(), answer.end(), 0.0);
  for (int c = 0; c < island_.size(); ++c) {
    const Eigen::Map<const Vector3d> p_c(p + 3 * c);
    if (!p_c.isZero(0.0)) island_.sweep.push(island_.sweep.contacts[c], p_c, answer.data());
  }
}

Vector3d RegionSolve::seen(int c, std::span<const double> answer) const
{
  const SweepContact& contact = island_.sweep.contacts[c];
  return island_.sweep.velocity(contact, answer.data()) - contact.q;
}

// Power iteration from a rough vector, always the same.
double RegionSolve::spectral_radius(bool normal)
{
  constexpr int steps = 20;
  double* p = vectors_.point.data();
  for (int c = 0; c < island_.size(); ++c)
    for (int k = 0; k < 3; ++k)
      p[3 * c + k] = normal && k > 0 ? 0.0 : (3 * c + k) % 7 < 3 ? 1.0 : -1.0;
  double radius = 0.0;
  for (int step = 0; step < steps; ++step) {
    respond(p, island_.force);
    double before = 0.0, after = 0.0;  // p' D p and p' W p
    for (int c = 0; c < island_.size(); ++c) {
      Eigen::Map<Vector3d> p_c(p + 3 * c);
      const double w = normal ? island_.sweep.contacts[c].w(0, 0) : own_response(c);
      if (w == 0.0) continue;
      Vector3d grown = seen(c, island_.force);
      if (normal) grown.tail<2>().setZero();
      before += w * p_c.squaredNorm();
      after += p_c.dot(grown);
      p_c = grown / w;
    }
    if (!(before > 0.0)) return 1.0;
    radius = after / before;
    const double shrink = 1.0 / std::max(radius, 1e-300);
    for (int i = 0; i < 3 * island_.size(); ++i) p[i] *= shrink;
  }
  return std::max(radius, 1e-12);
}

}  // namespace tact
