#include <tact/samples/mannequin.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <tact/geometry/isosurface.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

// ---- The shape: round cones and ellipsoids that run into each other. m -------------------------

struct RoundCone {
  Vector3d a, b;
  double at_a, at_b;  // radii

  double distance(const Vector3d& x) const
  {
    const Vector3d along = b - a;
    const double s = std::clamp(along.dot(x - a) / along.squaredNorm(), 0.0, 1.0);
    return (x - a - s * along).norm() - (at_a + s * (at_b - at_a));
  }
};

struct Ellipsoid {
  Vector3d centre, radii;

  // Of first order: exact on the surface.
  double distance(const Vector3d& x) const
  {
    const Vector3d y = (x - centre).cwiseQuotient(radii);
    const double length = y.norm();
    const double slope = y.cwiseQuotient(radii).norm();
    return slope > 0.0 ? length * (length - 1.0) / slope : -radii.minCoeff();
  }
};

// The lesser of two, rounded where they are within k of each other (m).
double smooth_min(double a, double b, double k)
{
  const double h = std::max(k - std::abs(a - b), 0.0) / k;
  return std::min(a, b) - 0.25 * h * h * k;
}

constexpr double hip_x = 0.062, hip_y = -0.14, knee_y = -0.42, ankle_y = -0.68;
constexpr double shoulder_x = 0.105, shoulder_y = 0.225;
constexpr double outward = 0.02;  // of the feet from the hips: legs do not touch
const Vector3d hand(0.40, 0.10, 0.02);

double side_of(int side)
{
  return side == 0 ? -1.0 : 1.0;
}

Vector3d mirrored(const Vector3d& x, int side)
{
  return {side_of(side) * x.x(), x.y(), x.z()};
}

double trunk(const Vector3d& x)
{
  const Ellipsoid hips{{0.0, -0.115, 0.0}, {0.112, 0.085, 0.085}};
  const Ellipsoid belly{{0.0, 0.0, 0.0}, {0.082, 0.14, 0.064}};
  const Ellipsoid chest{{0.0, 0.14, 0.0}, {0.105, 0.105, 0.072}};
  double d = smooth_min(hips.distance(x), belly.distance(x), 0.05);
  d = smooth_min(d, chest.distance(x), 0.05);
  const RoundCone shoulders{{-0.085, 0.215, 0.0}, {0.085, 0.215, 0.0}, 0.036, 0.036};
  return smooth_min(d, shoulders.distance(x), 0.04);
}

double head(const Vector3d& x)
{
  const RoundCone neck{{0.0, 0.22, -0.005}, {0.0, 0.31, 0.0}, 0.034, 0.03};
  const Ellipsoid skull{{0.0, 0.365, 0.008}, {0.05, 0.07, 0.06}};
  return smooth_min(neck.distance(x), skull.distance(x), 0.03);
}

double leg(const Vector3d& x, int side)
{
  const Vector3d hip(hip_x, hip_y, 0.0), knee(hip_x + 0.5 * outward, knee_y, 0.005),
      ankle(hip_x + outward, ankle_y, 0.0), toes(hip_x + 1.2 * outward, ankle_y - 0.01, 0.085);
  const RoundCone thigh{mirrored(hip, side), mirrored(knee, side), 0.052, 0.036};
  const RoundCone shin{mirrored(knee, side), mirrored(ankle, side), 0.036, 0.025};
  const RoundCone foot{mirrored(ankle, side), mirrored(toes, side), 0.027, 0.02};
  const double d = smooth_min(thigh.distance(x), shin.distance(x), 0.02);
  return smooth_min(d, foot.distance(x), 0.02);
}

double arm(const Vector3d& x, int side)
{
  const Vector3d shoulder(shoulder_x, shoulder_y, 0.0), elbow(0.25, 0.15, -0.01);
  const RoundCone upper{mirrored(shoulder, side), mirrored(elbow, side), 0.031, 0.026};
  const RoundCone lower{mirrored(elbow, side), mirrored(hand, side), 0.026, 0.022};
  return smooth_min(upper.distance(x), lower.distance(x), 0.02);
}

// ---- The bones ---------------------------------------------------------------------------------

// 0 to 1 as a coordinate passes from `from` to `to`: how much of a point follows the bone beyond.
double share(double at, double from, double to)
{
  return to > from ? smooth_step(at, from, to) : 1.0 - smooth_step(at, to, from);
}

Vector3d turned(const Vector3d& x, const Vector3d& about, const Vector3d& axis, double angle)
{
  return about + Eigen::AngleAxisd(angle, axis) * (x - about);
}

// A joint turns what is beyond it; in its neighbourhood by a part of the angle, so that the surface
// bends and keeps its thickness.
Vector3d bent_leg(Vector3d x, const MannequinPose& pose, int side)
{
  const double own = share(side_of(side) * x.x(), -0.012, 0.012);  // between the legs
  const double thigh = own * share(x.y(), -0.06, -0.24), shin = own * share(x.y(), -0.37, -0.47);
  const Vector3d knee = mirrored({hip_x + 0.5 * outward, knee_y, 0.005}, side);
  x = turned(x, knee, Vector3d::UnitX(), shin * pose.knee[side]);
  return turned(x, mirrored({hip_x, hip_y, 0.0}, side), Vector3d::UnitX(), -thigh * pose.hip[side]);
}

Vector3d bent_arm(const Vector3d& x, const MannequinPose& pose, int side)
{
  const double own = share(side_of(side) * x.x(), 0.10, 0.16) * share(x.y(), 0.0, 0.05);
  const Vector3d shoulder = mirrored({shoulder_x, shoulder_y, 0.0}, side);
  return turned(x, shoulder, Vector3d::UnitZ(), side_of(side) * own * pose.shoulder[side]);
}

}  // namespace

double Mannequin::distance_without_arms(const Vector3d& x)
{
  const double legs = std::min(leg(x, 0), leg(x, 1));
  return smooth_min(smooth_min(trunk(x), legs, 0.03), head(x), 0.03);
}

double Mannequin::distance(const Vector3d& x)
{
  return smooth_min(distance_without_arms(x), std::min(arm(x, 0), arm(x, 1)), 0.03);
}

Mannequin::Mannequin(double cell)
{
  const Aabb box{{-0.45, -0.75, -0.14}, {0.45, 0.47, 0.16}};
  surface_ = make_isosurface(&Mannequin::distance, box, cell);
}

std::vector<Vector3d> Mannequin::posed(const MannequinPose& pose) const
{
  std::vector<Vector3d> posed;
  posed.reserve(surface_.positions.size());
  for (const Vector3d& x : surface_.positions) {
    if (x.y() > 0.0) {
      posed.push_back(bent_arm(x, pose, x.x() < 0.0 ? 0 : 1));
    } else {
      // Between the legs a point follows both, by their shares.
      const Vector3d left = bent_leg(x, pose, 0) - x, right = bent_leg(x, pose, 1) - x;
      posed.push_back(x + left + right);
    }
  }
  return posed;
}

}  // namespace tact
