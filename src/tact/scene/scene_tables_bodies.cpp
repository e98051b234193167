#include <tact/scene/scene_tables_bodies.hpp>

#include <tact/setup/scene_description.hpp>

namespace tact {
namespace {

using nlohmann::json;
using Keys = std::vector<Key>;

const json zero = {0.0, 0.0, 0.0};

Keys joined(std::initializer_list<Keys> parts)
{
  Keys all;
  for (const Keys& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Key radius_key()
{
  return required(number_key("radius", "m", positive_length, nullptr, "radius"));
}

Key height_key(std::string doc)
{
  return required(number_key("height", "m", positive_length, nullptr, std::move(doc)));
}

Key size_key()
{
  return required(vector_key("size", 3, "m", positive_length, nullptr, "along x, y and z"));
}

Key file_key(std::string doc)
{
  return required(path_key("file", std::move(doc)));
}

// ---- Shapes of rigid bodies and obstacles -------------------------------------------------------

Keys surface_shapes()
{
  const KeyTable mesh{
      .name = "mesh",
      .title = "a mesh",
      .keys = {file_key("surface, relative to this file: .obj, .ply, .stl, .gltf or "
                        ".glb")},
      .shorthand = "file"};
  const KeyTable box{
      .name = "box",
      .title = "a box",
      .keys = {size_key(), integer_key("divisions", 1, 300, 1, "squares along each edge")},
      .shorthand = "size"};
  const KeyTable sphere{
      .name = "sphere",
      .title = "a sphere",
      .keys = {radius_key(), integer_key("subdivisions", 0, 7, 3, "20 x 4^k triangles")},
      .shorthand = "radius"};
  const KeyTable capsule{
      .name = "capsule",
      .title = "a capsule",
      .keys = {radius_key(), height_key("of the cylinder between the half spheres"),
               integer_key("segments", 3, 1000, 24, "around"),
               integer_key("rings", 1, 500, 6, "of each half sphere")}};
  const KeyTable cylinder{
      .name = "cylinder",
      .title = "a cylinder",
      .keys = {radius_key(), height_key("along y"), integer_key("segments", 3, 1000, 32, "around"),
               integer_key("rings", 1, 1000, 1, "along the axis")}};
  return {object_key("mesh", mesh, "a surface from a file"),
          object_key("box", box, "centred on the origin"),
          object_key("sphere", sphere, "centred on the origin"),
          object_key("capsule", capsule, "along y, centred on the origin"),
          object_key("cylinder", cylinder, "along y, centred on the origin")};
}

Keys obstacle_shapes()
{
  const KeyTable ground{
      .name = "ground",
      .title = "the ground",
      .keys = {required(number_key("size", "m", positive_length, nullptr, "length and width")),
               number_key("thickness", "m", positive_length, 0.1, "below y = 0"),
               integer_key("divisions", 1, 300, 1, "squares along each edge")},
      .shorthand = "size"};
  const KeyTable cache{
      .name = "cache",
      .title = "a vertex cache",
      .keys = {list_key("files", path_key("", "a file"),
                        "surfaces with the same triangles, one a frame"),
               path_key("folder", "instead: all .obj files in it, by name"),
               required(number_key("fps", "1/s", positive, nullptr, "frames a second"))},
      .groups = {{.names = {"files", "folder"}}}};
  return {object_key("ground", ground, "a slab whose top is the plane y = 0"),
          object_key("cache", cache, "a deforming surface: one file a frame")};
}

// ---- Shapes of cloth and soft bodies ------------------------------------------------------------

Keys cloth_shapes()
{
  const KeyTable grid{
      .name = "grid",
      .title = "a grid",
      .keys = {required(vector_key("size", 2, "m", positive_length, nullptr, "along x and z")),
               required(integers_key("vertices", 2, 2, 2000, nullptr, "along x and z"))}};
  const KeyTable mesh{.name = "cloth-mesh",
                      .title = "a mesh",
                      .keys = {file_key("surface, relative to this file; it may be open")},
                      .shorthand = "file"};
  return {object_key("grid", grid, "a rectangle in the plane y = 0"),
          object_key("mesh", mesh, "a surface from a file")};
}

Keys soft_shapes()
{
  const KeyTable box{
      .name = "soft-box", .title = "a soft box", .keys = {size_key()}, .shorthand = "size"};
  const KeyTable sphere{
      .name = "soft-sphere",
      .title = "a soft sphere",
      .keys = {radius_key(), integer_key("layers", 1, 40, 4, "from the centre outwards")},
      .shorthand = "radius"};
  const KeyTable cylinder{.name = "soft-cylinder",
                          .title = "a soft cylinder",
                          .keys = {radius_key(), height_key("along y"),
                                   integer_key("rings", 1, 40, 4, "from the axis outwards"),
                                   integer_key("layers", 1, 100, 8, "along the axis")}};
  const KeyTable file{.name = "tetrahedra",
                      .title = "a tetrahedral mesh",
                      .keys = {file_key("relative to this file: .msh or .vtk")},
                      .shorthand = "file"};
  const KeyTable mesh{.name = "soft-mesh",
                      .title = "an embedded mesh",
                      .keys = {file_key("closed surface, relative to this file")},
                      .shorthand = "file"};
  const KeyTable letter{
      .name = "letter",
      .title = "a letter",
      .keys = {required(text_key("character", nullptr, "one letter, digit or sign")),
               number_key("height", "m", positive_length, 0.1, "of a capital letter"),
               number_key("depth", "m", positive_length, 0.02, "along z"),
               integer_key("tetrahedra", 6, 5000, 140, "about as many")},
      .shorthand = "character"};
  return {object_key("box", box, "centred on the origin"),
          object_key("sphere", sphere, "centred on the origin"),
          object_key("cylinder", cylinder, "along y, centred on the origin"),
          object_key("tetrahedra", file, "a tetrahedral mesh from a file"),
          object_key("mesh", mesh, "a fine surface embedded in coarse tetrahedra"),
          object_key("letter", letter, "an extruded glyph embedded in coarse tetrahedra")};
}

// How finely boxes and meshes are filled.
Keys soft_fineness()
{
  return {integers_key("cells", 3, 1, 500, nullptr, "of a box: bricks of six tetrahedra"),
          number_key("lattice", "m", positive_length, nullptr,
                     "of a mesh: size of the cells of tetrahedra around it")};
}

// ---- Keys of bodies -----------------------------------------------------------------------------

Key rotation_key()
{
  const KeyTable rotation{
      .name = "rotation",
      .title = "a rotation",
      .keys = {vector_key("quaternion", 4, "", any_number, nullptr, "x, y, z, w; of unit length"),
               vector_key("axis", 3, "", any_number, nullptr, "of any length but 0"),
               number_key("angle_degrees", "degrees", any_number, nullptr, "about the axis")},
      .groups = {{.names = {"quaternion", "axis"}}},
      .needs = {{"axis", "angle_degrees"}, {"angle_degrees", "axis"}},
      .shorthand = "quaternion"};
  return object_key("rotation", rotation, "of the shape, before it is moved to its position");
}

Keys place_keys(const std::string& type)
{
  const KeyTable copies{
      .name = "copies",
      .title = "copies",
      .keys = {required(integers_key("count", 3, 1, 1000, nullptr, "along x, y and z")),
               required(vector_key("spacing", 3, "m", any_number, nullptr,
                                   "from one to the next along x, y and z"))}};
  return {required(text_key("name", nullptr, "no other body may have it")),
          required(choice_key("type", {type}, nullptr, "rigid, cloth, soft or obstacle")),
          vector_key("position", 3, "m", any_number, zero, "where the shape's origin is put"),
          rotation_key(),
          number_key("scale", "", positive_length, 1.0, "the shape's sizes are multiplied by it"),
          object_key("copies", copies, "a block of such bodies, called NAME-0, NAME-1 and so on"),
          number_key("mu", "", {.low = 0.0, .high = 1000.0}, nullptr,
                     "this body's friction; a pair has the geometric mean of its two")};
}

Keys motion_keys()
{
  return {vector_key("velocity", 3, "m/s", any_number, zero, "at the start"),
          vector_key("force", 3, "N", any_number, zero, "a constant force in all, spread by mass"),
          number_key("drag", "N s/m^3", not_negative, 0.0,
                     "force per area and velocity against the air")};
}

Keys mass_keys(double density, const std::string& unit)
{
  return {number_key("density", unit, positive, density, "mass per size"),
          number_key("mass", "kg", positive, nullptr, "instead of the density")};
}

KeyGroup one_shape(const Keys& shapes)
{
  KeyGroup group;
  for (const Key& key : shapes) group.names.push_back(key.name);
  return group;
}

const KeyGroup mass_or_density = {.names = {"density", "mass"}, .required = false};

KeyTable rigid_table()
{
  const Key spin = vector_key("angular_velocity", 3, "rad/s", any_number, zero, "at the start");
  return {.name = "rigid",
          .title = "a rigid body",
          .keys = joined({place_keys("rigid"),
                          surface_shapes(),
                          mass_keys(1000.0, "kg/m^3"),
                          motion_keys(),
                          {spin}}),
          .groups = {one_shape(surface_shapes()), mass_or_density}};
}

KeyTable cloth_table()
{
  const ClothOptions d;
  const ClothStiffness stiffness;
  const Keys material = {
      number_key("stretch", "N/m", positive, stiffness.stretch, "stiffness along the edges"),
      number_key("shear", "N/m", not_negative, stiffness.shear,
                 "stiffness along the diagonals of a grid"),
      number_key("bend", "N/m", not_negative, stiffness.bend, "stiffness across two edges"),
      number_key("damping", "s", not_negative, d.damping, "of the springs, over their stiffness"),
      number_key("mass_damping", "1/s", not_negative, d.mass_damping, "force over momentum"),
      number_key("rest_length", "", {.low = 0.01, .high = 100.0}, 1.0,
                 "rest length of the springs over their length at the start"),
      boolean_key("self_collision", d.self_collision, "whether it meets itself")};
  return {.name = "cloth",
          .title = "a cloth",
          .keys = joined({place_keys("cloth"), cloth_shapes(), mass_keys(d.area_density, "kg/m^2"),
                          motion_keys(), material}),
          .groups = {one_shape(cloth_shapes()), mass_or_density}};
}

KeyTable soft_table()
{
  const SoftOptions d;
  constexpr Range poisson{.low = -1.0, .high = 0.5, .open_low = true, .open_high = true};
  const Keys material = {
      number_key("young", "Pa", positive, d.young, "Young's modulus"),
      number_key("poisson", "", poisson, d.poisson, "Poisson's ratio"),
      number_key("mass_damping", "1/s", not_negative, d.mass_damping, "Rayleigh's alpha"),
      number_key("stiffness_damping", "s", not_negative, d.stiffness_damping, "Rayleigh's beta"),
      boolean_key("self_collision", true, "whether it meets itself")};
  return {.name = "soft",
          .title = "a soft body",
          .keys = joined({place_keys("soft"), soft_shapes(), soft_fineness(),
                          mass_keys(d.density, "kg/m^3"), motion_keys(), material}),
          .groups = {one_shape(soft_shapes()), mass_or_density},
          .needs = {{"box", "cells"}, {"cells", "box"}, {"mesh", "lattice"}, {"lattice", "mesh"}}};
}

KeyTable obstacle_table()
{
  const KeyTable keyframe{
      .name = "keyframe",
      .title = "a keyframe",
      .keys = {required(number_key("t", "s", {.low = 0.0, .high = 1e9}, nullptr,
                                   "later than the one before")),
               vector_key("position", 3, "m", any_number, nullptr, "without it, as before"),
               rotation_key()}};
  const Keys shapes = joined({surface_shapes(), obstacle_shapes()});
  const Key motion = list_key("motion", object_key("", keyframe, "a keyframe"),
                              "poses over time, interpolated; the first takes its absent values "
                              "from the body");
  return {.name = "obstacle",
          .title = "an obstacle",
          .keys = joined({place_keys("obstacle"), shapes, {motion}}),
          .groups = {one_shape(shapes)}};
}

}  // namespace

std::vector<KeyTable> body_tables()
{
  return {rigid_table(), cloth_table(), soft_table(), obstacle_table()};
}

}  // namespace tact
