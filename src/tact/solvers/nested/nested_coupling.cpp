// The collective correction within the passes of NestedSolver.
#include <algorithm>

#include <tact/solvers/nested/nested_work.hpp>

namespace tact {
namespace {

constexpr int many_contacts = 100;  // on a rigid body; below, passes do without corrections

}  // namespace

void NestedSolver::Workspace::load_coupling(const ContactProblem& problem,
                                            const IslandPlace& island)
{
  IslandCoupling& coupling = couplings[island.number];
  coupling.on = false;
  if (!carries_many(problem, island)) return;
  std::vector<double> om(problem.components(), 1.0);
  bool exact = false;
  for_parts(island, [&](int component, const Part& part, int) {
    exact = exact || part.treatment == Treatment::exact;
    if (part.treatment == Treatment::nodal) om[component] = part.om;
  });
  if (exact) return;
  const std::span<const int> chosen(islands.contacts.data() + island.contacts.first,
                                    islands.contacts.data() + island.contacts.last);
  if (!coupling.problem.load(problem, D, chosen, om)) return;
  coupling.correction.load(coupling.problem, options.law);
  coupling.on = coupling.correction.pays();
  if (!coupling.on) return;
  std::vector<int> place_of(problem.size());  // of a contact among those of all islands
  for (int k = island.contacts.first; k < island.contacts.last; ++k)
    place_of[islands.contacts[k]] = k;
  coupling.place.resize(chosen.size());
  for (int c = 0; c < coupling.problem.size(); ++c)
    coupling.place[c] = place_of[coupling.problem.order[c]];
  coupling.u.resize(3 * coupling.problem.size());
  coupling.lambda.resize(3 * coupling.problem.size());
}

// Whether some rigid body has as many contacts as the correction asks for: cheap, and mostly no.
bool NestedSolver::Workspace::carries_many(const ContactProblem& problem, const IslandPlace& island)
{
  const int contacts = island.contacts.last - island.contacts.first;
  if (contacts <= many_contacts || problem.rigid.empty()) return false;
  std::vector<int>& contacts_of_body = couplings[island.number].place;  // by its first node
  contacts_of_body.clear();
  int most = 0;
  for (int k = island.contacts.first; k < island.contacts.last; ++k) {
    const ContactRows& contact = problem.contacts[islands.contacts[k]];
    for (int b = contact.first; b < contact.first + contact.count; ++b) {
      const int node = problem.blocks[b].node;
      if (D.partner(node) <= node) continue;  // not the first of a rigid body
      contacts_of_body.resize(std::max<std::size_t>(contacts_of_body.size(), node + 1), 0);
      most = std::max(most, ++contacts_of_body[node]);
    }
  }
  return most > many_contacts;
}

void NestedSolver::Workspace::correct_bodies(const IslandPlace& island)
{
  IslandCoupling& coupling = couplings[island.number];
  if (!coupling.on) return;
  for (int c = 0; c < coupling.problem.size(); ++c) {
    const int k = coupling.place[c];
    coupling.u.segment<3>(3 * c) = sweep.velocity(sweep.contacts[k], state.data());
    coupling.lambda.segment<3>(3 * c) = Eigen::Map<const Vector3d>(lambda.data() + 3 * k);
  }
  if (!coupling.correction.find(coupling.problem, coupling.u, coupling.lambda)) return;
  for (int c = 0; c < coupling.problem.size(); ++c) {
    const Vector3d change =
        coupling.correction.length() * coupling.correction.direction().segment<3>(3 * c);
    if (change.isZero(0.0)) continue;
    const int k = coupling.place[c];
    Eigen::Map<Vector3d>(lambda.data() + 3 * k) += change;
    sweep.push(sweep.contacts[k], change, state.data());
  }
}

}  // namespace tact
