// From a description to a world that can be stepped.
#pragma once

#include <string>

#include <tact/setup/scene_description.hpp>

namespace tact {

struct Scene {
  std::string name;
  World world;
  State state;  // at t = 0
  RunOptions run;
  FrictionSettings friction;  // bodies by their numbers in the world, which are the description's
  std::string resolved_json;  // the scene with all its values written out
};

// Throws Error, with the place in the scene, for options that a body refuses and for start states
// in which surfaces intersect: exactly tested, within each body and between any two of which at
// least one can move. `run.contact.delta` is chosen here where the description leaves it open.
Scene build_scene(SceneDescription description);

// What a description holds, counted.
struct SceneSize {
  int bodies = 0, vertices = 0, triangles = 0, tetrahedra = 0;
  int freedoms = 0;  // components of v, pinned ones included
};
SceneSize size_of(const SceneDescription& scene);

}  // namespace tact
