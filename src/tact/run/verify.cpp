#include <tact/run/verify.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

// A frame on its way from the file to its verdict.
struct FrameJob {
  int k = 0;
  Frame frame = {};
  VerifyReport verdict = {};
};

// A message about a file, which the finding will name itself.
VerifyReport damaged(int k, std::string text, const Recording& recording)
{
  const std::string file = recording.file().string() + ": ";
  if (text.starts_with(file)) text.erase(0, file.size());
  const std::string frame = fmt::format("frame {} ", k);  // which findings are told with
  if (text.starts_with(frame)) text.erase(0, frame.size());
  VerifyReport report{.frames = 1};
  report.find(k, std::move(text));
  return report;
}

// Frames lie the same number of steps apart, beginning with the start.
void judge_order(const Recording& recording, VerifyReport& report)
{
  const std::vector<std::int64_t>& steps = recording.steps();
  const std::int64_t every = steps.size() > 1 ? std::max<std::int64_t>(1, steps[1]) : 1;
  for (int k = 0; k < recording.frame_count(); ++k) {
    const std::int64_t expected = k * every;
    if (steps[k] == expected) continue;
    report.find(k,
                fmt::format("is of step {}, expected step {}: frames are missing or out of order",
                            steps[k], expected));
    return;
  }
}

// Where joints are told of; a damaged one is told of when its turn comes.
std::optional<Frame> start_of(const Recording& recording)
{
  if (recording.header().joints.empty() || recording.frame_count() == 0) return std::nullopt;
  try {
    return recording.frame(0);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// What the index says of a frame and what the frame says of itself.
void judge_label(const Recording& recording, int k, const Frame& frame, VerifyReport& verdict)
{
  if (frame.step != recording.steps()[k] || frame.t != recording.times()[k])
    verdict.find(k,
                 fmt::format("is of step {} at {:g} s, the list of frames says step {} at {:g} s",
                             frame.step, frame.t, recording.steps()[k], recording.times()[k]));
  if (frame.step > 0 && frame.momentum.empty()) verdict.find(k, "has no record of momentum");
}

}  // namespace

void VerifyReport::find(int frame, std::string text)
{
  findings.push_back({frame, std::move(text)});
}

void VerifyReport::add(const VerifyReport& frame)
{
  frames += frame.frames;
  triangles_max = std::max(triangles_max, frame.triangles_max);
  intersecting_pairs += frame.intersecting_pairs;
  penetration_max = std::max(penetration_max, frame.penetration_max);
  residual_max = std::max(residual_max, frame.residual_max);
  natural_max = std::max(natural_max, frame.natural_max);
  cone_violation_max = std::max(cone_violation_max, frame.cone_violation_max);
  momentum_error_max = std::max(momentum_error_max, frame.momentum_error_max);
  joint_gap_max = std::max(joint_gap_max, frame.joint_gap_max);
  joint_turn_max = std::max(joint_turn_max, frame.joint_turn_max);
  momentum_left_max = std::max(momentum_left_max, frame.momentum_left_max);
  contacts += frame.contacts;
  cut_frames += frame.cut_frames;
  account.add(frame.account);
  unaccounted += frame.unaccounted;
  findings.insert(findings.end(), frame.findings.begin(), frame.findings.end());
}

// HDF5 reads one frame at a time; frames are judged on all threads and added up in order.
VerifyReport verify(const Recording& recording, const VerifyOptions& options)
{
  VerifyReport report;
  report.finished = recording.finished();
  report.tolerance = recording.header().tolerance;
  report.joints = static_cast<int>(recording.header().joints.size());
  const std::optional<Frame> start = start_of(recording);
  judge_order(recording, report);
  int next = 0;
  const auto read = [&](tbb::flow_control& control) {
    FrameJob job{.k = next};
    if (next >= recording.frame_count()) {
      control.stop();
      return job;
    }
    options.begin_frame(next++);
    try {
      job.frame = recording.frame(job.k);
    } catch (const Error& error) {
      job.verdict = damaged(job.k, error.what(), recording);
    }
    return job;
  };
  const auto judge = [&](FrameJob job) {
    if (!job.verdict.findings.empty()) return job;
    job.verdict = verify_frame(recording.header(), job.k, job.frame, start ? &*start : nullptr);
    judge_label(recording, job.k, job.frame, job.verdict);
    job.frame = {};
    return job;
  };
  const auto in_flight = static_cast<std::size_t>(2 * tbb::this_task_arena::max_concurrency());
  tbb::parallel_pipeline(
      in_flight,
      tbb::make_filter<void, FrameJob>(tbb::filter_mode::serial_in_order, read) &
          tbb::make_filter<FrameJob, FrameJob>(tbb::filter_mode::parallel, judge) &
          tbb::make_filter<FrameJob, void>(tbb::filter_mode::serial_in_order,
                                           [&](const FrameJob& job) { report.add(job.verdict); }));
  return report;
}

}  // namespace tact
