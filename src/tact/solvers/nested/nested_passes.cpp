// Passes on islands with nodal components: products with A outside, sweeps over contacts inside.
#include <algorithm>
#include <cmath>

#include <tact/core/stop.hpp>
#include <tact/solvers/nested/nested_island.hpp>

namespace tact {
namespace {

using Map3 = Eigen::Map<Vector3d>;
using ConstMap3 = Eigen::Map<const Vector3d>;

constexpr double held_share = 0.3;    // of the way to the new bound, a pass
constexpr int first_correction = 20;  // pass; most solves are done before, without
constexpr int look_period = 3;  // Gauss-Seidel passes between two looks: a look costs a product

}  // namespace

namespace method {

const IslandMethod first_passes = {
    "first passes",
    [](NestedIsland& own, int) { own.run_passes(own.newton_pass()); },
};
const IslandMethod passes = {
    "passes",
    [](NestedIsland& own, int) { own.run_passes(-1); },
};

}  // namespace method

// m/s. Impulses whose bounds are held may lie outside of their cones: what is good is cut first.
double NestedIsland::residual_of_pass(bool held)
{
  const double worst = std::max(find_momentum(), natural());
  if (!held || worst > options->tolerance) return worst;
  cut_to_cones();
  return std::max(find_momentum(), natural());
}

void NestedIsland::run_passes(int until)
{
  if (!passing) {
    const PassManner first{.scheme = options->scheme,
                           .max_passes = options->max_passes,
                           .friction = has_friction(),
                           .wholes = wholes};
    passing = {.manner = first, .extrapolation = {}};
  }
  for (; report.passes != until; ++report.passes) {
    end_if_stopped();
    const PassManner& manner = passing->manner;
    const bool last = report.passes == options->max_passes;
    const bool looked =
        last || manner.scheme != NestedScheme::gauss_seidel || report.passes % look_period == 0;
    if (looked) look(residual_of_pass(manner.held), report.passes);
    if (last || reached(Goal::tolerance)) return;
    if (report.passes - best.found_at > manner.patience() && !try_next_manner()) {
      report.status = SolveStatus::stalled;
      return;
    }
    make_pass(looked);
  }
}

// False: nothing is left to try.
bool NestedIsland::try_next_manner()
{
  PassManner& manner = passing->manner;
  const PassManner before = manner;
  if (!manner.try_next()) return false;
  best.found_at = report.passes;
  passing->extrapolation.restart();
  if (manner.wholes != before.wholes) {
    wholes = true;
    load_blocks();
  }
  if (manner.sweeps == before.sweeps) begin_again(manner.scheme);
  return true;
}

void NestedIsland::make_pass(bool looked)
{
  const PassManner& manner = passing->manner;
  Extrapolation& extrapolation = passing->extrapolation;
  const bool accelerated = manner.scheme == NestedScheme::accelerated;
  if (manner.held) sweep.hold_bounds(range(), lambda.data(), held_share);
  if (accelerated) extrapolate(extrapolation.beta);
  if (looked && manner.wholes && !accelerated) balance_wholes();
  make_sweeps(manner.sweeps);
  if (options->correct_bodies && report.passes >= first_correction) {
    if (report.passes == first_correction) load_coupling();
    correct_bodies();
  }
  if (manner.wholes) share_wholes();
  find_force();
  if (!accelerated) {
    gauss_seidel();
  } else if (turned_back()) {
    extrapolation.restart();
  } else {
    extrapolation.advance();
  }
}

bool NestedIsland::has_friction() const
{
  return std::any_of(sweep.contacts.begin(), sweep.contacts.end(),
                     [](const SweepContact& contact) { return contact.mu > 0.0; });
}

// Bounds that are held may lag behind; an answer must not.
void NestedIsland::cut_to_cones()
{
  for (int c = 0; c < size(); ++c) {
    Map3 lambda_c(lambda.data() + 3 * c);
    lambda_c = clamp_to_cone(lambda_c, sweep.contacts[c].mu, sweep.law);
  }
  find_response();
}

// From the best answer so far.
void NestedIsland::begin_again(NestedScheme scheme)
{
  restore_best();
  sweep.release_bounds(range());
  if (scheme == NestedScheme::gauss_seidel) {
    for_parts([](int, Part& part, int) { part.om = 1.0; });
    load_blocks();
    if (coupled) load_coupling();
  }
  find_response();
  find_momentum();
}

// dual := A x, residual := J' lambda - A x. Returns what Residuals::momentum is.
double NestedIsland::find_momentum()
{
  MomentumSum sum;
  for_parts([&](int component, const Part& part, int at) {
    if (part.treatment == Treatment::exact) {
      sum.bodies += part.bodies;
      std::copy_n(force.begin() + at, part.compliance.slots(), dual.begin() + at);
      return;
    }
    const BlockMatrix& A = problem->A[component];
    for_row_chunks(*A.pattern, [&](RowChunk rows) {
      multiply_rows(A, rows, state.data() + at, dual.data() + at);
      for (int i = at + 3 * rows.first; i < at + 3 * rows.last; ++i) {
        residual[i] = force[i] - dual[i];
      }
    });
    chunk_sums.assign(chunk_count(part.nodes), {});
    for_row_chunks(*A.pattern, [&](RowChunk rows) {
      MomentumError of_chunk;
      for (int i = rows.first; i < rows.last; ++i) {
        of_chunk.add(all->D, part.first_node + i, residual.data() + at + 3 * i);
      }
      chunk_sums[rows.index] = of_chunk;
    });
    MomentumError whole;
    for (const MomentumError& of_chunk : chunk_sums) whole.add(of_chunk);
    sum.add(whole);
  });
  return sum.value();
}

// x := y + P^-1 (J' lambda - A y) with y = x + beta (x - x_old); dual := A y, without a product.
// Exact components answer to lambda alone: their state stays as it is.
void NestedIsland::extrapolate(double beta)
{
  for_parts([&](int component, const Part& part, int at) {
    const bool exact = part.treatment == Treatment::exact;
    const auto shift = [&](int first, int last) {
      for (int i = at + first; i < at + last; ++i) {
        const double x = state[i], Ax = dual[i];
        dual[i] += beta * (Ax - old_dual[i]);
        if (!exact) state[i] += beta * (x - old_state[i]);
        residual[i] = force[i] - dual[i];
        old_dual[i] = Ax;
        old_state[i] = x;
      }
    };
    if (exact) return shift(0, part.compliance.slots());
    const BlockPattern& pattern = *problem->A[component].pattern;
    for_row_chunks(pattern, [&](RowChunk rows) { shift(3 * rows.first, 3 * rows.last); });
    add_response(pattern, part, at, wholes ? whole_response(part, at) : Vector3d(Vector3d::Zero()));
  });
}

// x += P^-1 residual, the response of the part as a whole being `shift`
void NestedIsland::add_response(const BlockPattern& pattern, const Part& part, int at,
                                const Vector3d& shift)
{
  for_row_chunks(pattern, [&](RowChunk rows) {
    for (int i = rows.first; i < rows.last; ++i) {
      const int node = part.first_node + i, k = at + 3 * i;
      Map3(state.data() + k) += all->D.solve(node, residual.data() + k) / part.om;
      if (!all->D.turns(node)) Map3(state.data() + k) += shift;
    }
  });
}

// One pass on A x = J' lambda, block by block: eq. (12).
void NestedIsland::gauss_seidel()
{
  for_parts([&](int component, const Part& part, int at) {
    if (part.treatment == Treatment::exact) return;
    const BlockMatrix& A = problem->A[component];
    double* x = state.data() + at;
    for (int i = 0; i < part.nodes; ++i) {
      const bool two_nodes = all->D.partner(part.first_node + i) >= 0;
      Vector6d r;  // of the node, or of the two nodes of a rigid body
      for (int k = 0; k <= (two_nodes ? 1 : 0); ++k) {
        multiply_rows(A, {.first = i + k, .last = i + k + 1}, x, dual.data() + at);
        const int entry = at + 3 * (i + k);
        r.segment<3>(3 * k) = ConstMap3(force.data() + entry) - ConstMap3(dual.data() + entry);
      }
      Map3(x + 3 * i) += all->D.solve(part.first_node + i, r.data());
      if (!two_nodes) continue;
      ++i;
      Map3(x + 3 * i) += all->D.solve(part.first_node + i, r.data() + 3);
    }
  });
}

// Whether the pass went against the direction of extrapolation: (y - x+)' P (x+ - x) > 0, with
// P (x+ - y) = J' lambda+ - A y.                                  [O'Donoghue and Candes 2015]
bool NestedIsland::turned_back() const
{
  double slope = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    slope += (dual[i] - force[i]) * (state[i] - old_state[i]);
  }
  return slope > 0.0;
}

}  // namespace tact
