#include <tact/sim/pair_targets.hpp>

#include <algorithm>
#include <limits>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr double room_enclosed = 0.25;  // of the distance that bodies are found at
constexpr double against = -0.1;        // cosine of normals that push against each other
constexpr int numbers_a_pair = 3;
constexpr double room_to_move = 2.0;   // times the target, of one that is lowered
constexpr double least_target = 1e-3;  // times delta

}  // namespace

// Agmon and Motzkin: always over the plane that is crossed most. It ends where there is more room
// than is asked for by a share of it, and else is given up.
bool have_room(std::span<const GapAtEnd> gaps, double distance)
{
  constexpr int most_moves = 64;
  constexpr double beyond = 1.5;  // of the way to the plane, for the sake of speed
  constexpr double farthest = 10.0;
  Vector3d moved = Vector3d::Zero();
  for (int k = 0; k < most_moves && moved.norm() <= farthest * distance; ++k) {
    double least = std::numeric_limits<double>::infinity();
    const GapAtEnd* nearest = nullptr;
    for (const GapAtEnd& gap : gaps) {
      const double now = gap.distance + gap.normal.dot(moved);
      if (now >= least) continue;
      least = now;
      nearest = &gap;
    }
    if (least >= distance) return true;
    moved += beyond * (distance - least) * nearest->normal;
  }
  return false;
}

PairTargets::PairTargets(const World& world, const WorldSurfaces& surfaces, double delta)
    : surfaces_(&surfaces), delta_(delta)
{
  for (int i = 0; i < world.body_count(); ++i) deforms_.push_back(world.body(i).deforms());
}

void PairTargets::begin(std::span<const Contact> near, double noise)
{
  nearest_.clear();
  const auto pair_of = [&](const Contact& contact) {
    return bodies_of(contact.vertices[0], contact.vertices[3]);
  };
  const auto normal_of = [&](const Contact& contact, const BodyPair& bodies) -> Vector3d {
    return surfaces_->body_of[contact.vertices[0]] == bodies[0] ? contact.normal : -contact.normal;
  };
  for (const Contact& contact : near) {
    const BodyPair bodies = pair_of(contact);
    const auto [entry, fresh] =
        nearest_.try_emplace(bodies, Nearness{contact.distance, normal_of(contact, bodies)});
    if (!fresh && contact.distance < entry->second.distance)
      entry->second = {contact.distance, normal_of(contact, bodies)};
  }
  for (const Contact& contact : near) {
    const BodyPair bodies = pair_of(contact);
    Nearness& nearest = nearest_.find(bodies)->second;
    if (normal_of(contact, bodies).dot(nearest.normal) < against) nearest.enclosed = true;
  }
  std::map<BodyPair, double> targets;
  for (const auto& [bodies, nearest] : nearest_) {
    const auto known = targets_.find(bodies);
    targets[bodies] =
        known != targets_.end() ? known->second : first_target(bodies, nearest, noise);
  }
  targets_ = std::move(targets);
}

double PairTargets::first_target(const BodyPair& bodies, const Nearness& near, double noise) const
{
  if (near.distance >= delta_) return delta_;
  const bool deforms = deforms_[bodies[0]] != 0 || deforms_[bodies[1]] != 0;
  const double room = near.enclosed && !deforms ? room_enclosed : 1.0;
  return std::min(delta_, std::max(room * near.distance, deforms ? noise : 0.0));
}

bool PairTargets::fit(const BodyPair& bodies, std::span<const GapAtEnd> gaps)
{
  const auto known = targets_.find(bodies);
  if (known == targets_.end() || have_room(gaps, known->second)) return false;
  double lower = 0.5 * known->second;
  while (lower >= least_target * delta_ && !have_room(gaps, room_to_move * lower)) lower *= 0.5;
  if (lower < least_target * delta_) return false;
  known->second = lower;
  return true;
}

double PairTargets::target(const BodyPair& bodies) const
{
  const auto known = targets_.find(bodies);
  return known == targets_.end() ? delta_ : known->second;
}

double PairTargets::nearest(const BodyPair& bodies) const
{
  const auto known = nearest_.find(bodies);
  return known == nearest_.end() ? std::numeric_limits<double>::infinity() : known->second.distance;
}

double PairTargets::least_clearance() const
{
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [bodies, near] : nearest_)
    if (near.enclosed && deforms_[bodies[0]] == 0 && deforms_[bodies[1]] == 0)
      least = std::min(least, near.distance);
  return least;
}

std::vector<double> PairTargets::save() const
{
  std::vector<double> numbers;
  for (const auto& [bodies, target] : targets_) {
    numbers.push_back(bodies[0]);
    numbers.push_back(bodies[1]);
    numbers.push_back(target);
  }
  return numbers;
}

void PairTargets::restore(std::span<const double> numbers)
{
  if (numbers.size() % numbers_a_pair != 0)
    throw Error("checkpoint: the distances that bodies are held at are incomplete");
  targets_.clear();
  for (std::size_t i = 0; i < numbers.size(); i += numbers_a_pair)
    targets_[{static_cast<int>(numbers[i]), static_cast<int>(numbers[i + 1])}] = numbers[i + 2];
}

}  // namespace tact
