// Which of many contacts get rows. Two solids touch at hundreds of pairs of features at once, and a
// few rows, spread over the patch, hold them apart: those are chosen, and what still comes too near
// gets rows in the next pass. Cloth bends between any two rows, so contacts of cloth are all taken.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/bodies/body.hpp>
#include <tact/sim/contact_key.hpp>
#include <tact/sim/contact_rows.hpp>
#include <tact/sim/world_surfaces.hpp>

namespace tact {

class World;

class RowChoice {
 public:
  RowChoice(const World& world, const WorldSurfaces& surfaces);

  // Drops contacts of two bodies that do not deform and have rows between them already: these hold
  // them as they are.
  void drop_held(std::span<const ContactRecord> records, std::vector<KeyedContact>& contacts) const;

  // Drops contacts whose key came before, and of two solids keeps `per_pair`: the earliest, and
  // then always the one farthest from those that are kept. x: surface vertices. The order stays.
  void thin_out(std::vector<KeyedContact>& contacts, std::span<const Vector3d> x, int per_pair);

  // Contact reduction. Two solids keep the contacts that `must` be kept, one entry each, and others
  // up to `per_pair` in all: the nearest, and then always the one farthest from those that are
  // kept. The rest goes to `spare`. The order stays.
  void reduce(std::vector<KeyedContact>& contacts, std::span<const char> must,
              std::span<const Vector3d> x, int per_pair, std::vector<KeyedContact>& spare);

 private:
  struct Candidate {
    int body_a = 0, body_b = 0;
    int index = 0;
    Vector3d point;
    double rank = 0.0;   // the lowest of a patch is kept first
    double apart = 0.0;  // m^2, squared: from the nearest that is kept
  };
  std::array<int, 2> bodies_of(const KeyedContact& contact) const;  // ascending
  bool has(BodyKind kind, const std::array<int, 2>& bodies) const;
  void consider(int index, const KeyedContact& contact, std::span<const Vector3d> x, double rank);
  void keep_spread(int per_pair);
  void keep_spread(std::span<Candidate> patch, int count);

  const WorldSurfaces* surfaces_;
  std::vector<BodyKind> kind_;  // one a body
  std::vector<Candidate> candidates_;
  std::vector<char> kept_;  // one a contact
};

}  // namespace tact
