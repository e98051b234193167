// Tables of numbers over many powers of ten as SVG, each cell coloured by its number.
#pragma once

#include <string>
#include <vector>

namespace tact {

struct HeatCell {
  double value = 0.0;
  bool missing = false;  // nothing was measured: a dash on grey
  bool struck = false;   // measured, but not what was asked for: in italics, with a star
};

struct HeatTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::string> rows;
  std::vector<HeatCell> cells;  // row by row
  double low = 1e-12;           // values up to here are white,
  double high = 1.0;            // from here on of the full colour; between them by their logarithm
};

// The tables one below the other. Throws Error where the number of cells does not fit.
std::string to_svg(const std::vector<HeatTable>& tables);

}  // namespace tact
