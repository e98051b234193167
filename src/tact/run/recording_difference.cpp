#include <tact/run/recording_difference.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

void require_same_bodies(const Recording& a, const Recording& b)
{
  const auto& ours = a.header().bodies;
  const auto& theirs = b.header().bodies;
  if (ours.size() != theirs.size())
    throw Error(fmt::format("{}: found {} bodies, expected the {} of {}", b.file().string(),
                            theirs.size(), ours.size(), a.file().string()));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto words = [](const RecordedBody& body) {
      return fmt::format("{} \"{}\" of {} vertices", body.kind, body.name, body.vertex_count);
    };
    const bool same = ours[i].name == theirs[i].name && ours[i].kind == theirs[i].kind &&
                      ours[i].vertex_count == theirs[i].vertex_count &&
                      ours[i].q_size == theirs[i].q_size && ours[i].v_size == theirs[i].v_size;
    if (!same)
      throw Error(fmt::format("{}: found {} as body {}, expected {} as in {}", b.file().string(),
                              words(theirs[i]), i, words(ours[i]), a.file().string()));
  }
}

template <class Value>
void tell_setting(std::vector<std::string>& lines, const char* name, const Value& a, const Value& b)
{
  if (!(a == b)) lines.push_back(fmt::format("{} {} and {}", name, a, b));
}

std::vector<std::string> differing_settings(const RecordingHeader& a, const RecordingHeader& b)
{
  std::vector<std::string> lines;
  tell_setting(lines, "scene", a.scene, b.scene);
  tell_setting(lines, "version", a.version, b.version);
  tell_setting(lines, "seed", a.seed, b.seed);
  tell_setting(lines, "dt", a.dt, b.dt);
  tell_setting(lines, "contact distance", a.contact_distance, b.contact_distance);
  tell_setting(lines, "friction law", a.friction, b.friction);
  tell_setting(lines, "tolerance", a.tolerance.value_or(0.0), b.tolerance.value_or(0.0));
  if (lines.empty() && a.scene_json != b.scene_json) lines.push_back("other settings of the scene");
  return lines;
}

bool same_bits(const VectorXd& a, const VectorXd& b)
{
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

FrameDifference frame_difference(const RecordingHeader& header, const Frame& a, const Frame& b)
{
  FrameDifference found{.step = a.step, .t = a.t, .body = {}};
  double furthest = -1.0, fastest = -1.0;
  std::string fastest_body;
  for (const RecordedBody& body : header.bodies) {
    for (int i = body.first_vertex; i < body.first_vertex + body.vertex_count; ++i) {
      const auto vertex = static_cast<std::size_t>(i);
      const double distance = (a.vertices[vertex] - b.vertices[vertex]).norm();
      if (distance <= furthest) continue;
      furthest = distance;
      found.body = body.name;
    }
    if (body.v_size == 0) continue;
    const double velocity =
        (a.v.segment(body.v_first, body.v_size) - b.v.segment(body.v_first, body.v_size))
            .lpNorm<Eigen::Infinity>();
    if (velocity <= fastest) continue;
    fastest = velocity;
    fastest_body = body.name;
  }
  found.distance = std::max(0.0, furthest);
  found.velocity = std::max(0.0, fastest);
  if (found.distance == 0.0 && !fastest_body.empty()) found.body = fastest_body;
  return found;
}

}  // namespace

bool RecordingDifference::same(double distance) const
{
  return !first || (distance > 0.0 && worst->distance <= distance);
}

RecordingDifference difference(const Recording& a, const Recording& b)
{
  require_same_bodies(a, b);
  RecordingDifference result;
  result.settings = differing_settings(a.header(), b.header());
  int i = 0, k = 0;
  while (i < a.frame_count() && k < b.frame_count()) {
    const std::int64_t step_a = a.steps()[static_cast<std::size_t>(i)];
    const std::int64_t step_b = b.steps()[static_cast<std::size_t>(k)];
    if (step_a != step_b) {
      ++(step_a < step_b ? i : k);
      continue;
    }
    const Frame one = a.frame(i++), other = b.frame(k++);
    ++result.compared;
    if (one.t == other.t && same_bits(one.q, other.q) && same_bits(one.v, other.v)) continue;
    const FrameDifference found = frame_difference(a.header(), one, other);
    if (!result.first) result.first = found;
    if (!result.worst || found.distance > result.worst->distance) result.worst = found;
  }
  result.only_a = a.frame_count() - result.compared;
  result.only_b = b.frame_count() - result.compared;
  if (result.compared == 0)
    throw Error(fmt::format("{}: found no step that {} has recorded as well", b.file().string(),
                            a.file().string()));
  return result;
}

}  // namespace tact
