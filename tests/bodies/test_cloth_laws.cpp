// Closed forms that springs and masses must meet.
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <tact/bodies/cloth.hpp>
#include <tact/geometry/shapes.hpp>

#include "one_body.hpp"

using namespace tact;

namespace {

constexpr double g = 9.81;  // m/s^2

// One triangle of mass 3 m whose corner 0 hangs below a pinned corner 1, 1 m above; corner 2 is far
// to the side and free of springs.
struct Pendant {
  double m = 0.2;        // kg
  double k = 80.0;       // N/m
  double damping = 0.0;  // s

  std::unique_ptr<Body> make() const
  {
    ClothOptions options;
    options.surface.positions = {{0, 0, 0}, {0, 1, 0}, {4, 0, 0}};
    options.surface.triangles = {{0, 2, 1}};  // 2 m^2
    options.springs = {{0, 1, k, 1.0}};
    options.area_density = 3.0 * m / 2.0;
    options.damping = damping;
    return make_cloth_body("pendant", options);
  }
};

const std::vector<int> pendant_pins = {1, 2};

// A strip of two rows of vertices, which hang like two chains side by side.
struct Strip {
  int segments = 60;
  double length = 1.2;    // m
  double width = 0.02;    // m
  double density = 0.5;   // kg/m^2
  double strength = 1e5;  // E A of the strip over its weight

  double weight() const { return density * width * length * g; }  // N
  double rest() const { return length / segments; }

  // Hung in the shape of a V between (0, 0) and (1, 0), all springs at rest. All diagonals run the
  // same way: inner vertices have three triangles each, so equal masses.
  std::unique_ptr<Body> make() const
  {
    ClothOptions options;
    const double depth = std::sqrt(0.25 * length * length - 0.25);
    for (int i = 0; i <= segments; ++i) {
      const double s = 2.0 * i / segments;
      const Vector3d x(0.5 * s, -depth * std::min(s, 2.0 - s), 0.0);
      options.surface.positions.push_back(x);
      options.surface.positions.push_back(x + Vector3d(0.0, 0.0, width));
    }
    const double k = strength * weight() / rest() / 2.0;  // N/m; two rows share E A
    for (int i = 0; i < segments; ++i) {
      const int a = 2 * i, b = a + 1, c = a + 2, d = a + 3;
      options.surface.triangles.push_back({a, b, d});
      options.surface.triangles.push_back({a, d, c});
      options.springs.push_back({a, c, k, rest()});
      options.springs.push_back({b, d, k, rest()});
    }
    for (int i = 0; i <= segments; ++i) options.springs.push_back({2 * i, 2 * i + 1, k, width});
    options.area_density = density;
    return make_cloth_body("strip", options);
  }

  std::vector<int> pins() const { return {0, 1, 2 * segments, 2 * segments + 1}; }
};

// The a of y = a cosh(x / a) for a chain of this length over a span of 1 m: 2 a sinh(1 / 2a) = S.
double catenary_parameter(double length)
{
  double low = 0.05, high = 100.0;  // the chain gets shorter with a
  for (int k = 0; k < 200; ++k) {
    const double a = 0.5 * (low + high);
    (2.0 * a * std::sinh(0.5 / a) > length ? low : high) = a;
  }
  return low;
}

// ln of the ratio of two maxima that follow each other. Between steps a parabola finds them.
double logarithmic_decrement(const OneBody& one, double dt, double offset)
{
  BodyState state = one.start();
  state.q[1] -= offset;
  std::vector<double> peaks;
  double before = 0.0, middle = 0.0;
  for (int k = 0; peaks.size() < 3; ++k) {
    state = one.step({.dt = dt}, state, pendant_pins);
    const double now = state.q[1];
    if (k >= 2 && middle > before && middle >= now) {
      const double slope = 0.5 * (now - before), bend = now - 2.0 * middle + before;
      peaks.push_back(middle - 0.5 * slope * slope / bend);
    }
    before = middle;
    middle = now;
  }
  return 0.5 * std::log(peaks[0] / peaks[2]);
}

}  // namespace

TEST_CASE("cloth in free fall keeps its shape: x = h^2 g n (n + 1) / 2")
{
  ClothOptions options;
  options.surface = make_cloth(1.0, 1.0, 4, 4);
  options.springs = grid_springs(options.surface, 4, 4, {});
  options.velocity = {1.0, 2.0, 0.0};
  const OneBody one(make_cloth_body("cloth", options));
  const BodyState start = one.start();
  const double h = 0.01;
  const int n = 100;
  BodyState state = start;
  for (int k = 0; k < n; ++k) state = one.step({.dt = h, .gravity = {0.0, -g, 0.0}}, state);
  const Vector3d fall =
      n * h * options.velocity + h * h * n * (n + 1) / 2.0 * Vector3d(0.0, -g, 0.0);
  for (int i = 0; i < one.body().node_count(); ++i)
    CHECK(((state.q - start.q).segment<3>(3 * i) - fall).norm() <= 1e-11 * fall.norm());
}

TEST_CASE("a hanging spring stretches by m g / k")
{
  for (const double k : {10.0, 80.0, 1e4}) {
    const Pendant pendant{.k = k};
    const OneBody one(pendant.make());
    // Without damping by the step, Newton's method is there at once: the spring is linear.
    const StepInput input{.dt = 1e3, .gravity = {0.0, -g, 0.0}};
    const VectorXd q = one.equilibrium(input, one.start().q, pendant_pins, 1e-9);
    CHECK(-q[1] == doctest::Approx(pendant.m * g / k).epsilon(1e-9));
  }
}

TEST_CASE("a damped oscillator loses 2 pi zeta / sqrt(1 - zeta^2) a period, to order h")
{
  const double zeta = 0.1;
  Pendant pendant;
  const double omega = std::sqrt(pendant.k / pendant.m);  // 20 rad/s
  pendant.damping = 2.0 * zeta / omega;                   // c = damping k = 2 zeta sqrt(k m)
  const OneBody one(pendant.make());
  const double expected = 2.0 * std::numbers::pi * zeta / std::sqrt(1.0 - zeta * zeta);
  std::vector<double> errors;
  for (const double h : {4e-4, 2e-4, 1e-4})
    errors.push_back(logarithmic_decrement(one, h, 0.1) - expected);
  // Backward Euler damps by omega h / 2 more: 2 pi of that a period, at leading order.
  CHECK(errors[2] == doctest::Approx(std::numbers::pi * omega * 1e-4).epsilon(0.05));
  CHECK(std::log2(errors[0] / errors[1]) == doctest::Approx(1.0).epsilon(0.05));
  CHECK(std::log2(errors[1] / errors[2]) == doctest::Approx(1.0).epsilon(0.05));
}

TEST_CASE("a hanging strip is a catenary: sag and tension to 0.1 %")
{
  for (const double length : {1.05, 1.2, 1.5}) {
    CAPTURE(length);
    const Strip strip{.length = length};
    const OneBody one(strip.make());
    const VectorXd q = one.equilibrium({.dt = 0.2, .gravity = {0.0, -g, 0.0}}, one.start().q,
                                       strip.pins(), 1e-7 * strip.weight());
    const double a = catenary_parameter(length);
    const double sag = a * (std::cosh(0.5 / a) - 1.0);
    double lowest = 0.0;
    for (Eigen::Index i = 1; i < q.size(); i += 3) lowest = std::min(lowest, q[i]);
    // 60 segments: a polygon of n sides sags by order 1 / n^2 differently, 3e-4.
    CHECK(-lowest == doctest::Approx(sag).epsilon(1e-3));

    // The horizontal part of the tension, (weight / length) a, is the same all along. The pinned
    // end carries what the springs pull with.
    const VectorXd still = VectorXd::Zero(q.size());
    const VectorXd f = one.forces({.gravity = {0.0, -g, 0.0}}, {q, still});
    CHECK(f[0] + f[3] == doctest::Approx(strip.weight() / length * a).epsilon(1e-3));
  }
}

TEST_CASE("cloth in the wind ends up as fast as the wind")
{
  ClothOptions options;
  options.surface = make_cloth(1.0, 1.0, 3, 3);
  options.springs = grid_springs(options.surface, 3, 3, {});
  options.drag = 2.0;
  const OneBody one(make_cloth_body("cloth", options));
  const Vector3d wind(3.0, 1.0, -2.0);
  BodyState state = one.start();
  const double h = 0.1, lag = options.area_density / options.drag;  // s
  for (int k = 1; k <= 20; ++k) {
    state = one.step({.dt = h, .wind = wind}, state);
    // Backward Euler on v' = (wind - v) / lag.
    const Vector3d expected = (1.0 - std::pow(1.0 + h / lag, -k)) * wind;
    for (int i = 0; i < one.body().node_count(); ++i)
      REQUIRE((state.v.segment<3>(3 * i) - expected).norm() < 1e-12);
  }
}
