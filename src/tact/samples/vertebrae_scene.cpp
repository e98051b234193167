// Two vertebrae and a disk in a testing machine.
#include <cmath>
#include <numbers>

#include <tact/geometry/embedding.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/samples/coupling_scenes.hpp>
#include <tact/samples/scene_parts.hpp>
#include <tact/samples/vertebra_shape.hpp>

namespace tact {
namespace {

constexpr double bone_density = 1500.0;  // kg/m^3
constexpr double start_gap = 2e-4;       // m, between what will touch
constexpr double spring_arm = 0.03;      // m, from the axis to each spring, along x and z

// For the paper's method, whose passes see only the diagonal blocks of A.
constexpr double softer_disk = 150.0, softer_springs = 50.0, smaller_step = 2.0;

// The press comes down, tilts forward and back, and holds still, s.
constexpr double pressed = 1.0, tilting = 1.1, tilted = 1.5, level = 1.9;

RigidOptions vertebra_body(const TriMesh& surface, double y)
{
  RigidOptions body;
  body.surface = surface;
  body.mass = mass_properties(surface, bone_density);
  body.position.y() = y;
  return body;
}

SoftOptions disk_body(const Vertebrae& options, double y)
{
  const TriMesh surface = make_disk();
  Lattice lattice = fit_lattice(surface, lattice_cell(surface, options.tetrahedra));
  SoftOptions disk;
  disk.mesh = std::move(lattice.solid);
  disk.surface = std::move(lattice.surface);
  disk.fill = std::move(lattice.fill);
  disk.young = options.young;
  disk.poisson = options.poisson;
  disk.density = 1100.0;
  disk.stiffness_damping = 0.01;
  for (Vector3d& p : disk.mesh.positions) p.y() += y;
  return disk;
}

// Straight pieces between keyframes would jump in velocity: these are too short to see.
std::vector<Keyframe> press_motion(const Vertebrae& options, double y)
{
  constexpr double sampling = 0.02;  // s
  std::vector<Keyframe> motion;
  for (int i = 0; i * sampling < level + sampling; ++i) {
    const double t = i * sampling;
    const double lean = smooth_step(t, tilting, tilted) - smooth_step(t, tilted, level);
    Keyframe frame{.t = t};
    frame.position.y() = y - options.travel * smooth_step(t, 0.0, pressed);
    frame.orientation =
        Eigen::AngleAxisd(options.tilt * std::numbers::pi / 180.0 * lean, Vector3d::UnitX());
    motion.push_back(frame);
  }
  return motion;
}

// Its own axes start as those of the upper vertebra do; the plate is far enough above not to touch.
BodyDescription press(const Vertebrae& options, double y)
{
  constexpr double thickness = 0.006;
  TriMesh plate = make_box({spring_arm, thickness, spring_arm});
  for (Vector3d& p : plate.positions)
    p.y() += vertebra_half_height + options.travel + 0.5 * thickness + 0.01;
  return moving_obstacle("press", std::move(plate), press_motion(options, y));
}

void drive_vertebra(SceneDescription& scene, int vertebra, int press, double stiffness)
{
  for (const double x : {-spring_arm, spring_arm})
    for (const double z : {-spring_arm, spring_arm}) {
      const BodyPoint end{.local = {x, vertebra_half_height, z}};
      scene.springs.push_back({{.a = {.body = vertebra, .point = end},
                                .b = {.body = press, .point = end},
                                .stiffness = stiffness,
                                .damping = 0.01 * stiffness,  // s: settles in a few hundredths
                                .rest_length = 0.0},
                               {}});
    }
}

}  // namespace

SceneDescription vertebrae(const Vertebrae& given)
{
  Vertebrae options = given;
  if (options.paper) {
    options.young /= softer_disk;
    options.stiffness /= softer_springs;
  }
  const TriMesh bone = make_vertebra();
  const double above = vertebra_above_disk(bone, start_gap);
  const double lower = vertebra_half_height + start_gap;
  SceneDescription scene;
  scene.run = {.dt = 0.01, .time = 3.0};
  scene.run.camera = {.from = {0.13, 0.12, 0.12}, .to = {0.0, 0.048, -0.01}};
  if (options.paper) {
    scene.run.contact.rows_per_pair = 0;
    scene.run.dt /= smaller_step;
  }
  scene.friction.mu = 0.5;
  scene.bodies.push_back(ground_body(0.4));
  scene.bodies.push_back({"lower-vertebra", vertebra_body(bone, lower), {}});
  scene.bodies.push_back({"disk", disk_body(options, lower + above), {}});
  scene.bodies.push_back({"upper-vertebra", vertebra_body(bone, lower + 2.0 * above), {}});
  scene.bodies.push_back(press(options, lower + 2.0 * above));
  drive_vertebra(scene, 3, 4, options.stiffness);
  scene.run.record.forces = {1, 3};
  return scene;
}

}  // namespace tact
