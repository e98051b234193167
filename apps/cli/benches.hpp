// The table of benches: each reproduces one claim of a paper (programs in bench/).
#pragma once

#include <string_view>
#include <vector>

#include <bench/bench.hpp>

namespace tact::cli {

struct Bench {
  std::string_view name;
  std::string_view summary;
  int (*run)(const BenchOptions&);  // returns an exit code
};

const std::vector<Bench>& benches();

}  // namespace tact::cli
