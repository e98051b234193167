#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <tact/samples/rigid_scenes.hpp>
#include <tact/scene/built_in_scenes.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>
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
    Stepper stepper = make_stepper(scene);
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

TEST_CASE("the falling cloth has 50 x 50 vertices and 0.2 kg and hangs 0.6 m above the ground")
{
  const SceneDescription scene = read_scene("falling-cloth");
  const ClothOptions& cloth = options<ClothOptions>(scene, "cloth");
  CHECK(scene.run.dt == 0.004);
  CHECK(scene.run.time == 4.0);
  CHECK(cloth.surface.vertex_count() == 2500);
  CHECK(bounding_box(cloth.surface.positions).low.y() == doctest::Approx(0.6));
  CHECK(area(cloth.surface) * cloth.area_density == doctest::Approx(0.2));
}

TEST_CASE("the skirt has 16800 vertices in six layers, and it and the bodice are held at the waist")
{
  const SceneDescription scene = read_scene("dress");
  CHECK(scene.run.dt == 0.002);
  CHECK(scene.run.time == 10.0);
  int skirt = 0, bodice = 0;
  for (const BodyDescription& body : scene.bodies)
    if (const auto* cloth = std::get_if<ClothOptions>(&body.options))
      (body.name == "bodice" ? bodice : skirt) += cloth->surface.vertex_count();
  CHECK(skirt == 16800);
  CHECK(bodice > 500);
  CHECK(scene.pins.size() == 6 * 100 + 50);
  for (const PinDescription& pin : scene.pins) {
    CHECK(pin.pin.b.body == scene.find("mannequin"));
    CHECK(std::abs(pin.pin.b.point.local.y()) < 0.01);
  }
}

TEST_CASE("the dancer turns once around in less than a second and kicks with one leg")
{
  const SceneDescription scene = read_scene("dress");
  const auto& dancer = options<ObstacleOptions>(scene, "mannequin");
  double turned = 0.0, first = 1e9, last = 0.0;
  for (std::size_t i = 1; i < dancer.motion.size(); ++i) {
    const double angle =
        dancer.motion[i - 1].orientation.angularDistance(dancer.motion[i].orientation);
    turned += angle;
    if (angle < 1e-12) continue;
    first = std::min(first, dancer.motion[i].t);
    last = dancer.motion[i].t;
  }
  CHECK(turned == doctest::Approx(2.0 * std::numbers::pi).epsilon(1e-9));
  CHECK(last - first < 1.0);
  // How far feet get from below the hips, as an angle.
  double kick[2] = {0.0, 0.0};
  for (const std::vector<Vector3d>& vertices : dancer.cache.vertices)
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const Vector3d& start = dancer.surface.positions[i];
      if (start.y() > -0.6) continue;
      const auto below_hip = [](const Vector3d& x) { return std::atan2(x.z(), -0.14 - x.y()); };
      double& most = kick[start.x() > 0.0 ? 1 : 0];
      most = std::max(most, below_hip(vertices[i]) - below_hip(start));
    }
  CHECK(kick[1] == doctest::Approx(50.0 * std::numbers::pi / 180.0).epsilon(1e-3));
  CHECK(kick[0] < 0.5 * kick[1]);
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
    Stepper stepper = make_stepper(scene);
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
