// [Otaduy09] fig. 2. Three points a, b, c of 0.1 kg with springs (a, b) and (b, c) and a torsional
// one at b; c has gone into a wall. A local response moves c alone back along the normal; a global
// one solves A x = n lambda with the matrix of the implicit step, and so moves b and a, too.
#include <bench/ica.hpp>

#include <cmath>

#include <Eigen/Dense>

#include <tact/core/types.hpp>

namespace tact {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

constexpr double stretch = 1000.0;       // N/m
constexpr double mass = 0.1;             // kg a point
constexpr double step_of_sticks = 0.03;  // s
constexpr double depth = 0.05;           // m: of c in the wall

struct BentStick {
  double bend;  // N m
  Vector6 rest;

  static double angle(const Vector6& q)
  {
    const Vector2d in = q.segment<2>(2) - q.head<2>(), out = q.tail<2>() - q.segment<2>(2);
    return std::atan2(in.x() * out.y() - in.y() * out.x(), in.dot(out));
  }

  double energy(const Vector6& q) const
  {
    double sum = 0.5 * bend * std::pow(angle(q) - angle(rest), 2);
    for (const int k : {0, 2}) {
      const double length = (q.segment<2>(k + 2) - q.segment<2>(k)).norm();
      const double at_rest = (rest.segment<2>(k + 2) - rest.segment<2>(k)).norm();
      sum += 0.5 * stretch * std::pow(length - at_rest, 2);
    }
    return sum;
  }

  // Second differences: the energy is smooth there, and 1e-4 m loses half of the digits.
  Matrix6 stiffness() const
  {
    constexpr double e = 1e-4;
    Matrix6 K;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        const auto at = [&](double a, double b) {
          return energy(rest + a * e * Vector6::Unit(i) + b * e * Vector6::Unit(j));
        };
        K(i, j) = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4.0 * e * e);
      }
    return K;
  }
};

}  // namespace

std::vector<ResponseRow> measure_responses()
{
  std::vector<ResponseRow> rows;
  for (const double bend : {0.1, 1.0, 10.0, 100.0}) {
    BentStick stick{.bend = bend, .rest = {}};
    stick.rest << 0.0, 0.0, 0.2, 0.1, 0.4, 0.0;
    const Vector6 normal = Vector6::Unit(5);  // c up, out of the wall
    const Matrix6 A =
        mass * Matrix6::Identity() + step_of_sticks * step_of_sticks * stick.stiffness();
    const Vector6 answer = A.ldlt().solve(normal);
    const Vector6 local = stick.rest + depth * normal;
    const Vector6 global = stick.rest + depth / answer.dot(normal) * answer;
    rows.push_back({.bend_stiffness = bend,
                    .before = stick.energy(stick.rest),
                    .local = stick.energy(local),
                    .global = stick.energy(global)});
  }
  return rows;
}

}  // namespace tact
