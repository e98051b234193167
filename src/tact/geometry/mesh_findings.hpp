// A mesh check in words: what a simulation would refuse, and what is good to know.
#pragma once

#include <string>
#include <vector>

#include <tact/geometry/mesh_check.hpp>

namespace tact {

enum class Severity {
  note,   // good to know
  defect  // a simulation refuses such a mesh
};

struct Finding {
  Severity severity;
  std::string text;  // one line without its end
};

// In words, defects first.
std::vector<Finding> findings(const SurfaceCheck& check);
std::vector<Finding> findings(const TetCheck& check);

bool has_defects(const std::vector<Finding>& findings);

}  // namespace tact
