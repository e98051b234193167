// Where contacts stick. A row holds the velocity of a contact at zero only up to the solver's
// error, and those errors add up to creep. So a contact that sticks remembers the two points of
// matter that met when it began to, and how far they have drifted apart since is part of the next
// step's row:
//   u_t = F_t' (J v) + drift / dt
// Creep is then bounded by the error of one step, however long it sticks. A contact at the bound of
// its cone takes its anchor along, at the end of what solves err by in a step: in an answer with
// errors some are at the bound that hardly move, others the next time, and if they forgot, each
// would creep by what it had drifted. A contact that does not push forgets.
#pragma once

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include <tact/contact/law.hpp>
#include <tact/sim/contact_rows.hpp>

namespace tact {

struct StickLaw {
  FrictionLaw friction = FrictionLaw::disc;
  double noise = 0.0;  // m: what solves err by in one step; a contact that slips drifts no farther
};

// m: drift up to left_alone is not asked back, and none beyond the farthest, which is no error of a
// solver. Rigid bodies are solved exactly: what they drift is of second order in how far they turn,
// and asking that back at once would cost energy.
struct DriftRange {
  double left_alone = 0.0;
  double farthest = 0.0;
};

class StickAnchors {
 public:
  // m, along the tangents of the contact's frame; zero for one that did not push in the last step.
  // x: surface vertices at the start of the step.
  Vector2d drift(const ContactRecord& record, std::span<const Vector3d> x,
                 const DriftRange& range) const;

  // After a step with these impulses that ended at x.
  void store(std::span<const ContactRecord> records, const ContactProblem& problem,
             const VectorXd& lambda, const StickLaw& law, std::span<const Vector3d> x);

  // For checkpoints: keys ascending, twelve numbers each.
  std::vector<double> save() const;
  void restore(std::span<const double> numbers);

  int size() const { return static_cast<int>(anchors_.size()); }

 private:
  struct Anchor {
    std::array<double, 4> weights{};     // of the key's vertices: the points of matter
    Vector3d offset = Vector3d::Zero();  // m: how far apart they were along the tangents
  };

  static Anchor anchor_at(const KeyedContact& contact, std::span<const Vector3d> x);
  static Anchor dragged(const Anchor& known, const KeyedContact& contact,
                        std::span<const Vector3d> x, double most);

  std::unordered_map<ContactKey, Anchor, ContactKeyHash> anchors_;
};

}  // namespace tact
