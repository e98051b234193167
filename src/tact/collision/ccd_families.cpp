#include <tact/collision/ccd_families.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <Eigen/Geometry>

namespace tact {
namespace {

int between(Random& random, int low, int high)
{
  return low + random.below(high - low + 1);
}

bool one_in(Random& random, int count)
{
  return random.below(count) == 0;
}

template <class Function>
void for_each_coordinate(CcdQuery& query, Function function)
{
  for (std::array<Vector3d, 4>* points : {&query.start, &query.end})
    for (Vector3d& point : *points)
      for (double& x : point) x = function(x);
}

CcdQuery on_grid(Random& random, int low, int high)
{
  CcdQuery query;
  query.kind = one_in(random, 2) ? CcdKind::edge_edge : CcdKind::vertex_face;
  for_each_coordinate(query, [&](double) { return between(random, low, high); });
  return query;
}

CcdQuery in_cube(Random& random)
{
  CcdQuery query = on_grid(random, 0, 0);
  for_each_coordinate(query, [&](double) { return random.uniform(-1.0, 1.0); });
  return query;
}

// A vertex of each feature.
std::pair<int, int> opposite_vertices(const CcdQuery& query, Random& random)
{
  if (query.kind == CcdKind::vertex_face) return {0, between(random, 1, 3)};
  return {between(random, 0, 1), between(random, 2, 3)};
}

CcdQuery grid_off_by(Random& random, double next_to_zero)
{
  CcdQuery query = on_grid(random, -2, 2);
  const double infinity = std::numeric_limits<double>::infinity();
  for_each_coordinate(query, [&](double x) {
    if (!one_in(random, 4)) return x;
    const double direction = one_in(random, 2) ? 1.0 : -1.0;
    return x == 0.0 ? direction * next_to_zero : std::nextafter(x, direction * infinity);
  });
  return query;
}

CcdQuery vertex_meets_vertex(Random& random)
{
  CcdQuery query = in_cube(random);
  const auto [i, j] = opposite_vertices(query, random);
  std::array<Vector3d, 4>& x = one_in(random, 2) ? query.start : query.end;
  x[j] = x[i];
  for (double& coordinate : x[j])
    if (one_in(random, 3)) coordinate = std::nextafter(coordinate, 2.0);
  return query;
}

CcdQuery tilted_plane(Random& random)
{
  CcdQuery query = on_grid(random, -4, 4);
  for (std::array<Vector3d, 4>* points : {&query.start, &query.end})
    for (Vector3d& x : *points) x[2] = x[0] + x[1];
  return query;
}

CcdQuery moving_plane(Random& random)
{
  CcdQuery query = in_cube(random);
  for (Vector3d& x : query.start) x[2] = 0.25;
  for (Vector3d& x : query.end) x[2] = 0.75;
  return query;
}

// Moves the first feature so that it meets the second at time t, up to rounding. The point of
// contact is given by the parameters of the edges, or by the weights of f1 and f2.
void plant_contact(CcdQuery& query, double t, double a, double b)
{
  const auto x = [&](int i) -> Vector3d { return (1.0 - t) * query.start[i] + t * query.end[i]; };
  if (query.kind == CcdKind::vertex_face) {
    if (a + b > 1.0) {
      a = 1.0 - a;
      b = 1.0 - b;
    }
    const Vector3d shift = (1.0 - a - b) * x(1) + a * x(2) + b * x(3) - x(0);
    query.start[0] += shift;
    query.end[0] += shift;
    return;
  }
  const Vector3d shift = (1.0 - b) * x(2) + b * x(3) - (1.0 - a) * x(0) - a * x(1);
  for (int i = 0; i < 2; ++i) {
    query.start[i] += shift;
    query.end[i] += shift;
  }
}

CcdQuery planted_contact(Random& random)
{
  CcdQuery query = in_cube(random);
  const auto weight = [&] { return one_in(random, 3) ? between(random, 0, 1) : random.uniform(); };
  const double t = one_in(random, 4) ? 0.25 * between(random, 0, 4) : random.uniform();
  const double a = weight(), b = weight();
  plant_contact(query, t, a, b);
  return query;
}

// One side of the face, or the second edge, has the length `width`; a contact is planted in it.
CcdQuery needles_in_contact(Random& random, double width)
{
  CcdQuery query = in_cube(random);
  query.start[3] = query.start[2] + random.in_cube(width);
  query.end[3] = query.end[2] + random.in_cube(width);
  const double t = random.uniform(), a = random.uniform(), b = random.uniform();
  plant_contact(query, t, a, b);
  return query;
}

CcdQuery needles_missed(Random& random)
{
  constexpr double width = 1e-9;
  CcdQuery query = needles_in_contact(random, width);
  const Vector3d miss = random.in_cube(width);
  query.start[0] += miss;
  query.end[0] += miss;
  return query;
}

CcdQuery rounded_by_offset(Random& random)
{
  CcdQuery query = planted_contact(random);
  const double offset = std::ldexp(1.0, between(random, 10, 40));
  for_each_coordinate(query, [&](double x) { return x + offset; });
  return query;
}

CcdQuery some_at_rest(Random& random)
{
  CcdQuery query = on_grid(random, -2, 2);
  for (int i = 0; i < 4; ++i)
    if (one_in(random, 2)) query.end[i] = query.start[i];
  return query;
}

CcdQuery shared_vertices(Random& random)
{
  CcdQuery query = in_cube(random);
  for_each_coordinate(query,
                      [&](double x) { return one_in(random, 2) ? x : between(random, -1, 1); });
  const auto share = [&](int i, int j) {
    query.start[j] = query.start[i];
    query.end[j] = query.end[i];
  };
  const auto [i, j] = opposite_vertices(query, random);
  share(i, j);
  if (query.kind == CcdKind::edge_edge && one_in(random, 4)) share(1 - i, 5 - j);
  return query;
}

// Box and Muller.
double normal(Random& random)
{
  const double radius = std::sqrt(-2.0 * std::log(1.0 - random.uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * random.uniform());
}

Vector3d normal_vector(Random& random, double deviation)
{
  const double x = normal(random), y = normal(random), z = normal(random);
  return deviation * Vector3d(x, y, z);
}

Matrix3d random_rotation(Random& random)
{
  const Vector3d x = normal_vector(random, 1.0).normalized();
  const Vector3d z = x.cross(normal_vector(random, 1.0)).normalized();
  Matrix3d rotation;
  rotation << x, z.cross(x), z;
  return rotation;
}

// Two flat layers in any position, the vertex or first edge above the face or second edge.
CcdQuery cloth(Random& random)
{
  constexpr double edge = 0.01, median_gap = 0.002, common_motion = 0.003, relative_motion = 0.001;
  CcdQuery query = on_grid(random, 0, 0);
  const bool face = query.kind == CcdKind::vertex_face;
  const double gap = median_gap * std::exp(0.7 * normal(random));
  const double turn = random.uniform(0.0, 2.0 * std::numbers::pi);
  const Vector3d beside = random.in_cube(0.6 * edge).cwiseProduct(Vector3d(1.0, 1.0, 0.0));
  const Matrix3d rotation = random_rotation(random);
  const Vector3d place = normal_vector(random, 1.0), motion = normal_vector(random, common_motion);
  for (int i = 0; i < 4; ++i) {
    const bool above = i < (face ? 1 : 2);
    const double corners = face ? 3.0 : 2.0, radius = face && above ? 0.0 : 0.55 * edge;
    const double angle = 2.0 * std::numbers::pi * i / corners + (above ? turn : 0.0);
    Vector3d x(radius * std::cos(angle), radius * std::sin(angle), 0.0);
    if (above) x += beside + Vector3d(0.0, 0.0, gap);
    x += normal_vector(random, 0.1 * edge).cwiseProduct(Vector3d(1.0, 1.0, 0.1));
    query.start[i] = place + rotation * x;
    query.end[i] = query.start[i] + motion + normal_vector(random, relative_motion);
  }
  return query;
}

CcdQuery far_from_origin(Random& random)
{
  CcdQuery query = on_grid(random, -3, 3);
  for_each_coordinate(query, [](double k) { return 1e6 + 1e-6 * k; });
  return query;
}

struct Family {
  std::string_view name;
  CcdQuery (*make)(Random& random);
};

// In the order of CcdFamily.
constexpr std::array<Family, ccd_family_count> families = {{
    {"tiny-grid", [](Random& random) { return on_grid(random, 0, 2); }},
    {"grid", [](Random& random) { return on_grid(random, -3, 3); }},
    {"uniform", in_cube},
    {"grid-one-ulp-off", [](Random& random) { return grid_off_by(random, 0x1p-53); }},
    {"grid-subnormal-off", [](Random& random) { return grid_off_by(random, 0x1p-1074); }},
    {"vertex-meets-vertex", vertex_meets_vertex},
    {"tilted-plane", tilted_plane},
    {"moving-plane", moving_plane},
    {"needles-missed", needles_missed},
    {"needles-in-contact",
     [](Random& random) {
       return needles_in_contact(random, std::pow(10.0, -random.uniform(3.0, 9.0)));
     }},
    {"far-from-origin", far_from_origin},
    {"tiny", [](Random& random) { return scaled(in_cube(random), 1e-12); }},
    {"some-at-rest", some_at_rest},
    {"planted-contact", planted_contact},
    {"rounded-by-offset", rounded_by_offset},
    {"shared-vertices", shared_vertices},
    {"cloth", cloth},
}};

}  // namespace

std::string_view name(CcdFamily family)
{
  return families[static_cast<std::size_t>(family)].name;
}

CcdQuery random_query(CcdFamily family, Random& random)
{
  return families[static_cast<std::size_t>(family)].make(random);
}

CcdQuery permuted(const CcdQuery& query, Random& random)
{
  CcdQuery other = query;
  const auto swap_vertices = [&](int i, int j) {
    std::swap(other.start[i], other.start[j]);
    std::swap(other.end[i], other.end[j]);
  };
  if (query.kind == CcdKind::vertex_face) {
    swap_vertices(1, between(random, 1, 3));
    swap_vertices(2, between(random, 2, 3));
    return other;
  }
  if (one_in(random, 2)) swap_vertices(0, 1);
  if (one_in(random, 2)) swap_vertices(2, 3);
  if (one_in(random, 2)) {
    swap_vertices(0, 2);
    swap_vertices(1, 3);
  }
  return other;
}

CcdQuery time_reversed(const CcdQuery& query)
{
  return {.kind = query.kind, .start = query.end, .end = query.start};
}

CcdQuery scaled(const CcdQuery& query, double factor)
{
  CcdQuery other = query;
  for_each_coordinate(other, [factor](double x) { return factor * x; });
  return other;
}

}  // namespace tact
