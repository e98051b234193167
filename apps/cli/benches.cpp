#include <cli/benches.hpp>

#include <bench/lemke.hpp>

namespace tact::cli {

const std::vector<Bench>& benches()
{
  static const std::vector<Bench> table = {
      {"lemke", "[Lloyd05] figs. 4-9: growth n^3, n^2, n, and our cone-state method",
       run_lemke_bench},
  };
  return table;
}

}  // namespace tact::cli
