// Stage exact: the first contact of a query in integer arithmetic. Always decides.
#pragma once

#include <optional>

#include <tact/collision/ccd.hpp>

namespace tact {

// A time at most 2^-46 before the first contact and never after it; nothing without contact. Takes
// microseconds where the coordinates of an axis are within 2^60 of each other or so, and up to
// milliseconds where they span the whole range of double. Throws Error on a coordinate that is not
// finite.
[[nodiscard]] std::optional<double> exact_contact(const CcdQuery& query);

}  // namespace tact
