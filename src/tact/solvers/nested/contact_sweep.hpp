// Projected Gauss-Seidel over contacts, with the response of what they push on at hand.
//
// The state of an island holds, component by component, either the velocities x of its nodes
// (`nodal`: P^-1 is block diagonal, a contact reaches its own nodes only) or the velocities
// u_b = W_b lambda of its contacts (`exact`: P = A, a contact reaches all others on the component).
// A contact reads u_c = q_c + J x + u_b and, when its impulse changes by d, adds P^-1 J' d or
// W_b d: O(1), or one column of W_b. The matrix J P^-1 J' of all contacts is never formed.
// [Miguel11] Sec. 4 for rigid bodies; here every node is treated like that.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/delassus.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/types.hpp>

namespace tact {

// A node that a contact acts on.
struct SweepBlock {
  static constexpr int whole = -1;  // stands for all nodes of the component

  int at = 0;  // of the node's velocity in the state
  int node = 0;
  Matrix3d J = Matrix3d::Zero();
  Matrix3d R = Matrix3d::Zero();  // P^-1 J', columns are impulses
};

// Its row of the normal, and what open contacts need of it: most contacts are open, and looking at
// them must not cost more than that.
struct NormalBlock {
  double n[3] = {0.0, 0.0, 0.0};
  int at = 0;
};

struct SweepSide {
  int component = 0;
  int first_block = 0, blocks = 0;  // nodal, of ContactSweep::blocks
  bool spare = false;               // one more block behind them is not in use yet: the whole
  const double* W = nullptr;        // exact: three rows of W_b
  int stride = 0;
  int at = 0;                 // exact: of the contact's own velocity in the state
  int first = 0, length = 0;  // exact: of all velocities of the component
};

struct SweepContact : OwnResponse, Friction {  // w is W_cc
  Vector3d q;
  double scale = 0.0;  // response() of the contact, of the natural map
  int first_side = 0, sides = 0;
};

struct ContactRange {
  int first = 0, last = 0;
};

class ContactSweep {
 public:
  std::vector<SweepContact> contacts;  // island by island
  std::vector<SweepSide> sides;
  std::vector<SweepBlock> blocks;
  std::vector<NormalBlock> normals;  // one a block
  FrictionLaw law = FrictionLaw::disc;

  // Fills in W_cc and what follows from it.
  void finish_contact(int c);

  // u_c, and what an impulse adds to the state: in all components, or in the exact ones only.
  Vector3d velocity(const SweepContact& contact, const double* state) const;
  void push(const SweepContact& contact, const Vector3d& impulse, double* state) const;
  void push_exact(const SweepContact& contact, const Vector3d& impulse, double* state) const;

  // W_cd: what an impulse of contact d does to the velocity of contact c; and what it does through
  // two sides of one component.
  Matrix3d coupling(int c, int d) const;
  Matrix3d coupling(const SweepSide& to, const SweepSide& from) const;
  // W of some contacts, dense and row by row.
  void form_delassus(ContactRange range, double* W) const;

  // One sweep; every contact is updated `visits` times in a row. Open contacts, without impulse and
  // with u_n >= 0, are passed over. The others are written to `awake`; returns how many there are.
  int sweep(ContactRange range, int visits, double* lambda, double* state, int* awake) const;
  // The same over the contacts named only.
  void sweep(std::span<const int> awake, int visits, double* lambda, double* state) const;

  // Holds the bounds of friction, and moves those that are held already towards mu times the normal
  // impulse, by a share of the way; or lets go of them.
  void hold_bounds(ContactRange range, const double* lambda, double share);
  void release_bounds(ContactRange range);

  // force += J' lambda; where the side is exact, lambda itself stands in the contact's place.
  void add_impulses(ContactRange range, const double* lambda, double* force) const;

  // The natural maps of contacts that are not open.
  NaturalSum look(ContactRange range, const double* lambda, const double* state) const;

  // Whether a contact has no impulse and u_n >= 0.
  bool open(int c, const double* lambda, const double* state) const;

  // The law for the loop over a Delassus.
  auto law_of(int visits) const
  {
    return [this, visits](int c, const Vector3d& u, const Vector3d& lambda) {
      return relax(contacts[c], contacts[c], law, u, lambda, visits);
    };
  }
};

}  // namespace tact
