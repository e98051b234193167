// The distance that two bodies are held at: delta for what comes from afar, less for bodies that
// are found nearer than that. A pin in a hole, a cube in a channel or a box placed just above the
// ground have only the room that there is, and rows must not ask for more.
//
//   first seen within reach:  T = delta              where d >= delta
//                             T = d                  where d < delta; where one bends max(d, noise)
//                             T = d / 4              where the two keep their shape and enclose
//                                                    each other: near contacts push on others
//   later:                    T stays; forgotten when the bodies are out of reach of each other
//   turned:                   halved until there is room for 2 T, where T is more than there is
//                             between the two, turned as they are at the end of the step
//
// d is the least distance of the two bodies at the start of the step. What is enclosed needs room
// to move in: facets of a pin that turns come nearer to those of its hole than they were at the
// start. Noise is what the error of a solve may take in a step: below it a distance would be eaten
// up. Bodies that keep their shape cannot make room, are solved far better, and are never asked for
// more than d.
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include <tact/sim/contact_key.hpp>
#include <tact/sim/world_surfaces.hpp>

namespace tact {

using BodyPair = std::array<int, 2>;  // ascending

inline BodyPair body_pair(int a, int b)
{
  return a < b ? BodyPair{a, b} : BodyPair{b, a};
}

// A pair of features with `distance` (m) between them along the unit vector `normal`.
struct GapAtEnd {
  Vector3d normal;
  double distance = 0.0;
};

// Whether a body that has these gaps can be moved, without turning it, so that each becomes
// `distance` at least; by no more than ten times that.
bool have_room(std::span<const GapAtEnd> gaps, double distance);

class PairTargets {
 public:
  PairTargets(const World& world, const WorldSurfaces& surfaces, double delta);

  // Contacts at the start of a step, all that are within reach. `noise` in m.
  void begin(std::span<const Contact> near, double noise);

  // m: what two bodies are held at, and how near they are at the start; infinite where out of
  // reach.
  double target(const BodyPair& bodies) const;
  double nearest(const BodyPair& bodies) const;
  // m: of bodies that enclose one another, keeping their shape; infinite where there are none.
  double least_clearance() const;

  // Of two bodies that keep their shape: what is between them at the end of a motion. Lowers their
  // target to what can be had there, wherever the two are moved without turning them. False: it
  // stays.
  bool fit(const BodyPair& bodies, std::span<const GapAtEnd> gaps);

  // Two bodies that meet in this step have come from afar.
  void meet(const BodyPair& bodies) { targets_.try_emplace(bodies, delta_); }

  BodyPair bodies_of(int vertex_a, int vertex_b) const
  {
    return body_pair(surfaces_->body_of[vertex_a], surfaces_->body_of[vertex_b]);
  }

  // For checkpoints: three numbers a pair.
  std::vector<double> save() const;
  void restore(std::span<const double> numbers);

 private:
  const WorldSurfaces* surfaces_;
  std::vector<char> deforms_;  // one a body
  struct Nearness {
    double distance = 0.0;  // m, the least
    Vector3d normal;        // there, from the second body to the first
    bool enclosed = false;  // another contact pushes against that one
  };
  double first_target(const BodyPair& bodies, const Nearness& near, double noise) const;

  double delta_;
  std::map<BodyPair, double> targets_;
  std::map<BodyPair, Nearness> nearest_;
};

}  // namespace tact
