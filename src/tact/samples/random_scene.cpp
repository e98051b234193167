#include <tact/samples/random_scene.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <tact/core/random.hpp>
#include <tact/geometry/aabb.hpp>
#include <tact/geometry/distance.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/geometry/tet_shapes.hpp>

namespace tact {
namespace {

using std::numbers::pi;

class Dice : public Random {
 public:
  using Random::Random;

  bool chance(double probability) { return uniform() < probability; }
  // As likely between 1 and 10 as between 10 and 100.
  double decades(double low, double high)
  {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  Vector3d direction()
  {
    const double z = uniform(-1.0, 1.0), angle = uniform(0.0, 2.0 * pi), r = std::sqrt(1.0 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }
  Eigen::Quaterniond orientation()  // Shoemake 1992
  {
    const double u = uniform(), a = uniform(0.0, 2.0 * pi), b = uniform(0.0, 2.0 * pi);
    const double r = std::sqrt(1.0 - u), s = std::sqrt(u);
    return Eigen::Quaterniond(s * std::cos(b), r * std::sin(a), r * std::cos(a), s * std::sin(b))
        .normalized();
  }
};

// ---- Shapes -------------------------------------------------------------------------------------

// By trying all triples: for a handful of points in general position.
TriMesh hull_of(std::vector<Vector3d> points)
{
  const int n = static_cast<int>(points.size());
  TriMesh hull{.positions = std::move(points), .triangles = {}};
  const auto& p = hull.positions;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k) {
        const Vector3d normal = (p[j] - p[i]).cross(p[k] - p[i]);
        int above = 0;
        for (int l = 0; l < n; ++l)
          if (l != i && l != j && l != k) above += normal.dot(p[l] - p[i]) > 0.0;
        if (above == 0) hull.triangles.push_back({i, j, k});
        if (above == n - 3) hull.triangles.push_back({i, k, j});
      }
  return hull;
}

// Points on a sphere are all corners; the map makes an ellipsoid of it and leaves it convex.
TriMesh random_hull(Dice& dice, double size, int corners)
{
  const Vector3d axes(dice.uniform(0.3, 0.5), dice.uniform(0.3, 0.5), dice.uniform(0.3, 0.5));
  std::vector<Vector3d> points;
  while (static_cast<int>(points.size()) < corners) {
    const Vector3d p = size * axes.cwiseProduct(dice.direction());
    const bool apart = std::all_of(points.begin(), points.end(), [&](const Vector3d& other) {
      return (p - other).norm() > 0.15 * size;
    });
    if (apart) points.push_back(p);
  }
  return hull_of(std::move(points));
}

// Four corners of a cube, so that the four heights are alike, each moved a little.
TriMesh random_tetrahedron(Dice& dice, double size)
{
  std::vector<Vector3d> points;
  for (const Vector3d& corner :
       {Vector3d(1, 1, 1), Vector3d(1, -1, -1), Vector3d(-1, 1, -1), Vector3d(-1, -1, 1)})
    points.push_back(0.4 * size * corner + dice.in_cube(0.15 * size));
  return hull_of(std::move(points));
}

TriMesh random_l_shape(Dice& dice, double size)
{
  const double a = size * dice.uniform(0.2, 0.4);
  const Contour outline{{0, 0}, {size, 0}, {size, a}, {a, a}, {a, size}, {0, size}};
  return make_extrusion(std::array{outline}, size * dice.uniform(0.1, 0.5));
}

TriMesh random_c_shape(Dice& dice, double size)
{
  const double a = size * dice.uniform(0.15, 0.3), b = size - a;
  const Contour outline{{0, 0}, {size, 0}, {size, a},    {a, a},
                        {a, b}, {size, b}, {size, size}, {0, size}};
  return make_extrusion(std::array{outline}, size * dice.uniform(0.1, 0.5));
}

TriMesh random_solid(Dice& dice, double size)
{
  const auto side = [&] { return size * dice.uniform(0.4, 1.0); };
  switch (dice.below(9)) {
    case 0: return make_icosphere(0.5 * size, dice.below(2));
    case 1: return make_cylinder(0.5 * side(), side(), 6 + dice.below(7));
    case 2: return random_tetrahedron(dice, size);
    case 3: return random_hull(dice, size, 6 + dice.below(9));
    case 4: return make_box({side(), side() * dice.decades(0.02, 0.1), side()}, 1 + dice.below(2));
    case 5: return make_box({size * dice.uniform(2.0, 5.0), 0.2 * side(), 0.2 * side()});
    case 6: return random_l_shape(dice, size);
    case 7: return random_c_shape(dice, size);
    default: return make_box({side(), side(), side()}, 1 + dice.below(2));
  }
}

TetMesh random_soft_shape(Dice& dice, double size)
{
  if (dice.chance(0.4)) return make_tet_ball(0.5 * size, 1 + dice.below(2));
  const std::array<int, 3> cells{1 + dice.below(2), 1 + dice.below(2), 1 + dice.below(4)};
  const Vector3d count(cells[0], cells[1], cells[2]);
  return make_tet_box(size / count.maxCoeff() * count, cells);
}

// ---- Bodies -------------------------------------------------------------------------------------

// What all bodies of a scene have in common.
struct Setting {
  double size = 0.1;                     // m, of a usual body
  double dt = 0.01;                      // s
  double mass_range = 10;                // of the heaviest rigid body over the lightest
  double slowest = 0.1, fastest = 10.0;  // m/s
};

void turn_about_middle(std::vector<Vector3d>& positions, const Eigen::Quaterniond& orientation)
{
  const Vector3d middle = bounding_box(positions).centre();
  for (Vector3d& p : positions) p = orientation * (p - middle);
}

RigidOptions random_rigid(Dice& dice, const Setting& setting)
{
  RigidOptions body;
  body.surface = random_solid(dice, setting.size * dice.uniform(0.5, 1.5));
  turn_about_middle(body.surface.positions, Eigen::Quaterniond::Identity());
  body.mass = mass_properties(body.surface, 1.0);
  const double density = dice.decades(1.0, setting.mass_range) / body.mass.mass;
  body.mass.mass *= density;
  body.mass.inertia *= density;
  body.orientation = dice.orientation();
  if (dice.chance(0.6))
    body.angular_velocity = dice.decades(1e-3, 0.5) / setting.dt * dice.direction();
  return body;
}

SoftOptions random_soft(Dice& dice, const Setting& setting)
{
  SoftOptions body;
  body.mesh = random_soft_shape(dice, setting.size * dice.uniform(0.5, 1.5));
  turn_about_middle(body.mesh.positions, dice.orientation());
  body.density = dice.decades(100.0, 2000.0);
  body.young = dice.decades(1e4, 1e6);
  body.poisson = dice.uniform(0.1, 0.45);
  if (dice.chance(0.3)) body.stiffness_damping = dice.decades(1e-4, 1e-2);
  body.self_collision = true;  // a soft body that is hit hard folds
  return body;
}

ClothOptions random_cloth(Dice& dice, const Setting& setting)
{
  ClothOptions body;
  const double width = setting.size * dice.uniform(0.7, 2.0);
  const int nx = 3 + dice.below(5), nz = 3 + dice.below(5);
  body.surface = make_cloth(width, width * dice.uniform(0.5, 1.0), nx, nz);
  turn_about_middle(body.surface.positions, dice.orientation());
  body.springs = surface_springs(
      body.surface, {.stretch = dice.decades(10.0, 1000.0), .bend = dice.decades(0.01, 1.0)});
  body.area_density = dice.decades(0.05, 1.0);
  return body;
}

enum class Matter { rigid, any, deformable };

BodyOptions random_body(Dice& dice, const Setting& setting, Matter matter)
{
  const bool rigid = matter == Matter::rigid || (matter == Matter::any && dice.chance(0.5));
  if (rigid) return random_rigid(dice, setting);
  if (dice.chance(0.5)) return random_soft(dice, setting);
  return random_cloth(dice, setting);
}

void set_velocity(BodyOptions& body, const Vector3d& velocity)
{
  std::visit(
      [&](auto& options) {
        if constexpr (requires { options.velocity; }) options.velocity = velocity;
      },
      body);
}

void put_at(BodyOptions& body, const Vector3d& place)
{
  if (auto* rigid = std::get_if<RigidOptions>(&body)) rigid->position = place;
  if (auto* soft = std::get_if<SoftOptions>(&body))
    for (Vector3d& p : soft->mesh.positions) p += place;
  if (auto* cloth = std::get_if<ClothOptions>(&body)) {
    std::vector<Vector3d>& x = cloth->surface.positions;
    for (Vector3d& p : x) p += place;
    // At rest where it is, to the last bit: as one that is read from a file.
    for (ClothSpring& spring : cloth->springs)
      spring.rest_length = (x[spring.b] - x[spring.a]).norm();
  }
}

// ---- Places -------------------------------------------------------------------------------------

struct PlacedSurface {
  TriMesh mesh;  // about its own middle
  Vector3d middle = Vector3d::Zero();
  double radius = 0.0;  // of a ball around the middle

  explicit PlacedSurface(const BodyOptions& body) : mesh(start_surface(body))
  {
    for (const Vector3d& p : mesh.positions) radius = std::max(radius, p.norm());
  }
  std::array<Vector3d, 3> corners(int triangle) const
  {
    const Triangle& t = mesh.triangles[triangle];
    return {middle + mesh.positions[t[0]], middle + mesh.positions[t[1]],
            middle + mesh.positions[t[2]]};
  }
};

double triangle_distance(const std::array<Vector3d, 3>& a, const std::array<Vector3d, 3>& b)
{
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    least = std::min(least, closest_vertex_face(a[i], b[0], b[1], b[2]).squared_distance);
    least = std::min(least, closest_vertex_face(b[i], a[0], a[1], a[2]).squared_distance);
    for (int j = 0; j < 3; ++j)
      least = std::min(
          least, closest_edge_edge(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]).squared_distance);
  }
  return std::sqrt(least);
}

double box_distance(const std::array<Vector3d, 3>& a, const std::array<Vector3d, 3>& b)
{
  const auto low = [](const auto& t) { return t[0].cwiseMin(t[1]).cwiseMin(t[2]).eval(); };
  const auto high = [](const auto& t) { return t[0].cwiseMax(t[1]).cwiseMax(t[2]).eval(); };
  const Vector3d apart = (low(a) - high(b)).cwiseMax(low(b) - high(a)).cwiseMax(0.0);
  return apart.norm();
}

// The distance of two surfaces, or a lower bound of it above `enough`.
double distance_up_to(const PlacedSurface& a, const PlacedSurface& b, double enough)
{
  const double bound = (a.middle - b.middle).norm() - a.radius - b.radius;
  if (bound > enough) return bound;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < a.mesh.triangle_count(); ++i)
    for (int j = 0; j < b.mesh.triangle_count(); ++j)
      if (box_distance(a.corners(i), b.corners(j)) < least)
        least = std::min(least, triangle_distance(a.corners(i), b.corners(j)));
  return least;
}

double distance_to_all(const PlacedSurface& surface, const std::vector<PlacedSurface>& others,
                       double enough)
{
  double least = std::numeric_limits<double>::infinity();
  for (const PlacedSurface& other : others)
    least = std::min(least, distance_up_to(surface, other, enough));
  return least;
}

// Comes in from afar along -direction until it is `gap` from what is there, or has reached
// `target`.
void approach(PlacedSurface& surface, const std::vector<PlacedSurface>& others,
              const Vector3d& target, const Vector3d& direction, double gap)
{
  double way = surface.radius;
  for (const PlacedSurface& other : others)
    way = std::max(way, (other.middle - target).norm() + other.radius + surface.radius + 2.0 * gap);
  constexpr int most_steps = 200;
  for (int k = 0; k < most_steps && way > 0.0; ++k) {
    surface.middle = target + way * direction;
    const double distance = distance_to_all(surface, others, surface.radius);
    if (distance <= gap) return;
    way -= distance - 0.9 * gap;
  }
}

}  // namespace

SceneDescription random_scene(std::uint64_t seed)
{
  // Streams of seeds that follow each other are the same, one number on: scattered, they are not.
  Dice dice(Random(seed).bits());
  Setting setting;
  setting.size = dice.decades(0.05, 0.5);
  setting.dt = dice.decades(1e-3, 2e-2);
  if (dice.chance(0.3)) setting.mass_range = 1e4;
  setting.slowest = dice.decades(0.05, 10.0);
  setting.fastest = setting.slowest * dice.decades(1.0, 5.0);

  SceneDescription scene;
  scene.name = fmt::format("random-{}", seed);
  scene.gravity.setZero();
  scene.run.seed = seed;
  scene.run.dt = setting.dt;
  scene.run.time = (30 + dice.below(31)) * setting.dt;
  if (dice.chance(0.5)) scene.run.contact.delta = setting.size * dice.decades(1e-4, 3e-2);
  scene.friction.mu = dice.chance(0.3) ? 0.0 : dice.uniform(0.0, 1.0);
  if (dice.chance(0.4)) scene.friction.restitution = dice.chance(0.2) ? 1.0 : dice.uniform();

  const Matter matter = dice.chance(0.5)   ? Matter::rigid
                        : dice.chance(0.7) ? Matter::any
                                           : Matter::deformable;
  const int most = matter == Matter::deformable ? 4 : 12;
  const int count = 2 + std::min(dice.below(most - 1), dice.below(most - 1));  // rather few
  std::vector<PlacedSurface> placed;
  for (int i = 0; i < count; ++i) {
    BodyOptions body = random_body(dice, setting, matter);
    PlacedSurface surface(body);
    const Vector3d direction = dice.direction();
    const double speed = dice.chance(0.1) ? 0.0 : dice.decades(setting.slowest, setting.fastest);
    if (i > 0) {
      const bool touching = dice.chance(0.25);
      const double gap = setting.size * (touching ? dice.decades(1e-5, 1e-2) : 1e-3);
      approach(surface, placed, dice.in_cube(0.3 * setting.size), direction, gap);
      // Else it arrives some steps later.
      if (!touching) surface.middle += direction * speed * setting.dt * dice.uniform(0.3, 12.0);
    }
    put_at(body, surface.middle);
    set_velocity(body, speed * (dice.in_cube(0.1) - direction));
    placed.push_back(std::move(surface));
    scene.bodies.push_back({fmt::format("body-{}", i), std::move(body), {}});
  }
  return scene;
}

}  // namespace tact
