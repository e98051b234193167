#include <tact/run/forces.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr double window = 1.0;      // s
constexpr std::size_t numbers = 8;  // that a pair is saved as

std::string name_of(const RecordingHeader& header, int body)
{
  return body < 0 ? "world" : header.bodies[body].name;
}

}  // namespace

void ForceMeter::add(const RecordingHeader& header, const Frame& frame)
{
  Step step;
  for (const BodyWrench& wrench : net_wrenches(header, frame))
    if (std::find(bodies_.begin(), bodies_.end(), wrench.body) != bodies_.end())
      step.push_back({wrench.body, wrench.partner, wrench.wrench});
  steps_.push_back(std::move(step));
  const auto kept = static_cast<std::size_t>(std::max(1.0, std::round(window / header.dt)));
  while (steps_.size() > kept) steps_.pop_front();
}

std::vector<BodyForces> ForceMeter::summary(const RecordingHeader& header) const
{
  std::vector<BodyForces> result;
  const double share = 1.0 / std::max(1.0, static_cast<double>(steps_.size()));
  for (const int body : bodies_) {
    std::map<int, ForceSummary> partners;
    BodyForces forces{.body = name_of(header, body),
                      .seconds = static_cast<double>(steps_.size()) * header.dt};
    for (const Step& step : steps_)
      for (const Pair& pair : step) {
        if (pair.body != body) continue;
        const Wrench part = share * pair.wrench;
        ForceSummary& partner = partners[pair.partner];
        for (ForceSummary* sum : {&partner, &forces.total}) {
          sum->mean += part;
          if (&step == &steps_.back()) sum->last += pair.wrench;
        }
      }
    for (auto& [partner, sum] : partners) {
      sum.body = name_of(header, partner);
      forces.partners.push_back(sum);
    }
    result.push_back(std::move(forces));
  }
  return result;
}

// Each step as the number of its pairs, then the pairs.
std::vector<double> ForceMeter::save() const
{
  std::vector<double> saved;
  for (const Step& step : steps_) {
    saved.push_back(static_cast<double>(step.size()));
    for (const auto& [body, partner, wrench] : step) {
      saved.insert(saved.end(), {static_cast<double>(body), static_cast<double>(partner)});
      saved.insert(saved.end(), wrench.force.begin(), wrench.force.end());
      saved.insert(saved.end(), wrench.torque.begin(), wrench.torque.end());
    }
  }
  return saved;
}

void ForceMeter::restore(std::span<const double> saved)
{
  steps_.clear();
  while (!saved.empty()) {
    const auto pairs = static_cast<std::size_t>(saved[0]);
    if (saved[0] < 0.0 || saved.size() < 1 + numbers * pairs)
      throw Error("checkpoint: its forces are incomplete");
    Step step;
    for (const double* x = saved.data() + 1; step.size() < pairs; x += numbers)
      step.push_back({static_cast<int>(x[0]),
                      static_cast<int>(x[1]),
                      {.force = {x[2], x[3], x[4]}, .torque = {x[5], x[6], x[7]}}});
    steps_.push_back(std::move(step));
    saved = saved.subspan(1 + numbers * pairs);
  }
}

}  // namespace tact
