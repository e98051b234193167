// Contact forces of the last step, by the features that carried them: the next step starts from
// them.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include <tact/contact/law.hpp>
#include <tact/sim/contact_rows.hpp>

namespace tact {

class ImpulseMemory {
 public:
  // Replaces what was known by the impulses of a step of length dt. Contacts of one key add up.
  void store(std::span<const ContactRecord> records, const VectorXd& lambda, double dt);

  // The impulse to start from in a step of length dt, in the contact's frame and within its cone;
  // zero for a contact that was not there.
  Vector3d recall(const ContactRecord& record, double mu, double dt, FrictionLaw law) const;

  // For checkpoints: keys ascending, eight numbers each.
  std::vector<double> save() const;
  void restore(std::span<const double> numbers);

  bool knows(const ContactKey& key) const { return forces_.contains(key); }
  template <class Visit>
  void for_each_key(const Visit& visit) const
  {
    for (const auto& [key, force] : forces_) visit(key);
  }
  int size() const { return static_cast<int>(forces_.size()); }

 private:
  std::unordered_map<ContactKey, Vector3d, ContactKeyHash> forces_;  // N, on the first side
};

}  // namespace tact
