#include <cmath>
#include <numbers>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tact/files/text_file.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>

using namespace tact;
using nlohmann::json;
using std::numbers::pi;

namespace {

SceneDescription read(const std::string& text, const std::vector<std::string>& patches = {})
{
  return read_scene_text("scene.json", text, patches);
}

// A scene of one body with these keys.
SceneDescription read_body(const std::string& keys)
{
  return read(R"({"bodies": [{"name": "it", )" + keys + "}]}");
}

const RigidOptions& rigid(const SceneDescription& scene, int body = 0)
{
  return std::get<RigidOptions>(scene.bodies[body].options);
}

constexpr const char* tetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

}  // namespace

TEST_CASE("a scene file may have comments and gives values where it has none")
{
  const SceneDescription scene = read(R"({
    // a ball
    "dt": 0.01, /* and no time */ "gravity": [0, 0, -1],
    "bodies": [{"name": "ball", "type": "rigid", "sphere": 0.5}]
  })");
  CHECK(scene.name == "scene");
  CHECK(scene.run.dt == 0.01);
  CHECK(scene.run.time == RunOptions{}.time);
  CHECK(scene.gravity == Vector3d(0, 0, -1));
  CHECK(scene.friction.mu == FrictionSettings{}.mu);
  REQUIRE(scene.bodies.size() == 1);
  CHECK(scene.find("ball") == 0);
  CHECK(scene.find("bell") == -1);
}

TEST_CASE("rigid shapes have the mass and the moments of the ideal shape")
{
  const double r = 0.3, h = 0.8, rho = 700.0;
  const auto moments = [](const SceneDescription& scene) {
    return Vector3d(rigid(scene).mass.inertia.diagonal());
  };
  const auto close = [](double a, double b) { return std::abs(a - b) <= 1e-13 * std::abs(b); };

  const SceneDescription sphere = read_body(R"("type": "rigid", "sphere": 0.3, "density": 700)");
  const double sphere_mass = 4.0 / 3.0 * pi * r * r * r * rho;
  CHECK(close(rigid(sphere).mass.mass, sphere_mass));
  CHECK(close(moments(sphere).y(), 0.4 * sphere_mass * r * r));

  const SceneDescription cylinder =
      read_body(R"("type": "rigid", "cylinder": {"radius": 0.3, "height": 0.8}, "density": 700)");
  const double cylinder_mass = pi * r * r * h * rho;
  CHECK(close(rigid(cylinder).mass.mass, cylinder_mass));
  CHECK(close(moments(cylinder).y(), 0.5 * cylinder_mass * r * r));
  CHECK(close(moments(cylinder).x(), cylinder_mass * (3 * r * r + h * h) / 12));

  const SceneDescription box = read_body(R"("type": "rigid", "box": [1, 2, 3], "mass": 12)");
  CHECK(rigid(box).mass.mass == doctest::Approx(12.0).epsilon(1e-14));
  CHECK(moments(box).isApprox(Vector3d(4 + 9, 1 + 9, 1 + 4), 1e-14));
}

TEST_CASE("the moments of a capsule are those of its mesh as that gets finer")
{
  // The mesh of n segments and n/4 rings lies inside of the ideal shape; its error falls as 1/n^2,
  // about 2 pi^2 / (3 n^2) for the radius squared and twice that for moments: 1e-3 at n = 200.
  const SceneDescription scene = read_body(
      R"("type": "rigid", "capsule": {"radius": 0.3, "height": 0.8, "segments": 200, "rings": 50})");
  const MassProperties mesh = mass_properties(rigid(scene).surface, 1000.0);
  CHECK(mesh.mass == doctest::Approx(rigid(scene).mass.mass).epsilon(1e-3));
  CHECK(mesh.mass < rigid(scene).mass.mass);
  CHECK(mesh.inertia.isApprox(rigid(scene).mass.inertia, 1e-3));
}

TEST_CASE("scaling a rigid body by s scales its mass by s^3 and its inertia by s^5")
{
  const TemporaryFolder folder;
  folder.file("tetrahedron.obj", tetrahedron);
  const auto body = [&](const std::string& more) {
    return read_scene_text(folder.path() / "scene.json",
                           R"({"bodies": [{"name": "it", "type": "rigid",
                               "mesh": "tetrahedron.obj")" +
                               more + "}]}");
  };
  const MassProperties one = rigid(body("")).mass, two = rigid(body(R"(, "scale": 2)")).mass;
  CHECK(one.mass == doctest::Approx(1000.0 / 6.0).epsilon(1e-14));
  CHECK(two.mass == doctest::Approx(8.0 * one.mass).epsilon(1e-14));
  CHECK(two.centre.isApprox(2.0 * one.centre, 1e-14));
  CHECK(two.inertia.isApprox(32.0 * one.inertia, 1e-13));
}

TEST_CASE("cloth and soft bodies weigh what the scene says")
{
  const auto mass_of = [](const std::string& keys) {
    return build_scene(read_body(keys)).world.body(0).mass();
  };
  const auto grid = R"("type": "cloth", "grid": {"size": [2, 3], "vertices": [5, 7]})";
  CHECK(mass_of(std::string(grid) + R"(, "density": 0.5)") == doctest::Approx(3.0));
  CHECK(mass_of(std::string(grid) + R"(, "mass": 0.7)") == doctest::Approx(0.7));
  const auto box = R"("type": "soft", "box": [1, 2, 3], "cells": [1, 2, 2])";
  CHECK(mass_of(std::string(box) + R"(, "density": 10)") == doctest::Approx(60.0));
  CHECK(mass_of(std::string(box) + R"(, "mass": 5, "scale": 0.1)") == doctest::Approx(5.0));
}

TEST_CASE("an embedded surface weighs as much as its inside")
{
  const TemporaryFolder folder;
  folder.file("tetrahedron.obj", tetrahedron);
  const auto scene = read_scene_text(folder.path() / "scene.json", R"({"bodies": [{"name": "it",
      "type": "soft", "mesh": "tetrahedron.obj", "lattice": 0.25, "density": 600}]})");
  const Scene built = build_scene(scene);
  // The filled share of a cell is known to 0.01; the errors of 50 cells do not all add up.
  CHECK(built.world.body(0).mass() == doctest::Approx(100.0).epsilon(0.01));
  CHECK(built.world.body(0).vertex_count() == 4);
}

TEST_CASE("a rotation may be a quaternion or an axis and an angle")
{
  const auto orientation = [](const std::string& rotation) {
    return rigid(read_body(R"("type": "rigid", "sphere": 1, "rotation": )" + rotation)).orientation;
  };
  const double s = std::sqrt(0.5);
  const Eigen::Quaterniond quarter(s, 0, s, 0);  // w, x, y, z: 90 degrees about y
  CHECK(orientation("[0, 0.7071067811865476, 0, 0.7071067811865476]").isApprox(quarter, 1e-15));
  CHECK(orientation(R"({"axis": [0, 5, 0], "angle_degrees": 90})").isApprox(quarter, 1e-15));
}

TEST_CASE("every kind of body starts on the surface that the description says")
{
  const Scene scene = build_scene(read(R"({"bodies": [
    {"name": "a", "type": "rigid", "cylinder": {"radius": 0.1, "height": 0.3},
     "position": [1, 2, 3], "rotation": {"axis": [1, 2, 3], "angle_degrees": 40}},
    {"name": "b", "type": "cloth", "grid": {"size": [1, 1], "vertices": [4, 4]},
     "position": [0, -2, 0], "rotation": {"axis": [1, 0, 0], "angle_degrees": 30}},
    {"name": "c", "type": "soft", "sphere": {"radius": 0.2, "layers": 2}, "position": [5, 0, 0]},
    {"name": "d", "type": "obstacle", "ground": 4, "position": [0, -5, 0],
     "motion": [{"t": 0}, {"t": 1, "position": [0, -4, 0]}]}]})"));
  const SceneDescription description = read_scene_text("scene.json", scene.resolved_json);
  std::vector<Vector3d> placed;
  place_surfaces(scene.world, scene.state, placed);
  for (int i = 0; i < scene.world.body_count(); ++i) {
    const TriMesh expected = start_surface(description.bodies[i].options);
    const int first = scene.world.place(i).vertex;
    REQUIRE(scene.world.body(i).vertex_count() == expected.vertex_count());
    for (int v = 0; v < expected.vertex_count(); ++v)  // a few roundings of numbers of size 5
      CHECK((placed[first + v] - expected.positions[v]).norm() < 1e-14);
    const auto triangles = scene.world.body(i).triangles();
    CHECK(std::vector(triangles.begin(), triangles.end()) == expected.triangles);
  }
}

TEST_CASE("copies stand in a block and are numbered with x running fastest")
{
  const SceneDescription scene = read_body(R"("type": "rigid", "sphere": 0.1, "position": [1, 0, 0],
      "copies": {"count": [2, 3, 1], "spacing": [1, 2, 3]})");
  REQUIRE(scene.bodies.size() == 6);
  CHECK(scene.bodies[3].name == "it-3");
  CHECK(rigid(scene, 3).position == Vector3d(2, 2, 0));
}

TEST_CASE("a keyframe takes what it leaves out from the one before")
{
  const SceneDescription scene = read_body(R"("type": "obstacle", "box": [1, 1, 1],
      "position": [1, 2, 3], "motion": [{"t": 0.5}, {"t": 1, "position": [4, 5, 6]},
      {"t": 2, "rotation": {"axis": [0, 0, 1], "angle_degrees": 90}}])");
  const auto& motion = std::get<ObstacleOptions>(scene.bodies[0].options).motion;
  REQUIRE(motion.size() == 3);
  CHECK(motion[0].position == Vector3d(1, 2, 3));
  CHECK(motion[2].position == Vector3d(4, 5, 6));
  CHECK(motion[1].orientation.isApprox(Eigen::Quaterniond::Identity()));
  CHECK((motion[2].orientation * Vector3d::UnitX()).isApprox(Vector3d::UnitY(), 1e-15));
}

TEST_CASE("a vertex cache is one frame a file at the given rate")
{
  const TemporaryFolder folder;
  const std::string moved =
      "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::filesystem::create_directory(folder.path() / "frames");
  folder.file("frames/0001.obj", tetrahedron);
  folder.file("frames/0002.obj", moved);
  const auto read_cache = [&](const std::string& cache) {
    const auto scene = read_scene_text(folder.path() / "scene.json", R"({"bodies": [{"name": "it",
        "type": "obstacle", "cache": )" + cache + "}]}");
    return std::get<ObstacleOptions>(scene.bodies[0].options).cache;
  };
  for (const std::string source :
       {R"({"folder": "frames", "fps": 25})",
        R"({"files": ["frames/0001.obj", "frames/0002.obj"], "fps": 25})"}) {
    const VertexCache cache = read_cache(source);
    CHECK(cache.times == std::vector{0.0, 0.04});
    REQUIRE(cache.vertices.size() == 2);
    CHECK(cache.vertices[1][1] == Vector3d(2, 0, 0));
  }
}

TEST_CASE("a spring without a rest length rests at its length at the start")
{
  const SceneDescription scene = read(R"({"bodies": [
      {"name": "a", "type": "rigid", "sphere": 0.1, "position": [0, 1, 0]},
      {"name": "b", "type": "cloth", "grid": {"size": [1, 1], "vertices": [2, 2]}}],
    "springs": [{"a": {"body": "a"}, "b": [0, 4, 4], "stiffness": 10},
                {"a": {"body": "a", "point": [0, 0, 2]}, "b": {"body": "b", "vertex": 0},
                 "stiffness": 1, "damping": 2, "rest_length": 0.25}]})");
  REQUIRE(scene.springs.size() == 2);
  CHECK(scene.springs[0].spring.rest_length == doctest::Approx(5.0).epsilon(1e-15));
  CHECK(scene.springs[0].spring.b.body == -1);
  CHECK(scene.springs[1].spring.rest_length == 0.25);
  CHECK(scene.springs[1].spring.b.body == 1);
}

TEST_CASE("pins hold vertices by number or in a box, at the world or at another body")
{
  const SceneDescription scene = read(R"({"bodies": [
      {"name": "cloth", "type": "cloth", "grid": {"size": [1, 1], "vertices": [3, 3]}},
      {"name": "bar", "type": "obstacle", "box": [1, 0.1, 0.1], "position": [0, 1, 0],
       "rotation": {"axis": [0, 1, 0], "angle_degrees": 90}}],
    "pins": [{"body": "cloth", "vertices": [4]},
             {"body": "cloth", "to": "bar",
              "inside": {"low": [-1, -1, 0.4], "high": [1, 1, 1]}}]})");
  REQUIRE(scene.pins.size() == 4);
  const auto& cloth = std::get<ClothOptions>(scene.bodies[0].options).surface.positions;
  CHECK(scene.pins[0].pin.b.place == cloth[4]);
  for (std::size_t i = 1; i < 4; ++i) {
    const auto& [a, b] = scene.pins[i].pin;
    CHECK(cloth[a.point.vertex].z() == 0.5);
    CHECK(b.body == 1);
    CHECK((start_pose(scene.bodies[1].options) * b.point.local)
              .isApprox(cloth[a.point.vertex], 1e-15));
  }
  CHECK(build_scene(scene).world.prescribed().size() == 4);
}

TEST_CASE("joints are where their sides meet, in the axes of the bodies")
{
  const SceneDescription scene = read(R"({"bodies": [
      {"name": "post", "type": "obstacle", "box": [0.1, 1, 0.1]},
      {"name": "arm", "type": "rigid", "box": [1, 0.1, 0.1], "position": [0.5, 0.5, 0],
       "rotation": {"axis": [0, 0, 1], "angle_degrees": 90}},
      {"name": "hand", "type": "rigid", "box": [0.2, 0.1, 0.1], "position": [0.5, 1.1, 0]}],
    "joints": [{"type": "hinge", "name": "shoulder", "a": "post", "b": "arm", "at": [0, 0.5, 0],
                "axis": [0, 2, 0]},
               {"type": "ball", "a": {"body": "arm", "point": [0.5, 0, 0]}, "b": "hand",
                "collide": true},
               {"type": "distance", "a": {"body": "hand", "point": [0.1, 0, 0]},
                "b": {"place": [3, 1.1, 0]}}]})");
  REQUIRE(scene.joints.size() == 3);
  const Joint& shoulder = scene.joints[0].joint;
  CHECK(shoulder.a.local.at.isApprox(Vector3d(0.0, 0.5, 0.0), 1e-15));
  CHECK(shoulder.b.local.at.isApprox(Vector3d(0.0, 0.5, 0.0), 1e-14));  // seen from (0.5, 0.5, 0)
  CHECK(shoulder.b.local.axes.col(0).isApprox(Vector3d::UnitX(), 1e-15));
  const Joint& wrist = scene.joints[1].joint;
  CHECK(wrist.name == "ball-1");
  CHECK(wrist.collide);
  CHECK(wrist.b.local.at.isApprox(Vector3d(0.0, -0.1, 0.0), 1e-14));
  CHECK(scene.joints[2].joint.length == doctest::Approx(2.4).epsilon(1e-15));
  const World world = build_scene(scene).world;  // post and arm overlap, as joined bodies may
  CHECK(world.joints().size() == 3);
}

TEST_CASE("joints have ranges, friction and motors; a rope may be slack at the start")
{
  const SceneDescription scene = read(R"({"bodies": [
      {"name": "arm", "type": "rigid", "box": [1, 0.1, 0.1]},
      {"name": "load", "type": "rigid", "box": [0.1, 0.1, 0.1], "position": [0.5, -0.4, 0]}],
    "joints": [{"type": "hinge", "a": "arm", "at": [0, 0, 0], "axis": [0, 0, 1],
                "limits": [-0.5, 1], "friction": 0.25,
                "motor": {"speed": {"keyframes": [{"t": 0, "value": 0}, {"t": 2, "value": 3}]},
                          "max_torque": 7}},
               {"type": "slider", "a": "load", "at": [0.5, -0.4, 0], "axis": [1, 0, 0],
                "motor": {"force": -2}},
               {"type": "distance", "a": {"body": "arm", "point": [0.5, 0, 0]},
                "b": {"body": "load", "point": [0, 0, 0]}, "length": 0.6, "rope": true}]})");
  REQUIRE(scene.joints.size() == 3);
  const JointMotion& hinge = scene.joints[0].joint.motion;
  CHECK(hinge.low == -0.5);
  CHECK(hinge.high == 1.0);
  CHECK(hinge.friction == 0.25);
  CHECK(hinge.motor.kind == MotorKind::speed);
  CHECK(hinge.motor.most == 7.0);
  CHECK(hinge.motor.target.at(-1.0) == 0.0);
  CHECK(hinge.motor.target.at(1.0) == 1.5);
  CHECK(hinge.motor.target.at(5.0) == 3.0);
  const JointMotion& slider = scene.joints[1].joint.motion;
  CHECK_FALSE(slider.ends());
  CHECK(slider.motor.kind == MotorKind::force);
  CHECK(slider.motor.target.at(0.7) == -2.0);
  CHECK(scene.joints[2].joint.rope);
  CHECK(scene.joints[2].joint.length == 0.6);
  CHECK(build_scene(scene).world.joints()[2].motion.high == 0.0);
}

TEST_CASE("friction of a pair comes from the pair, else from the two bodies, else from the scene")
{
  const SceneDescription scene = read(R"({"mu": 0.4, "restitution": 0.1, "bodies": [
      {"name": "a", "type": "rigid", "sphere": 0.1, "mu": 0.9},
      {"name": "b", "type": "rigid", "sphere": 0.1, "position": [1, 0, 0]},
      {"name": "c", "type": "rigid", "sphere": 0.1, "position": [2, 0, 0]}],
    "friction": [{"bodies": ["c", "a"], "mu": 0.7, "restitution": 0.5}]})");
  CHECK(scene.friction.of(0, 1).mu == doctest::Approx(0.6).epsilon(1e-15));  // sqrt(0.9 x 0.4)
  CHECK(scene.friction.of(1, 2).mu == 0.4);
  CHECK(scene.friction.of(1, 2).restitution == 0.1);
  CHECK(scene.friction.of(0, 2).mu == 0.7);
  CHECK(scene.friction.of(2, 0).restitution == 0.5);
}

TEST_CASE("included bodies come first and settings of the including file win")
{
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "parts");
  folder.file("parts/tetrahedron.obj", tetrahedron);
  folder.file("parts/floor.json", R"({"dt": 0.001, "mu": 0.8, "contact": {"delta": 0.002},
      "bodies": [{"name": "floor", "type": "obstacle", "mesh": "tetrahedron.obj"}]})");
  const auto file = folder.file("scene.json", R"({"include": ["parts/floor.json"], "dt": 0.002,
      "contact": {"tolerance": 1e-4},
      "bodies": [{"name": "ball", "type": "rigid", "sphere": 0.1, "position": [3, 0, 0]}]})");
  const SceneDescription scene = read_scene(file.string());
  CHECK(scene.find("floor") == 0);
  CHECK(scene.find("ball") == 1);
  CHECK(scene.run.dt == 0.002);
  CHECK(scene.friction.mu == 0.8);
  CHECK(scene.run.contact.delta == 0.002);
  CHECK(scene.run.contact.tolerance == 1e-4);
}

TEST_CASE("--set changes what a file says before it is read")
{
  const std::string text = R"({"bodies": [{"name": "a", "type": "rigid", "sphere": 1}]})";
  const SceneDescription scene =
      read(text, {"/bodies/0/sphere=2", "/bodies/0/mass=3", "/contact/delta=0.01", "/name=other"});
  CHECK(rigid(scene).mass.mass == doctest::Approx(3.0).epsilon(1e-15));
  CHECK(rigid(scene).surface.positions[0].norm() == doctest::Approx(2.0));
  CHECK(scene.run.contact.delta == 0.01);
  CHECK(scene.name == "other");
}

TEST_CASE("the resolved scene reads as the same scene")
{
  const SceneDescription scene = read(R"({"time": 2, "camera": {"from": [1, 2, 3], "to": [0, 0, 0]},
    "record": {"forces": ["b"]}, "bodies": [
      {"name": "a", "type": "cloth", "grid": {"size": [1, 1], "vertices": [5, 5]}, "mass": 1},
      {"name": "b", "type": "rigid", "sphere": 0.1, "position": [0, 1, 0], "mu": 0.2}],
    "pins": [{"body": "a", "vertices": [0, 4]}],
    "springs": [{"a": {"body": "b"}, "b": [0, 2, 0], "stiffness": 5}]})");
  const SceneDescription again = read_scene_text("elsewhere/scene.json", scene.resolved);
  CHECK(again.resolved == scene.resolved);
  const Scene first = build_scene(scene), second = build_scene(again);
  CHECK(state_hash(first.state) == state_hash(second.state));
  CHECK(again.run.record.forces == std::vector{1});
  CHECK(again.pins.size() == 2);
}

TEST_CASE("contact keeps a tenth of the finest elements apart where a scene leaves it open")
{
  // Squares of 0.1 m: the mean edge lies between the side and the diagonal.
  const Scene cloth =
      build_scene(read_body(R"("type": "cloth", "grid": {"size": [1, 1], "vertices": [11, 11]})"));
  CHECK(cloth.run.contact.delta > 0.01);
  CHECK(cloth.run.contact.delta < 0.01 * std::sqrt(2.0));
  const Scene box = build_scene(read_body(R"("type": "rigid", "box": [1, 0.1, 1])"));
  CHECK(box.run.contact.delta == doctest::Approx(0.002));
}

TEST_CASE("obstacles may overlap each other")
{
  const Scene scene = build_scene(read(R"({"bodies": [
      {"name": "a", "type": "obstacle", "box": [1, 1, 1]},
      {"name": "b", "type": "obstacle", "box": [1, 1, 1], "position": [0.3, 0.3, 0.3]}]})"));
  CHECK(scene.world.body_count() == 2);
}

TEST_CASE("a scene is told from a problem by its keys even when it is no sound JSON")
{
  const TemporaryFolder folder;
  CHECK(is_scene("falling-cloth"));
  CHECK(is_scene(folder.file("a.json", R"({"bodies": []})").string()));
  CHECK(is_scene(folder.file("b.json", R"({"bodies": [)").string()));
  CHECK(!is_scene(folder.file("c.json", R"({"kind": "lcp", "n": 3})").string()));
  CHECK(!is_scene((folder.path() / "absent.json").string()));
}
