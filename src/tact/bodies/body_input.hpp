// What bodies ask of the numbers they are made from. Each function throws Error with the name of
// the body, what was found and what was expected:
//   cloth "flag": area density is -1 kg/m^2, expected a number > 0
#pragma once

#include <string>
#include <string_view>

#include <Eigen/Geometry>

#include <tact/bodies/body.hpp>

namespace tact {

class BodyInput {
 public:
  BodyInput(BodyKind kind, std::string_view name);

  void positive(std::string_view what, double value, std::string_view unit) const;
  void not_negative(std::string_view what, double value, std::string_view unit) const;
  void finite(std::string_view what, const Vector3d& value, std::string_view unit) const;
  void surface(const TriMesh& mesh) const;  // at least one triangle, and see validate(mesh)

  // Of length 1 to 1e-6, as files print them; comes back as exactly that as doubles allow.
  Eigen::Quaterniond unit(std::string_view what, const Eigen::Quaterniond& value) const;

  [[noreturn]] void complain(std::string_view text) const;

 private:
  std::string who_;
};

}  // namespace tact
