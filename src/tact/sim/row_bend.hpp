// Rows that follow the turn. A row believes that points move by dt J v; bodies that keep their
// shape turn by finite rotations and leave that straight line by r (omega dt)^2 / 2. What the
// motion does otherwise than the row believes is added to its bias:
//
//   way  = F' sum_k w_k (x_k(end) - x_k(start)) / dt         F = (n, t1, t2)
//   lin  = J v + known
//   bend = way - lin;   bend_n = (g(end) - g(start)) / dt - lin_n
//
// g(end) is taken along the normal that the features have at the end: that of the face, or across
// both edges. Where the pair has left them by then, or a joint holds the two bodies, it may only
// give room; what has left is as far apart then as its features are from the other body. So a row
// speaks of where things are after the step, and what rides on a turning table does not creep
// outwards by omega^2 r dt / 2. Vertices of meshes move on straight lines, and meshes give way:
// rows with one stay as they are.
#pragma once

#include <span>
#include <vector>

#include <tact/sim/contact_rows.hpp>
#include <tact/sim/corner_rows.hpp>
#include <tact/sim/end_room.hpp>

namespace tact {

struct BendOptions {
  double dt = 0.0;                      // s
  double tolerance = 0.0;               // m/s, of the solver
  double delta = 0.0;                   // m
  const CornerRows* corners = nullptr;  // null: no groups of sides
};

// The motion that rows are held against: of nodes and of surface vertices.
struct SolvedMotion {
  std::span<const Vector3d> x0, x1;
  const ContactSolution* solution = nullptr;
};

// Sets the bias of all rows between bodies that keep their shape. True: some that push, or that
// are crossed now, changed by enough to solve again. Takes its restitution from what only passes.
bool bend_rows(const World& world, std::span<ContactRecord> records, const SolvedMotion& motion,
               const BendOptions& options, EndRoom& room, ContactProblem& problem);

}  // namespace tact
