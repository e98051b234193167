// The quality report behind `tact check mesh.obj`.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <cli/console.hpp>
#include <tact/geometry/mesh_check.hpp>
#include <tact/geometry/mesh_findings.hpp>

namespace tact::cli {

struct MeshReport {
  std::string file;
  std::variant<SurfaceCheck, TetCheck> check;
  std::vector<Finding> findings;

  bool ok() const { return !has_defects(findings); }  // would a simulation take this mesh?
};

// Throws Error when the file cannot be read as a mesh.
MeshReport report_on_mesh(const std::string& file);

// A table and the findings, in words.
void print(const MeshReport& report, const Console& console);

// {"file", "ok", "kind": "surface" | "tetrahedra", counts, measures, "findings": [...]}; the keys
// are listed in docs/geometry.md.
nlohmann::ordered_json to_json(const MeshReport& report);

// `done`, or `not_reached` for a mesh with defects.
ExitCode exit_code(const MeshReport& report);

}  // namespace tact::cli
