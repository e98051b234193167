#include <tact/linalg/joined_order.hpp>

#include <algorithm>
#include <limits>
#include <tuple>

namespace tact {
namespace {

// The trees of supernodes of all meshes.
struct Forest {
  std::vector<int> parent;        // -1: a root
  std::vector<int> first_column;  // in the order of all meshes
  std::vector<int> supernode_of;  // of a node
  std::vector<int> order;         // of the nodes of meshes

  void add(const JoinedMesh& mesh)
  {
    const Elimination& e = *mesh.elimination;
    const int before = static_cast<int>(parent.size()), columns = static_cast<int>(order.size());
    for (int s = 0; s < e.supernode_count(); ++s) {
      const Supernode& node = e.supernodes[s];
      const bool root = node.height == node.width;
      parent.push_back(root ? -1 : before + e.supernode_of[e.rows[node.first_row]]);
      first_column.push_back(columns + node.first_column);
    }
    for (std::size_t k = 0; k < e.order.size(); ++k) {
      supernode_of[mesh.first_node + e.order[k]] = before + e.supernode_of[k];
      order.push_back(mesh.first_node + e.order[k]);
    }
  }

  // The lowest supernode above both or equal to one; parents come after their children. -1: none.
  int meeting(int a, int b) const
  {
    while (a != b && a != -1 && b != -1) (a < b ? a : b) = parent[std::min(a, b)];
    return a == b ? a : -1;
  }
};

struct Crossing {
  int place = 0;  // in the order of all meshes, where one of the two has to move to
  std::array<int, 2> nodes{};

  friend auto operator<=>(const Crossing&, const Crossing&) = default;
};

// Each once, the highest places first: a node that is moved up there is above the lower ones as
// well.
std::vector<Crossing> find_crossings(const Forest& forest,
                                     std::span<const std::array<int, 2>> couples)
{
  std::vector<Crossing> crossings;
  for (const auto& [a, b] : couples) {
    const int s = forest.supernode_of[a], t = forest.supernode_of[b];
    const int above = forest.meeting(s, t);
    if (above != -1 && (above == s || above == t)) continue;
    const int place =
        above == -1 ? static_cast<int>(forest.order.size()) : forest.first_column[above];
    crossings.push_back({.place = place, .nodes = {std::min(a, b), std::max(a, b)}});
  }
  std::sort(crossings.begin(), crossings.end(), std::greater<>());
  crossings.erase(std::unique(crossings.begin(), crossings.end()), crossings.end());
  return crossings;
}

}  // namespace

std::vector<int> joined_order(std::span<const JoinedMesh> meshes, std::span<const int> last,
                              std::span<const std::array<int, 2>> couples, int most_moved)
{
  std::size_t nodes = last.size();
  for (const JoinedMesh& mesh : meshes) nodes += mesh.elimination->order.size();
  Forest forest;
  forest.supernode_of.resize(nodes);
  for (const JoinedMesh& mesh : meshes) forest.add(mesh);

  const std::vector<Crossing> crossings = find_crossings(forest, couples);
  std::vector<int> count(nodes, 0), moved_to(nodes, -1);
  for (const Crossing& crossing : crossings)
    for (const int node : crossing.nodes) ++count[node];
  int moved = 0;
  for (const auto& [place, pair] : crossings) {
    if (std::max(moved_to[pair[0]], moved_to[pair[1]]) >= place) continue;
    moved_to[count[pair[0]] >= count[pair[1]] ? pair[0] : pair[1]] = place;
    if (++moved > most_moved) return {};
  }
  std::vector<std::tuple<int, int>>
      keys;  // those that are moved to a place come before what is there
  for (int k = 0; k < static_cast<int>(forest.order.size()); ++k) {
    const int node = forest.order[k];
    keys.emplace_back(moved_to[node] == -1 ? 2 * k + 1 : 2 * moved_to[node], node);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> result;
  result.reserve(nodes);
  for (const auto& [key, node] : keys) result.push_back(node);
  result.insert(result.end(), last.begin(), last.end());
  return result;
}

}  // namespace tact
