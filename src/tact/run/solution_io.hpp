// What `tact solve` reports (--json) and stores (--output): one JSON layout, docs/files.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <tact/run/problem_solve.hpp>

namespace tact {

// One problem file and the answers of the solvers that were asked.
struct SolveRecord {
  std::string file;
  std::string kind;
  int size = 0;
  int contacts = 0;
  std::vector<SolvedProblem> rows;

  bool solved() const;  // some row converged
};

// {"problems": [{"file", "kind", "size", "contacts", "rows": [{"solver", "status", ...}]}]}
nlohmann::ordered_json report_json(const std::vector<SolveRecord>& records);

// The same with "kind": "solutions", and in each row the answer: z and w, or v, lambda and beta.
void write_solutions(const std::filesystem::path& file, const std::vector<SolveRecord>& records);

}  // namespace tact
