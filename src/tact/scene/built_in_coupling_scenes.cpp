#include <tact/samples/coupling_scenes.hpp>
#include <tact/scene/built_in_scene.hpp>
#include <tact/scene/built_in_scene_groups.hpp>

namespace tact {
namespace {

BuiltInScene vertebrae_built_in()
{
  using S = Vertebrae;
  constexpr Range poisson{.low = -1.0, .high = 0.5, .open_low = true, .open_high = true};
  return built_in_scene<S>(
      "vertebrae", "two rigid vertebrae squeeze a soft disk [Miguel11]", vertebrae,
      {{"tetrahedra", &S::tetrahedra, "", {.low = 200, .high = 100000}, "of the disk, about"},
       {"young", &S::young, "Pa", positive, "Young's modulus of the disk"},
       {"poisson", &S::poisson, "", poisson, "Poisson's ratio of the disk"},
       {"travel", &S::travel, "m", not_negative, "of the press"},
       {"stiffness", &S::stiffness, "N/m", positive, "of each of its four springs"},
       {"tilt", &S::tilt, "degrees", {.low = -20.0, .high = 20.0}, "of the press"},
       {"paper",
        &S::paper,
        "",
        {},
        "for the paper's method: rows for all contacts, a disk 150 times softer, springs 50 "
        "times"}});
}

BuiltInScene bunny_built_in()
{
  using S = KnockedBunny;
  return built_in_scene<S>(
      "bunny", "a cloth swings down and knocks over a rigid bunny [Miguel11]", knocked_bunny,
      {{"vertices", &S::vertices, "", {.low = 3, .high = 500}, "along each edge of the cloth"},
       {"size", &S::size, "m", positive_length, "of the cloth"},
       {"mass", &S::mass, "kg", positive, "of the cloth"},
       {"angle",
        &S::angle,
        "degrees",
        {.low = 0.0, .high = 120.0},
        "of the cloth at the start, from hanging down"},
       {"height", &S::height, "m", positive_length, "of the bunny"},
       {"density", &S::density, "kg/m^3", positive, "of the bunny"},
       {"model",
        &S::model,
        "",
        {},
        "mesh of the bunny: the npm package's (`assets/bunny/install`), a stand-in, or what is "
        "found",
        {"found", "package", "stand-in"}}});
}

BuiltInScene three_situations_built_in()
{
  using S = ThreeSituations;
  return built_in_scene<S>(
      "three-situations", "rigid, deformable and mixed contact side by side [Miguel11]",
      three_situations,
      {{"situation",
        &S::situation,
        "",
        {},
        "which of the three stacks",
        {"all", "rigid", "deformable", "mixed"}},
       {"size", &S::size, "m", positive_length, "of a box"},
       {"cells", &S::cells, "", {.low = 1, .high = 40}, "of a soft box, along each edge"},
       {"young", &S::young, "Pa", positive, "Young's modulus"}});
}

}  // namespace

std::vector<BuiltInScene> coupling_built_ins()
{
  return {vertebrae_built_in(), bunny_built_in(), three_situations_built_in()};
}

}  // namespace tact
