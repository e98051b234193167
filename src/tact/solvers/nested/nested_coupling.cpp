// The collective correction within the passes of an island.
#include <algorithm>

#include <tact/solvers/nested/nested_island.hpp>

namespace tact {
namespace {

constexpr int many_contacts = 100;  // on a rigid body; below, passes do without corrections

}  // namespace

void NestedIsland::load_coupling()
{
  coupled = false;
  if (size() <= many_contacts || problem->rigid.empty()) return;
  if (!coupling) coupling = std::make_unique<IslandCoupling>();
  if (!carries_many(coupling->contacts_of_body)) return;
  std::vector<double> om(problem->components(), 1.0);
  bool exact = false;
  for_parts([&](int component, const Part& part, int) {
    exact = exact || part.treatment == Treatment::exact;
    if (part.treatment == Treatment::nodal) om[component] = part.om;
  });
  if (exact) return;
  CoupledProblem& own = coupling->problem;
  if (!own.load(*problem, all->D, contacts, om)) return;
  coupling->correction.load(own, options->law);
  coupled = coupling->correction.pays();
  if (!coupled) return;
  std::vector<int> place_of(problem->size());  // of a contact in the island
  for (int k = 0; k < size(); ++k) place_of[contacts[k]] = k;
  coupling->place.resize(own.size());
  for (int c = 0; c < own.size(); ++c) coupling->place[c] = place_of[own.order[c]];
  coupling->u.resize(3 * own.size());
  coupling->lambda.resize(3 * own.size());
}

// Whether some rigid body has as many contacts as the correction asks for: cheap, and mostly no.
bool NestedIsland::carries_many(std::vector<int>& contacts_of_body) const
{
  contacts_of_body.assign(all->D.nodes(), 0);
  int most = 0;
  for (const int c : contacts) {
    const ContactRows& contact = problem->contacts[c];
    for (int b = contact.first; b < contact.first + contact.count; ++b) {
      const int node = problem->blocks[b].node;
      if (all->D.partner(node) <= node) continue;  // not the first of a rigid body
      most = std::max(most, ++contacts_of_body[node]);
    }
  }
  return most > many_contacts;
}

void NestedIsland::correct_bodies()
{
  if (!coupled) return;
  for (int c = 0; c < coupling->problem.size(); ++c) {
    const int k = coupling->place[c];
    coupling->u.segment<3>(3 * c) = sweep.velocity(sweep.contacts[k], state.data());
    coupling->lambda.segment<3>(3 * c) = Eigen::Map<const Vector3d>(lambda.data() + 3 * k);
  }
  CollectiveCorrection& found = coupling->correction;
  if (!found.find(coupling->problem, coupling->u, coupling->lambda)) return;
  for (int c = 0; c < coupling->problem.size(); ++c) {
    const Vector3d change = found.length() * found.direction().segment<3>(3 * c);
    if (change.isZero(0.0)) continue;
    const int k = coupling->place[c];
    Eigen::Map<Vector3d>(lambda.data() + 3 * k) += change;
    sweep.push(sweep.contacts[k], change, state.data());
  }
}

}  // namespace tact
