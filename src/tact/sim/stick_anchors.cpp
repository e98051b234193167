#include <tact/sim/stick_anchors.hpp>

#include <algorithm>
#include <cmath>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr int numbers_an_anchor = numbers_of_key + 7;  // weights, offset
constexpr double within_cone = 1.0 - 1e-6;

bool sticks(const Vector3d& impulse, double mu, FrictionLaw law)
{
  if (impulse[0] <= 0.0 || mu <= 0.0) return false;
  const double bound = within_cone * mu * impulse[0];
  if (law == FrictionLaw::pyramid)
    return std::abs(impulse[1]) < bound && std::abs(impulse[2]) < bound;
  return impulse.tail<2>().norm() < bound;
}

Vector3d along_tangents(const Vector3d& d, const KeyedContact& contact)
{
  return d - contact.normal * contact.normal.dot(d);
}

}  // namespace

StickAnchors::Anchor StickAnchors::anchor_at(const KeyedContact& contact,
                                             std::span<const Vector3d> x)
{
  return {contact.weights, along_tangents(apart(contact.key, contact.weights, x), contact)};
}

// At the points that meet now, so that what slides far does not speak of points beyond its
// features.
StickAnchors::Anchor StickAnchors::dragged(const Anchor& known, const KeyedContact& contact,
                                           std::span<const Vector3d> x, double most)
{
  const Vector3d since =
      along_tangents(apart(contact.key, known.weights, x) - known.offset, contact);
  const double length = since.norm();
  Anchor anchor = anchor_at(contact, x);
  anchor.offset -= length > most ? Vector3d(most / length * since) : since;
  return anchor;
}

Vector2d StickAnchors::drift(const ContactRecord& record, std::span<const Vector3d> x,
                             const DriftRange& range) const
{
  const auto known = anchors_.find(record.contact.key);
  if (known == anchors_.end()) return Vector2d::Zero();
  const Vector3d since = apart(record.contact.key, known->second.weights, x) - known->second.offset;
  const Vector2d drift = (record.frame.transpose() * since).tail<2>();
  const double length = drift.norm();
  if (length <= range.left_alone || length > range.farthest) return Vector2d::Zero();
  return (1.0 - range.left_alone / length) * drift;
}

void StickAnchors::store(std::span<const ContactRecord> records, const ContactProblem& problem,
                         const VectorXd& lambda, const StickLaw& law, std::span<const Vector3d> x)
{
  std::unordered_map<ContactKey, Anchor, ContactKeyHash> anchors;
  for (std::size_t c = 0; c < records.size(); ++c) {
    const KeyedContact& contact = records[c].contact;
    const Vector3d impulse = lambda.segment<3>(3 * static_cast<Eigen::Index>(c));
    const auto known = anchors_.find(contact.key);
    const bool stuck = sticks(impulse, problem.contacts[c].mu, law.friction);
    if (known == anchors_.end()) {
      if (stuck) anchors.try_emplace(contact.key, anchor_at(contact, x));
    } else if (stuck) {
      anchors.insert_or_assign(contact.key, known->second);
    } else if (impulse[0] > 0.0) {
      anchors.try_emplace(contact.key, dragged(known->second, contact, x, law.noise));
    }
  }
  anchors_ = std::move(anchors);
}

std::vector<double> StickAnchors::save() const
{
  std::vector<std::pair<ContactKey, Anchor>> sorted(anchors_.begin(), anchors_.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<double> numbers;
  numbers.reserve(numbers_an_anchor * sorted.size());
  for (const auto& [key, anchor] : sorted) {
    append_key(key, numbers);
    numbers.insert(numbers.end(), anchor.weights.begin(), anchor.weights.end());
    numbers.insert(numbers.end(), anchor.offset.begin(), anchor.offset.end());
  }
  return numbers;
}

void StickAnchors::restore(std::span<const double> numbers)
{
  if (numbers.size() % numbers_an_anchor != 0)
    throw Error("checkpoint: the places where contacts stick are incomplete");
  anchors_.clear();
  for (std::size_t i = 0; i < numbers.size(); i += numbers_an_anchor) {
    Anchor anchor;
    for (int k = 0; k < 4; ++k) anchor.weights[k] = numbers[i + numbers_of_key + k];
    for (int k = 0; k < 3; ++k) anchor.offset[k] = numbers[i + numbers_of_key + 4 + k];
    anchors_[key_at(numbers.subspan(i))] = anchor;
  }
}

}  // namespace tact
