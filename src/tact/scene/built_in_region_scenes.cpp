#include <tact/samples/region_scenes.hpp>
#include <tact/scene/built_in_scene.hpp>
#include <tact/scene/built_in_scene_groups.hpp>

namespace tact {
namespace {

BuiltInScene bowling_built_in()
{
  using S = Bowling;
  return built_in_scene<S>(
      "bowling", "balls break a triangle of ten skittles, without gravity [Lazarevych10]", bowling,
      {{"balls", &S::balls, "", {.low = 1, .high = 50}, "that fly in, one after the other"},
       {"speed", &S::speed, "m/s", {.low = 0.0, .high = 100.0}, "of the balls"},
       {"height", &S::height, "m", positive_length, "of a skittle"},
       {"spacing",
        &S::spacing,
        "",
        {.low = 0.36, .high = 10.0},
        "of neighbours, over the height of a skittle"},
       {"young", &S::young, "Pa", positive, "Young's modulus"},
       {"damping", &S::damping, "s", not_negative, "Rayleigh's beta"},
       {"rings",
        &S::rings,
        "",
        {.low = 1, .high = 10},
        "of tetrahedra, from a skittle's axis out"}});
}

BuiltInScene bucket_built_in()
{
  using S = Bucket;
  return built_in_scene<S>("bucket", "balls fall into a bucket and come to rest [Lazarevych10]",
                           bucket,
                           {{"balls", &S::balls, "", {.low = 1, .high = 5000}, "that fall in"},
                            {"radius", &S::radius, "m", positive_length, "of a ball"},
                            {"young", &S::young, "Pa", positive, "Young's modulus"},
                            {"density", &S::density, "kg/m^3", positive, "of a ball"},
                            {"damping", &S::damping, "s", not_negative, "Rayleigh's beta"},
                            {"layers",
                             &S::layers,
                             "",
                             {.low = 1, .high = 10},
                             "of tetrahedra, from a ball's middle out"}});
}

BuiltInScene table_incline_built_in()
{
  using S = TableIncline;
  return built_in_scene<S>(
      "table-incline", "a soft table on a slope: its legs slide in turns [Lazarevych10]",
      table_incline,
      {{"angle", &S::angle, "degrees", {.low = 0.0, .high = 60.0}, "of the slope"},
       {"length", &S::length, "m", positive_length, "down the slope; the width is 3/4 of it"},
       {"height", &S::height, "m", positive_length, "of the table"},
       {"leg", &S::leg, "m", positive_length, "edge of a leg, and thickness of the top"},
       {"cells", &S::cells, "", {.low = 1, .high = 6}, "across a leg"},
       {"young", &S::young, "Pa", positive, "Young's modulus"},
       {"damping", &S::damping, "s", not_negative, "Rayleigh's beta"},
       {"drop", &S::drop, "m", not_negative, "that it falls at the start, which makes it rock"}});
}

}  // namespace

std::vector<BuiltInScene> region_built_ins()
{
  return {bowling_built_in(), bucket_built_in(), table_incline_built_in()};
}

}  // namespace tact
