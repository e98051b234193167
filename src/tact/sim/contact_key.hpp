// What makes a contact of this step the same as one of the last: the vertices that carry it.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include <tact/collision/proximity.hpp>

namespace tact {

// The vertices with weights, the side with fewer of them first, each side ascending. A vertex near
// the side of a face and two edges that meet at an end thus have the key of that vertex and edge.
struct ContactKey {
  std::array<int, 4> vertices = {-1, -1, -1, -1};
  int first_side = 0;  // how many belong to the first side

  auto operator<=>(const ContactKey&) const = default;
};

struct ContactKeyHash {
  std::size_t operator()(const ContactKey& key) const;
};

// A contact written from its first side: weights are positive there and negative on the other, and
// the normal points towards the first side.
struct KeyedContact {
  ContactKey key;
  std::array<double, 4> weights{};  // of key.vertices
  Vector3d normal;
  double distance = 0.0;  // m, where the contact was taken
  double time = 0.0;      // of the step (0 to 1), when it was taken
};

KeyedContact keyed(const Contact& contact);

// m: how far the contact's points are apart, from the second side to the first, with its vertices
// at x.
Vector3d apart(const ContactKey& key, const std::array<double, 4>& weights,
               std::span<const Vector3d> x);

// For checkpoints: a key as five numbers.
constexpr int numbers_of_key = 5;
void append_key(const ContactKey& key, std::vector<double>& numbers);
ContactKey key_at(std::span<const double> numbers);

}  // namespace tact
