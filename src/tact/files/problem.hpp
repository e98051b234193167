// A stored problem of any kind: what `tact solve`, `tact check` and recorded steps deal in.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/friction_problem.hpp>
#include <tact/contact/law.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {

struct Problem {
  // As the file says: lcp, mlcp, blcp, contact or friction (that of HDF5, whose global form is a
  // contact problem that is judged as all friction problems are).
  std::string kind;
  std::variant<LcpProblem, ContactProblem, FrictionProblem> data;
  ContactSolution warm_start = {};      // of a step that was recorded; else empty
  std::vector<int> regions = {};        // the same: the region of each contact
  FrictionLaw law = FrictionLaw::disc;  // the same: that of its friction
  // The form with bodies: friction is a pyramid of as many sides as whoever solves it says.
  bool bodies = false;

  int size() const;      // unknowns: entries of z, or impulses (3 a contact, 1 a bilateral row)
  int contacts() const;  // 0 for what is not a contact problem
};

// Reads and validates a problem file: JSON, its kind told by the key "kind", or the HDF5 of FCLIB.
Problem read_problem(const std::filesystem::path& file);

}  // namespace tact
