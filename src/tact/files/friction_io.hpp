// Friction problems as text (docs/files.md): NAME.json of kind "friction" with Matrix Market files
// beside it, NAME.W.mtx, NAME.q.mtx and NAME.mu.mtx.
#pragma once

#include <filesystem>

#include <tact/contact/friction_problem.hpp>
#include <tact/files/json_reader.hpp>
#include <tact/files/problem.hpp>

namespace tact {

// From a document already open. Throws Error with the place of the first thing that is wrong.
FrictionProblem read_friction(const JsonValue& root);

// Loses nothing: reading gives the same bits.
void write_friction(const std::filesystem::path& json_file, const FrictionProblem& problem);

// The local form of a friction problem, or of a contact problem between meshes with its velocities
// eliminated. Throws Error for other kinds.
FrictionProblem local_form(const Problem& problem);

// Throws Error unless export_problem() knows the ending of the name.
void require_export_name(const std::filesystem::path& file);

// Writes a friction problem, or a contact problem with its velocities eliminated, as FCLIB (.hdf5,
// .h5) or as text (.json). The global form stays one in HDF5. Throws Error for other kinds.
void export_problem(const std::filesystem::path& file, const Problem& problem);

}  // namespace tact
