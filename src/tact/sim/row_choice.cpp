#include <tact/sim/row_choice.hpp>

#include <algorithm>
#include <limits>
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
  for (int i = 0; i < world.body_count(); ++i)
    is_cloth_.push_back(world.body(i).kind() == BodyKind::cloth);
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
    int a = surfaces_->body_of[contact.key.vertices[0]];
    int b = surfaces_->body_of[contact.key.vertices[contact.key.first_side]];
    if (is_cloth_[a] != 0 || is_cloth_[b] != 0) {
      kept_[i] = 1;
      continue;
    }
    if (b < a) std::swap(a, b);
    candidates_.push_back({a, b, static_cast<int>(i), point_of(contact, x)});
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
