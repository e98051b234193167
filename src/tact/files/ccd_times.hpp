// Exact first contact times of stored queries, to compare answers with.
//
// `toi.csv` stands in a folder above the query files it speaks of and begins with the line
//   file,query,collision,toi,coplanar_motion
// `file` is relative to its folder, `query` counts from 0, `toi` has 25 significant digits, and
// `coplanar_motion` is 1 where the four points stay in one plane for all t.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmpxx.h>

namespace tact {

struct ReferenceTime {
  int query = 0;
  mpq_class time;  // within 1e-25 of the exact one
  bool coplanar_motion = false;
};

// By the name of the query file relative to the folder, with forward slashes.
using ReferenceTimes = std::map<std::string, std::vector<ReferenceTime>, std::less<>>;

// The nearest `toi.csv` in the folder of the query file or in one of the three above it.
std::optional<std::filesystem::path> find_reference_times(const std::filesystem::path& query_file);

// Throws Error with the line for anything but the table above.
ReferenceTimes read_reference_times(const std::filesystem::path& file);
ReferenceTimes parse_reference_times(std::string_view text, std::string_view name);

}  // namespace tact
