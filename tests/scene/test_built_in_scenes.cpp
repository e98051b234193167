#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <tact/samples/rigid_scenes.hpp>
#include <tact/scene/built_in_scenes.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/sim/stepper.hpp>

#include <files/messages.hpp>

using namespace tact;

namespace {

template <class Options>
const Options& options(const SceneDescription& scene, std::string_view body)
{
  return std::get<Options>(scene.bodies[scene.find(body)].options);
}

// Smaller than they are shown, for tests that only need each to be there.
std::vector<std::string> small(const std::string& scene)
{
  if (scene == "letters") return {"/count=8", "/columns=3", "/rows=2"};
  if (scene == "dress") return {"/layers=2", "/around=40", "/down=12", "/separation=0.01"};
  if (scene == "falling-cloth" || scene == "pinch-lift" || scene == "bunny")
    return {"/vertices=12"};
  if (scene == "vertebrae") return {"/tetrahedra=500"};
  if (scene == "bowling") return {"/rings=1"};
  if (scene == "bucket" || scene == "table-incline")
    return {scene == "bucket" ? "/balls=4" : "/cells=1"};
  return {};
}

}  // namespace

TEST_CASE("every built-in scene builds free of intersections and takes two steps")
{
  for (const BuiltInScene& known : built_in_scenes()) {
    CAPTURE(known.name);
    Scene scene = build_scene(read_scene(known.name, small(known.name)));
    Stepper stepper(scene.world);
    stepper.step(scene.state, scene.run.dt);
    stepper.step(scene.state, scene.run.dt);
    CHECK(scene.state.q.allFinite());
    CHECK(scene.state.v.allFinite());
    CHECK(scene.run.contact.delta > 0.0);
  }
}

TEST_CASE("the resolved form of every built-in scene is the same scene")
{
  for (const BuiltInScene& known : built_in_scenes()) {
    CAPTURE(known.name);
    const SceneDescription scene = read_scene(known.name, small(known.name));
    const SceneDescription again = read_scene_text("again.json", scene.resolved);
    CHECK(again.resolved == scene.resolved);
    CHECK(state_hash(build_scene(again).state) == state_hash(build_scene(scene).state));
  }
}

TEST_CASE("settings of a built-in scene are overridden by name")
{
  const SceneDescription scene =
      read_scene("falling-cloth", {"/mu=0.8", "/dt=0.002", "/vertices=10", "/name=mine"});
  CHECK(scene.friction.mu == 0.8);
  CHECK(scene.run.dt == 0.002);
  CHECK(scene.run.time == 4.0);
  CHECK(scene.name == "mine");
  CHECK(options<ClothOptions>(scene, "cloth").surface.vertex_count() == 100);
}

TEST_CASE("the falling cloth has 50 x 50 vertices and 0.2 kg and stands 5 cm above the ground")
{
  const SceneDescription scene = read_scene("falling-cloth");
  const ClothOptions& cloth = options<ClothOptions>(scene, "cloth");
  CHECK(scene.run.dt == 0.004);
  CHECK(scene.run.time == 4.0);
  CHECK(cloth.surface.vertex_count() == 2500);
  CHECK(bounding_box(cloth.surface.positions).low.y() == doctest::Approx(0.05));
  CHECK(area(cloth.surface) * cloth.area_density == doctest::Approx(0.2));
}

TEST_CASE("the dress has 16800 vertices and its waist is pinned to the hips")
{
  const SceneDescription scene = read_scene("dress");
  CHECK(scene.run.dt == 0.002);
  CHECK(scene.run.time == 10.0);
  int vertices = 0;
  for (const BodyDescription& body : scene.bodies)
    if (const auto* cloth = std::get_if<ClothOptions>(&body.options))
      vertices += cloth->surface.vertex_count();
  CHECK(vertices == 16800);
  CHECK(scene.pins.size() == 6 * 70);
  for (const PinDescription& pin : scene.pins) CHECK(pin.pin.b.body == scene.find("hips"));
}

TEST_CASE("the dancer turns once around in less than a second and kicks with the right leg")
{
  const SceneDescription scene = read_scene("dress");
  const auto& hips = options<ObstacleOptions>(scene, "hips").motion;
  double turned = 0.0, first = 1e9, last = 0.0;
  for (std::size_t i = 1; i < hips.size(); ++i) {
    const double angle = hips[i - 1].orientation.angularDistance(hips[i].orientation);
    turned += angle;
    if (angle < 1e-12) continue;
    first = std::min(first, hips[i - 1].t);
    last = hips[i].t;
  }
  CHECK(turned == doctest::Approx(2.0 * std::numbers::pi).epsilon(1e-9));
  CHECK(last - first < 1.0);
  double kick = 0.0;
  const auto& leg = options<ObstacleOptions>(scene, "right-leg").motion;
  for (std::size_t i = 0; i < leg.size(); ++i)
    kick = std::max(kick, leg[i].orientation.angularDistance(hips[i].orientation));
  CHECK(kick == doctest::Approx(50.0 * std::numbers::pi / 180.0).epsilon(1e-9));
}

TEST_CASE("the top box of mass-ratio weighs 1000 times what is under it")
{
  const SceneDescription scene = read_scene("mass-ratio");
  CHECK(options<RigidOptions>(scene, "box-1").mass.mass ==
        doctest::Approx(1000.0 * options<RigidOptions>(scene, "box-0").mass.mass));
}

TEST_CASE("the block lies on its slope at the given angle and gap")
{
  const double angle = 0.5;  // rad
  const SceneDescription scene =
      block_on_slope({.angle = angle * 180.0 / std::numbers::pi, .size = 0.2, .gap = 0.003});
  const Vector3d normal(-std::sin(angle), std::cos(angle), 0.0);
  double top = -1e9, bottom = 1e9;
  for (const Vector3d& p : start_surface(scene.bodies[0].options).positions)
    top = std::max(top, normal.dot(p));
  for (const Vector3d& p : start_surface(scene.bodies[1].options).positions)
    bottom = std::min(bottom, normal.dot(p));
  CHECK(std::abs(top) < 1e-12);
  CHECK(bottom == doctest::Approx(0.003).epsilon(1e-9));
}

TEST_SUITE("slow")
{
  TEST_CASE("links of a chain keep their ends together as they swing")
  {
    Scene scene = build_scene(read_scene("chain"));
    Stepper stepper(scene.world);
    for (int i = 0; i < 100; ++i) stepper.step(scene.state, scene.run.dt);
    for (const Pin& pin : scene.world.soft_pins()) {
      const Vector3d apart =
          position(scene.world, scene.state, pin.a) - position(scene.world, scene.state, pin.b);
      // A step joins the ends as if links moved along straight lines; the turn by h w of a link
      // moves its end by r (h w)^2 / 2 away from that: 2.5e-4 m each for r = 0.05 m and w below 20
      // rad/s.
      CHECK(apart.norm() < 5e-4);
    }
    CHECK(momentum(scene.world, scene.state).linear.norm() > 0.0);
  }
}

TEST_CASE(
    "the pads of pinch-lift start beside the sheet and their jaws end where they began but up")
{
  const SceneDescription scene = read_scene("pinch-lift", {"/lift=0.2", "/hold=60"});
  CHECK(scene.run.time == doctest::Approx(62.5));
  const auto& jaw = options<ObstacleOptions>(scene, "jaw-front").motion;
  CHECK(jaw[3].position.y() - jaw[0].position.y() == doctest::Approx(0.2));
  CHECK(jaw[4].t - jaw[3].t == doctest::Approx(60.0));
  CHECK(scene.run.record.forces.size() == 2);
  CHECK(scene.springs.size() == 8);
}

TEST_CASE("there are 164 letters of about 23000 tetrahedra in all")
{
  const SceneDescription scene = read_scene("letters");
  const SceneSize size = size_of(scene);
  CHECK(scene.run.dt == 0.03);
  CHECK(scene.run.time == 40.0);
  CHECK(size.bodies == 164 + 5);  // ground and walls
  CHECK(size.tetrahedra == doctest::Approx(23000).epsilon(0.1));
  CHECK(build_scene(scene).world.body_count() == size.bodies);
}

TEST_CASE("soft bodies of built-in scenes meet themselves")
{
  int soft_bodies = 0;
  for (const BuiltInScene& known : built_in_scenes()) {
    CAPTURE(known.name);
    const Scene scene = build_scene(read_scene(known.name, small(known.name)));
    for (int i = 0; i < scene.world.body_count(); ++i) {
      if (scene.world.body(i).kind() != BodyKind::soft) continue;
      CHECK(scene.world.body(i).self_collision());
      ++soft_bodies;
    }
  }
  CHECK(soft_bodies > 10);
}

TEST_CASE("every built-in scene builds at full size")
{
  for (const BuiltInScene& known : built_in_scenes()) {
    CAPTURE(known.name);
    CHECK(message_of([&] { build_scene(read_scene(known.name)); }) == "");
  }
}

TEST_CASE("the same seed gives the same letters and another seed gives others")
{
  const std::vector<std::string> few = small("letters");
  const auto hash = [&](const std::string& seed) {
    std::vector<std::string> patches = few;
    patches.push_back("/seed=" + seed);
    return state_hash(build_scene(read_scene("letters", patches)).state);
  };
  CHECK(hash("3") == hash("3"));
  CHECK(hash("3") != hash("4"));
}
