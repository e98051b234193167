// Contact problems as JSON (docs/files.md): a failing step becomes a file, the file becomes a test.
#pragma once

#include <filesystem>

#include <tact/contact/rigid_contact_problem.hpp>
#include <tact/files/json_reader.hpp>

namespace tact {

// Throws Error with the JSON pointer of the first thing that is wrong, unknown keys included.
RigidContactProblem read_rigid_contact_problem(const std::filesystem::path& file);

// The same from a document already open.
RigidContactProblem read_rigid_contact_problem(const JsonValue& root);

// Loses nothing: reading gives the same bits.
void write_rigid_contact_problem(const std::filesystem::path& file,
                                 const RigidContactProblem& problem);

}  // namespace tact
