#include <bench/collision.hpp>

#include <algorithm>
#include <functional>
#include <thread>

#include <fmt/core.h>
#include <tbb/task_arena.h>

#include <bench/collision_scenes.hpp>
#include <bench/cpu_timer.hpp>
#include <bench/statistics.hpp>
#include <tact/collision/broad_phase.hpp>
#include <tact/collision/crossings.hpp>
#include <tact/collision/proximity.hpp>
#include <tact/collision/spatial_hash.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

struct Measurement {
  std::string method;
  int threads = 1;
  int frames = 9;
};

// Wall time, or processor time where one thread does all.
double timed_ms(int threads, const std::function<void()>& work)
{
  const Timer wall;
  const CpuTimer processor;
  work();
  return 1e3 * (threads == 1 ? processor.seconds() : wall.seconds());
}

CollisionRow measure_scene(const DetectionScene& scene, const Measurement& how)
{
  CollisionRow row{.scene = scene.name,
                   .method = how.method,
                   .threads = how.threads,
                   .triangles = scene.surfaces.triangle_count()};
  BroadPhase trees(scene.surfaces, {.skip_flat = how.method != "full"});
  FeaturePairs pairs;
  std::vector<double> broad, proximity, ccd, pair_counts;
  // The first frame builds the trees and warms up the rest.
  for (int frame = 0; frame <= how.frames; ++frame) {
    const std::vector<MovingVertex> vertices =
        moving_vertices(scene.positions(frame), scene.positions(frame + 1));
    const FeaturePairs* found = &pairs;
    broad.push_back(timed_ms(how.threads, [&] {
      if (how.method == "hash")
        pairs = find_pairs_by_hash(scene.surfaces, vertices, scene.tolerance);
      else
        found = &trees.find_pairs(vertices, scene.tolerance);
    }));
    std::vector<Contact> contacts;
    proximity.push_back(timed_ms(how.threads, [&] {
      contacts = find_close_pairs(scene.surfaces, vertices, *found, scene.tolerance);
    }));
    Crossings crossings;
    ccd.push_back(timed_ms(how.threads,
                           [&] { crossings = find_crossings(scene.surfaces, vertices, *found); }));
    pair_counts.push_back(static_cast<double>(found->size()));
    row.contacts = static_cast<long>(contacts.size());
    row.crossings = static_cast<long>(crossings.pairs.size());
  }
  row.first_ms = broad.front();
  const auto median_of_later = [](std::vector<double> times) {
    times.erase(times.begin());
    return median(std::move(times));
  };
  row.pairs = static_cast<long>(median_of_later(pair_counts));
  row.broad_ms = median_of_later(broad);
  row.proximity_ms = median_of_later(proximity);
  row.ccd_ms = median_of_later(ccd);
  return row;
}

// What is timed must be right: all methods find the same contacts and crossings, and `full` and
// `hash` the same pairs, of which `trees` leaves some out.
void require_same_answers(const CollisionRow& trees, const CollisionRow& other)
{
  const bool same_pairs = trees.pairs == other.pairs;
  const bool fewer_pairs = trees.method == "trees" && trees.pairs < other.pairs;
  if (trees.contacts != other.contacts || trees.crossings != other.crossings ||
      !(same_pairs || fewer_pairs))
    throw Error(fmt::format("bench collision: {} of {} triangles: {} finds {} pairs, {} finds {}",
                            trees.scene, trees.triangles, trees.method, trees.pairs, other.method,
                            other.pairs));
}

struct SceneOfSize {
  DetectionScene (*make)(int triangles);
  int triangles;
  bool headline = false;  // also with all threads, and with all pairs
};

std::vector<SceneOfSize> scenes_for(const BenchOptions& options)
{
  if (options.quick)
    return {
        {long_pile, 5000, true}, {cube_pile, 5000}, {wide_cloth, 5000}, {square_cloth, 5000, true}};
  std::vector<SceneOfSize> scenes;
  for (const auto make : {long_pile, cube_pile})
    for (const int n : {5000, 10000, 20000, 50000, 100000, 200000})
      scenes.push_back({make, n, n == 50000});
  for (const auto make : {wide_cloth, square_cloth})
    for (const int n : {5000, 10000, 20000, 35000, 100000, 200000})
      scenes.push_back({make, n, n == 35000});
  return scenes;
}

}  // namespace

CollisionResults measure_collision(const BenchOptions& options)
{
  CollisionResults results;
  const int all_threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int frames = options.quick ? 3 : 9;
  const auto measure = [&](const DetectionScene& scene, const Measurement& how) {
    tbb::task_arena(how.threads).execute([&] {
      results.rows.push_back(measure_scene(scene, how));
    });
    return results.rows.back();
  };
  for (const SceneOfSize& size : scenes_for(options)) {
    const DetectionScene scene = size.make(size.triangles);
    if (!options.quiet)
      fmt::print(stderr, "bench collision: {}, {} triangles\n", scene.name,
                 scene.surfaces.triangle_count());
    const CollisionRow trees = measure(scene, {"trees", 1, frames});
    const CollisionRow hash = measure(scene, {"hash", 1, frames});
    require_same_answers(trees, hash);
    if (!size.headline) continue;
    require_same_answers(measure(scene, {"full", 1, frames}), hash);
    if (all_threads > 1)
      require_same_answers(measure(scene, {"trees", all_threads, frames}), trees);
  }
  results.together = measure_together(options);
  if (!options.quiet) fmt::print(stderr, "bench collision: motion queries\n");
  results.queries = tally_queries(options.quick ? 50000 : 1000000);
  return results;
}

int run_collision_bench(const BenchOptions& options)
{
  const CollisionResults results = measure_collision(options);
  if (!options.json_file.empty()) write_text(options.json_file, collision_json(results));
  if (!options.plot_file.empty()) write_text(options.plot_file, collision_plot(results));
  fmt::print("{}", collision_table(results));
  const std::vector<Claim> claims = collision_claims(results);
  return exit_code(claims, options.quick);
}

}  // namespace tact
