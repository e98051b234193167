// What scripts squeeze gives way. Obstacles that close on a sheet from two sides may leave less
// room than its rows hold on either side, 2 T, and then no velocity fulfils them. A node that is
// squeezed so has a layer on each side that can be compressed, by dt s:
//
//   u_n = (J v)_n + (J s)_n + bias,      a s = J_n' lambda_n,      a = trace(A_kk) / 3
//
// a is what the mesh itself opposes to a velocity of node k alone, so that a layer is as stiff as
// the springs or the elements at its node. The sides share the room, and what is missing presses:
// so a pinched sheet carries friction. Where there is room for both, nothing is compressed.
//
// Layers are nodes of the problem, one a component, while it is solved. Afterwards s stands in the
// biases, and the problem is one of the world's nodes again, with the same answer.
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include <tact/sim/contact_rows.hpp>

namespace tact {

class SqueezedLayers {
 public:
  explicit SqueezedLayers(const World& world);

  // Of a step of this length that has no rows yet.
  void begin(double dt);
  // Rows were appended: finds what is squeezed, and gives its rows their layers. True: the problem
  // has other nodes than before.
  bool update(ContactProblem& problem, std::vector<ContactRecord>& records,
              ContactSolution& solution);
  // Before a solve, biases are without s; after it s is part of them.
  void ease(std::span<const ContactRecord> records, ContactProblem& problem) const;
  void settle(const ContactSolution& solution, ContactProblem& problem) const;
  // The problem and its answer are those of the world's nodes again.
  void end(ContactProblem& problem, ContactSolution& solution);

  bool empty() const { return layers_.empty(); }
  bool has(int contact) const { return !layered_.empty() && layered_[contact] != 0; }
  // m, > 0: what is left to two bodies where one is squeezed; infinite where none is.
  double room(const BodyPair& bodies) const;

 private:
  struct Press {  // a row that an obstacle has on a node
    int node = 0, contact = 0;
    RowVector3d J;
    double rate = 0.0;  // m/s: its bias, if it asks for all that is missing
  };
  bool may_press(const ContactRecord& record) const;
  double full_rate(const ContactRecord& record) const;
  void find_squeezed(const ContactProblem& problem, std::span<const ContactRecord> records);
  void compare(std::span<const Press> presses, std::span<const ContactRecord> records);
  void note_room(const ContactRecord& record, double missing);
  void add_nodes(ContactProblem& problem, ContactSolution& solution) const;
  void add_blocks(ContactProblem& problem, std::vector<ContactRecord>& records);
  bool add_layers(const ContactRows& rows, std::vector<RowBlock>& blocks) const;

  const World* world_;
  std::vector<char> is_obstacle_, deforms_;  // one a body
  double dt_ = 0.0;
  int rows_ = 0;  // that were looked at
  // Nodes of the world with layers, ascending, and a row of the first side of each. In the problem
  // the layers of the k-th follow those of the world: 2 k on the first side, 2 k + 1 on the other.
  std::vector<int> layers_;
  std::vector<RowVector3d> first_side_;
  std::vector<Press> presses_;
  std::map<BodyPair, double> rooms_;  // m
  std::vector<char> layered_;         // one a contact; empty where there are no layers
};

}  // namespace tact
