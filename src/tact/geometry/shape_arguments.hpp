// The checks at the door of every shape.
#pragma once

#include <cmath>
#include <string_view>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {

inline void require_length(std::string_view shape, std::string_view what, double value)
{
  if (!(value > 0.0) || !std::isfinite(value))
    throw Error(fmt::format("{}: {} is {} m, expected a positive length", shape, what, value));
}

inline void require_count(std::string_view shape, std::string_view what, int value, int low,
                          int high)
{
  if (value < low || value > high)
    throw Error(fmt::format("{}: {} is {}, expected {} to {}", shape, what, value, low, high));
}

}  // namespace tact
