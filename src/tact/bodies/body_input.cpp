#include <tact/bodies/body_input.hpp>

#include <cmath>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {

BodyInput::BodyInput(BodyKind kind, std::string_view name)
    : who_(fmt::format("{} \"{}\"", name_of(kind), name))
{
}

void BodyInput::complain(std::string_view text) const
{
  throw Error(fmt::format("{}: {}", who_, text));
}

void BodyInput::positive(std::string_view what, double value, std::string_view unit) const
{
  if (!(value > 0.0 && std::isfinite(value)))
    complain(fmt::format("{} is {} {}, expected a number > 0", what, value, unit));
}

void BodyInput::not_negative(std::string_view what, double value, std::string_view unit) const
{
  if (!(value >= 0.0 && std::isfinite(value)))
    complain(fmt::format("{} is {} {}, expected a number >= 0", what, value, unit));
}

void BodyInput::finite(std::string_view what, const Vector3d& value, std::string_view unit) const
{
  if (!value.allFinite())
    complain(fmt::format("{} is ({}, {}, {}) {}, expected finite numbers", what, value.x(),
                         value.y(), value.z(), unit));
}

void BodyInput::surface(const TriMesh& mesh) const
{
  if (mesh.triangles.empty())
    complain("the surface has 0 triangles, expected at least 1: bodies meet by their surfaces");
  try {
    validate(mesh);
  } catch (const Error& error) {
    complain(error.what());
  }
}

Eigen::Quaterniond BodyInput::unit(std::string_view what, const Eigen::Quaterniond& value) const
{
  const double length = value.norm();
  if (!(std::abs(length - 1.0) <= 1e-6))
    complain(fmt::format("{} is a quaternion of length {}, expected 1", what, length));
  return value.normalized();
}

}  // namespace tact
