#include <tact/sim/impulse_memory.hpp>

#include <algorithm>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr int numbers_a_force = numbers_of_key + 3;

}  // namespace

void ImpulseMemory::store(std::span<const ContactRecord> records, const VectorXd& lambda, double dt)
{
  forces_.clear();
  for (std::size_t c = 0; c < records.size(); ++c) {
    const Vector3d impulse = lambda.segment<3>(3 * static_cast<Eigen::Index>(c));
    if (impulse[0] <= 0.0) continue;
    Vector3d& force = forces_.try_emplace(records[c].contact.key, Vector3d::Zero()).first->second;
    force += records[c].frame * impulse / dt;
  }
}

Vector3d ImpulseMemory::recall(const ContactRecord& record, double mu, double dt,
                               FrictionLaw law) const
{
  const auto known = forces_.find(record.contact.key);
  if (known == forces_.end()) return Vector3d::Zero();
  return clamp_to_cone(record.frame.transpose() * known->second * dt, mu, law);
}

std::vector<double> ImpulseMemory::save() const
{
  std::vector<std::pair<ContactKey, Vector3d>> sorted(forces_.begin(), forces_.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<double> numbers;
  numbers.reserve(numbers_a_force * sorted.size());
  for (const auto& [key, force] : sorted) {
    append_key(key, numbers);
    numbers.insert(numbers.end(), force.begin(), force.end());
  }
  return numbers;
}

void ImpulseMemory::restore(std::span<const double> numbers)
{
  if (numbers.size() % numbers_a_force != 0)
    throw Error("checkpoint: the impulses of the last step are incomplete");
  forces_.clear();
  for (std::size_t i = 0; i < numbers.size(); i += numbers_a_force) {
    const std::span<const double> force = numbers.subspan(i + numbers_of_key, 3);
    forces_[key_at(numbers.subspan(i))] = Vector3d(force[0], force[1], force[2]);
  }
}

}  // namespace tact
