// Contact problems between bodies of any kind as JSON (docs/files.md): a failing step becomes a
// file, the file becomes a test.
#pragma once

#include <filesystem>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/law.hpp>
#include <tact/files/json_reader.hpp>

namespace tact {

// Throws Error with the JSON pointer of the first thing that is wrong, unknown keys included.
ContactProblem read_contact_problem(const std::filesystem::path& file);

// The same from a document already open.
ContactProblem read_contact_problem(const JsonValue& root);

// Loses nothing: reading gives the same bits. The map of regions is that of the problem.
void write_contact_problem(const std::filesystem::path& file, const ContactProblem& problem,
                           const ContactSolution* warm_start = nullptr,
                           FrictionLaw law = FrictionLaw::disc);

// The law of friction that the step had; the disc where the file does not say.
FrictionLaw read_friction_law(const JsonValue& root);

// What the step that the problem is of started its solver from; empty where the file has none.
ContactSolution read_warm_start(const JsonValue& root, const ContactProblem& problem);

// The region of every contact, as the solver of the step had them; empty where the file has no map.
// Throws Error where contacts on one component are in two regions: solved apart they would be
// wrong.
std::vector<int> read_regions(const JsonValue& root, const ContactProblem& problem);

}  // namespace tact
