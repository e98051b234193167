#include <tact/sim/row_choice.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_set>

#include <tact/sim/world.hpp>

namespace tact {
namespace {

Vector3d point_of(const KeyedContact& contact, std::span<const Vector3d> x)
{
  Vector3d point = Vector3d::Zero();
  for (int k = 0; k < contact.key.first_side; ++k)
    point += contact.weights[k] * x[contact.key.vertices[k]];
  return point;
}

}  // namespace

RowChoice::RowChoice(const World& world, const WorldSurfaces& surfaces) : surfaces_(&surfaces)
{
  for (int i = 0; i < world.body_count(); ++i) kind_.push_back(world.body(i).kind());
}

std::array<int, 2> RowChoice::bodies_of(const KeyedContact& contact) const
{
  const int a = surfaces_->body_of[contact.key.vertices[0]];
  const int b = surfaces_->body_of[contact.key.vertices[contact.key.first_side]];
  return {std::min(a, b), std::max(a, b)};
}

bool RowChoice::has(BodyKind kind, const std::array<int, 2>& bodies) const
{
  return kind_[bodies[0]] == kind || kind_[bodies[1]] == kind;
}

void RowChoice::drop_held(std::span<const ContactRecord> records,
                          std::vector<KeyedContact>& contacts) const
{
  std::set<std::array<int, 2>> held;
  for (const ContactRecord& record : records) held.insert(bodies_of(record.contact));
  std::erase_if(contacts, [&](const KeyedContact& contact) {
    const std::array<int, 2> bodies = bodies_of(contact);
    const bool deforms = has(BodyKind::cloth, bodies) || has(BodyKind::soft, bodies);
    return !deforms && held.contains(bodies);
  });
}

// Contacts of cloth are kept; others wait for keep_spread().
void RowChoice::consider(int index, const KeyedContact& contact, std::span<const Vector3d> x,
                         double rank)
{
  const std::array<int, 2> bodies = bodies_of(contact);
  if (has(BodyKind::cloth, bodies)) {
    kept_[index] = 1;
  } else {
    candidates_.push_back({bodies[0], bodies[1], index, point_of(contact, x), rank});
  }
}

void RowChoice::thin_out(std::vector<KeyedContact>& contacts, std::span<const Vector3d> x,
                         int per_pair)
{
  kept_.assign(contacts.size(), 0);
  candidates_.clear();
  std::unordered_set<ContactKey, ContactKeyHash> keys;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (keys.insert(contacts[i].key).second)
      consider(static_cast<int>(i), contacts[i], x, contacts[i].time);
  }
  keep_spread(per_pair);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (kept_[i] != 0) contacts[kept++] = contacts[i];
  contacts.resize(kept);
}

void RowChoice::reduce(std::vector<KeyedContact>& contacts, std::span<const char> must,
                       std::span<const Vector3d> x, int per_pair, std::vector<KeyedContact>& spare)
{
  kept_.assign(must.begin(), must.end());
  candidates_.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    consider(static_cast<int>(i), contacts[i], x, contacts[i].distance);
  keep_spread(per_pair);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (kept_[i] != 0) {
      contacts[kept++] = contacts[i];
    } else {
      spare.push_back(contacts[i]);
    }
  }
  contacts.resize(kept);
}

void RowChoice::keep_spread(int per_pair)
{
  const auto pair = [](const Candidate& c) { return std::tuple(c.body_a, c.body_b); };
  std::sort(candidates_.begin(), candidates_.end(), [&](const Candidate& p, const Candidate& q) {
    return std::tuple(pair(p), p.index) < std::tuple(pair(q), q.index);
  });
  for (std::size_t first = 0, last = 0; first < candidates_.size(); first = last) {
    while (last < candidates_.size() && pair(candidates_[last]) == pair(candidates_[first])) ++last;
    keep_spread(std::span(candidates_).subspan(first, last - first), per_pair);
  }
}

void RowChoice::keep_spread(std::span<Candidate> patch, int count)
{
  for (Candidate& candidate : patch) candidate.apart = std::numeric_limits<double>::infinity();
  const auto keep = [&](const Candidate& chosen) {
    kept_[chosen.index] = 1;
    const Vector3d point = chosen.point;
    for (Candidate& candidate : patch)
      candidate.apart = std::min(candidate.apart, (candidate.point - point).squaredNorm());
    --count;
  };
  const auto nearest = std::min_element(
      patch.begin(), patch.end(), [](const auto& p, const auto& q) { return p.rank < q.rank; });
  for (const Candidate& candidate : patch)
    if (kept_[candidate.index] != 0 && candidate.index != nearest->index) keep(candidate);
  // The nearest may lie at the very place of one that is kept: corner above corner.
  if (count > 0 && nearest->apart > 0.0) keep(*nearest);
  while (count > 0) {
    const auto next = std::max_element(
        patch.begin(), patch.end(), [](const auto& p, const auto& q) { return p.apart < q.apart; });
    if (!(next->apart > 0.0)) break;
    keep(*next);
  }
}

}  // namespace tact
