// Contact problems of rigid bodies as JSON with 6 x 6 blocks (docs/files.md): the form that stored
// them before there were other bodies, and the one that people write by hand.
#pragma once

#include <filesystem>

#include <tact/contact/contact_problem.hpp>
#include <tact/files/json_reader.hpp>

namespace tact {

// Throws Error with the JSON pointer of the first thing that is wrong, unknown keys included.
ContactProblem read_rigid_contact_problem(const std::filesystem::path& file);

// The same from a document already open.
ContactProblem read_rigid_contact_problem(const JsonValue& root);

// Loses nothing: reading gives the same bits. Throws Error unless all bodies are rigid; groups are
// not stored: write_contact_problem() knows them.
void write_rigid_contact_problem(const std::filesystem::path& file, const ContactProblem& problem);

}  // namespace tact
