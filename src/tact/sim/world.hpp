// Bodies and what joins them: constant while stepping.
//
// Velocities of all bodies stand in one vector, three a node. Bodies that springs or pins join form
// a component; the nodes of a component follow each other, and A has one block-sparse matrix a
// component, none in between.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tact/bodies/body.hpp>
#include <tact/joints/joint_motion.hpp>
#include <tact/linalg/block_pattern.hpp>
#include <tact/sim/state.hpp>

namespace tact {

// A point of a body, or a fixed place in the world where `body` is -1.
struct Attachment {
  int body = -1;
  BodyPoint point = {};
  Vector3d place = Vector3d::Zero();  // m; used where body is -1
};

struct Spring {
  Attachment a = {}, b = {};
  double stiffness = 0.0;    // N/m
  double damping = 0.0;      // N s/m, along the spring
  double rest_length = 0.0;  // m
};

// Holds together two points that are at one place at the start: exactly where a is one node and b
// an obstacle or the world; by a spring too stiff to see otherwise.
struct Pin {
  Attachment a = {}, b = {};
};

// Where a joint is on a body, in the body's own axes; in the world's where body is -1.
struct JointEnd {
  int body = -1;
  JointFrame local = {};
};

// A hard joint between rigid bodies, obstacles and the world: equations of every step, with no
// stiffness.                                                                     docs/joints.md
struct Joint {
  std::string name;
  JointKind kind = JointKind::ball;
  JointEnd a = {}, b = {};
  double length = 0.0;   // m: what a `distance` keeps; 0: what it is at the start
  bool collide = false;  // whether the two bodies keep each other from overlapping
  bool rope = false;     // of a `distance`: keeps its points from being further apart only
  JointMotion motion = {};
};

// A node whose velocity is given, not solved for.
struct PrescribedNode {
  int node = 0;  // in the world
  int component = 0;
  Pin pin;  // b: an obstacle or a place in the world
};

// How two bodies meet.
struct ContactLaw {
  double mu = 0.3;           // Coulomb's coefficient, static and kinetic
  double restitution = 0.0;  // Newton's coefficient, 0 to 1
};

struct BodyPlace {  // where a body's numbers stand in the vectors of the world
  int q = 0;
  int node = 0;
  int vertex = 0;      // of its surface, in the list of all
  int component = -1;  // -1 for obstacles
};

struct Component {
  int first_node = 0;
  std::vector<int> bodies;
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<int> springs, pins;  // those of World::springs and World::soft_pins inside of it

  int node_count() const { return pattern->rows(); }
};

class World {
 public:
  int body_count() const { return static_cast<int>(bodies_.size()); }
  const Body& body(int index) const { return *bodies_[index]; }
  const BodyPlace& place(int body) const { return places_[body]; }
  int find(std::string_view name) const;  // -1 where there is none

  int q_size() const { return q_size_; }
  int node_count() const { return node_count_; }
  int v_size() const { return 3 * node_count_; }
  int vertex_count() const { return vertex_count_; }

  const Vector3d& gravity() const { return gravity_; }
  const Vector3d& wind() const { return wind_; }
  std::span<const Component> components() const { return components_; }
  std::span<const Spring> springs() const { return springs_; }
  std::span<const Pin> soft_pins() const { return soft_pins_; }
  std::span<const PrescribedNode> prescribed() const { return prescribed_; }
  std::span<const Joint> joints() const { return joints_; }
  // Components that joints hold together have one number, the others none (-1).
  int mechanism(int component) const { return mechanisms_[component]; }
  bool has_motor(int component) const { return component >= 0 && motored_[component] != 0; }
  const ContactLaw& law(int body_a, int body_b) const;  // the same both ways

  State start() const;

  // The stretches of the state that belong to a body.
  auto q(const State& state, int body) const
  {
    return state.q.segment(places_[body].q, bodies_[body]->q_size());
  }
  auto v(const State& state, int body) const
  {
    return state.v.segment(3 * places_[body].node, bodies_[body]->v_size());
  }

 private:
  friend class WorldBuilder;
  World() = default;

  // How it is built, in this order.
  void lay_out();                                           // places in q and among the vertices
  void number_nodes(std::vector<std::vector<int>> groups);  // components: bodies that are joined
  void sort_pins(const std::vector<Pin>& pins);             // into prescribed and soft ones
  void number_mechanisms();                                 // components that joints join
  void check_joints();                                      // their ends fit at the start
  void find_patterns();                                     // which blocks of A there are

  std::vector<std::unique_ptr<Body>> bodies_;
  std::vector<BodyPlace> places_;
  std::vector<Component> components_;
  std::vector<Spring> springs_;
  std::vector<Pin> soft_pins_;
  std::vector<PrescribedNode> prescribed_;
  std::vector<Joint> joints_;
  std::vector<int> mechanisms_;                    // one a component
  std::vector<char> motored_;                      // one a component: a motor drives its mechanism
  std::map<std::array<int, 2>, ContactLaw> laws_;  // smaller body first
  ContactLaw law_;                                 // of all other pairs
  Vector3d gravity_ = Vector3d::Zero();
  Vector3d wind_ = Vector3d::Zero();
  int q_size_ = 0;
  int node_count_ = 0;
  int vertex_count_ = 0;
};

class WorldBuilder {
 public:
  Vector3d gravity = {0.0, -9.81, 0.0};  // m/s^2
  Vector3d wind = Vector3d::Zero();      // m/s
  ContactLaw law;                        // of pairs that no other speaks of

  // Returns the body's number. Throws Error when the name is taken.
  int add(std::unique_ptr<Body> body);
  // Throw Error for bodies or points that do not exist, numbers out of range, and where neither end
  // can move.
  void add(const Spring& spring);
  void add(const Pin& pin);
  // Throws Error also for names that are taken, bodies that deform, and a body joined to itself.
  void add(Joint joint);

  // Throws Error for bodies that do not exist, mu < 0, restitution outside of [0, 1]. A body may be
  // paired with itself.
  void set_law(int body_a, int body_b, const ContactLaw& pair_law);

  World build();  // leaves the builder empty

 private:
  std::vector<std::unique_ptr<Body>> bodies_;
  std::vector<Spring> springs_;
  std::vector<Pin> pins_;
  std::vector<Joint> joints_;
  std::map<std::array<int, 2>, ContactLaw> laws_;
};

// At the time of the state, or at another time for what moves by a script.
Vector3d position(const World& world, const State& state, const Attachment& point);
Vector3d position(const World& world, const State& state, const Attachment& point, double t);

// Where a joint's frame on one of its bodies is.
JointFrame frame_of(const World& world, const State& state, const JointEnd& end);
JointRows joint_rows(const World& world, const State& state, const Joint& joint);

// The surfaces of all bodies, one after the other, at the time and in the pose of the state.
void place_surfaces(const World& world, const State& state, std::vector<Vector3d>& vertices);

// Of one body, without the springs that join it to others; and of a spring.
double kinetic_energy(const World& world, const State& state, int body);    // J
double potential_energy(const World& world, const State& state, int body);  // J: elastic, gravity
double potential_energy(const World& world, const State& state, const Spring& spring);  // J

// Sums over all bodies.
double kinetic_energy(const World& world, const State& state);    // J
double potential_energy(const World& world, const State& state);  // J: elastic, springs, gravity
Momentum momentum(const World& world, const State& state);

}  // namespace tact
