#include <tact/samples/rock_pile.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>

#include <tact/geometry/mass_properties.hpp>
#include <tact/samples/rigid_contacts.hpp>

namespace tact {
namespace {

constexpr double pile_gravity_step = 9.81 * 0.01;  // m/s: g x a step of 10 ms
constexpr double least_seed_distance = 0.5;        // m, between the points that cells are made of

using CellPolygon = std::vector<Vector3d>;  // counterclockwise around its normal

// Points x with normal . x <= offset.
struct CellSide {
  Vector3d normal;
  double offset;
};

// Nearer to a than to b.
CellSide nearer(const Vector3d& a, const Vector3d& b)
{
  const Vector3d normal = (b - a).normalized();
  return {normal, normal.dot(0.5 * (a + b))};
}

CellPolygon large_square(const CellSide& space)
{
  constexpr double half_width = 100.0;  // m, beyond every pit
  const Vector3d t = half_width * tangent_of(space.normal), s = space.normal.cross(t);
  const Vector3d centre = space.offset * space.normal;
  return {centre + t + s, centre - t + s, centre - t - s, centre + t - s};
}

CellPolygon clip_face(const CellPolygon& face, const CellSide& space)
{
  CellPolygon kept;
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vector3d &a = face[i], &b = face[(i + 1) % face.size()];
    const double above_a = space.normal.dot(a) - space.offset;
    const double above_b = space.normal.dot(b) - space.offset;
    if (above_a <= 0.0) kept.push_back(a);
    if ((above_a < 0.0 && above_b > 0.0) || (above_a > 0.0 && above_b < 0.0))
      kept.push_back(a + above_a / (above_a - above_b) * (b - a));
  }
  return kept;
}

// A face of a cell and what is behind it: another cell, a wall of the pit, or air.
struct CellFace {
  CellPolygon corners;
  Vector3d normal;  // out of the cell
  int other;        // cell, or one of those below
};
constexpr int pit_wall = -1, pit_air = -2;

// All cells of the points in a pit [0, width]^2 x [0, height].
class Cells {
 public:
  Cells(std::vector<Vector3d> points, double width, double height) : points_(std::move(points))
  {
    for (int axis = 0; axis < 3; ++axis) {
      const Vector3d unit = Vector3d::Unit(axis);
      sides_.push_back({-unit, 0.0});
      sides_.push_back({unit, axis < 2 ? width : height});  // the last is the open top
    }
  }

  int count() const { return static_cast<int>(points_.size()); }

  std::vector<CellFace> faces(int cell) const
  {
    std::vector<CellFace> found;
    const auto add = [&](const CellSide& space, int other) {
      CellPolygon corners = large_square(space);
      for (const CellSide& side : sides_)
        if (&side != &space) corners = clip_face(corners, side);
      for (int k = 0; k < count(); ++k)
        if (k != cell && k != other)
          corners = clip_face(corners, nearer(points_[cell], points_[k]));
      if (corners.size() >= 3) found.push_back({std::move(corners), space.normal, other});
    };
    for (int k = 0; k < count(); ++k)
      if (k != cell) add(nearer(points_[cell], points_[k]), k);
    for (const CellSide& side : sides_) add(side, &side == &sides_.back() ? pit_air : pit_wall);
    return found;
  }

 private:
  std::vector<Vector3d> points_;
  std::vector<CellSide> sides_;
};

std::vector<Vector3d> scattered_points(int count, double width, double height, Random& random)
{
  std::vector<Vector3d> points;
  while (static_cast<int>(points.size()) < count) {
    const Vector3d point(random.uniform(0.0, width), random.uniform(0.0, width),
                         random.uniform(0.0, height));
    const bool is_free = std::ranges::all_of(points, [&](const Vector3d& other) {
      return (point - other).norm() > least_seed_distance;
    });
    if (is_free) points.push_back(point);
  }
  return points;
}

MassProperties rock_solid(const std::vector<CellFace>& faces, double density)
{
  TriMesh mesh;
  for (const CellFace& face : faces) {
    const int first = mesh.vertex_count();
    mesh.positions.insert(mesh.positions.end(), face.corners.begin(), face.corners.end());
    for (int k = first + 1; k + 1 < mesh.vertex_count(); ++k)
      mesh.triangles.push_back({first, k, k + 1});
  }
  return mass_properties(mesh, density);
}

// What differs from pile to pile.
struct PileKind {
  double touching;  // share of the faces
  double speed;     // m/s
  double spread;    // orders of magnitude of the densities
};

PileKind draw_kind(Random& random)
{
  constexpr double speeds[] = {0.0, 0.01, 0.5};
  constexpr double spreads[] = {0.0, 0.0, 2.0};
  const double touching = random.uniform(0.5, 1.0);
  const double speed = speeds[random.below(3)];
  return {touching, speed, spreads[random.below(3)]};
}

void add_pile_rock(RigidContactBuilder& builder, const std::vector<CellFace>& faces,
                   const PileKind& kind, Random& random)
{
  const double density = 2500.0 * std::pow(10.0, kind.spread * random.uniform(-0.5, 0.5));
  const MassProperties properties = rock_solid(faces, density);
  builder.add_body({.mass = properties.mass,
                    .inertia = properties.inertia,
                    .centre = properties.centre,
                    .velocity = random.in_cube(kind.speed),
                    .angular_velocity = random.in_cube(kind.speed),
                    .impulse = {0.0, 0.0, -properties.mass * pile_gravity_step}});
}

// Up to four points of a face a little inside it, an edge of it, or a corner.
CellPolygon touching_points(const CellPolygon& face, Random& random)
{
  constexpr double inset = 0.1;
  Vector3d centre = Vector3d::Zero();
  for (const Vector3d& corner : face) centre += corner / static_cast<double>(face.size());
  const int corners = static_cast<int>(face.size());
  const int kind = random.below(4);  // half of them faces
  const int count = kind < 2 ? std::min(4, corners) : kind == 2 ? 2 : 1;
  const int first = random.below(corners);
  CellPolygon points;
  for (int k = 0; k < count; ++k) {
    const int step = kind < 2 ? k * corners / count : k;
    points.push_back(inset * centre + (1.0 - inset) * face[(first + step) % corners]);
  }
  return points;
}

void add_touching(RigidContactBuilder& builder, int cell, const CellFace& face, MuRange mu,
                  Random& random)
{
  constexpr double apart = 0.15;  // share of the faces that have come apart
  const double mu_of_face = mu.draw(random);
  const double gap_rate = random.uniform() < apart ? random.uniform(0.0, 0.1) : 0.0;
  for (const Vector3d& point : touching_points(face.corners, random))
    builder.add_contact({.body_a = cell,
                         .body_b = face.other < 0 ? fixed_body : face.other,
                         .point = point,
                         .normal = -face.normal,
                         .mu = mu_of_face,
                         .gap_rate = gap_rate});
}

}  // namespace

ContactProblem rock_pile(int rocks, Random& random, MuRange mu)
{
  const double width = std::cbrt(1.0 * rocks), height = width;  // 1 m^3 a rock
  const Cells cells(scattered_points(rocks, width, height, random), width, height);
  const PileKind kind = draw_kind(random);
  RigidContactBuilder builder;
  std::vector<std::vector<CellFace>> faces;
  for (int cell = 0; cell < cells.count(); ++cell) {
    faces.push_back(cells.faces(cell));
    add_pile_rock(builder, faces.back(), kind, random);
  }
  for (int cell = 0; cell < cells.count(); ++cell)
    for (const CellFace& face : faces[cell]) {
      if (face.other == pit_air || face.other > cell) continue;  // once a pair
      if (random.uniform() < kind.touching) add_touching(builder, cell, face, mu, random);
    }
  return builder.build();
}

ContactProblem numbered_rock_pile(int number)
{
  Random random(1000 + static_cast<std::uint64_t>(number));
  const int rocks = 6 + random.below(30);
  MuRange mu{0.3, 1.0};
  if (number % 3 == 0) mu.low = mu.high = random.uniform(0.3, 1.0);
  return rock_pile(rocks, random, mu);
}

}  // namespace tact
