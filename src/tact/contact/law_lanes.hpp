// The contact law (law.hpp) for one contact a lane: the same answers to round-off. Without
// branches: a lane that is done waits for the others.
#pragma once

#include <cmath>
#include <cstdint>

#include <tact/contact/law.hpp>
#include <tact/linalg/lane_tuple.hpp>

namespace tact {

using LaneMask = decltype(Lanes{} > Lanes{});

inline bool every(LaneMask mask)
{
  std::int64_t all = -1;
  for (int k = 0; k < lane_width; ++k) all &= mask[k];
  return all != 0;
}

inline Lanes larger(Lanes a, Lanes b)
{
  return a > b ? a : b;
}

inline Lanes cut(Lanes x, Lanes bound)
{
  const Lanes below = x < bound ? x : bound;
  return larger(below, -bound);
}

inline Lanes root(Lanes x)
{
  for (int k = 0; k < lane_width; ++k) x[k] = std::sqrt(x[k]);
  return x;
}

// Symmetric: 00, 11, 22, 01, 02, 12.
using SymmetricLanes = LaneTuple<6>;

inline LaneTuple<3> times(const SymmetricLanes& S, const LaneTuple<3>& x)
{
  return {{S[0] * x[0] + S[3] * x[1] + S[4] * x[2], S[3] * x[0] + S[1] * x[1] + S[5] * x[2],
           S[4] * x[0] + S[5] * x[1] + S[2] * x[2]}};
}

struct LocalLanes {
  LaneTuple<3> u_0;
  SymmetricLanes S;
  Lanes mu;
  FrictionLaw law;

  Lanes normal_step() const { return 1.0 / S[0]; }
  Lanes tangent_step() const
  {
    const Lanes half = 0.5 * (S[1] - S[2]);
    return 1.0 / (0.5 * (S[1] + S[2]) + root(half * half + S[5] * S[5]));
  }
};

// The tangents of a visit, as relax() of law.hpp: with the bound that next[0] gives.
inline void relax_tangents(const LocalLanes& contact, Lanes tangent_step, const LaneTuple<3>& u,
                           const LaneTuple<3>& lambda, LaneTuple<3>& next)
{
  const Lanes bound = contact.mu * next[0];
  if (contact.law == FrictionLaw::pyramid) {
    next[1] = cut(lambda[1] - u[1] / contact.S[1], bound);
    const Lanes u_2 = u[2] + contact.S[5] * (next[1] - lambda[1]);
    next[2] = cut(lambda[2] - u_2 / contact.S[2], bound);
    return;
  }
  for (int k = 1; k < 3; ++k) next[k] = lambda[k] - u[k] * tangent_step;
  const Lanes squared = next[1] * next[1] + next[2] * next[2];
  const Lanes scale = squared > bound * bound ? bound / root(squared) : broadcast(1.0);
  next[1] *= scale;
  next[2] *= scale;
}

// Lanes that are done keep their lambda.
inline LaneTuple<3> solve_locally(const LocalLanes& contact, LaneTuple<3> lambda, LaneMask done)
{
  constexpr int most_passes = 30;
  constexpr double accuracy = 1e-13;
  const Lanes normal_step = contact.normal_step(), tangent_step = contact.tangent_step();
  const SymmetricLanes& S = contact.S;
  for (int pass = 0; pass < most_passes && !every(done); ++pass) {
    LaneTuple<3> u = times(S, lambda), next;
    for (int k = 0; k < 3; ++k) u[k] += contact.u_0[k];
    next[0] = larger(lambda[0] - u[0] * normal_step, Lanes{});
    const Lanes change = next[0] - lambda[0];
    u[1] += S[3] * change;
    u[2] += S[4] * change;
    relax_tangents(contact, tangent_step, u, lambda, next);
    Lanes moved = {}, size = {};
    for (int k = 0; k < 3; ++k) {
      const Lanes difference = next[k] - lambda[k];
      moved += difference * difference;
      size += next[k] * next[k];
      lambda[k] = done ? lambda[k] : next[k];
    }
    done |= moved <= accuracy * accuracy * size;
  }
  return lambda;
}

// Rows 1 and 2 of the derivative of the cone's clamp at y; row 0 is (1, 0, 0).
struct ClampLanes {
  Lanes row[2][3] = {};
};
inline ClampLanes clamp_derivative(const LaneTuple<3>& y, Lanes mu, FrictionLaw law)
{
  const Lanes one = broadcast(1.0), bound = mu * y[0];
  const LaneMask rubs = mu > 0.0;
  ClampLanes C;
  if (law == FrictionLaw::pyramid) {
    for (int k = 0; k < 2; ++k) {
      const Lanes t = y[k + 1];
      const LaneMask sticks = rubs & (t <= bound) & (-t <= bound);
      C.row[k][0] = sticks ? Lanes{} : (t < 0.0 ? -mu : mu);
      C.row[k][k + 1] = sticks ? one : Lanes{};
    }
    return C;
  }
  const Lanes length = root(y[1] * y[1] + y[2] * y[2]);
  const LaneMask sticks = rubs & (length <= bound);
  const Lanes per_length = 1.0 / (length > 0.0 ? length : one);
  const Lanes d[2] = {y[1] * per_length, y[2] * per_length}, shrink = bound * per_length;
  for (int i = 0; i < 2; ++i) {
    C.row[i][0] = sticks ? Lanes{} : mu * d[i];
    for (int j = 0; j < 2; ++j) {
      const Lanes unit = i == j ? one : Lanes{};
      C.row[i][j + 1] = sticks ? unit : shrink * (unit - d[i] * d[j]);
    }
  }
  return C;
}

// H of differentiate_locally(), row by row; 0 in lanes that are open.
inline LaneTuple<9> differentiate_locally(const LocalLanes& contact, const LaneTuple<3>& lambda,
                                          LaneMask open)
{
  const Lanes step[3] = {contact.normal_step(), contact.tangent_step(), contact.tangent_step()};
  const SymmetricLanes& S = contact.S;
  const Lanes S_full[3][3] = {{S[0], S[3], S[4]}, {S[3], S[1], S[5]}, {S[4], S[5], S[2]}};
  LaneTuple<3> u = times(S, lambda), y;
  for (int k = 0; k < 3; ++k) y[k] = lambda[k] - step[k] * (u[k] + contact.u_0[k]);
  open |= !(y[0] > 0.0);
  const ClampLanes C = clamp_derivative(y, contact.mu, contact.law);
  Lanes stepped[3][3] = {{step[0], Lanes{}, Lanes{}}, {}, {}};  // C diag(step)
  Lanes M[3][3];                                                // I - C + stepped S
  for (int j = 0; j < 3; ++j) M[0][j] = step[0] * S_full[0][j];
  for (int i = 1; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) stepped[i][j] = C.row[i - 1][j] * step[j];
    for (int j = 0; j < 3; ++j) {
      M[i][j] = (i == j ? 1.0 : 0.0) - C.row[i - 1][j] + stepped[i][0] * S_full[0][j] +
                stepped[i][1] * S_full[1][j] + stepped[i][2] * S_full[2][j];
    }
  }
  Lanes adjugate[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int r = (j + 1) % 3, s = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      adjugate[i][j] = M[r][c] * M[s][d] - M[r][d] * M[s][c];
    }
  }
  const Lanes determinant =
      M[0][0] * adjugate[0][0] + M[0][1] * adjugate[1][0] + M[0][2] * adjugate[2][0];
  const Lanes scale = open ? Lanes{} : 1.0 / determinant;
  LaneTuple<9> H;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Lanes entry = adjugate[i][0] * stepped[0][j] + adjugate[i][1] * stepped[1][j] +
                          adjugate[i][2] * stepped[2][j];
      H[3 * i + j] = open ? Lanes{} : scale * entry;
    }
  }
  return H;
}

}  // namespace tact
