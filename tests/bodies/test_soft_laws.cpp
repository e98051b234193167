// Closed forms of bars and beams.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <tact/bodies/soft_solid.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>

#include "soft_equilibrium.hpp"

using namespace tact;

namespace {

constexpr double gravity = 9.81;  // m/s^2

std::vector<bool> nodes_at(const TetMesh& mesh, int axis, double place)
{
  std::vector<bool> found;
  for (const Vector3d& p : mesh.positions) found.push_back(std::abs(p[axis] - place) < 1e-9);
  return found;
}

Vector3d mean_move(const TetMesh& mesh, const VectorXd& q, const std::vector<bool>& nodes)
{
  Vector3d sum = Vector3d::Zero();
  int count = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i]) continue;
    sum += q.segment<3>(static_cast<Eigen::Index>(3 * i)) - mesh.positions[i];
    ++count;
  }
  return sum / count;
}

struct Beam {
  double length = 4.0, thickness = 0.5;  // m, square section, along x
  double young = 1e7, poisson = 0.3, density = 1000.0;

  double area() const { return thickness * thickness; }
  double moment() const { return std::pow(thickness, 4) / 12.0; }  // I, m^4
  double shear_stiffness() const { return 5.0 / 6.0 * young / (2.0 * (1.0 + poisson)) * area(); }
};

// How far the tip of a clamped beam of n x n cells sinks, under its weight or a force at the tip.
double deflection(const Beam& beam, int n, double g, double tip_force)
{
  SoftOptions options;
  const int along = static_cast<int>(std::lround(n * beam.length / beam.thickness));
  options.mesh = make_tet_box({beam.length, beam.thickness, beam.thickness}, {along, n, n});
  options.young = beam.young;
  options.poisson = beam.poisson;
  options.density = beam.density;
  const std::unique_ptr<Body> body = make_soft_body("beam", options);
  const std::vector<bool> tip = nodes_at(options.mesh, 0, 0.5 * beam.length);
  VectorXd load = VectorXd::Zero(body->v_size());
  const auto tip_nodes = static_cast<double>(std::count(tip.begin(), tip.end(), true));
  for (std::size_t i = 0; i < tip.size(); ++i)
    if (tip[i]) load[static_cast<Eigen::Index>(3 * i + 1)] = -tip_force / tip_nodes;
  const VectorXd q =
      soft_equilibrium(*body, {0, -g, 0}, load, nodes_at(options.mesh, 0, -0.5 * beam.length));
  return -mean_move(options.mesh, q, tip)[1];
}

struct Refinement {
  double coarse, middle, fine;  // n, 2 n, 4 n
  // Linear tetrahedra are too stiff by a factor 1 + c h^2, so it is 1 / deflection that is
  // followed.
  double order() const { return std::log2((1 / coarse - 1 / middle) / (1 / middle - 1 / fine)); }
  double limit() const { return 1 / (1 / fine - (1 / middle - 1 / fine) / 3.0); }  // second order
};

void check_refinement(const Refinement& found, double theory)
{
  CHECK(found.coarse < found.middle);
  CHECK(found.middle < found.fine);
  CHECK(found.fine < theory);
  CHECK(found.order() == doctest::Approx(2.0).epsilon(0.1));
  // Beam theory leaves out the clamped end's grip on the section, about thickness / length / 10.
  CHECK(found.limit() == doctest::Approx(theory).epsilon(0.02));
}

}  // namespace

TEST_CASE("a bar that hangs stretches by rho g L^2 / 2E on regular and irregular meshes")
{
  SoftOptions options;
  options.mesh = make_tet_box({0.1, 2.0, 0.1}, {2, 30, 2});
  options.young = 1e7;
  options.poisson = 0.3;
  const double expected = options.density * gravity * 4.0 / (2.0 * options.young);
  Random random(1);
  for (const double shake : {0.0, 0.01}) {
    CAPTURE(shake);
    for (Vector3d& p : options.mesh.positions)
      if (std::abs(p[1]) < 0.99) p[1] += random.uniform(-shake, shake);
    const std::unique_ptr<Body> body = make_soft_body("bar", options);
    const VectorXd q = soft_equilibrium(*body, {0, -gravity, 0}, VectorXd::Zero(body->v_size()),
                                        nodes_at(options.mesh, 1, 1.0));
    CHECK(-mean_move(options.mesh, q, nodes_at(options.mesh, 1, -1.0))[1] ==
          doctest::Approx(expected).epsilon(0.01));
  }
}

TEST_CASE("a cantilever with a force at its tip sinks to P L^3 / 3EI from above with h^2")
{
  const Beam beam;
  const double P = 10.0;
  const double theory = P * std::pow(beam.length, 3) / (3.0 * beam.young * beam.moment()) +
                        P * beam.length / beam.shear_stiffness();
  check_refinement(
      {deflection(beam, 2, 0, P), deflection(beam, 4, 0, P), deflection(beam, 8, 0, P)}, theory);
}

TEST_CASE("a cantilever under its own weight sinks to w L^4 / 8EI from above with h^2")
{
  Beam beam;
  beam.young = 1e9;
  const double w = beam.density * gravity * beam.area();
  const double theory = w * std::pow(beam.length, 4) / (8.0 * beam.young * beam.moment()) +
                        w * std::pow(beam.length, 2) / (2.0 * beam.shear_stiffness());
  check_refinement({deflection(beam, 2, gravity, 0), deflection(beam, 4, gravity, 0),
                    deflection(beam, 8, gravity, 0)},
                   theory);
}
