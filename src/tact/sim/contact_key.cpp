#include <tact/sim/contact_key.hpp>

#include <algorithm>
#include <cstdint>

namespace tact {
namespace {

struct KeySide {
  int count = 0;
  std::array<std::pair<int, double>, 3> points{};  // vertex, weight

  void add(int vertex, double weight)
  {
    if (weight > 0.0) points[count++] = {vertex, weight};
  }
  void sort() { std::sort(points.begin(), points.begin() + count); }

  bool operator<(const KeySide& other) const
  {
    if (count != other.count) return count < other.count;
    for (int k = 0; k < count; ++k)
      if (points[k].first != other.points[k].first) return points[k].first < other.points[k].first;
    return false;
  }
};

}  // namespace

std::size_t ContactKeyHash::operator()(const ContactKey& key) const
{
  std::uint64_t hash = static_cast<std::uint64_t>(key.first_side) + 0x9e3779b97f4a7c15ULL;
  for (const int vertex : key.vertices) {
    hash = (hash ^ static_cast<std::uint64_t>(vertex + 1)) * 0xbf58476d1ce4e5b9ULL;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

KeyedContact keyed(const Contact& contact)
{
  const int on_a = contact.kind == CcdKind::vertex_face ? 1 : 2;
  KeySide a, b;
  for (int k = 0; k < 4; ++k) (k < on_a ? a : b).add(contact.vertices[k], contact.weights[k]);
  a.sort();
  b.sort();
  const bool swap = b < a;
  if (swap) std::swap(a, b);

  KeyedContact result;
  result.normal = swap ? Vector3d(-contact.normal) : contact.normal;
  result.distance = contact.distance;
  result.key.first_side = a.count;
  for (int k = 0; k < a.count; ++k) {
    result.key.vertices[k] = a.points[k].first;
    result.weights[k] = a.points[k].second;
  }
  for (int k = 0; k < b.count; ++k) {
    result.key.vertices[a.count + k] = b.points[k].first;
    result.weights[a.count + k] = -b.points[k].second;
  }
  return result;
}

Vector3d apart(const ContactKey& key, const std::array<double, 4>& weights,
               std::span<const Vector3d> x)
{
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < 4 && key.vertices[k] >= 0; ++k) sum += weights[k] * x[key.vertices[k]];
  return sum;
}

void append_key(const ContactKey& key, std::vector<double>& numbers)
{
  numbers.insert(numbers.end(), key.vertices.begin(), key.vertices.end());
  numbers.push_back(key.first_side);
}

ContactKey key_at(std::span<const double> numbers)
{
  ContactKey key;
  for (int k = 0; k < 4; ++k) key.vertices[k] = static_cast<int>(numbers[k]);
  key.first_side = static_cast<int>(numbers[4]);
  return key;
}

}  // namespace tact
