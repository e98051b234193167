// Stored motion queries with their ground truth, and stored exact contact times.
//
// A query file is a table of integers in which eight rows make one query,
//   x_num,x_den,y_num,y_den,z_num,z_den,truth
// one row a vertex: first the four at t = 0, then the same four at t = 1, in the order of CcdQuery.
// `truth`, the same in all eight, is 1 if the features touch for some t in [0, 1]. This is the
// layout of the benchmark of Wang et al., "A Large Scale Benchmark and an Inclusion-Based Algorithm
// for Continuous Collision Detection", ACM TOG 40(5), 2021.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tact/collision/ccd.hpp>

namespace tact {

struct LabelledQuery {
  CcdQuery query;
  bool truth = false;  // whether the features touch
};

// Of the names of the file and of its folder, the one that says "vertex-face" or "edge-edge".
std::optional<CcdKind> ccd_kind_in_path(const std::filesystem::path& file);

// Reads a whole file. Throws Error with the line for anything but the table above with at least one
// query. Every quotient must be exactly a double: rounding would put the truth in doubt.
std::vector<LabelledQuery> read_ccd_queries(const std::filesystem::path& file, CcdKind kind);

// The same from memory; `name` is what messages call it.
std::vector<LabelledQuery> parse_ccd_queries(std::string_view text, CcdKind kind,
                                             std::string_view name);

}  // namespace tact
