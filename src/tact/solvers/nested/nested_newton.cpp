// Newton's method on islands whose passes get on slowly.
#include <algorithm>
#include <cmath>

#include <tact/solvers/nested/nested_island.hpp>

namespace tact {
namespace {

constexpr int most_nodes = 20000;  // of an island: beyond, factors are too large
constexpr int first_newton_pass = 8;
// Products of 3 x 3 blocks in one factorisation of a mesh in space, over n^1.75; of cloth it is
// less.
constexpr double factor_work = 18.0;
// A product of blocks in a pass takes as long as so many in a factorisation, and one of a contact
// in a sweep as long as so many of these.
constexpr double pass_cost = 10.0, sweep_cost = 6.0;
// Of the contacts that push: where more slide, Newton's method takes many steps.
constexpr double most_sliding = 0.6;
// Of the nodes that something touches: where more are held from two sides their pressure is not
// determined, and Newton's method does not come to an end.
constexpr double most_pinched = 0.1;

}  // namespace

namespace method {

const IslandMethod velocity_newton = {
    "Newton's method in the velocities",
    [](NestedIsland& own, int) {
      const bool asked = own.newton_pass() >= 0 && own.report.passes < own.options->max_passes;
      if (asked && !own.slides_much() && !own.pinches_much()) own.solve_by_newton();
    },
};

}  // namespace method

// Passes go on until they have cost as much as one factorisation: a quarter, or so, of what
// Newton's method costs.
int NestedIsland::newton_pass() const
{
  double nodes = 0.0, products = 0.0;
  for_parts([&](int component, const Part& part, int) {
    nodes += part.nodes;
    if (part.treatment == Treatment::nodal)
      products += problem->A[component].pattern->block_count();
  });
  if (nodes > most_nodes) return -1;
  for (int c = 0; c < size(); ++c) {
    const SweepContact& contact = sweep.contacts[c];
    for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s)
      products += sweep_cost * PassManner::usual_sweeps *
                  (sweep.sides[s].blocks + (sweep.sides[s].spare ? 1 : 0));
  }
  const double passes = factor_work * std::pow(nodes, 1.75) / (pass_cost * products);
  return first_newton_pass + static_cast<int>(std::min(passes, 1e6));
}

// As the best answer so far has it.
bool NestedIsland::slides_much() const
{
  constexpr double at_bound = 1.0 - 1e-6;
  int pushing = 0, sliding = 0;
  for (int c = 0; c < size(); ++c) {
    const Eigen::Map<const Vector3d> kept(best_lambda.data() + 3 * c);
    const double bound = sweep.contacts[c].mu * kept[0];
    if (!(kept[0] > 0.0)) continue;
    ++pushing;
    if (bound > 0.0 && kept.tail<2>().norm() >= at_bound * bound) ++sliding;
  }
  return sliding > most_sliding * pushing;
}

// Sheets between bodies: nodes of a mesh that contacts with several others act on.
bool NestedIsland::pinches_much() const
{
  constexpr int untouched = -2, the_world = -1;
  std::vector<int> partner(all->D.nodes(), untouched);
  std::vector<char> pinched(all->D.nodes(), 0);
  int touched = 0, held_twice = 0;
  for (int c = 0; c < size(); ++c) {
    const SweepContact& contact = sweep.contacts[c];
    const auto own = std::span(sweep.sides).subspan(contact.first_side, contact.sides);
    for (const SweepSide& side : own) {
      int other = the_world;
      for (const SweepSide& another : own)
        if (another.component != side.component) other = another.component;
      for (const SweepBlock& block :
           std::span(sweep.blocks).subspan(side.first_block, side.blocks)) {
        if (block.node == SweepBlock::whole || all->D.partner(block.node) >= 0) continue;
        if (partner[block.node] == untouched) ++touched;
        if (partner[block.node] >= the_world && partner[block.node] != other &&
            !pinched[block.node]) {
          pinched[block.node] = 1;
          ++held_twice;
        }
        partner[block.node] = other;
      }
    }
  }
  return held_twice > most_pinched * touched;
}

// x = v - v*, component by component.
void NestedIsland::gather_velocities(VectorXd& x) const
{
  for_parts([&](int, const Part& part, int at) {
    const Eigen::Index first = x.size();
    x.conservativeResize(first + 3 * part.nodes);
    if (part.treatment != Treatment::exact) {
      x.tail(3 * part.nodes) = Eigen::Map<const VectorXd>(state.data() + at, 3 * part.nodes);
      return;
    }
    VectorXd answer = VectorXd::Zero(3 * part.nodes);
    for (int c = 0; c < size(); ++c) {
      const ContactRows& rows = problem->contacts[contacts[c]];
      for (int k = rows.first; k < rows.first + rows.count; ++k) {
        const RowBlock& block = problem->blocks[k];
        const int i = block.node - part.first_node;
        if (i < 0 || i >= part.nodes) continue;
        answer.segment<3>(3 * i) +=
            block.J.transpose() * Eigen::Map<const Vector3d>(lambda.data() + 3 * c);
      }
    }
    part.factor->solve(answer);
    x.tail(3 * part.nodes) = answer;
  });
}

void NestedIsland::scatter_velocities(const VectorXd& x)
{
  Eigen::Index first = 0;
  for_parts([&](int, const Part& part, int at) {
    if (part.treatment == Treatment::nodal)
      std::copy_n(x.data() + first, 3 * part.nodes, state.begin() + at);
    first += 3 * part.nodes;
  });
  find_response();  // of the others
}

// From the best answer so far; leaves the island with what Newton's method made of it.
void NestedIsland::solve_by_newton()
{
  restore_best();
  find_response();
  if (!newton) newton = std::make_unique<VelocityNewton>();
  std::vector<const BlockCholesky*> factors(all->parts.size(), nullptr);
  for (const int component : components) factors[component] = all->parts[component].factor;
  newton->load(*problem, all->D, contacts, components, factors);
  VectorXd x;
  gather_velocities(x);
  Eigen::Map<VectorXd> own(lambda.data(), static_cast<Eigen::Index>(lambda.size()));
  VectorXd answer = own;
  report.factors +=
      newton->solve({.tolerance = options->tolerance, .law = options->law}, x, answer).factors;
  own = answer;
  scatter_velocities(x);
  if (passing) passing->extrapolation.restart();
}

}  // namespace tact
