// The scenes of [Miguel11], [Lazarevych10] and [Lloyd05]: what they hold, and laws that they obey.
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <tact/geometry/mesh_check.hpp>
#include <tact/run/run.hpp>
#include <tact/samples/bunny_mesh.hpp>
#include <tact/samples/vertebra_shape.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include "scene_run.hpp"

using namespace tact;

namespace {

const SoftOptions& soft(const SceneDescription& scene, std::string_view body)
{
  return std::get<SoftOptions>(scene.bodies[scene.find(body)].options);
}

void check_closed(const SurfaceCheck& found, int euler)
{
  CHECK(found.closed());
  CHECK(found.manifold());
  CHECK(found.oriented());
  CHECK(found.components == 1);
  CHECK(found.euler == euler);
  CHECK(found.volume > 0.0);
  CHECK(found.triangles_without_area.count == 0);
  CHECK(found.intersections.pairs.empty());
}

struct Stepped {
  Scene scene;
  State state;
  Stepper stepper;

  Stepped(const std::string& name, const std::vector<std::string>& patches)
      : scene(build_scene(read_scene(name, patches))),
        state(scene.state),
        stepper(scene.world, step_options(scene.run))
  {
  }

  void run(double seconds)
  {
    const int steps = static_cast<int>(std::lround(seconds / scene.run.dt));
    for (int i = 0; i < steps; ++i) (void)stepper.step(state, scene.run.dt);
  }

  Vector3d middle(int body) const  // of its surface
  {
    std::vector<Vector3d> places(scene.world.body(body).vertex_count());
    scene.world.body(body).place_surface(state.t, scene.world.q(state, body), places);
    Vector3d sum = Vector3d::Zero();
    for (const Vector3d& p : places) sum += p;
    return sum / static_cast<double>(places.size());
  }
};

// Simulates into a folder that is gone afterwards, as `tact run` does.
RunReport reported(const std::string& name, const std::vector<std::string>& patches)
{
  const TemporaryFolder folder;
  const Scene scene = build_scene(read_scene(name, patches));
  RunSettings settings = run_settings(scene, folder.path());
  settings.every = 1000000;
  return run(scene.world, settings);
}

double weight(const SoftOptions& body)
{
  double mass = 0.0;
  for (int t = 0; t < body.mesh.tetrahedron_count(); ++t)
    mass += body.density * (body.fill.empty() ? 1.0 : body.fill[t]) * volume(body.mesh.corners(t));
  return 9.81 * mass;
}

}  // namespace

// ---- What they hold -----------------------------------------------------------------------------

TEST_CASE("a vertebra is a closed ring of 5888 triangles and the disk a closed ball of 8192")
{
  const TriMesh vertebra = make_vertebra(), disk = make_disk();
  CHECK(vertebra.triangle_count() == 5888);
  CHECK(disk.triangle_count() == 8192);
  check_closed(check(vertebra), 0);  // the hole of the spinal cord
  check_closed(check(disk), 2);
}

TEST_CASE("vertebrae stand above each other with a disk of about 6021 tetrahedra between them")
{
  const SceneDescription scene = read_scene("vertebrae");
  CHECK(scene.run.dt == 0.01);
  CHECK(scene.run.time == 3.0);
  CHECK(soft(scene, "disk").mesh.tetrahedron_count() == doctest::Approx(6021).epsilon(0.05));
  CHECK(soft(scene, "disk").surface->triangles.size() == 8192);
  CHECK(scene.springs.size() == 4);
  CHECK(scene.run.record.forces ==
        std::vector<int>{scene.find("lower-vertebra"), scene.find("upper-vertebra")});
}

TEST_CASE("the cloth of bunny has 1681 nodes and 3200 triangles and is held by its bar")
{
  const SceneDescription scene = read_scene("bunny");
  CHECK(scene.run.dt == 0.005);
  CHECK(scene.run.time == 3.0);
  const auto& cloth = std::get<ClothOptions>(scene.bodies[scene.find("cloth")].options);
  CHECK(cloth.surface.vertex_count() == 1681);
  CHECK(cloth.surface.triangle_count() == 3200);
  CHECK(scene.pins.size() == 41);
}

TEST_CASE("the stand-in for the bunny is closed and has 4000 triangles and height 1")
{
  const BunnyMesh bunny = make_bunny("stand-in");
  CHECK(bunny.name == "stand-in");
  CHECK(bunny.surface.triangle_count() == 4000);
  check_closed(check(bunny.surface), 2);
  const Aabb box = bounding_box(bunny.surface.positions);
  CHECK(std::abs(box.low.y()) < 1e-15);
  CHECK(box.high.y() == doctest::Approx(1.0).epsilon(1e-12));
}

TEST_CASE("the bunny of the npm package is closed and has 3674 triangles")
{
  if (!std::filesystem::exists(bunny_file())) {
    MESSAGE("skipped: the package is not there (assets/bunny/install)");
    return;
  }
  const BunnyMesh bunny = make_bunny("package");
  CHECK(bunny.name == "bunny");
  CHECK(make_bunny("found").name == "bunny");
  CHECK(bunny.surface.triangle_count() == 3674);
  check_closed(check(bunny.surface), 2);
}

TEST_CASE("a file that is no bunny is refused with its name")
{
  const auto refusal = [](const std::string& text) {
    return message_of([&] { (void)parse_bunny("index.js", text); });
  };
  const std::string four = "exports.positions=[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]\n";
  const std::string closed = "exports.cells=[[0,2,1],[0,1,3],[1,2,3],[0,3,2]]\n";
  CHECK(refusal(four + closed) == "");
  check_complaint(refusal(four), "index.js", "exports.cells", "expected the bunny of npm");
  check_complaint(refusal(four + "exports.cells=[[0,2,1],[0,1,3]]"), "index.js", "open", "closed");
  check_complaint(refusal(four + "exports.cells=[[0,2,9]]"), "index.js", "/cells/0/2", "9");
  check_complaint(refusal("exports.positions=[[0,0]]" + closed), "index.js", "/positions/0", "");
}

TEST_CASE("soft boxes of three-situations have 625 tetrahedra each and each stack can be had alone")
{
  const SceneDescription all = read_scene("three-situations");
  CHECK(all.bodies.size() == 1 + 9);
  for (const char* name : {"deformable-0", "deformable-1", "deformable-2", "mixed-0", "mixed-1"})
    CHECK(soft(all, name).mesh.tetrahedron_count() == 625);
  CHECK(std::holds_alternative<RigidOptions>(all.bodies[all.find("mixed-2")].options));
  for (const char* situation : {"rigid", "deformable", "mixed"})
    CHECK(read_scene("three-situations", {std::string("/situation=") + situation}).bodies.size() ==
          1 + 3);
  check_complaint(message_of([] { (void)read_scene("three-situations", {"/situation=soft"}); }),
                  "three-situations", "/situation", "mixed");
}

TEST_CASE("vertebrae for the paper's method: all rows, a softer disk and smaller steps")
{
  const SceneDescription usual = read_scene("vertebrae", {"/tetrahedra=800"});
  const SceneDescription paper = read_scene("vertebrae", {"/tetrahedra=800", "/paper=true"});
  CHECK(usual.run.contact.rows_per_pair > 0);
  CHECK(paper.run.contact.rows_per_pair == 0);
  CHECK(soft(paper, "disk").young < 0.01 * soft(usual, "disk").young);
  CHECK(paper.springs.front().spring.stiffness < usual.springs.front().spring.stiffness);
  CHECK(paper.run.dt < usual.run.dt);
}

TEST_CASE("bowling has ten skittles and no gravity and nothing that is fixed")
{
  const SceneDescription scene = read_scene("bowling", {"/balls=2"});
  CHECK(scene.run.dt == 0.001);
  CHECK(scene.run.time == 1.0);
  CHECK(scene.run.integrator == "explicit");
  CHECK(scene.gravity.norm() == 0.0);
  CHECK(scene.bodies.size() == 12);
  for (const BodyDescription& body : scene.bodies)
    CHECK(std::holds_alternative<SoftOptions>(body.options));
}

TEST_CASE("balls start inside of the width of their bucket and apart from each other")
{
  for (const char* balls : {"/balls=1", "/balls=24", "/balls=300"}) {
    CAPTURE(balls);
    const SceneDescription scene = read_scene("bucket", {balls});
    CHECK(scene.run.dt == 0.001);
    CHECK(scene.run.time == 3.0);
    CHECK(message_of([&] { (void)build_scene(scene); }) == "");
  }
  CHECK(read_scene("bucket", {"/balls=2000"}).bodies.size() == 2001);
}

TEST_CASE("the table has four legs of equal length on the slope")
{
  const SceneDescription scene = read_scene("table-incline", {"/angle=0"});
  CHECK(scene.run.dt == 0.001);
  CHECK(scene.run.time == 1.0);
  const TetMesh& table = soft(scene, "table").mesh;
  const Aabb box = bounding_box(table.positions);
  int feet = 0;
  for (const Vector3d& p : table.positions)
    if (p.y() < box.low.y() + 1e-9) ++feet;
  CHECK(feet == 4 * 3 * 3);  // two cells across a leg
  // Length x width x thickness of the top, and four legs: 0.4 x 0.3 x 0.04 + 4 x 0.08 x 0.04^2 m^3.
  CHECK(volume(table) == doctest::Approx(0.4 * 0.3 * 0.04 + 4 * 0.08 * 0.04 * 0.04).epsilon(1e-9));
}

TEST_CASE("the families of Lloyd05 run as scenes: all ten single bodies and pegs and stacks")
{
  for (int situation = 0; situation < 10; ++situation) {
    CAPTURE(situation);
    Stepped body("single-body", {"/situation=" + std::to_string(situation), "/push=0"});
    body.run(0.1);
    CHECK(body.stepper.last().contacts.size() > 0);
    CHECK(body.state.v.norm() < 1.0);  // held, where free fall would have gained 0.98 m/s
  }
  Stepped stack("block-stack", {"/push=0"});
  stack.run(0.2);
  CHECK(stack.state.v.norm() < 0.05);
  Stepped peg("peg-in-hole", {"/drop=0.02"});
  peg.run(0.2);
  CHECK(peg.stepper.last().contacts.size() > 0);
}

TEST_CASE("the ground under a stack at rest carries its weight and the push on it, to 1e-6")
{
  for (const std::string push : {"0", "2"}) {
    CAPTURE(push);
    const SceneDescription scene = read_scene("block-stack", {"/push=" + push});
    Stepped stack("block-stack", {"/push=" + push});
    stack.run(1.5);
    Vector3d from_ground = Vector3d::Zero(), outside = Vector3d::Zero();  // N
    const StepResult& step = stack.stepper.last();
    const World& world = stack.scene.world;
    const int ground = world.find("ground");
    for (std::size_t c = 0; c < step.contacts.size(); ++c) {
      const ContactRecord& contact = step.contacts[c];
      const Vector3d impulse =
          contact.frame * step.solution.lambda.segment<3>(3 * static_cast<Eigen::Index>(c));
      if (contact.body_b == ground) from_ground += impulse / step.dt;
      if (contact.body_a == ground) from_ground -= impulse / step.dt;
    }
    for (const BodyDescription& body : scene.bodies)
      if (const auto* block = std::get_if<RigidOptions>(&body.options))
        outside += block->force + block->mass.mass * scene.gravity;
    CHECK((from_ground + outside).norm() < 1e-6 * outside.norm());
  }
}

// ---- Laws ---------------------------------------------------------------------------------------

TEST_SUITE_BEGIN("slow");

TEST_CASE("balls and skittles keep their momentum as they collide")
{
  Stepped game("bowling", {"/rings=1", "/balls=1", "/speed=10"});
  const Momentum before = momentum(game.scene.world, game.state);
  game.run(0.15);
  const Momentum after = momentum(game.scene.world, game.state);
  CHECK(game.state.v.head(30).norm() > 1.0);  // the first skittle has been hit
  // Impulses come in pairs whatever the solver leaves of its residual: round-off of 6 kg x 10 m/s.
  CHECK((after.linear - before.linear).norm() < 1e-9 * before.linear.norm());
}

TEST_CASE("a bucket carries the weight of the balls that rest in it")
{
  const std::vector<std::string> patches = {"/balls=5", "/layers=1", "/time=2.5"};
  const SceneDescription scene = read_scene("bucket", patches);
  double sum = 0.0;
  for (const BodyDescription& body : scene.bodies)
    if (const auto* ball = std::get_if<SoftOptions>(&body.options)) sum += weight(*ball);
  const RunReport report = reported("bucket", patches);
  const Vector3d force = report.forces.front().total.mean.force;
  // What is left of motion after 1.5 s, over the second that the mean is of.
  CHECK(force.y() == doctest::Approx(-sum).epsilon(5e-3));
  CHECK(force.head<1>().norm() < 5e-3 * sum);
}

TEST_CASE("a table stands below the angle of friction and slides above it")
{
  const auto slid = [](double degrees) {  // m, down the slope, from 0.5 s to 1 s
    Stepped table("table-incline",
                  {"/angle=" + std::to_string(degrees), "/cells=1", "/young=1e7", "/dt=0.004",
                   "/height=0.24", "/drop=0.005", "/integrator=implicit"});
    table.run(0.5);
    const Vector3d before = table.middle(1);
    table.run(0.5);
    return (table.middle(1) - before).norm();
  };
  const double critical = std::atan(0.3) * 180.0 / std::numbers::pi;
  CHECK(slid(critical - 2.0) < 1e-3);
  // g (sin a - mu cos a) t^2 / 2 at 2 degrees above: 0.36 m/s^2, from rest 0.13 m in the later
  // half.
  CHECK(slid(critical + 2.0) > 0.05);
}

TEST_CASE("disk and vertebrae pass on the load of the press and their weights")
{
  const std::vector<std::string> patches = {"/tetrahedra=800", "/time=0.3"};
  const RunReport report = reported("vertebrae", patches);
  const SceneDescription scene = read_scene("vertebrae", patches);
  const double bone =
      9.81 * std::get<RigidOptions>(scene.bodies[scene.find("upper-vertebra")].options).mass.mass;
  const double disk_weight = weight(soft(scene, "disk"));
  const auto on = [&](int body, std::string_view partner) {
    for (const ForceSummary& pair : report.forces[body].partners)
      if (pair.body == partner) return pair.last.force;
    return Vector3d(Vector3d::Zero());
  };
  const double carried = on(1, "disk").y();  // by the upper vertebra: load and its weight
  CHECK(carried > 50.0);
  // The disk passes on what it carries and its own weight, the lower vertebra that and its own. The
  // press comes down so slowly that nothing is accelerated by more than 0.2 m/s^2.
  CHECK(on(0, "disk").y() == doctest::Approx(-carried - disk_weight).epsilon(1e-2));
  CHECK(on(0, "ground").y() == doctest::Approx(carried + disk_weight + bone).epsilon(1e-2));
}

TEST_SUITE_END();
