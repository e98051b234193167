// Bodies that keep their shape and turn about each other: what they meet on their way, and what
// room there is between them once they have turned.
#include <algorithm>
#include <set>

#include <tact/bodies/rotation.hpp>
#include <tact/core/stop.hpp>
#include <tact/sim/normal_cones.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

// What bodies that keep their shape and turn about each other meet on straight lines is none of
// their business: in place of that comes what they meet along arcs.
void Stepper::follow_arcs(double separation, std::vector<Limit>& limits)
{
  const ContactStepOptions& contact = options_.contact;
  turns_.clear();
  const auto pair_of = [&](const Limit& limit) {
    return targets_.bodies_of(limit.vertices[0], limit.vertices[3]);
  };
  const auto asked = [&](const BodyPair& bodies, double share) {
    return std::min(share * targets_.target(bodies), 0.45 * targets_.nearest(bodies));
  };
  std::set<BodyPair> seen;
  for (const Limit& limit : limits) {
    const BodyPair bodies = pair_of(limit);
    if (surfaces_.deforms[bodies[0]] != 0 || surfaces_.deforms[bodies[1]] != 0) continue;
    if (!seen.insert(bodies).second) continue;
    const auto turn = arcs_.turn(bodies, x0_, x1_, asked(bodies, contact.separation));
    if (turn) turns_.emplace(bodies, *turn);
  }
  if (turns_.empty()) return;
  std::erase_if(limits, [&](const Limit& limit) { return turns_.contains(pair_of(limit)); });
  for (const auto& [bodies, turn] : turns_) {
    end_if_stopped();
    const double share = separation / contact.delta;
    const std::vector<Limit> met = arcs_.find(turn, x0_, asked(bodies, share));
    limits.insert(limits.end(), met.begin(), met.end());
    if (met.empty() || too_near_.contains(bodies)) continue;
    if (share <= contact.separation ||
        !arcs_.find(turn, x0_, asked(bodies, contact.separation)).empty())
      too_near_.insert(bodies);
  }
}

// With the normal at that time, as the world sees it.
Stepper::LimitContact Stepper::contact_at(const Limit& limit) const
{
  LimitContact met;
  if (!limit.on_arc) {
    met.contact = keyed(contact_at_limit(finder_.vertices(), limit));
    met.contact.time = limit.safe.time;
    met.in_cones = settle_normal(met.contact, surfaces_, {x0_, x1_, limit.safe.time});
    return met;
  }
  const SurfaceTurn& turn = turns_.at(targets_.bodies_of(limit.vertices[0], limit.vertices[3]));
  const TurnedSurface turned{turn.vertices, turn.way.part(limit.safe.time)};
  const SurfaceMotion x{x0_, x1_, limit.safe.time, &turned};
  std::array<Vector3d, 4> corners;
  for (int i = 0; i < 4; ++i) corners[i] = x(limit.vertices[i]);
  Contact contact = contact_of_corners(limit.kind, corners);
  contact.vertices = limit.vertices;
  met.contact = keyed(contact);
  met.contact.time = limit.safe.time;
  met.in_cones = settle_normal(met.contact, surfaces_, x);
  met.contact.normal = exp_rotation(limit.safe.time * turn.other_turn) * met.contact.normal;
  return met;
}

// Facets of what turns in a clearance come nearer to each other than they were: rows on all sides
// must not ask for more than there is between the two at the end of the motion.
void Stepper::fit_targets(EndRoom& room)
{
  constexpr double against = -0.1;  // cosine of normals that push against each other
  std::map<BodyPair, Vector3d> first;
  std::map<BodyPair, std::vector<GapAtEnd>> enclosed;
  const auto normal_of = [&](const KeyedContact& contact, const BodyPair& bodies) -> Vector3d {
    const bool is_first = surfaces_.body_of[contact.key.vertices[0]] == bodies[0];
    return is_first ? contact.normal : -contact.normal;
  };
  for (const ContactRecord& record : step_.contacts) {
    const BodyPair bodies = body_pair(record.body_a, record.body_b);
    if (surfaces_.deforms[bodies[0]] != 0 || surfaces_.deforms[bodies[1]] != 0) continue;
    if (too_near_.contains(bodies)) continue;
    if (corner_rows_ && corner_rows_->between(bodies[0], bodies[1])) continue;
    const Vector3d normal = normal_of(record.contact, bodies);
    const Vector3d& known = first.try_emplace(bodies, normal).first->second;
    if (normal.dot(known) < against) enclosed[bodies];
  }
  if (enclosed.empty()) return;
  for (const Contact& pair : room.near()) {
    const BodyPair bodies = targets_.bodies_of(pair.vertices[0], pair.vertices[3]);
    const auto entry = enclosed.find(bodies);
    if (entry == enclosed.end()) continue;
    KeyedContact contact = keyed(pair);
    if (settle_normal(contact, surfaces_, {x0_, x1_, 1.0}))
      entry->second.push_back({normal_of(contact, bodies), pair.distance});
  }
  for (const auto& [bodies, gaps] : enclosed) {
    if (!targets_.fit(bodies, gaps)) continue;
    for (int c = 0; c < step_.problem.size(); ++c)
      if (body_pair(step_.contacts[c].body_a, step_.contacts[c].body_b) == bodies)
        row_builder_.retarget(step_.contacts[c], step_.problem.contacts[c]);
  }
}

}  // namespace tact
