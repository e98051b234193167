#include <tact/samples/lloyd_scenes.hpp>
#include <tact/scene/built_in_scene.hpp>
#include <tact/scene/built_in_scene_groups.hpp>

namespace tact {
namespace {

BuiltInScene peg_in_hole_built_in()
{
  using S = PegInHole;
  return built_in_scene<S>(
      "peg-in-hole", "a peg slides down in a hole, pushed to the side [Lloyd05]", peg_in_hole_scene,
      {{"segments", &S::segments, "", {.low = 3, .high = 500}, "of the peg, around"},
       {"clearance", &S::clearance, "m", {.low = 1e-4, .high = 1.0}, "between peg and hole"},
       {"drop", &S::drop, "m", positive_length, "to the floor"},
       {"push", &S::push, "N", not_negative, "to the side"}});
}

BuiltInScene single_body_built_in()
{
  using S = SingleBody;
  return built_in_scene<S>(
      "single-body", "one body in one of ten situations, with a push [Lloyd05]", single_body_scene,
      {{"situation",
        &S::situation,
        "",
        {.low = 0, .high = 9},
        "0 ball on a plane, 1 in a groove, 2 on three points, 3 block on a plane, 4 leaning on a "
        "wall, 5 hexagonal prism, 6 block in a groove, 7 ball in a rim, 8 block in a corner, 9 in "
        "a "
        "closed channel"},
       {"push", &S::push, "N", not_negative, "to the side"}});
}

BuiltInScene block_stack_built_in()
{
  using S = BlockStack;
  return built_in_scene<S>(
      "block-stack", "a stack of blocks with a push on the top one [Lloyd05]", block_stack_scene,
      {{"blocks", &S::blocks, "", {.low = 1, .high = 1000}, "of the stack"},
       {"turned", &S::turned, "", {.low = 0, .high = 1000}, "of them, from the top"},
       {"push", &S::push, "N", not_negative, "to the side"}});
}

}  // namespace

std::vector<BuiltInScene> lloyd_built_ins()
{
  return {peg_in_hole_built_in(), single_body_built_in(), block_stack_built_in()};
}

}  // namespace tact
