// Which contacts have rows in a step, and which pairs of a motion come too near.
#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>

#include <tact/core/stop.hpp>
#include <tact/sim/normal_cones.hpp>
#include <tact/sim/row_bend.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {
namespace {

// What solves may err in a step, times tolerance and dt: twice is too little where soft bodies
// start almost touching.
constexpr double noise_of_solves = 5.0;
constexpr double asked_back = 0.5;  // of a drift, in a step

// Leaves what has rows already.
void drop_known(std::span<const ContactRecord> records, std::vector<KeyedContact>& contacts)
{
  std::unordered_set<ContactKey, ContactKeyHash> known;
  for (const ContactRecord& record : records) known.insert(record.contact.key);
  std::erase_if(contacts, [&](const KeyedContact& c) { return known.contains(c.key); });
}

// Whether the normal that a contact will have when it comes is about the direction in which its
// points are apart now. Else the pair slides or turns past each other, and a row would be a wall in
// its way.
bool approaches_along(const KeyedContact& contact, std::span<const Vector3d> x)
{
  constexpr double least_cosine = 0.7;
  const Vector3d now = apart(contact.key, contact.weights, x);
  return contact.normal.dot(now) >= least_cosine * now.norm();
}

}  // namespace

// Rows for what is near at the start. Of two solids not all of it: those that pushed in the last
// step, what came much too near, and a few more; the others are spare.
void Stepper::add_near_rows(double dt)
{
  const ContactStepOptions& contact = options_.contact;
  near_.clear();
  spare_.clear();
  must_.clear();
  const std::vector<Contact> close = finder_.close(contact.activation * contact.delta);
  targets_.begin(close, noise_of_solves * contact.solver.tolerance * dt);
  for (const Contact& pair : close) {
    end_if_stopped();
    KeyedContact candidate = keyed(pair);
    const BodyPair bodies = targets_.bodies_of(pair.vertices[0], pair.vertices[3]);
    // Meshes bend: what pushed in the last step and lies next to its cones would come too near in
    // every step without its row, and every step would take two passes.
    const bool pushed = impulse_memory_.knows(candidate.key);
    const bool bends = world_->body(bodies[0]).deforms() || world_->body(bodies[1]).deforms();
    if (!settle_normal(candidate, surfaces_, {x0_, x1_}) && !(pushed && bends)) continue;
    near_.push_back(candidate);
    must_.push_back(pushed ||
                    candidate.distance < (1.0 - contact.spare_dip) * targets_.target(bodies));
  }
  if (contact.rows_per_pair > 0)
    row_choice_.reduce(near_, must_, x0_, contact.rows_per_pair, spare_);
  for (const KeyedContact& candidate : near_) append_row(candidate, AtCorner::groups_only);
}

// Rows for spare contacts that the motion brings clearly nearer than contacts are held at. False:
// none.
bool Stepper::add_spare_rows()
{
  std::vector<KeyedContact> dipped;
  std::erase_if(spare_, [&](const KeyedContact& contact) {
    const auto& vertices = contact.key.vertices;
    const double target =
        targets_.target(targets_.bodies_of(vertices[0], vertices[contact.key.first_side]));
    const double least = std::min(contact.distance, target) - options_.contact.spare_dip * target;
    if (contact.normal.dot(apart(contact.key, contact.weights, x1_)) >= least) return false;
    dipped.push_back(contact);
    return true;
  });
  append_rows(dipped);
  return !dipped.empty();
}

// What contacts have drifted since they began to stick is asked back.
void Stepper::hold_where_stuck(double dt)
{
  const ContactStepOptions& contact = options_.contact;
  for (int c = 0; c < step_.problem.size(); ++c) {
    ContactRecord& record = step_.contacts[c];
    const bool bends =
        surfaces_.deforms[record.body_a] != 0 || surfaces_.deforms[record.body_b] != 0;
    const Vector2d drift =
        anchors_.drift(record, x0_,
                       {.left_alone = bends ? 0.0 : contact.solver.tolerance * dt,
                        .farthest = std::min(record.target, contact.push_out * dt)});
    record.base_bias.tail<2>() += asked_back / dt * drift;
    step_.problem.contacts[c].bias = record.base_bias;
  }
}

// What is committed and recorded is the problem that was solved, not one that was bent since.
void Stepper::keep_solved_rows()
{
  solved_rows_ = step_.problem.contacts;
}

void Stepper::restore_solved_rows()
{
  step_.problem.contacts = solved_rows_;
}

// Rows follow the motion of step_.solution. True: by enough to solve again.
bool Stepper::bend(double dt)
{
  const ContactStepOptions& contact = options_.contact;
  EndRoom room(finder_, surfaces_, too_near_);
  fit_targets(room);
  const bool bent = bend_rows(*world_, step_.contacts, {x0_, x1_, &step_.solution},
                              {.dt = dt,
                               .tolerance = contact.solver.tolerance,
                               .delta = contact.delta,
                               .corners = corner_rows_ ? &*corner_rows_ : nullptr},
                              room, step_.problem);
  let_go_.insert(room.let_go().begin(), room.let_go().end());
  return bent;
}

// Rows for pairs that have none yet and that the expected motion brings near, their normal taken
// where it does. Without them nearly every step of a moving pile would take two passes.
void Stepper::foresee()
{
  const double separation = options_.contact.foresight * options_.contact.delta;
  if (separation <= 0.0) return;
  std::vector<KeyedContact> expected;
  for (const Limit& limit : limits_below(separation)) {
    end_if_stopped();
    const auto [contact, in_cones] = contact_at(limit);
    if (!limit.safe.decided || !in_cones) continue;
    if (approaches_along(contact, x0_)) expected.push_back(contact);
  }
  drop_known(step_.contacts, expected);
  row_choice_.drop_held(step_.contacts, expected);
  append_rows(std::move(expected));
}

// A vertex that gets past an edge is let go there, by its group or where the plane of its row ends.
// What comes to lie on the edge behind it, its own edges and the faces between them, is not near in
// the cones before the step: it is looked for at the end of the motion. As of sides, only what
// starts well in front may push. Whether there was any.
bool Stepper::foresee_at_ends()
{
  constexpr double sinks_by = 1e-3;  // of the distance that is kept: less does not show
  const bool grouped = corner_rows_ && corner_rows_->any();
  if (!grouped && let_go_.empty()) return false;
  const ContactStepOptions& options = options_.contact;
  std::vector<KeyedContact> coming;
  for (const Contact& pair : finder_.close_at_end(options.activation * options.delta)) {
    end_if_stopped();
    KeyedContact contact = keyed(pair);
    contact.time = 1.0;
    const BodyPair bodies = targets_.bodies_of(pair.vertices[0], pair.vertices[3]);
    const double target = targets_.target(bodies);
    const bool sinks = let_go_.contains(bodies) && pair.distance < (1.0 - sinks_by) * target;
    const bool grouped_pair = grouped && corner_rows_->between(bodies[0], bodies[1]);
    if (!(sinks || grouped_pair) || !settle_normal(contact, surfaces_, {x0_, x1_, contact.time}))
      continue;
    const double gap = contact.normal.dot(apart(contact.key, contact.weights, x0_));
    if (gap >= CornerRows::pushing_from * target) coming.push_back(contact);
  }
  drop_known(step_.contacts, coming);
  if (coming.empty()) return false;
  append_rows(std::move(coming));
  return true;
}

// Pairs that come nearer than that in the motion from x0_ to x1_; notes whose bodies come nearer
// than they may: a row that keeps them apart must not be given room by the motion that it made.
std::vector<Limit> Stepper::limits_below(double separation)
{
  std::vector<Limit> found = finder_.limits(x1_, separation);
  follow_arcs(separation, found);
  for (const Limit& limit : found) {
    const BodyPair bodies = targets_.bodies_of(limit.vertices[0], limit.vertices[3]);
    if (!limit.on_arc && !too_near_.contains(bodies) && judged(limit, true))
      too_near_.insert(bodies);
  }
  return found;
}

// Pairs that come nearer than they may in the motion from x0_ to x1_. Directions outside of the
// normal cones are no local minima of the distance: another pair of the same surfaces is nearer at
// that time, and where that one is among the limits it says all. Not so of meshes, which give way
// at one place and not at the next: an edge that goes through a sheet would have one row more in
// each pass.
std::vector<Limit> Stepper::limits()
{
  std::vector<Limit> kept, doubtful;
  std::set<BodyPair> held;
  const auto bodies_of = [&](const Limit& limit) {
    return targets_.bodies_of(limit.vertices[0], limit.vertices[3]);
  };
  const auto in_cones = [&](const Limit& limit) { return contact_at(limit).in_cones; };
  const auto said_all = [&](const Limit& limit) {
    const BodyPair bodies = bodies_of(limit);
    const bool bends = surfaces_.deforms[bodies[0]] != 0 || surfaces_.deforms[bodies[1]] != 0;
    return !bends && held.contains(bodies);
  };
  for (const Limit& limit : limits_below(options_.contact.separation * options_.contact.delta)) {
    end_if_stopped();
    const bool inside = in_cones(limit);
    const std::optional<Limit> real = inside ? judged(limit, true) : limit;
    if (!real) continue;
    if (!inside || !in_cones(*real)) {
      doubtful.push_back(*real);
    } else {
      kept.push_back(*real);
      held.insert(bodies_of(limit));
    }
  }
  // What slides along a seam is near it all the way. Asked again with less it may come nearest
  // elsewhere, and later: to the face behind the seam.
  std::vector<Limit> still_doubtful;
  std::set<BodyPair> held_after_all;
  for (const Limit& limit : doubtful) {
    if (said_all(limit)) continue;
    const std::optional<Limit> real = judged(limit, false);
    if (!real) continue;
    if (!in_cones(*real)) {
      still_doubtful.push_back(*real);
    } else {
      kept.push_back(*real);
      held_after_all.insert(bodies_of(limit));
    }
  }
  held.merge(held_after_all);
  for (const Limit& limit : still_doubtful)
    if (!said_all(limit)) kept.push_back(limit);
  return kept;
}

// What bodies that are held nearer than delta, or a pair that is not the nearest of its bodies,
// have to keep is less than delta speaks for: asked again with that.
std::optional<Limit> Stepper::judged(const Limit& limit, bool in_cones) const
{
  if (limit.on_arc) return limit;
  const ContactStepOptions& contact = options_.contact;
  const BodyPair bodies = targets_.bodies_of(limit.vertices[0], limit.vertices[3]);
  double least = contact.separation * std::min(targets_.target(bodies), squeezed_.room(bodies));
  if (!in_cones) least = std::min(least, 0.45 * targets_.nearest(bodies));
  // Of a pair that started nearer the check has asked for less already: half of that.
  if (least >= limit.safe.separation) return limit;
  CcdQuery query;
  query.kind = limit.kind;
  for (int i = 0; i < 4; ++i) {
    query.start[i] = x0_[limit.vertices[i]];
    query.end[i] = x1_[limit.vertices[i]];
  }
  Limit nearer = limit;
  nearer.safe = safe_time(query, least);
  if (nearer.safe.time >= 1.0) return std::nullopt;
  return nearer;
}

// Rows for pairs that came too near, their normal taken where they did. A pair that has rows
// already gets one more. False: there was nothing to add, since no node of theirs is free or no
// limit is decided.
bool Stepper::add_rows(std::span<const Limit> limits)
{
  const int known = step_.problem.size();
  append_rows(contacts_at(limits), AtCorner::plane_too);
  return step_.problem.size() > known;
}

std::vector<KeyedContact> Stepper::contacts_at(std::span<const Limit> limits) const
{
  std::vector<KeyedContact> contacts;
  for (const Limit& limit : limits) {
    if (!limit.safe.decided) continue;  // not known to be near at all
    contacts.push_back(contact_at(limit).contact);
  }
  return contacts;
}

void Stepper::append_rows(std::vector<KeyedContact> contacts, AtCorner at_corner)
{
  const int most = options_.contact.rows_per_patch;
  row_choice_.thin_out(contacts, x0_, most > 0 ? most : std::numeric_limits<int>::max());
  const int known = step_.problem.size();
  for (const KeyedContact& contact : contacts) {
    targets_.meet(
        targets_.bodies_of(contact.key.vertices[0], contact.key.vertices[contact.key.first_side]));
    append_row(contact, at_corner);
  }
  step_.solution.lambda.conservativeResize(3 * step_.problem.size());
  step_.solution.lambda.tail(3 * (step_.problem.size() - known)).setZero();
}

void Stepper::append_row(const KeyedContact& contact, AtCorner at_corner)
{
  end_if_stopped();  // a million of these take seconds
  using Answer = CornerRows::Answer;
  const Answer answer =
      corner_rows_ ? corner_rows_->append(contact, {row_builder_, step_.problem, step_.contacts})
                   : Answer::no_corner;
  if (answer == Answer::added) return;
  if (answer == Answer::known && at_corner == AtCorner::groups_only) return;
  row_builder_.append(contact, step_.problem, step_.contacts);
}

}  // namespace tact
