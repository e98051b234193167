// What a bench set out to show, and whether it did.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace tact {

struct Claim {
  std::string name;
  double value = 0.0;
  double bound = 0.0;
  bool at_least = false;  // else: at most
  bool timed = true;      // depends on the machine, and on how quiet it is
  bool goal = false;      // told, but not failed where it is missed

  bool holds() const { return at_least ? value >= bound : value <= bound; }
};

// Of a quick run timed claims are shown, but not judged: it proves nothing about time.
std::string claims_table(const std::vector<Claim>& claims, bool quick = false);
nlohmann::ordered_json to_json(const std::vector<Claim>& claims);

// The exit code of a bench: 0 or 3. Timed claims count in full runs only.
int exit_code(const std::vector<Claim>& claims, bool quick);

}  // namespace tact
