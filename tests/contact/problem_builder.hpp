// Contact problems of nets, blocks and rigid boxes, put together by hand.
#pragma once

#include <array>
#include <vector>

#include <tact/contact/contact_problem.hpp>

namespace tact {

class ProblemBuilder {
 public:
  double dt = 0.01;                              // s
  Vector3d gravity = Vector3d(0.0, 0.0, -9.81);  // m/s^2

  // A component of equal nodes, each with the mass given, coupled in pairs by
  //   stiffness (n n' + sideways (I - n n')),  n along the line between them,
  // taken implicitly: A = M + dt^2 K. Nodes are numbered as they stand in `places`.
  struct Lattice {
    std::vector<Vector3d> places = {};  // m
    std::vector<std::array<int, 2>> pairs = {};
    double mass = 0.01;         // kg a node
    double stiffness = 1000.0;  // N/m
    double sideways = 0.0;
    Vector3d velocity = Vector3d::Zero();  // m/s, before the step
  };
  int add(const Lattice& lattice);  // returns the first node

  struct Box {
    double mass = 1.0;  // kg
    Vector3d size = Vector3d(0.2, 0.2, 0.2);
    Vector3d centre = Vector3d::Zero();
    Vector3d velocity = Vector3d::Zero();
    Vector3d spin = Vector3d::Zero();
  };
  int add(const Box& box);  // returns the first of its two nodes

  // What touches: nodes with their weights. A point of a rigid body is its first node with an arm.
  struct Support {
    int node = 0;
    double weight = 1.0;  // positive on the side that the normal points to
    bool rigid = false;
    Vector3d arm = Vector3d::Zero();  // m, from the centre
  };
  struct Contact {
    std::vector<Support> supports = {};
    Vector3d normal = Vector3d::UnitZ();
    double gap = 0.0;  // m
    double mu = 0.5;
    double restitution = 0.0;
    double approach = 0.0;
  };
  void add(const Contact& contact);

  const Vector3d& place(int node) const { return places_[node]; }
  ContactProblem build() const { return problem_; }

 private:
  ContactProblem problem_;
  std::vector<Vector3d> places_;
};

// A square net of springs, lying flat at the height given.
ProblemBuilder::Lattice net(int nodes_a_side, double spacing, double height);
// A cube of nodes coupled with all neighbours along edges and diagonals.
ProblemBuilder::Lattice soft_cube(int nodes_a_side, double spacing, const Vector3d& corner);

// Problems that the tests share. `mu` applies to all contacts.
ContactProblem block_on_slope(double angle, double mu, double dt = 0.01);  // 8 contacts, 4 places
ContactProblem box_stack(int boxes, double mu, double top_mass = 1.0);     // kg; the others 1 kg
ContactProblem net_on_ground(int nodes_a_side, double mu);
ContactProblem cube_pile(int cubes, double mu);
// A net on the ground, a soft cube on the net, a rigid box on both.
ContactProblem mixed_pile(double mu);
// Mass points that fall on a net: all kinds of components in several islands.
ContactProblem scattered(double mu);

// The contacts in reverse order.
ContactProblem reversed(ContactProblem problem);
// Grams and millimetres: lengths and velocities x 1000, masses x 1000. Angles stay.
ContactProblem in_small_units(ContactProblem problem);

struct NamedProblem {
  const char* name;
  ContactProblem problem;
};
std::vector<NamedProblem> all_problems(double mu);

}  // namespace tact
