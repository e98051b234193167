// From geometric contacts to rows of a contact problem.            [Otaduy09] Sec. 3.2, eq. (4)-(5)
//
// A contact joins points p_a and p_b, each a weighted sum of surface vertices, and each vertex gets
// its velocity from nodes of its body. In the frame F = (n, t1, t2) the relative velocity is
//   u = F' (sum_k w_k v(x_k)) + (g, 0, 0)
// and the rows J are its derivative with respect to the nodes. What moves by a script goes into the
// bias with the velocity that it has in this step.
//
// The impulses of a row act on both bodies at one common point, or they would turn the two
// together: (p_a - p_b) x lambda. Two bodies that keep their shape take the point between p_a and
// p_b at the time at which the contact was taken; what J v then says otherwise than the motion does
// is made up for by the bias (row_bend.hpp). A body that meets an obstacle or a mesh takes its own
// point; nodes of a mesh take impulses where they are, and the moment that this leaves is put right
// in the end (conservation.hpp).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/sim/contact_key.hpp>
#include <tact/sim/pair_targets.hpp>
#include <tact/sim/world_surfaces.hpp>

namespace tact {

class ImpulseMemory;

struct ContactRowOptions {
  double delta = 1e-3;                   // m: the distance that contacts are held at, at most
  const PairTargets* targets = nullptr;  // of each two bodies; null: delta for all
  double push_out = 0.02;                // m/s: how fast pairs that are nearer are parted, at most
  double push_out_soft = 2e-3;           // m/s: the same where a body deforms
  double bounce_from = 0.0;              // m/s: slower approaches do not bounce
  const ImpulseMemory* last = nullptr;   // what pushed in the last step; null: nothing did
  std::optional<double> mu = {};         // of all pairs, instead of what the world says
};

// What is kept of a contact beside its rows: for warm starts, reports and pictures.
struct ContactRecord {
  KeyedContact contact;
  int body_a = 0, body_b = 0;
  Matrix3d frame;                         // columns n, t1, t2
  Vector3d point = Vector3d::Zero();      // m: where its impulses act
  Vector3d known = Vector3d::Zero();      // m/s: the part of u that moves by a script
  Vector3d base_bias = Vector3d::Zero();  // m/s: the bias before it is bent
  // m/s: what its gap asks for, in the bias if it does not bounce.
  double rate = 0.0;
  double gap = 0.0;     // m: along the normal, at the start
  double target = 0.0;  // m: what it is held at
};

// One step's view: fixed while rows are added to its problem.
struct StepView {
  const State* start = nullptr;
  std::span<const Vector3d> x0;  // surface vertices at the start
  // At the end, as the motion is expected or was found: rows read those of obstacles.
  std::span<const Vector3d> x1;
  const VectorXd* v_star = nullptr;
  double dt = 0.0;
};

class ContactRowBuilder {
 public:
  ContactRowBuilder(const World& world, const WorldSurfaces& surfaces);

  void begin(const StepView& view, const ContactRowOptions& options);

  // How a gap that is too small counts. Pairs that are nearer than they should be are parted
  // slowly: but a side that only ends another one is as far away as it is.
  enum class GapRule { parted_slowly, as_it_is };

  // Adds three rows and a record. False, and nothing is added, where no node of the contact is free
  // to move.
  bool append(const KeyedContact& contact, ContactProblem& problem,
              std::vector<ContactRecord>& records, GapRule rule = GapRule::parted_slowly);

  // Holds a row between bodies that keep their shape at what their target is now.
  void retarget(ContactRecord& record, const ContactRows& rows) const;

 private:
  Vector3d common_point(const KeyedContact& contact, int body_a, int body_b) const;
  void add_side(const KeyedContact& contact, int body, bool first, const Vector3d& point,
                ContactProblem& problem, ContactRows& rows);
  void add_vertex(int vertex, double weight, ContactProblem& problem, ContactRows& rows);
  double rate_of(const ContactRecord& record, double free) const;
  void add_block(int node, const Matrix3d& J, ContactProblem& problem, ContactRows& rows);

  const World* world_;
  const WorldSurfaces* surfaces_;
  std::vector<char> is_prescribed_;  // for each node
  std::vector<char> pushed_;         // one a body: it pushed at another in the last step
  VectorXd prescribed_velocity_;
  StepView view_;
  ContactRowOptions options_;
  Matrix3d to_frame_;  // F'
  Vector3d known_;     // m/s: the part of u that moves by a script
};

// A right-handed frame with the normal as its first column, the same for the same normal.
Matrix3d contact_frame(const Vector3d& normal);

}  // namespace tact
