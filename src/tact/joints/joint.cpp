#include <tact/joints/joint.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace tact {
namespace {

class RowMaker {
 public:
  RowMaker(const JointFrame& a, const JointFrame& b) : a_(a), b_(b), apart_(b.at - a.at) {}

  JointRows take() const { return made_; }

  // Both origins at one place.
  void keep_place()
  {
    const Vector3d middle = 0.5 * (a_.at + b_.at);
    for (int k = 0; k < 3; ++k) push(Vector3d::Unit(k), middle, apart_[k]);
  }

  // b's origin on a's axis. The impulse acts at b's origin: a turns about its own.
  void keep_on_axis()
  {
    for (int k = 1; k < 3; ++k) push(a_.axes.col(k), b_.at, a_.axes.col(k).dot(apart_));
  }

  void keep_distance(double length)
  {
    const double found = apart_.norm();
    const Vector3d along = found > 0.0 ? Vector3d(apart_ / found) : Vector3d(a_.axes.col(0));
    push(along, 0.5 * (a_.at + b_.at), found - length);
  }

  void keep_turn()
  {
    const Eigen::AngleAxisd turn(Matrix3d(a_.axes.transpose() * b_.axes));
    for (int k = 0; k < 3; ++k) twist(a_.axes.col(k), turn.angle() * turn.axis()[k]);
  }

  void keep_axis()
  {
    const Vector3d across = a_.axes.col(0).cross(b_.axes.col(0));
    const double sine = across.norm();
    const double angle = std::atan2(sine, a_.axes.col(0).dot(b_.axes.col(0)));
    const double stretch = sine > 1e-9 ? angle / sine : 1.0;  // of a sine to its angle
    for (int k = 1; k < 3; ++k) twist(a_.axes.col(k), stretch * a_.axes.col(k).dot(across));
  }

  void keep_right_angle()
  {
    const Vector3d a = a_.axes.col(0), b = b_.axes.col(1);
    twist(b.cross(a), std::asin(std::clamp(a.dot(b), -1.0, 1.0)));
  }

 private:
  void push(const Vector3d& force, const Vector3d& point, double value)
  {
    made_.rows[made_.count++] = {.value = value, .turns = false, .force = force, .point = point};
  }
  void twist(const Vector3d& torque, double value)
  {
    made_.rows[made_.count++] = {
        .value = value, .turns = true, .torque = torque, .point = 0.5 * (a_.at + b_.at)};
  }

  const JointFrame &a_, &b_;
  Vector3d apart_;
  JointRows made_;
};

}  // namespace

std::string_view name_of(JointKind kind)
{
  return joint_kinds[static_cast<std::size_t>(kind)];
}

std::optional<JointKind> joint_kind(std::string_view name)
{
  const auto it = std::find(joint_kinds.begin(), joint_kinds.end(), name);
  if (it == joint_kinds.end()) return std::nullopt;
  return static_cast<JointKind>(it - joint_kinds.begin());
}

bool has_axis(JointKind kind)
{
  return kind != JointKind::weld && kind != JointKind::ball && kind != JointKind::distance;
}

int row_count(JointKind kind)
{
  constexpr std::array counts{6, 3, 5, 5, 4, 4, 1};
  return counts[static_cast<std::size_t>(kind)];
}

JointRows joint_rows(JointKind kind, const JointFrame& a, const JointFrame& b, double length)
{
  RowMaker maker(a, b);
  switch (kind) {
    case JointKind::weld:
    case JointKind::ball:
    case JointKind::hinge:
    case JointKind::universal: maker.keep_place(); break;
    case JointKind::slider:
    case JointKind::cylinder: maker.keep_on_axis(); break;
    case JointKind::distance: maker.keep_distance(length); break;
  }
  if (kind == JointKind::weld || kind == JointKind::slider) maker.keep_turn();
  if (kind == JointKind::hinge || kind == JointKind::cylinder) maker.keep_axis();
  if (kind == JointKind::universal) maker.keep_right_angle();
  return maker.take();
}

JointError joint_error(const JointRows& rows)
{
  double length = 0.0, angle = 0.0;
  for (const JointRow& row : rows) (row.turns ? angle : length) += row.value * row.value;
  return {.length = std::sqrt(length), .angle = std::sqrt(angle)};
}

Matrix3d axes_along(const Vector3d& axis)
{
  Matrix3d axes;
  axes.col(0) = axis.normalized();
  Eigen::Index least = 0;
  axes.col(0).cwiseAbs().minCoeff(&least);
  axes.col(1) = axes.col(0).cross(Vector3d::Unit(least)).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

}  // namespace tact
