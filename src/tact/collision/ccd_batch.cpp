#include <tact/collision/ccd_batch.hpp>

#include <algorithm>

#include <tact/collision/ccd_kernels.hpp>
#include <tact/core/stop.hpp>

namespace tact {
namespace {

// What fills a register of the machine. Wider is slower than one query at a time.
#if defined(__AVX512F__)
constexpr int filter_width = 8;
#elif defined(__AVX__)
constexpr int filter_width = 4;
#else
constexpr int filter_width = 2;
#endif

// Pairs that are filtered before their survivors are answered: few enough for the stack and for the
// vertices to stay in the cache.
constexpr int chunk_size = 512;

template <class Filter, class Answer>
void answer_survivors(const CcdBatch& batch, const Filter& filter, const Answer& answer)
{
  std::array<int, chunk_size> survivors;
  const int count = static_cast<int>(batch.pairs.size());
  for (int first = 0; first < count; first += chunk_size) {
    end_if_stopped();
    CcdBatch chunk = batch;
    chunk.pairs = batch.pairs.subspan(first, std::min(chunk_size, count - first));
    const int kept = filter(chunk, survivors);
    for (int s = 0; s < kept; ++s) answer(first + survivors[s]);
  }
}

}  // namespace

CcdQuery CcdBatch::query(int pair) const
{
  CcdQuery query;
  query.kind = kind;
  for (int i = 0; i < 4; ++i) {
    const MovingVertex& vertex = vertices[pairs[pair][i]];
    query.start[i] = Vector3d(vertex.start[0], vertex.start[1], vertex.start[2]);
    query.end[i] = Vector3d(vertex.end[0], vertex.end[1], vertex.end[2]);
  }
  return query;
}

int filter_contact_batch(const CcdBatch& batch, std::span<int> survivors)
{
  return filter_contact<filter_width>(batch, survivors);
}

int filter_separation_batch(const CcdBatch& batch, double delta, std::span<int> survivors)
{
  return filter_separation<filter_width>(batch, delta, survivors);
}

void contact_batch(const CcdBatch& batch, std::vector<BatchContact>& contacts)
{
  contacts.clear();
  answer_survivors(batch, filter_contact_batch, [&](int pair) {
    const ContactTime answer = contact(batch.query(pair));
    if (answer.contact) contacts.push_back({pair, answer});
  });
}

void safe_time_batch(const CcdBatch& batch, double delta, std::vector<BatchSafeTime>& limits,
                     const SeparationOptions& options)
{
  limits.clear();
  const auto filter = [delta](const CcdBatch& chunk, std::span<int> survivors) {
    return filter_separation_batch(chunk, delta, survivors);
  };
  answer_survivors(batch, filter, [&](int pair) {
    const SafeTime answer = safe_time(batch.query(pair), delta, options);
    if (answer.time < 1.0 || answer.touching_at_start) limits.push_back({pair, answer});
  });
}

}  // namespace tact
