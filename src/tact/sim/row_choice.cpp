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
                          std::vector<NewContact>& contacts) const
{
  std::set<std::array<int, 2>> held;
  for (const ContactRecord& record : records) held.insert(bodies_of(record.contact));
  std::erase_if(contacts, [&](const NewContact& contact) {
    const std::array<int, 2> bodies = bodies_of(contact.contact);
    const bool deforms = has(BodyKind::cloth, bodies) || has(BodyKind::soft, bodies);
    return !deforms && held.contains(bodies);
  });
}

void RowChoice::thin_out(std::vector<NewContact>& contacts, std::span<const Vector3d> x,
                         int per_pair)
{
  kept_.assign(contacts.size(), 0);
  candidates_.clear();
  std::unordered_set<ContactKey, ContactKeyHash> keys;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const KeyedContact& contact = contacts[i].contact;
    if (!keys.insert(contact.key).second) continue;
    const std::array<int, 2> bodies = bodies_of(contact);
    if (has(BodyKind::cloth, bodies)) {
      kept_[i] = 1;
      continue;
    }
    candidates_.push_back({bodies[0], bodies[1], static_cast<int>(i), point_of(contact, x)});
  }
  const auto pair = [](const Candidate& c) { return std::tuple(c.body_a, c.body_b); };
  std::sort(candidates_.begin(), candidates_.end(), [&](const Candidate& p, const Candidate& q) {
    return std::tuple(pair(p), p.index) < std::tuple(pair(q), q.index);
  });
  for (std::size_t first = 0, last = 0; first < candidates_.size(); first = last) {
    while (last < candidates_.size() && pair(candidates_[last]) == pair(candidates_[first])) ++last;
    keep_spread(std::span(candidates_).subspan(first, last - first), contacts, per_pair);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (kept_[i] != 0) contacts[kept++] = contacts[i];
  contacts.resize(kept);
}

void RowChoice::keep_spread(std::span<Candidate> patch, std::span<const NewContact> contacts,
                            int count)
{
  auto next = std::min_element(patch.begin(), patch.end(), [&](const auto& p, const auto& q) {
    return contacts[p.index].time < contacts[q.index].time;
  });
  for (Candidate& candidate : patch) candidate.apart = std::numeric_limits<double>::infinity();
  for (int k = 0; k < count && next->apart > 0.0; ++k) {
    kept_[next->index] = 1;
    const Vector3d point = next->point;
    for (Candidate& candidate : patch)
      candidate.apart = std::min(candidate.apart, (candidate.point - point).squaredNorm());
    next = std::max_element(patch.begin(), patch.end(),
                            [](const auto& p, const auto& q) { return p.apart < q.apart; });
  }
}

}  // namespace tact
