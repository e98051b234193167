// Friction problems in the HDF5 layout of FCLIB (docs/files.md), in 2D and 3D: local (W, q, mu),
// and global (M, H, f, w, mu, and G, b for joints), which is a contact problem (fclib_global.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/friction_problem.hpp>

namespace tact {

struct FclibInfo {
  std::string title, description, math_info;
};

struct FclibFile {
  std::variant<FrictionProblem, ContactProblem> problem;
  FclibInfo info;
};

// Whether the file starts like one of HDF5; false also where it cannot be read.
[[nodiscard]] bool is_hdf5(const std::filesystem::path& file);

// Matrices may be compressed by columns or rows or be lists of triplets; entries that stand twice
// are added. Stored guesses and solutions are left alone. Throws Error that names the file and the
// place for anything that is wrong.
FclibFile read_fclib(const std::filesystem::path& file);

// Loses nothing but the last bits of f in the global form, which is A v*. Matrices are compressed
// by columns, which every reader of FCLIB knows.
void write_fclib(const std::filesystem::path& file, const FclibFile& content);

}  // namespace tact
