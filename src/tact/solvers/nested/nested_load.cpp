// How an island gets into its memory, and its answer out of it.
#include <algorithm>

#include <tact/core/stop.hpp>
#include <tact/linalg/parallel.hpp>
#include <tact/solvers/nested/nested_island.hpp>

namespace tact {
namespace {

// For contacts that have nothing to do with each other.
template <class Work>
void for_many(int count, const Work& work)
{
  for_chunks(count, contacts_per_chunk, [&](int, int first, int last) {
    for (int c = first; c < last; ++c) work(c);
  });
}

}  // namespace

WarmStart::WarmStart(const ContactProblem& problem, const ContactSolution& start)
    : solution(start),
      impulses(start.lambda.size() <= 3 * problem.size() && start.lambda.allFinite()),
      velocities(start.v.size() == problem.v_star.size() && start.v.allFinite())
{
}

void NestedIsland::lay_out(IslandedProblem& shared, const Island& island, const NestedOptions& how)
{
  all = &shared;
  options = &how;
  contacts = shared.contacts_of(island);
  components = shared.components_of(island);
  colours.find(contacts, shared.sides, shared.parts.size());
  nodal = false;
  direct = true;
  int at = 0;
  for (const int component : components) {
    const Part& part = shared.parts[component];
    shared.part_at[component] = at;
    at += part.treatment == Treatment::exact ? part.compliance.slots()
                                             : round_up_8(whole_at(part) + 3);
    nodal = nodal || part.treatment == Treatment::nodal;
    direct = direct && part.treatment == Treatment::direct;
  }
  awake.resize(contacts.size());
  awake_count.resize(contacts.size());
  allot(at);
}

void NestedIsland::allot(int entries)
{
  const auto of_state = static_cast<std::size_t>(entries), of_lambda = 3 * contacts.size();
  const auto states = {&state, &old_state, &best_state, &dual, &old_dual, &force, &residual};
  const auto impulses = {&lambda, &old_lambda, &best_lambda, &direction};
  const auto room = [](std::size_t numbers) {  // each begins on a cache line of its own
    return static_cast<std::size_t>(round_up_8(static_cast<int>(numbers)));
  };
  memory.assign(states.size() * room(of_state) + impulses.size() * room(of_lambda), 0.0);
  double* next = memory.data();
  for (std::span<double>* vector : states) {
    *vector = {next, of_state};
    next += room(of_state);
  }
  for (std::span<double>* vector : impulses) {
    *vector = {next, of_lambda};
    next += room(of_lambda);
  }
}

void NestedIsland::load(const ContactProblem& of, const WarmStart& start)
{
  problem = &of;
  report.status = SolveStatus::iteration_limit;
  report.passes = report.sweeps = report.factors = 0;
  report.exact = true;
  report.history.clear();
  best = {};
  passing.reset();
  if (rigid) rigid->loaded = false;
  coupled = false;
  wholes = false;
  load_contacts();
  load_warm_start(start);
}

void NestedIsland::load_contacts()
{
  sweep.law = options->law;
  sweep.contacts.resize(contacts.size());
  int side_count = 0;
  for (const int c : contacts) side_count += static_cast<int>(all->sides.of(c).size());
  sweep.sides.assign(side_count, {});
  side_count = 0;
  int block_count = 0;
  for (int k = 0; k < size(); ++k) {
    SweepContact& contact = sweep.contacts[k];
    const auto own = all->sides.of(contacts[k]);
    contact.first_side = side_count;
    contact.sides = static_cast<int>(own.size());
    side_count += contact.sides;
    for (int s = 0; s < contact.sides; ++s) {
      SweepSide& to = sweep.sides[contact.first_side + s];
      const Treatment treatment = all->parts[own[s].component].treatment;
      to.component = own[s].component;
      if (treatment == Treatment::exact) continue;
      to.first_block = block_count;
      to.blocks = own[s].count;
      block_count += to.blocks;
      if (treatment == Treatment::nodal) ++block_count;
    }
  }
  sweep.blocks.resize(block_count);
  sweep.normals.resize(block_count);
  for_many(size(), [&](int k) {
    end_if_stopped();
    load_contact(k);
  });
}

void NestedIsland::load_contact(int k)
{
  const int c = contacts[k];
  const ContactRows& rows = problem->contacts[c];
  SweepContact& contact = sweep.contacts[k];
  contact.q = contact_velocity(*problem, rows, problem->v_star);
  contact.mu = rows.mu;
  contact.bound = SweepContact::follows;
  contact.scale = all->scales[c];
  for (int s = 0; s < contact.sides; ++s) {
    const Side& side = all->sides.of(c)[s];
    const Part& part = all->parts[side.component];
    const int at = all->part_at[side.component];
    SweepSide& to = sweep.sides[contact.first_side + s];
    if (part.treatment == Treatment::exact) {
      to.W = part.compliance.row(side.slot);
      to.stride = part.compliance.stride();
      to.at = at + side.slot;
      to.first = at;
      to.length = part.compliance.slots();
      continue;
    }
    int b = to.first_block;
    for (const RowBlock& block : all->sides.blocks(side)) {
      const int place = at + 3 * (block.node - part.first_node);
      sweep.blocks[b] = {.at = place, .node = block.node, .J = block.J};
      sweep.normals[b++] = {.n = {block.J(0, 0), block.J(0, 1), block.J(0, 2)}, .at = place};
    }
    if (part.treatment == Treatment::nodal) add_whole(part, at, to);
  }
}

// The part as a whole is one more node that the contact acts on, unless both ends are on the part;
// in use once wholes move.
void NestedIsland::add_whole(const Part& part, int at, SweepSide& side)
{
  Matrix3d J = Matrix3d::Zero();
  for (const SweepBlock& block : std::span(sweep.blocks).subspan(side.first_block, side.blocks))
    if (!all->D.turns(block.node)) J += block.J;
  constexpr double round_off = 1e-9;  // of weights that add up to 0, where they are not 1
  if (J.cwiseAbs().maxCoeff() < round_off) return;
  const int place = at + whole_at(part), b = side.first_block + side.blocks;
  side.spare = true;
  sweep.blocks[b] = {.at = place, .node = SweepBlock::whole, .J = J};
  sweep.normals[b] = {.n = {J(0, 0), J(0, 1), J(0, 2)}, .at = place};
}

void NestedIsland::load_blocks()
{
  for_many(size(), [&](int c) {
    const SweepContact& contact = sweep.contacts[c];
    for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s) {
      SweepSide& side = sweep.sides[s];
      const Part& part = all->parts[side.component];
      const double per_om = 1.0 / part.om;
      if (wholes && side.spare) {
        ++side.blocks;
        side.spare = false;
      }
      const auto blocks = std::span(sweep.blocks).subspan(side.first_block, side.blocks);
      for (SweepBlock& block : blocks) {
        if (block.node == SweepBlock::whole) {
          block.R = part.per_whole * block.J.transpose();
          continue;
        }
        block.R = per_om * all->D.own(block.node) * block.J.transpose();
        const int partner = all->D.partner(block.node);
        if (partner < 0) continue;
        const auto other = std::find_if(blocks.begin(), blocks.end(),
                                        [&](const SweepBlock& b) { return b.node == partner; });
        block.R += per_om * all->D.cross(block.node) * other->J.transpose();
      }
    }
    sweep.finish_contact(c);
  });
}

void NestedIsland::load_warm_start(const WarmStart& start)
{
  const VectorXd& impulses = start.solution.lambda;
  for (int k = 0; start.impulses && k < size(); ++k) {
    const int c = contacts[k];
    if (3 * c >= impulses.size()) continue;  // appended since
    Eigen::Map<Vector3d>(lambda.data() + 3 * k) =
        clamp_to_cone(impulses.segment<3>(3 * c), problem->contacts[c].mu, options->law);
  }
  if (!start.velocities) return;
  for_parts([&](int, const Part& part, int at) {
    if (part.treatment != Treatment::nodal) return;
    const Eigen::Index first = 3 * part.first_node, length = 3 * part.nodes;
    Eigen::Map<VectorXd>(state.data() + at, length) =
        start.solution.v.segment(first, length) - problem->v_star.segment(first, length);
  });
}

// Where components are exact x = A^-1 J' lambda, from their factors.
void NestedIsland::write(ContactSolution& solution, VectorXd& impulse)
{
  for_parts([&](int, const Part& part, int) {
    impulse.segment(3 * part.first_node, 3 * part.nodes).setZero();
  });
  for (int k = 0; k < size(); ++k) {
    const ContactRows& contact = problem->contacts[contacts[k]];
    const Eigen::Map<const Vector3d> found(lambda.data() + 3 * k);
    // Bounds that were held may be a little off.
    const Vector3d lambda_c = clamp_to_cone(found, contact.mu, options->law);
    if (lambda_c.isZero(0.0)) continue;
    solution.lambda.segment<3>(3 * contacts[k]) = lambda_c;
    for (int b = contact.first; b < contact.first + contact.count; ++b) {
      const RowBlock& block = problem->blocks[b];
      impulse.segment<3>(3 * block.node) += block.J.transpose() * lambda_c;
    }
  }
  for_parts([&](int, const Part& part, int at) {
    auto v = solution.v.segment(3 * part.first_node, 3 * part.nodes);
    if (part.treatment == Treatment::nodal) {
      v += Eigen::Map<const VectorXd>(state.data() + at, 3 * part.nodes);
    } else if (part.treatment == Treatment::exact) {
      response = impulse.segment(3 * part.first_node, 3 * part.nodes);
      part.factor->solve(response);
      v += response;
    } else {
      for (int node = part.first_node; node < part.first_node + part.nodes; ++node)
        solution.v.segment<3>(3 * node) += all->D.solve(node, impulse.data() + 3 * node);
    }
  });
}

}  // namespace tact
