#include <tact/solvers/pivoting/cone_warm_start.hpp>

#include <algorithm>
#include <cmath>

#include <tact/solvers/pivoting/cover_table.hpp>

namespace tact {
namespace {

constexpr double inward = 1e-3;  // step into a face, relative to the largest impulse or velocity
constexpr double sector_share = 0.98;  // a sliding velocity stays this far inside its sector

// In [0.5, 1.5): different for every contact, so that no two events coincide.
double spread(int contact)
{
  return cover_vector(contact)[0] - 0.5;
}

Vector3d contact_velocity(const WhitenedContact& c, const std::vector<Twist>& y)
{
  Vector3d u;
  for (int k = 0; k < 3; ++k) {
    u[k] = relative_velocity(c.rows[0][k], c.rows[1][k], c.body, y) + c.bias[k];
  }
  return u;
}

}  // namespace

bool ConeWarmStart::fits(const WhitenedProblem& problem) const
{
  return static_cast<int>(states.size()) == problem.size() && lambda.size() == 3 * problem.size() &&
         beta.size() == static_cast<Eigen::Index>(problem.bilateral().size());
}

// The old impulse, moved off the borders of its face.
Vector3d ConeWarmStart::inner_impulse(int contact, const FrictionPyramid& pyramid, double mu,
                                      double step) const
{
  const auto [face, x] = states[contact];
  const Vector3d old = lambda.segment<3>(3 * contact);
  if (face == Face::inactive) return Vector3d::Zero();
  if (face == Face::stick) return old + Vector3d(step, 0.0, 0.0);
  const Vector3d first(1.0, mu * pyramid.cos_d[x], mu * pyramid.sin_d[x]);
  if (face == Face::ray) return (std::max(old[0], 0.0) + step) * first;
  const Vector3d second(1.0, mu * pyramid.cos_d[x + 1], mu * pyramid.sin_d[x + 1]);
  // a + b = f_n, and the share of each follows from the position along the facet.
  const Vector2d edge = (second - first).tail<2>(),
                 from_first = old.tail<2>() - old[0] * first.tail<2>();
  const double b =
      std::clamp(edge.dot(from_first) / edge.squaredNorm(), 0.0, std::max(old[0], 0.0));
  return (std::max(old[0] - b, 0.0) + step) * first + (b + step) * second;
}

// The velocity of the new problem at the old impulses, moved into the face's set.
Vector3d ConeWarmStart::inner_velocity(int contact, const FrictionPyramid& pyramid, double mu,
                                       const Vector3d& u, double step) const
{
  const auto [face, x] = states[contact];
  if (face == Face::inactive) return {std::max(u[0], 0.0) + step, u[1], u[2]};
  if (face == Face::stick) return Vector3d::Zero();
  if (mu == 0.0) return {0.0, u[1], u[2]};
  if (face == Face::facet) {
    const Vector2d e(pyramid.cos_e[x], pyramid.sin_e[x]);
    const Vector2d u_T = -(std::max(-e.dot(u.tail<2>()), 0.0) + step) * e;
    return {0.0, u_T[0], u_T[1]};
  }
  const Vector2d d(pyramid.cos_d[x], pyramid.sin_d[x]), across(-d[1], d[0]);
  const double back = std::max(-d.dot(u.tail<2>()), step);
  const double tangent = std::sqrt(1.0 - pyramid.half_cos * pyramid.half_cos) / pyramid.half_cos;
  const double widest = sector_share * tangent * back;
  const Vector2d u_T = -back * d + std::clamp(across.dot(u.tail<2>()), -widest, widest) * across;
  return {0.0, u_T[0], u_T[1]};
}

double ConeWarmStart::choose_cover(const WhitenedProblem& problem, const FrictionPyramid& pyramid,
                                   std::vector<double>& cover)
{
  const std::vector<WhitenedContact>& contacts = problem.contacts();
  double scale = 0.0;
  for (const WhitenedContact& c : contacts) {
    scale = std::max(scale, contact_velocity(c, problem.k()).cwiseAbs().maxCoeff());
  }
  const double impulse_step = inward * (lambda.size() > 0 ? lambda.cwiseAbs().maxCoeff() : 0.0);

  y_ = problem.k();
  for (int c = 0; c < problem.size(); ++c) {
    const Vector3d impulse = inner_impulse(c, pyramid, contacts[c].mu, impulse_step * spread(c));
    for (int k = 0; k < 3; ++k) {
      for (int s = 0; s < 2; ++s) y_[contacts[c].body[s]].add(impulse[k], contacts[c].rows[s][k]);
    }
  }
  const std::vector<WhitenedRow>& bilateral = problem.bilateral();
  for (std::size_t r = 0; r < bilateral.size(); ++r) {
    const double impulse = beta[static_cast<Eigen::Index>(r)];
    for (int s = 0; s < 2; ++s) y_[bilateral[r].body[s]].add(impulse, bilateral[r].side[s]);
  }

  for (int c = 0; c < problem.size(); ++c) {
    const Vector3d u = contact_velocity(contacts[c], y_);
    const Vector3d target =
        inner_velocity(c, pyramid, contacts[c].mu, u, inward * scale * spread(c));
    for (int k = 0; k < 3; ++k) cover[3 * c + k] = target[k] - u[k];
  }
  for (std::size_t r = 0; r < bilateral.size(); ++r) {
    const WhitenedRow& row = bilateral[r];
    cover[3 * contacts.size() + r] =
        -(relative_velocity(row.side[0], row.side[1], row.body, y_) + row.bias);
  }
  return scale > 0.0 ? scale : 1.0;
}

}  // namespace tact
