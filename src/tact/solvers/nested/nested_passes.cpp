// Passes on islands with nodal components: products with A outside, sweeps over contacts inside.
#include <algorithm>
#include <cmath>

#include <tact/core/stop.hpp>
#include <tact/solvers/nested/nested_island.hpp>

namespace tact {
namespace {

using Map3 = Eigen::Map<Vector3d>;
using ConstMap3 = Eigen::Map<const Vector3d>;

constexpr int first_patience = 30;  // passes without a better answer before something else is tried
constexpr int last_patience = 150;  // the same of what is tried last; more where many may be made
constexpr double held_share = 0.3;  // of the way to the new bound, a pass
constexpr int held_sweeps = 16;     // a pass, in the accelerated scheme, before bounds are held
constexpr int most_sweeps = 64;     // a pass, without friction
constexpr int first_correction = 20;  // pass; most solves are done before, without
constexpr int look_period = 3;  // Gauss-Seidel passes between two looks: a look costs a product

// The factor of Nesterov's extrapolation y = x + beta (x - x_old), pass by pass.
struct Extrapolation {
  double theta = 1.0;
  double beta = 0.0;

  void restart() { *this = {}; }
  void advance()
  {
    const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta * theta));
    beta = (theta - 1.0) / next;
    theta = next;
  }
};

// How passes are made, and what is tried next when they do not get on.
struct PassPlan {
  NestedScheme scheme;
  int sweeps;  // a pass
  int max_passes;
  bool friction;
  bool wholes = false;  // components move as a whole, too
  bool held = false;    // bounds of friction are held

  int patience() const
  {
    const bool hurried = scheme == NestedScheme::accelerated && !held;
    return hurried ? first_patience : std::max(last_patience, max_passes / 20);
  }

  // False: nothing is left to try. Wholes come first, where they are not on already. Sweeps that
  // leave too much undone hold the accelerated scheme up: then more of them are made. Where
  // friction goes in circles, bounds that follow slowly end it. The last are plain passes.
  bool try_next()
  {
    const bool accelerated = scheme == NestedScheme::accelerated;
    if (accelerated && !wholes) return wholes = true;
    if (accelerated && sweeps < (friction ? held_sweeps : most_sweeps)) {
      sweeps *= 2;
      return true;
    }
    if (friction && !held) return held = true;
    if (!accelerated) return false;
    held = false;
    scheme = NestedScheme::gauss_seidel;
    return true;
  }
};

}  // namespace

// m/s. Impulses whose bounds are held may lie outside of their cones: what is good is cut first.
double NestedIsland::residual_of_pass(bool held)
{
  const double worst = std::max(find_momentum(), natural());
  if (!held || worst > options->tolerance) return worst;
  cut_to_cones();
  return std::max(find_momentum(), natural());
}

void NestedIsland::run_passes()
{
  PassPlan plan{.scheme = options->scheme,
                .sweeps = options->sweeps_per_pass,
                .max_passes = options->max_passes,
                .friction = has_friction(),
                .wholes = wholes};
  Extrapolation extrapolation;
  BestAnswer best;
  const int newton_at = newton_pass();
  for (;; ++report.passes) {
    end_if_stopped();
    if (report.passes == newton_at && !slides_much() && !pinches_much()) {
      solve_by_newton();
      extrapolation.restart();
    }
    const bool last = report.passes == options->max_passes;
    const bool looked =
        last || plan.scheme != NestedScheme::gauss_seidel || report.passes % look_period == 0;
    if (looked) {
      look(residual_of_pass(plan.held), report.passes, best);
    }
    if (best.worst <= options->tolerance) report.status = SolveStatus::converged;
    const bool enough = report.passes >= std::min(options->min_passes, options->max_passes);
    if (last || (enough && best.worst <= options->tolerance)) break;
    if (report.passes - best.found_at > plan.patience()) {
      const PassPlan before = plan;
      if (!plan.try_next()) {
        report.status = SolveStatus::stalled;
        break;
      }
      best.found_at = report.passes;
      extrapolation.restart();
      if (plan.wholes != before.wholes) {
        wholes = true;
        load_blocks();
      }
      if (plan.sweeps == before.sweeps) begin_again(plan.scheme);
    }

    if (plan.held) sweep.hold_bounds(range(), lambda.data(), held_share);
    if (plan.scheme == NestedScheme::accelerated) extrapolate(extrapolation.beta);
    if (looked && plan.wholes && plan.scheme == NestedScheme::gauss_seidel) balance_wholes();
    if (plan.scheme == NestedScheme::ica) predict();
    make_sweeps(plan.sweeps);
    if (options->correct_bodies && report.passes >= first_correction) {
      if (report.passes == first_correction) load_coupling();
      correct_bodies();
    }
    if (plan.wholes) share_wholes();
    find_force();
    if (plan.scheme == NestedScheme::ica) forget_prediction();
    if (plan.scheme != NestedScheme::accelerated) {
      gauss_seidel();
    } else if (turned_back()) {
      extrapolation.restart();
    } else {
      extrapolation.advance();
    }
  }
  restore_best();
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

// x := x + D^-1 (J' lambda - A x), the Jacobi step by which contacts are anticipated, eq. (9).
void NestedIsland::predict()
{
  std::copy(state.begin(), state.end(), old_state.begin());
  for_parts([&](int component, const Part& part, int at) {
    if (part.treatment == Treatment::exact) return;
    add_response(*problem->A[component].pattern, part, at, Vector3d::Zero());
  });
}

void NestedIsland::forget_prediction()
{
  for_parts([&](int, const Part& part, int at) {
    if (part.treatment == Treatment::exact) return;
    std::copy_n(old_state.begin() + at, 3 * part.nodes, state.begin() + at);
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
