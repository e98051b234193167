// The second-order cone L = { x_0 >= |x_1| } and what interior points want of it.
//
// Jordan product   a o b = (a.b, a_0 b_1 + b_0 a_1),  unit (1, 0)
// NT scaling       of y, z inside L: the symmetric N with l = N z = N^-1 y
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/contact/law.hpp>

namespace tact::lorentz {

template <int D>
double determinant(const ContactVector<D>& x)
{
  const double t = x.template tail<D - 1>().norm();
  return (x[0] - t) * (x[0] + t);
}

template <int D>
ContactVector<D> product(const ContactVector<D>& a, const ContactVector<D>& b)
{
  ContactVector<D> c;
  c[0] = a.dot(b);
  c.template tail<D - 1>() = a[0] * b.template tail<D - 1>() + b[0] * a.template tail<D - 1>();
  return c;
}

// x with l o x = d.
template <int D>
ContactVector<D> quotient(const ContactVector<D>& l, const ContactVector<D>& d)
{
  const auto l_1 = l.template tail<D - 1>();
  const auto d_1 = d.template tail<D - 1>();
  ContactVector<D> x;
  x[0] = (l[0] * d[0] - l_1.dot(d_1)) / determinant<D>(l);
  x.template tail<D - 1>() = (d_1 - x[0] * l_1) / l[0];
  return x;
}

// The largest a with x + a d in L, for x inside; infinite where the ray never leaves.
template <int D>
double longest_step(const ContactVector<D>& x, const ContactVector<D>& d)
{
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto x_1 = x.template tail<D - 1>();
  const auto d_1 = d.template tail<D - 1>();
  // det(x + a d) = A a^2 + 2 B a + C; C > 0, and the first positive root is sought.
  const double A = d[0] * d[0] - d_1.squaredNorm();
  const double B = x[0] * d[0] - x_1.dot(d_1);
  const double C = determinant<D>(x);
  if (C <= 0.0) return 0.0;
  const double discriminant = B * B - A * C;
  double step = never;
  if (A < 0.0 || (B < 0.0 && discriminant >= 0.0)) {
    const double root = std::sqrt(std::max(0.0, discriminant));
    const double found = B <= 0.0 ? C / (root - B) : (-B - root) / A;
    if (found >= 0.0) step = found;
  }
  return d[0] < 0.0 ? std::min(step, -x[0] / d[0]) : step;
}

template <int D>
struct Scaling {
  ContactMatrix<D> N, inverse;
  ContactVector<D> l;
};

template <int D>
Scaling<D> scaling(const ContactVector<D>& y, const ContactVector<D>& z)
{
  const double root_y = std::sqrt(determinant<D>(y));
  const double root_z = std::sqrt(determinant<D>(z));
  const ContactVector<D> unit_y = y / root_y;
  ContactVector<D> unit_z = z / root_z;
  const double gamma = std::sqrt(0.5 * (1.0 + unit_y.dot(unit_z)));
  unit_z.template tail<D - 1>() *= -1.0;
  const ContactVector<D> w = (unit_y + unit_z) / (2.0 * gamma);
  const auto w_1 = w.template tail<D - 1>();
  const double eta = std::sqrt(root_y / root_z);
  Scaling<D> s;
  ContactMatrix<D>& N = s.N;
  N(0, 0) = w[0];
  N.template block<1, D - 1>(0, 1) = w_1.transpose();
  N.template block<D - 1, 1>(1, 0) = w_1;
  N.template block<D - 1, D - 1>(1, 1) = w_1 * w_1.transpose() / (1.0 + w[0]);
  N.template block<D - 1, D - 1>(1, 1).diagonal().array() += 1.0;
  s.inverse = N / eta;
  s.inverse.template block<1, D - 1>(0, 1) *= -1.0;
  s.inverse.template block<D - 1, 1>(1, 0) *= -1.0;
  N *= eta;
  s.l = N * z;
  return s;
}

}  // namespace tact::lorentz
