#include <tact/collision/ccd.hpp>

#include <optional>

#include <tact/collision/ccd_exact.hpp>
#include <tact/collision/ccd_filter.hpp>
#include <tact/collision/separation.hpp>

namespace tact {
namespace {

// Flat cloth is full of coplanar parallel edges, which no root of the cubic can tell apart: planes
// between them can, some thirty times faster than integers.
bool slabs_separate(const CcdQuery& query)
{
  return separation(query, 0.0, {.tolerance = 0.0, .max_evaluations = 8}).free;
}

}  // namespace

std::string_view name(CcdKind kind)
{
  return kind == CcdKind::vertex_face ? "vertex-face" : "edge-edge";
}

std::string_view name(CcdStage stage)
{
  constexpr std::array<std::string_view, ccd_stage_count> names = {"box", "cubic", "subdivision",
                                                                   "slab", "exact"};
  return names[static_cast<std::size_t>(stage)];
}

ContactTime contact(const CcdQuery& query)
{
  const FilterAnswer filtered = filter_contact(query);
  if (filtered.verdict != Verdict::unsure)
    return {filtered.verdict == Verdict::yes, filtered.time, filtered.stage};
  if (slabs_separate(query)) return {false, 0.0, CcdStage::slab};
  const std::optional<double> first = exact_contact(query);
  return {first.has_value(), first.value_or(0.0), CcdStage::exact};
}

}  // namespace tact
