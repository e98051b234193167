#include <tact/sim/end_room.hpp>

#include <algorithm>
#include <limits>

namespace tact {

std::span<const Contact> EndRoom::near()
{
  if (!looked_) near_ = finder_->close_at_end(finder_->reach());
  looked_ = true;
  return near_;
}

void EndRoom::sort()
{
  sorted_ = true;
  for (const Contact& contact : near()) {
    const ContactKey key = keyed(contact).key;
    const auto used =
        std::find(key.vertices.begin(), key.vertices.end(), -1) - key.vertices.begin();
    const std::span<const int> all = std::span(key.vertices).first(used);
    const auto note = [&](std::span<const int> side, int other) {
      if (side.size() > 2) return;
      FeatureAndBody feature{.body = surfaces_->body_of[other]};
      std::copy(side.begin(), side.end(), feature.vertices.begin());
      const auto [entry, fresh] = least_.try_emplace(feature, contact.distance);
      if (!fresh) entry->second = std::min(entry->second, contact.distance);
    };
    note(all.first(key.first_side), key.vertices[key.first_side]);
    note(all.subspan(key.first_side), key.vertices[0]);
  }
}

double EndRoom::of_side(std::span<const int> side, int other_body) const
{
  double least = finder_->reach();
  const auto see = [&](const std::array<int, 2>& vertices) {
    const auto known = least_.find({.vertices = vertices, .body = other_body});
    if (known != least_.end()) least = std::min(least, known->second);
  };
  for (const int vertex : side) see({vertex, -1});
  if (side.size() == 2) see({side[0], side[1]});
  return least;
}

double EndRoom::of(const ContactKey& key)
{
  const auto used = std::find(key.vertices.begin(), key.vertices.end(), -1) - key.vertices.begin();
  const std::span<const int> all = std::span(key.vertices).first(used);
  const auto first = all.first(key.first_side), second = all.subspan(key.first_side);
  const int body_a = surfaces_->body_of[first[0]], body_b = surfaces_->body_of[second[0]];
  if (too_near_->contains(body_pair(body_a, body_b)))
    return -std::numeric_limits<double>::infinity();
  if (!sorted_) sort();
  // A side with as many vertices as the other is as sharp.
  const double room = of_side(first, body_b);
  return second.size() > first.size() ? room : std::min(room, of_side(second, body_a));
}

}  // namespace tact
