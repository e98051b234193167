#include <tact/samples/edge_scenes.hpp>
#include <tact/scene/built_in_scene.hpp>
#include <tact/scene/built_in_scene_groups.hpp>

namespace tact {
namespace {

BuiltInScene point_corner_built_in()
{
  using S = PointCorner;
  return built_in_scene<S>(
      "point-corner", "unit masses before a corner, one step: the printed examples [Egan03]",
      point_corner,
      {{"size", &S::size, "m", positive_length, "of the cubes that stand for points"},
       {"gap", &S::gap, "m", positive_length, "that contact keeps; the corner makes up for both"}});
}

BuiltInScene block_over_hole_built_in()
{
  using S = BlockOverHole;
  return built_in_scene<S>(
      "block-over-hole", "a block slides over a hole past a sharp corner [Egan03]", block_over_hole,
      {{"speed", &S::speed, "m/s", {.low = 0.0, .high = 100.0}, "of the block at the start"},
       {"size", &S::size, "m", positive_length, "length of the block; the hole is half as long"},
       {"slant", &S::slant, "", {.low = 0.0, .high = 2.0}, "of its far side: run over rise"},
       {"turn",
        &S::turn,
        "degrees",
        {.low = -45.0, .high = 45.0},
        "of the block about the vertical; it goes straight"},
       {"gap", &S::gap, "m", positive_length,
        "under the block at the start, and what contact keeps"}});
}

BuiltInScene cloth_over_edge_built_in()
{
  using S = ClothOverEdge;
  return built_in_scene<S>(
      "cloth-over-edge", "a cloth slides down over the sharp edge of a block", cloth_over_edge,
      {{"vertices", &S::vertices, "", {.low = 3, .high = 500}, "along each edge of the cloth"},
       {"size", &S::size, "m", positive_length, "of the cloth"},
       {"mass", &S::mass, "kg", positive, "of the cloth"},
       {"overhang",
        &S::overhang,
        "",
        {.low = 0.0, .high = 1.0},
        "share beyond the edge at first"}});
}

}  // namespace

std::vector<BuiltInScene> edge_built_ins()
{
  return {point_corner_built_in(), block_over_hole_built_in(), cloth_over_edge_built_in()};
}

}  // namespace tact
