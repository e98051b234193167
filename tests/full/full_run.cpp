#include "full_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <scene/scene_run.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_file.hpp>

namespace tact::test {
namespace {

// A row of the summary: the columns are those of the head that ./check writes.
std::string row_of(const std::string& label, const FullRun& run)
{
  const RunTotals& totals = run.report.totals;
  const StepAccount& account = totals.account;
  std::string passes;
  for (const std::int64_t steps : totals.cmr_passes)
    passes += fmt::format("{}{}", passes.empty() ? "" : "/", steps);
  return fmt::format(
      "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1e} | {:.1e} | {:.1e} | {:.1f} | {} |\n", label,
      account.steps, totals.contacts_max, account.islands_max, account.island_contacts_max, passes,
      account.halvings, fmt::format("{}, {}", account.unconverged, account.cut_steps),
      totals.residual_max, account.momentum_loss_max, run.verdict.momentum_left_max,
      totals.wall_seconds / totals.simulated_seconds, run.verdict.ok() ? "ok" : "not ok");
}

void check_sound(const FullRun& run)
{
  CAPTURE(run.report.miss());
  CAPTURE(run.report.failure);
  CHECK(run.report.finished);
  CHECK(run.report.miss().empty());
  CHECK(run.report.totals.intersecting_pairs == 0);
  CHECK(run.verdict.intersecting_pairs == 0);
  for (std::size_t i = 0; i < run.verdict.findings.size() && i < 3; ++i) {
    CAPTURE(run.verdict.findings[i].frame);
    FAIL_CHECK(run.verdict.findings[i].text);
  }
}

}  // namespace

Frame FullRun::at(double t) const
{
  const std::vector<double>& times = recording.times();
  const auto after = std::lower_bound(times.begin(), times.end(), t);
  const auto k = std::min<std::ptrdiff_t>(after - times.begin(), recording.frame_count() - 1);
  const bool before_is_nearer = k > 0 && t - times[k - 1] < times[k] - t;
  return recording.frame(static_cast<int>(before_is_nearer ? k - 1 : k));
}

std::vector<Vector3d> FullRun::vertices(const Frame& frame, int body) const
{
  const RecordedBody& recorded = recording.header().bodies[body];
  const auto first = frame.vertices.begin() + recorded.first_vertex;
  return {first, first + recorded.vertex_count};
}

Vector3d FullRun::centre(const Frame& frame, int body) const
{
  const RecordedBody& recorded = recording.header().bodies[body];
  return scene.world.body(body).centre_of_mass(frame.q.segment(recorded.q_first, recorded.q_size));
}

Vector3d FullRun::velocity(const Frame& frame, int body) const
{
  const RecordedBody& recorded = recording.header().bodies[body];
  return linear_momentum(recorded.masses, frame.v.segment(recorded.v_first, recorded.v_size)) /
         recorded.mass();
}

double FullRun::speed(const Frame& frame) const
{
  double energy = 0.0, mass = 0.0;
  for (const RecordedBody& body : recording.header().bodies)
    for (std::size_t k = 0; k < body.masses.size(); ++k) {
      energy +=
          body.masses[k] * frame.v.segment<3>(body.v_first + 3 * static_cast<int>(k)).squaredNorm();
      mass += body.masses[k];
    }
  return mass > 0.0 ? std::sqrt(energy / mass) : 0.0;
}

FullRun full_run(const std::string& label, const std::string& scene,
                 const std::vector<std::string>& patches, int every)
{
  const std::filesystem::path folder = std::filesystem::path(TACT_FULL_RUNS) / label;
  Scene built = build_scene(read_scene(scene, patches));
  RunSettings settings = run_settings(built, folder);
  settings.every = every;
  settings.threads = tbb::this_task_arena::max_concurrency();
  RunReport report = run(built.world, settings);
  Recording recording = Recording::open(folder);
  VerifyReport verdict = verify(recording);
  FullRun made{std::move(built), std::move(report), std::move(verdict), std::move(recording)};
  write_text(folder.parent_path() / (label + ".row"), row_of(label, made));
  check_sound(made);
  return made;
}

}  // namespace tact::test
