// Line charts as SVG: for benches, plots and documents. No dependency, same text for same data.
#pragma once

#include <string>
#include <vector>

#include <tact/core/types.hpp>

namespace tact {

enum class Axis { linear, logarithmic };

struct Series {
  std::string label;
  std::vector<Vector2d> points;  // in the order in which they are joined
  bool markers_only = false;     // a scatter plot
  bool dashed = false;           // published figures beside measured ones
  std::string colour_of = "";    // takes the colour of the series with this label; empty: its own
  bool line_only = false;        // no marker at each point
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  Axis x_axis = Axis::linear;
  Axis y_axis = Axis::linear;
  std::vector<Series> series;
};

// All charts in one picture, `columns` side by side. Series with the same label have the same
// colour in every chart. Points that an axis cannot show (not finite, or not positive on a
// logarithmic axis) are left out.
std::string to_svg(const std::vector<Chart>& charts, int columns = 2);

}  // namespace tact
