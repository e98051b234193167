#include <tact/samples/pinch_lift_scene.hpp>

#include <tact/geometry/shapes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

constexpr double above_ground = 0.005;  // m, lower edge of the sheet at the start
constexpr double clearance = 0.003;     // m, between sheet and pads at the start

// When the jaws close, lift, and open again, s.
struct Timing {
  double closed = 0.1, lift = 0.5, lifted = 1.5;
  double release, open;

  explicit Timing(double hold) : release(lifted + hold), open(release + 0.3) {}
};

// The jaw on one side (+1 or -1 along z). Its own axes start as the pad's do.
BodyDescription jaw(const PinchLift& options, double side, const Vector3d& start, const char* name)
{
  const Timing timing(options.hold);
  const Vector3d closed = start - side * (clearance + options.squeeze) * Vector3d::UnitZ();
  const Vector3d up = options.lift * Vector3d::UnitY();
  TriMesh box = make_box({options.pad, options.pad, 0.25 * options.pad});
  for (Vector3d& p : box.positions) p.z() += side * options.pad;  // behind the pad
  return moving_obstacle(
      name, std::move(box),
      {{.t = 0.0, .position = start},
       {.t = timing.closed, .position = closed},
       {.t = timing.lift, .position = closed},
       {.t = timing.lifted, .position = closed + up},
       {.t = timing.release, .position = closed + up},
       {.t = timing.open, .position = start + up + side * 0.02 * Vector3d::UnitZ()}});
}

// Springs of no length at the corners: they hold the pad's place and, together, how it is turned.
void drive(SceneDescription& scene, int pad, int jaw, const PinchLift& options)
{
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5}) {
      const BodyPoint corner{.local = options.pad * Vector3d(x, y, 0.0)};
      const double critical =
          0.05 * options.stiffness;  // N s/m: settles in a few hundredths of a second
      scene.springs.push_back({{.a = {.body = pad, .point = corner},
                                .b = {.body = jaw, .point = corner},
                                .stiffness = options.stiffness,
                                .damping = critical,
                                .rest_length = 0.0},
                               {}});
    }
}

ClothOptions standing_sheet(const PinchLift& options)
{
  ClothOptions cloth = square_cloth(options.size, options.vertices, options.mass);
  for (Vector3d& p : cloth.surface.positions)  // from the plane y = 0 to z = 0
    p = {p.x(), above_ground + p.z() + 0.5 * options.size, 0.0};
  return cloth;
}

}  // namespace

SceneDescription pinch_lift(const PinchLift& options)
{
  SceneDescription scene;
  const Timing timing(options.hold);
  scene.run = {.dt = 0.005, .time = timing.open + 0.7};
  scene.run.contact.delta = 0.1 * options.size / (options.vertices - 1);
  scene.run.contact.tolerance = 3e-4;  // m/s: it is held for long, and must not creep
  scene.friction.mu = 0.5;
  scene.bodies.push_back(ground_body(6.0 * options.size));
  scene.bodies.push_back({"cloth", standing_sheet(options), {}});
  const double thickness = 0.5 * options.pad;
  for (const double side : {-1.0, 1.0}) {
    // Near the middle of the upper edge.
    const Vector3d start(0.0, above_ground + options.size - 0.75 * options.pad,
                         side * (0.5 * thickness + clearance));
    RigidOptions pad = rigid_box({options.pad, options.pad, thickness}, 2000.0);
    pad.position = start;
    const int index = static_cast<int>(scene.bodies.size());
    scene.bodies.push_back({side < 0 ? "pad-back" : "pad-front", std::move(pad), {}});
    scene.bodies.push_back(jaw(options, side, start, side < 0 ? "jaw-back" : "jaw-front"));
    drive(scene, index, index + 1, options);
    scene.run.record.forces.push_back(index);
  }
  return scene;
}

}  // namespace tact
