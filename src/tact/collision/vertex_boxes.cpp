#include <tact/collision/vertex_boxes.hpp>

#include <atomic>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace tact {
namespace {

constexpr int vertices_per_task = 2048;

}  // namespace

VertexBoxes::VertexBoxes(const SurfaceSet& surfaces)
    : starts_(surfaces.vertex_count()),
      ends_(surfaces.vertex_count()),
      still_(surfaces.surfaces().size(), 0)
{
}

bool VertexBoxes::set(const SurfaceSet& surfaces, int surface,
                      std::span<const MovingVertex> vertices, double tolerance,
                      std::span<const double> slack)
{
  const auto [first, last] = surfaces.surfaces()[surface].vertices;
  const auto larger_by = [&](int i) { return tolerance + (slack.empty() ? 0.0 : 2.0 * slack[i]); };
  bool still = true;
  for (int i = first; i < last && still; ++i) {
    const double most = 0.5 * larger_by(i);
    double way = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double d = vertices[i].end[k] - vertices[i].start[k];
      way += d * d;
    }
    still = way <= most * most;
  }
  std::atomic<bool> changed = still != this->still(surface);
  still_[surface] = still ? 1 : 0;
  const tbb::blocked_range<int> all(first, last, vertices_per_task);
  tbb::parallel_for(all, [&](const tbb::blocked_range<int>& run) {
    bool some_changed = false;
    const auto assign = [&](Box& to, const Box& from) {
      some_changed = some_changed || to.low != from.low || to.high != from.high;
      to = from;
    };
    for (int i = run.begin(); i != run.end(); ++i) {
      const MovingBox box = moving_box(vertices[i], larger_by(i));
      assign(starts_[i], still ? swept(box) : box.start);
      if (!still) assign(ends_[i], box.end);
    }
    if (some_changed) changed = true;
  });
  return changed;
}

}  // namespace tact
