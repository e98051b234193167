#include "wrong_scenes.hpp"

#include <fmt/format.h>

namespace tact {
namespace {

// A scene of one body with these keys after its name.
std::string body(const std::string& keys)
{
  return R"({"bodies": [{"name": "a", )" + keys + "}]}";
}

// A ball called "ball", a cloth of 2 x 2 vertices called "cloth", and what follows.
std::string two(const std::string& more)
{
  return R"({"bodies": [{"name": "ball", "type": "rigid", "sphere": 0.1, "position": [0, 1, 0]},
    {"name": "cloth", "type": "cloth", "grid": {"size": [1, 1], "vertices": [2, 2]}}], )" +
         more + "}";
}

// The same with a hinge that has more keys.
std::string hinged(const std::string& more)
{
  return two(R"("joints": [{"type": "hinge", "a": "ball", "at": [0, 1, 0], "axis": [0, 0, 1], )" +
             more + "}]");
}

const std::string ball = R"("type": "rigid", "sphere": 0.1)";
const std::string one_ball = R"({"bodies": [{"name": "a", "type": "rigid", "sphere": 0.1}]})";

std::string with(const std::string& keys)
{
  return R"({"bodies": [{"name": "a", "type": "rigid", "sphere": 0.1}], )" + keys + "}";
}

}  // namespace

void write_wrong_files(const TemporaryFolder& folder)
{
  folder.file("letters.obj", "v 0 0 zero\n");
  folder.file("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
  folder.file("crossing.obj",
              "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0.5 0.5 -1\nv 0.5 0.5 1\nv 3 3 0\nf 1 2 3\nf 4 5 6\n");
  folder.file("inside-out.obj",
              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
  folder.file("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.file("two-triangles.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
  folder.file("loose.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\n");
  folder.file("inverted.vtk",
              "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
              "0 0 0 1 0 0 0 1 0 0 0 -1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n");
  folder.file("first.json", R"({"include": ["second.json"]})");
  folder.file("second.json", R"({"include": ["first.json"]})");
  folder.file("bad-include.json", R"({"bodies": [{"name": "x", "type": "rigid", "sphere": -1}]})");
  folder.file("built-in.json", R"({"scene": "chain"})");
  folder.file("same-name.json", one_ball);
  for (int i = 0; i < 20; ++i)
    folder.file(fmt::format("deep-{}.json", i),
                fmt::format(R"({{"include": ["deep-{}.json"]}})", i + 1));
}

const std::vector<WrongScene>& wrong_scenes()
{
  static const std::vector<WrongScene> scenes = {
      // Text that is no JSON
      {"truncated", R"({"bodies": [)", "line 1", "found the end of the file"},
      {"empty", "", "line 1, column 1", "found an empty file"},
      {"an array", "[1]", "top level", "expected a JSON object"},
      {"a comment without an end", "{ /* \"bodies\": []}", "line 1", "expected"},
      {"NaN", with(R"("dt": NaN)"), "line 1", "found \"NaN"},
      {"Infinity", with(R"("dt": Infinity)"), "line 1", "found \"Infinity"},
      {"a number too large", with(R"("dt": 1e999)"), "line 1", "found \"1e999\""},
      {"bytes that are no UTF-8", "{\"name\": \"\xc3\x28\", \"bodies\": []}", "line 1",
       "valid JSON"},
      {"a key twice", R"({"dt": 1, "dt": 2, "bodies": []})", "/dt", "a second time"},
      // Keys and types
      {"an unknown key", with(R"("gravitiy": [0, 0, 0])"), "/gravitiy",
       "an unknown key, expected a key of a scene file; did you mean \"gravity\"?"},
      {"an unknown key of a body", body(ball + R"(, "desnity": 3)"), "/bodies/0/desnity",
       "a key of a rigid body; did you mean \"density\"?"},
      {"a key of another type of body", body(ball + R"(, "young": 3)"), "/bodies/0/young",
       "an unknown key, expected a key of a rigid body"},
      {"a text for a number", body(ball + R"(, "density": "heavy")"), "/bodies/0/density",
       "found \"heavy\", expected a number > 0"},
      {"a number for an array", with(R"("gravity": 9.81)"), "/gravity",
       "found 9.81, expected an array of 3 numbers"},
      {"an array too long", body(ball + R"(, "position": [1, 2, 3, 4])"), "/bodies/0/position",
       "an array of 4, expected an array of 3 numbers"},
      {"null", with(R"("dt": null)"), "/dt", "found null, expected a number > 0"},
      {"no type", body(R"("sphere": 1)"), "/bodies/0/type", "found nothing"},
      {"an unknown type", body(R"("type": "ridig", "sphere": 1)"), "/bodies/0/type",
       "did you mean \"rigid\"?"},
      {"no name", R"({"bodies": [{"type": "rigid", "sphere": 1}]})", "/bodies/0/name",
       "found nothing"},
      {"an empty name", R"({"bodies": [{"name": "", "type": "rigid", "sphere": 1}]})",
       "/bodies/0/name", "not empty"},
      {"an unknown solver", with(R"("contact": {"solver": "lemke-con"})"), "/contact/solver",
       "did you mean \"lemke-cone\"?"},
      {"a text for a list", R"({"bodies": "ball"})", "/bodies", "expected an array"},
      // Ranges
      {"no time step", with(R"("dt": 0)"), "/dt", "found 0, expected a number > 0"},
      {"a negative time step", with(R"("dt": -0.01)"), "/dt", "found -0.01"},
      {"no time", with(R"("time": 0)"), "/time", "found 0, expected a number > 0"},
      {"too many steps", with(R"("dt": 1e-9, "time": 1e6)"), "top level", "1e+15 steps"},
      {"no mass", body(ball + R"(, "mass": 0)"), "/bodies/0/mass",
       "found 0, expected a number > 0"},
      {"a negative mass", body(ball + R"(, "mass": -2)"), "/bodies/0/mass", "found -2"},
      {"a mass that is a slip", body(ball + R"(, "mass": 1e-200)"), "/bodies/0/mass",
       "found 1e-200, expected a number > 0 (kg), not below 1e-18"},
      {"no density", body(ball + R"(, "density": 0)"), "/bodies/0/density", "found 0"},
      {"mass and density", body(ball + R"(, "mass": 1, "density": 1)"), "/bodies/0",
       "density and mass, expected at most one of"},
      {"negative friction", with(R"("mu": -0.1)"), "/mu", "found -0.1, expected a number from 0"},
      {"restitution above one", with(R"("restitution": 1.5)"), "/restitution", "from 0 to 1"},
      {"a negative radius", body(R"("type": "rigid", "sphere": -1)"), "/bodies/0/sphere",
       "found -1, expected a number > 0"},
      {"a flat box", body(R"("type": "rigid", "box": [1, 0, 1])"), "/bodies/0/box/1", "found 0"},
      {"a coordinate beyond all measure", body(ball + R"(, "position": [1e300, 0, 0])"),
       "/bodies/0/position/0", "found 1e+300"},
      {"incompressible", body(R"("type": "soft", "sphere": 1, "poisson": 0.5)"),
       "/bodies/0/poisson", "found 0.5, expected a number > -1 and < 0.5"},
      {"half a vertex", body(R"("type": "cloth", "grid": {"size": [1, 1], "vertices": [2.5, 2]})"),
       "/bodies/0/grid/vertices/0", "found 2.5, expected an integer"},
      {"a huge grid",
       body(R"("type": "cloth", "grid": {"size": [1, 1], "vertices": [2000, 2000]})"),
       "/bodies/0/grid/vertices", "about 4e+06 vertices"},
      {"a huge block", body(R"("type": "soft", "box": [1, 1, 1], "cells": [400, 400, 400])"),
       "/bodies/0/cells", "vertices, expected at most"},
      {"too many copies",
       body(ball + R"(, "copies": {"count": [1000, 1000, 1], "spacing": [1, 1, 1]})"),
       "/bodies/0/copies", "1e+06 copies"},
      {"a camera that looks at itself", with(R"("camera": {"from": [1, 1, 1], "to": [1, 1, 1]})"),
       "/camera", "looks at itself"},
      // Shapes, poses, motion
      {"no shape", body(R"("type": "rigid")"), "/bodies/0", "expected exactly one of mesh, box"},
      {"two shapes", body(ball + R"(, "box": [1, 1, 1])"), "/bodies/0",
       "found box and sphere, expected exactly one"},
      {"a soft box without cells", body(R"("type": "soft", "box": [1, 1, 1])"), "/bodies/0/cells",
       "as \"box\" is there"},
      {"a quaternion of another length", body(ball + R"(, "rotation": [0, 0, 0, 2])"),
       "/bodies/0/rotation", "a quaternion of length 2"},
      {"an axis of no length",
       body(ball + R"(, "rotation": {"axis": [0, 0, 0], "angle_degrees": 3})"),
       "/bodies/0/rotation", "an axis of length 0"},
      {"an axis without an angle", body(ball + R"(, "rotation": {"axis": [0, 0, 1]})"),
       "/bodies/0/rotation/angle_degrees", "found nothing"},
      {"keyframes that do not ascend",
       body(R"("type": "obstacle", "sphere": 1, "motion": [{"t": 1}, {"t": 1}])"),
       "/bodies/0/motion/1", "times that ascend"},
      {"a letter too many", body(R"("type": "soft", "letter": "AB")"), "/bodies/0/letter",
       "one character"},
      // Files
      {"a mesh that is absent", body(R"("type": "rigid", "mesh": "absent.obj")"), "/bodies/0/mesh",
       "absent.obj, which is no file"},
      {"a mesh of another kind", body(R"("type": "rigid", "mesh": "scene.json")"), "/bodies/0/mesh",
       "found the ending \".json\""},
      {"a mesh that cannot be read", body(R"("type": "rigid", "mesh": "letters.obj")"),
       "/bodies/0/mesh", "letters.obj: line 1"},
      {"an open surface", body(R"("type": "rigid", "mesh": "open.obj")"), "/bodies/0/mesh",
       "3 open edges"},
      {"a surface inside out", body(R"("type": "rigid", "mesh": "inside-out.obj")"),
       "/bodies/0/mesh", "inside out"},
      {"a surface that crosses itself", body(R"("type": "cloth", "mesh": "crossing.obj")"),
       "/bodies/0/mesh", "that intersect or touch"},
      {"a vertex without mass", body(R"("type": "cloth", "mesh": "loose.obj")"), "/bodies/0/mesh",
       "1 vertices of no triangle"},
      {"an inverted tetrahedron", body(R"("type": "soft", "tetrahedra": "inverted.vtk")"),
       "/bodies/0/tetrahedra", "inverted or flat tetrahedra: 1"},
      {"a cache of other lengths",
       body(R"("type": "obstacle", "cache": {"files": ["triangle.obj", "two-triangles.obj"],
            "fps": 25})"),
       "/bodies/0/cache", "the 3 vertices and 1 triangles of the first frame"},
      {"a cache without frames", body(R"("type": "obstacle", "cache": {"folder": ".", "fps": 0})"),
       "/bodies/0/cache/fps", "found 0"},
      {"a folder that is absent",
       body(R"("type": "obstacle", "cache": {"folder": "absent", "fps": 25})"),
       "/bodies/0/cache/folder", "which is no folder"},
      // Includes
      {"an include that is absent", R"({"include": ["absent.json"], "bodies": []})", "/include/0",
       "\"absent.json\", which is no file"},
      {"includes in a circle", R"({"include": ["first.json"], "bodies": []})", "/include/0",
       "first.json -> second.json -> first.json"},
      {"includes too deep", R"({"include": ["deep-0.json"], "bodies": []})", "/include/0",
       "includes 17 deep, expected at most 16"},
      {"a fault in an include", R"({"include": ["bad-include.json"]})",
       "bad-include.json: /bodies/0/sphere", "found -1"},
      {"an include of a built-in scene", R"({"include": ["built-in.json"]})", "/include/0",
       "a built-in scene"},
      // Names
      {"no body", R"({"bodies": []})", "/bodies", "found no body, expected at least one"},
      {"a name twice", R"({"include": ["same-name.json"], "bodies": [{"name": "a",
       "type": "rigid", "sphere": 1}]})",
       "/bodies/0/name", "\"a\" a second time"},
      {"a spring to an unknown body", two(R"("springs": [{"a": {"body": "bal"}, "b": [0, 0, 0],
       "stiffness": 1}])"),
       "/springs/0/a/body", "did you mean \"ball\"?"},
      {"a spring to no vertex", two(R"("springs": [{"a": {"body": "cloth"}, "b": [0, 0, 0],
       "stiffness": 1}])"),
       "/springs/0/a", "which deforms"},
      {"a spring from the world to the world",
       two(R"("springs": [{"a": [0, 0, 0], "b": [1, 0, 0], "stiffness": 1}])"), "/springs/0",
       "neither end can move"},
      // Joints
      {"a joint of an unknown type", two(R"("joints": [{"type": "hing", "a": "ball"}])"),
       "/joints/0/type", "did you mean \"hinge\"?"},
      {"a joint of an unknown body",
       two(R"("joints": [{"type": "ball", "a": "bal", "at": [0, 1, 0]}])"), "/joints/0/a/body",
       "did you mean \"ball\"?"},
      {"a joint of what deforms",
       two(R"("joints": [{"type": "ball", "a": "cloth", "at": [0, 0, 0]}])"), "/joints/0/a/body",
       "found \"cloth\", which deforms"},
      {"a joint between two sides that cannot move",
       two(R"("joints": [{"type": "ball", "a": {"place": [0, 0, 0]}}])"), "/joints/0",
       "neither of which can move"},
      {"a joint of a body with itself",
       two(R"("joints": [{"type": "ball", "a": "ball", "b": "ball", "at": [0, 1, 0]}])"),
       "/joints/0", "found \"ball\" on both sides"},
      {"a joint over a distance",
       two(R"("joints": [{"type": "ball", "a": {"body": "ball", "point": [0, 0.3, 0]},
                          "b": {"place": [0, 1, 0]}}])"),
       "/joints/0", "found sides whose points are 0.3 m apart"},
      {"a joint without a place", two(R"("joints": [{"type": "ball", "a": "ball"}])"), "/joints/0",
       "\"at\": where it is at the start"},
      {"a hinge without an axis",
       two(R"("joints": [{"type": "hinge", "a": "ball", "at": [0, 1, 0]}])"), "/joints/0", "axis"},
      {"a hinge with an axis of no length",
       two(R"("joints": [{"type": "hinge", "a": "ball", "at": [0, 1, 0], "axis": [0, 0, 0]}])"),
       "/joints/0/axis", "found an axis of no length"},
      {"a universal joint whose axes are not at right angles",
       two(R"("joints": [{"type": "universal", "a": "ball", "at": [0, 1, 0], "axis": [1, 0, 0],
                          "axis_b": [1, 1, 0]}])"),
       "/joints/0/axis_b", "found an axis at 45 degrees to the other"},
      {"a distance that is not that of the start",
       two(R"("joints": [{"type": "distance", "a": {"body": "ball", "point": [0, 0, 0]},
                          "b": {"place": [0, 3, 0]}, "length": 1}])"),
       "/joints/0/length", "the distance at the start"},
      {"a ball joint with an axis",
       two(R"("joints": [{"type": "ball", "a": "ball", "at": [0, 1, 0], "axis": [1, 0, 0]}])"),
       "/joints/0/axis", "found an unknown key"},
      {"a range upside down", hinged(R"("limits": [1, -1])"), "/joints/0/limits",
       "found ends 1 and -1, expected the lower one first"},
      {"a range that does not hold the start", hinged(R"("limits": [0.1, 1])"), "/joints/0/limits",
       "found a range from 0.1 to 1, expected one that holds 0"},
      {"a range of a ball joint",
       two(R"("joints": [{"type": "ball", "a": "ball", "at": [0, 1, 0], "limits": [-1, 1]}])"),
       "/joints/0/limits", "found an unknown key"},
      {"friction below zero", hinged(R"("friction": -1)"), "/joints/0/friction", "found -1"},
      {"a motor without a target", hinged(R"("motor": {"max_torque": 1})"), "/joints/0/motor",
       "speed"},
      {"a motor with two targets", hinged(R"("motor": {"speed": 1, "position": 0})"),
       "/joints/0/motor", "position"},
      {"a motor of a hinge with a force", hinged(R"("motor": {"force": 1})"),
       "/joints/0/motor/force", "found an unknown key"},
      {"a motor without bounds between the ends of a range",
       hinged(R"("limits": [-1, 1], "motor": {"speed": 1})"), "/joints/0/motor", "\"max_torque\""},
      {"a torque that is given, and its bound",
       hinged(R"("motor": {"torque": 1, "max_torque": 2})"), "/joints/0/motor/max_torque",
       "one of the two"},
      {"keyframes of a motor that go back",
       hinged(R"("motor": {"speed": {"keyframes": [{"t": 1, "value": 0}, {"t": 1, "value": 1}]}})"),
       "/joints/0/motor/speed/keyframes/1", "found t = 1 s after t = 1 s"},
      {"a motor without keyframes", hinged(R"("motor": {"speed": {"keyframes": []}})"),
       "/joints/0/motor/speed/keyframes", "found no keyframes, expected at least one"},
      {"a rope that is too short",
       two(R"("joints": [{"type": "distance", "a": {"body": "ball", "point": [0, 0, 0]},
                          "b": {"place": [0, 3, 0]}, "length": 1, "rope": true}])"),
       "/joints/0/length", "a rope no shorter than the distance at the start"},
      {"two joints of one name",
       two(R"("joints": [{"type": "ball", "name": "j", "a": "ball", "at": [0, 1, 0]},
                         {"type": "ball", "name": "j", "a": "ball", "at": [0, 1, 0]}])"),
       "/joints/1/name", "which another joint is called"},
      {"a pin of an unknown body", two(R"("pins": [{"body": "clot", "vertices": [0]}])"),
       "/pins/0/body", "did you mean \"cloth\"?"},
      {"a pin of no vertex", two(R"("pins": [{"body": "cloth", "vertices": [4]}])"),
       "/pins/0/vertices/0", "found 4, expected a vertex of \"cloth\", which has 4 (0 to 3)"},
      {"a box of no vertices",
       two(R"("pins": [{"body": "cloth", "inside": {"low": [5, 5, 5], "high": [6, 6, 6]}}])"),
       "/pins/0/inside", "no vertex of \"cloth\" in it"},
      {"a pin over a distance",
       two(R"("pins": [{"body": "cloth", "vertices": [0], "to": "ball", "to_vertices": [0]}])"),
       "/pins/0", "m apart"},
      {"friction of one body", two(R"("friction": [{"bodies": ["ball"], "mu": 1}])"),
       "/friction/0/bodies", "the names of two bodies"},
      {"friction of an unknown body", two(R"("friction": [{"bodies": ["ball", "x"], "mu": 1}])"),
       "/friction/0/bodies/1", "found \"x\", expected the name of a body"},
      {"forces of an unknown body", two(R"("record": {"forces": ["bell"]})"), "/record/forces/0",
       "did you mean \"ball\"?"},
      // Start states
      {"bodies that intersect", R"({"bodies": [{"name": "a", "type": "rigid", "sphere": 1},
       {"name": "b", "type": "rigid", "box": [1, 1, 9]}]})",
       "/bodies/1", "\"b\" intersecting \"a\" at the start"},
      {"copies that intersect", body(ball + R"(, "copies": {"count": [2, 1, 1],
       "spacing": [0.1, 0, 0]})"),
       "/bodies/0", "\"a-1\" intersecting \"a-0\""},
      // Built-in scenes
      {"an unknown scene", R"({"scene": "falling-cloht"})", "/scene",
       "did you mean \"falling-cloth\"?"},
      {"a parameter of another scene", R"({"scene": "falling-cloth", "angle": 3})", "/angle",
       "a parameter of the scene block-on-slope, expected one of vertices, size"},
      {"a parameter out of range", R"({"scene": "falling-cloth", "vertices": 2})", "/vertices",
       "found 2, expected an integer from 3 to 1000"},
      {"bodies of a built-in scene", R"({"scene": "chain", "bodies": []})", "/bodies",
       "an unknown key, expected a key of the scene chain"},
      {"times that do not ascend", R"({"scene": "letters", "push_start": 9, "push_end": 8})",
       "/push_end", "found 8 s, expected more than /push_start, 9 s"},
      {"a letter too deep", R"({"scene": "drop-letters", "depth": 1000})", "/depth",
       "expected 0.02 to 5 times the height"},
      {"parameters that do not fit", R"({"scene": "dress", "waves": 40})", "body \"layer-",
       "intersecting \"layer-"},
      // --set
      {"a pointer that is none", one_ball, "--set", "expected /json/pointer=value", {"dt=3"}},
      {"an index beyond the end",
       one_ball,
       "--set /bodies/5/mass",
       "found the index \"5\"",
       {"/bodies/5/mass=3"}},
      {"a way through a number",
       one_ball,
       "--set /bodies/0/sphere/radius",
       "found 0.1 where \"radius\" should be",
       {"/bodies/0/sphere/radius=3"}},
      {"a pointer to an unknown key", one_ball, "/tim", "did you mean \"time\"?", {"/tim=3"}},
      {"a value of the wrong type", one_ball, "/dt", "found \"fast\"", {"/dt=fast"}},
      {"an empty key", one_ball, "/: ", "found an unknown key", {"/=3"}},
  };
  return scenes;
}

}  // namespace tact
