// What every bench is asked. A bench prints its table on stdout and returns the exit code of the
// command: 0 when the claim holds, 3 when a result asked for was not reached.
#pragma once

#include <string>

namespace tact {

struct BenchOptions {
  std::string json_file;  // where the rows, published figures and fits go; empty: nowhere
  std::string plot_file;  // where the plot goes, as SVG; empty: nowhere
  std::string problems;   // folder of stored problems, for `solvers`; empty: its own
  // s. `solvers`: one that took longer skips larger problems; `scenes`, `cmr`: after which a run is
  // ended. 0: none, or the bench's own
  double limit = 0.0;
  int directions = 8;  // sides of the friction pyramid, where a bench has one
  bool quick = false;  // fewer and smaller problems: seconds instead of minutes
  bool quiet = false;  // no progress on stderr
};

}  // namespace tact
