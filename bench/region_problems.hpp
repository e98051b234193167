// Problems of the scenes of [Lazarevych10] Sec. 5, as `tact bench regions` and `pcg-pgs` take them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <tact/contact/contact_problem.hpp>

namespace tact {

inline constexpr std::array region_scenes = {"bowling", "bucket"};

// Every so-manieth problem that has contacts, of the scene as it runs. quick: bowling until the
// hit, the bucket until some of its balls rest.
std::vector<ContactProblem> region_problems(const std::string& name, int every, bool quick);

}  // namespace tact
