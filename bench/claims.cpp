#include <bench/claims.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tact {
namespace {

constexpr const char* quick_note =
    "\n--quick: few and small problems. This run proves nothing about time, and little else;\n"
    "the bench without --quick does.\n";

}  // namespace

std::string claims_table(const std::vector<Claim>& claims, bool quick)
{
  std::string out = "\nclaims\n";
  for (const Claim& claim : claims)
    fmt::format_to(std::back_inserter(out), "  {:<56} {:>10.4g}  {} {:g}  {}\n", claim.name,
                   claim.value, claim.at_least ? ">=" : "<=", claim.bound,
                   claim.timed && quick ? "not judged: quick"
                   : claim.holds()      ? "holds"
                   : claim.goal         ? "goal not reached"
                                        : "MISSED");
  if (quick) out += quick_note;
  return out;
}

nlohmann::ordered_json to_json(const std::vector<Claim>& claims)
{
  auto out = nlohmann::ordered_json::array();
  for (const Claim& claim : claims)
    out.push_back({{"name", claim.name},
                   {"value", claim.value},
                   {"bound", claim.bound},
                   {"sense", claim.at_least ? "at least" : "at most"},
                   {"goal", claim.goal},
                   {"holds", claim.holds()}});
  return out;
}

int exit_code(const std::vector<Claim>& claims, bool quick)
{
  const bool hold = std::all_of(claims.begin(), claims.end(), [&](const Claim& claim) {
    return claim.holds() || claim.goal || (claim.timed && quick);
  });
  return hold ? 0 : 3;
}

}  // namespace tact
