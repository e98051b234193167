// How far a feature is from another body at the end of a motion.
//
// The plane of a row is right where its pair stays on its features. What slides past an edge is
// nearer to the plane, carried on, than to the body: a bar that passes over another at a distance
// of delta or more would run into it. There the row sees the distance of its sharper feature (of
// two edges that of either) from all of the other body.
#pragma once

#include <array>
#include <map>
#include <set>

#include <tact/sim/contact_finder.hpp>
#include <tact/sim/contact_key.hpp>
#include <tact/sim/pair_targets.hpp>

namespace tact {

class EndRoom {
 public:
  // Of the motion that the finder was asked about last. `too_near`: bodies that came too near each
  // other in this step's motions. In that they have passed through each other, perhaps, and
  // distances say nothing of them; in later ones it is their rows that keep them apart.
  EndRoom(const ContactFinder& finder, const WorldSurfaces& surfaces,
          const std::set<BodyPair>& too_near)
      : finder_(&finder), surfaces_(&surfaces), too_near_(&too_near)
  {
  }

  // m: at least; minus infinity where nothing is known. Looks at the end when it is asked first.
  double of(const ContactKey& key);

  // All pairs that are near at the end.
  std::span<const Contact> near();

  // Bodies of which a row sees that, and would push if it did not. What then lies between them, the
  // features behind the one that has passed, may have no rows yet.
  void let_go(int body_a, int body_b) { let_go_.insert(body_pair(body_a, body_b)); }
  const std::set<BodyPair>& let_go() const { return let_go_; }

 private:
  struct FeatureAndBody {
    std::array<int, 2> vertices = {-1, -1};  // ascending; the second -1 of a vertex
    int body = 0;                            // the other one
    auto operator<=>(const FeatureAndBody&) const = default;
  };
  void sort();
  double of_side(std::span<const int> side, int other_body) const;

  const ContactFinder* finder_;
  const WorldSurfaces* surfaces_;
  const std::set<BodyPair>* too_near_;
  bool looked_ = false, sorted_ = false;
  std::vector<Contact> near_;
  std::map<FeatureAndBody, double> least_;
  std::set<BodyPair> let_go_;
};

}  // namespace tact
