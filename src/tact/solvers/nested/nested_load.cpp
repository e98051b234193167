// How a problem gets into the memory of NestedSolver, and the answer out of it.
#include <algorithm>

#include <tact/contact/chunks.hpp>
#include <tact/core/error.hpp>
#include <tact/solvers/nested/nested_work.hpp>

namespace tact {
namespace {

constexpr int islands_per_chunk = 128;

// For contacts that have nothing to do with each other.
template <class Work>
void for_many(int first, int last, const Work& work)
{
  for_chunks(last - first, contacts_per_chunk, [&](int, int from, int to) {
    for (int c = first + from; c < first + to; ++c) work(c);
  });
}

}  // namespace

void NestedSolver::Workspace::append(const ContactProblem& problem)
{
  const int first = sides.contacts();
  if (problem.size() < first) {
    throw Error("contact problem: contacts were removed since begin()");
  }
  sides.append(problem, D, parts.component_of_node());
  scales.resize(problem.size());
  for_many(first, problem.size(),
           [&](int c) { scales[c] = response(problem, D, problem.contacts[c]); });
  parts.append(problem, sides, first);
}

void NestedSolver::Workspace::lay_out()
{
  islands.find(sides, parts.size());
  find_node_regions();
  if (colours.size() < islands.islands.size()) colours.resize(islands.islands.size());
  places.clear();
  part_at.assign(parts.size(), -1);
  first_chunk.assign(parts.size(), 0);
  int at = 0, chunks = 0;
  for (const Island& island : islands.islands) {
    const auto number = static_cast<int>(places.size());
    const auto own = std::span(islands.contacts).subspan(island.first_contact, island.contacts());
    colours[number].find(own, sides, parts.size());
    first_inner.push_back(static_cast<int>(inner.size()));
    if (colours[number].empty()) sort_by_regions(own, island.first_contact);
    IslandPlace& place = places.emplace_back();
    place.number = number;
    place.contacts = {island.first_contact, island.last_contact};
    place.first_component = island.first_component;
    place.last_component = island.last_component;
    place.first = at;
    for (int k = island.first_component; k < island.last_component; ++k) {
      const int component = islands.components[k];
      const Part& part = parts[component];
      part_at[component] = at;
      first_chunk[component] = chunks;
      chunks += chunk_count(part.nodes);
      at += part.treatment == Treatment::exact ? part.compliance.slots()
                                               : round_up_8(whole_at(part) + 3);
      place.nodal = place.nodal || part.treatment == Treatment::nodal;
      place.direct = place.direct && part.treatment == Treatment::direct;
    }
    place.last = at;
  }
  first_inner.push_back(static_cast<int>(inner.size()));
  chunk_sums.resize(chunks);
  awake.resize(islands.contacts.size());
  awake_count.resize(islands.contacts.size());
  for (LaneBuffer* vector :
       {&state, &old_state, &best_state, &dual, &old_dual, &force, &residual}) {
    vector->assign(at, 0.0);
  }
  for (LaneBuffer* vector : {&lambda, &old_lambda, &best_lambda, &direction}) {
    vector->assign(3 * islands.contacts.size(), 0.0);
  }
}

void NestedSolver::Workspace::load_contacts(const ContactProblem& problem)
{
  sweep.law = options.law;
  const auto count = static_cast<int>(islands.contacts.size());
  sweep.contacts.resize(count);
  sweep.sides.resize(sides.sides());
  int side_count = 0, block_count = 0;
  for (int k = 0; k < count; ++k) {
    SweepContact& contact = sweep.contacts[k];
    const auto own = sides.of(islands.contacts[k]);
    contact.first_side = side_count;
    contact.sides = static_cast<int>(own.size());
    side_count += contact.sides;
    for (int s = 0; s < contact.sides; ++s) {
      SweepSide& to = sweep.sides[contact.first_side + s];
      const Treatment treatment = parts[own[s].component].treatment;
      to = {};
      to.component = own[s].component;
      if (treatment == Treatment::exact) continue;
      to.first_block = block_count;
      to.blocks = own[s].count;
      block_count += to.blocks;
      if (treatment == Treatment::nodal && options.scheme != NestedScheme::ica) ++block_count;
    }
  }
  sweep.blocks.resize(block_count);
  sweep.normals.resize(block_count);
  for_many(0, count, [&](int k) { load_contact(problem, k); });
}

void NestedSolver::Workspace::load_contact(const ContactProblem& problem, int k)
{
  const int c = islands.contacts[k];
  const ContactRows& rows = problem.contacts[c];
  SweepContact& contact = sweep.contacts[k];
  contact.q = contact_velocity(problem, rows, problem.v_star);
  contact.mu = rows.mu;
  contact.bound = SweepContact::follows;
  contact.scale = scales[c];
  for (int s = 0; s < contact.sides; ++s) {
    const Side& side = sides.of(c)[s];
    const Part& part = parts[side.component];
    const int at = part_at[side.component];
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
    for (const RowBlock& block : sides.blocks(side)) {
      const int place = at + 3 * (block.node - part.first_node);
      sweep.blocks[b] = {.at = place, .node = block.node, .J = block.J};
      sweep.normals[b++] = {.n = {block.J(0, 0), block.J(0, 1), block.J(0, 2)}, .at = place};
    }
    if (part.treatment == Treatment::nodal && options.scheme != NestedScheme::ica)
      add_whole(part, at, to);
  }
}

// The part as a whole is one more node that the contact acts on, unless both ends are on the part.
void NestedSolver::Workspace::add_whole(const Part& part, int at, SweepSide& side)
{
  Matrix3d J = Matrix3d::Zero();
  for (const SweepBlock& block : std::span(sweep.blocks).subspan(side.first_block, side.blocks))
    if (!D.turns(block.node)) J += block.J;
  constexpr double round_off = 1e-9;  // of weights that add up to 0, where they are not 1
  if (J.cwiseAbs().maxCoeff() < round_off) return;
  const int place = at + whole_at(part), b = side.first_block + side.blocks++;
  sweep.blocks[b] = {.at = place, .node = SweepBlock::whole, .J = J};
  sweep.normals[b] = {.n = {J(0, 0), J(0, 1), J(0, 2)}, .at = place};
}

void NestedSolver::Workspace::load_blocks(const IslandPlace& island)
{
  for_many(island.contacts.first, island.contacts.last, [&](int c) {
    const SweepContact& contact = sweep.contacts[c];
    for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s) {
      const SweepSide& side = sweep.sides[s];
      const Part& part = parts[side.component];
      const double per_om = 1.0 / part.om;
      const auto blocks = std::span(sweep.blocks).subspan(side.first_block, side.blocks);
      for (SweepBlock& block : blocks) {
        if (block.node == SweepBlock::whole) {
          const double share = wholes_on[island.number] != 0 ? 1.0 : 0.0;
          block.R = share * part.per_whole * block.J.transpose();
          continue;
        }
        block.R = per_om * D.own(block.node) * block.J.transpose();
        const int partner = D.partner(block.node);
        if (partner < 0) continue;
        const auto other = std::find_if(blocks.begin(), blocks.end(),
                                        [&](const SweepBlock& b) { return b.node == partner; });
        block.R += per_om * D.cross(block.node) * other->J.transpose();
      }
    }
    sweep.finish_contact(c);
  });
}

void NestedSolver::Workspace::load_warm_start(const ContactProblem& problem,
                                              const ContactSolution& solution)
{
  if (solution.lambda.size() <= 3 * problem.size() && solution.lambda.allFinite()) {
    for (std::size_t k = 0; k < islands.contacts.size(); ++k) {
      const int c = islands.contacts[k];
      if (3 * c >= solution.lambda.size()) continue;  // appended since
      Eigen::Map<Vector3d>(lambda.data() + 3 * k) =
          clamp_to_cone(solution.lambda.segment<3>(3 * c), problem.contacts[c].mu, options.law);
    }
  }
  if (solution.v.size() != problem.v_star.size() || !solution.v.allFinite()) return;
  for (const int component : islands.components) {
    const Part& part = parts[component];
    if (part.treatment != Treatment::nodal) continue;
    for (int i = 0; i < 3 * part.nodes; ++i) {
      state[part_at[component] + i] =
          solution.v[3 * part.first_node + i] - problem.v_star[3 * part.first_node + i];
    }
  }
}

// v = v* + x; where components are exact x = A^-1 J' lambda, from their factors.
void NestedSolver::Workspace::write(const ContactProblem& problem, ContactSolution& solution)
{
  solution.v = problem.v_star;
  solution.lambda.setZero(3 * problem.size());
  impulse.resize(problem.v_star.size());
  for_chunks(static_cast<int>(places.size()), islands_per_chunk, [&](int, int first, int last) {
    for (int k = first; k < last; ++k) write_island(problem, places[k], solution);
  });
  for (const int component : islands.components) {
    const Part& part = parts[component];
    if (part.treatment != Treatment::exact) continue;
    right = impulse.segment(3 * part.first_node, 3 * part.nodes);
    part.factor->solve(right);
    solution.v.segment(3 * part.first_node, 3 * part.nodes) += right;
  }
}

// Islands have no node in common. Exact components get their impulses only.
void NestedSolver::Workspace::write_island(const ContactProblem& problem, const IslandPlace& island,
                                           ContactSolution& solution)
{
  for_parts(island, [&](int, const Part& part, int) {
    impulse.segment(3 * part.first_node, 3 * part.nodes).setZero();
  });
  for (int k = island.contacts.first; k < island.contacts.last; ++k) {
    const ContactRows& contact = problem.contacts[islands.contacts[k]];
    const Eigen::Map<const Vector3d> found(lambda.data() + 3 * k);
    // Bounds that were held may be a little off.
    const Vector3d lambda_c = clamp_to_cone(found, contact.mu, options.law);
    if (lambda_c.isZero(0.0)) continue;
    solution.lambda.segment<3>(3 * islands.contacts[k]) = lambda_c;
    for (int b = contact.first; b < contact.first + contact.count; ++b)
      impulse.segment<3>(3 * problem.blocks[b].node) += problem.blocks[b].J.transpose() * lambda_c;
  }
  for_parts(island, [&](int, const Part& part, int at) {
    auto v = solution.v.segment(3 * part.first_node, 3 * part.nodes);
    if (part.treatment == Treatment::nodal)
      v += Eigen::Map<const VectorXd>(state.data() + at, 3 * part.nodes);
    if (part.treatment != Treatment::direct) return;
    for (int i = 0; i < part.nodes; ++i) {
      const int node = part.first_node + i;
      v.segment<3>(3 * i) += D.solve(node, impulse.data() + 3 * node);
    }
  });
}

}  // namespace tact
