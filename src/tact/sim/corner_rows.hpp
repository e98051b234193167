// Contacts of a vertex with sharp edges and corners of rigid bodies and obstacles: groups of sides
// of which one is to hold (docs/nonconvex.md), instead of one plane across the edge. [Egan03]
//
// A side is the plane of a face. Those that the vertex is well in front of at the start of the step
// may push. The others only open the group: a vertex that starts behind a face is not touched by
// it, but can get past it, and then nothing holds it there any more. Sides that the vertex cannot
// get past in this step are left out; where one is left, a plain contact says as much.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <tact/collision/corners.hpp>
#include <tact/sim/contact_key.hpp>
#include <tact/sim/contact_rows.hpp>
#include <tact/sim/world_surfaces.hpp>

namespace tact {

class CornerRows {
 public:
  // A side pushes what is at least so far in front of it at the start, times delta. Contacts are
  // held at delta; below half of it another side must be the one that holds.
  static constexpr double pushing_from = 0.5;

  // What the rows go to.
  struct Target {
    ContactRowBuilder& builder;
    ContactProblem& problem;
    std::vector<ContactRecord>& records;
  };
  enum class Answer {
    no_corner,  // nothing was added: a plain contact is called for
    added,      // groups stand in for the contact
    known,      // they have since an earlier call in this step
  };

  // The faces of all bodies that keep their shape, found once. The surfaces must outlive it.
  CornerRows(const World& world, const WorldSurfaces& surfaces);

  // Before the first rows of a step. x0, x1: surface vertices at its start, and where they are
  // expected to end; they must outlive the step, and x1 may change on the way. `delta` (m): the
  // distance that contacts are held at.
  void begin(std::span<const Vector3d> x0, std::span<const Vector3d> x1, double delta);

  Answer append(const KeyedContact& contact, const Target& target);

  // Whether a vertex of one of the bodies has groups with the other in this step; of any two.
  bool between(int body_a, int body_b) const;
  bool any() const { return !known_.empty(); }

 private:
  struct Polytope {
    FlatFaces faces;
    IndexRange vertices;  // in the world
  };
  struct SideRow {
    KeyedContact contact;
    bool may_push = true;
  };
  using Group = std::vector<SideRow>;  // those that may push first

  Answer append_against(int vertex, std::span<const int> feature, const Target& target);
  std::vector<Group> groups_at(int vertex, const Polytope& body, int face, double way) const;
  Group group_of(int vertex, const Polytope& body, const Corner& corner, double way) const;
  void append_group(const Group& group, const Target& target) const;
  double way_past(int vertex, int other) const;

  const WorldSurfaces* surfaces_;
  std::vector<std::optional<Polytope>> polytopes_;  // one a body
  std::span<const Vector3d> x0_, x1_;
  double delta_ = 0.0;
  std::set<std::pair<int, int>> known_;  // vertex and body that have groups in this step
};

}  // namespace tact
