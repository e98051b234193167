// SIMD filters over many pairs.
#include <algorithm>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include <tact/collision/ccd_batch.hpp>
#include <tact/collision/ccd_families.hpp>
#include <tact/collision/ccd_filter.hpp>
#include <tact/collision/ccd_kernels.hpp>

namespace tact {
namespace {

struct StoredBatch {
  CcdKind kind;
  std::vector<MovingVertex> vertices;
  std::vector<VertexQuad> pairs;
  std::vector<CcdQuery> queries;

  CcdBatch view() const { return {.kind = kind, .vertices = vertices, .pairs = pairs}; }
};

StoredBatch random_batch(CcdFamily family, CcdKind kind, int count, std::uint64_t seed)
{
  StoredBatch batch{.kind = kind, .vertices = {}, .pairs = {}, .queries = {}};
  Random random(seed);
  while (static_cast<int>(batch.pairs.size()) < count) {
    const CcdQuery query = random_query(family, random);
    if (query.kind != kind) continue;
    const int first = static_cast<int>(batch.vertices.size());
    for (int i = 0; i < 4; ++i) batch.vertices.emplace_back(query.start[i], query.end[i]);
    batch.pairs.push_back({first, first + 1, first + 2, first + 3});
    batch.queries.push_back(query);
  }
  return batch;
}

template <class Filter>
std::vector<int> survivors_of(const StoredBatch& batch, const Filter& filter)
{
  std::vector<int> survivors(batch.pairs.size());
  survivors.resize(static_cast<std::size_t>(filter(batch.view(), std::span<int>(survivors))));
  return survivors;
}

template <class Check>
void for_all_batches(int count, const Check& check)
{
  for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge})
    for (int f = 0; f < ccd_family_count; ++f) {
      const auto family = static_cast<CcdFamily>(f);
      INFO(name(kind), ", ", name(family));
      check(random_batch(family, kind, count, static_cast<std::uint64_t>(f)));
    }
}

TEST_CASE("A pair that the contact filter leaves out is not in contact")
{
  for_all_batches(1001, [](const StoredBatch& batch) {
    const std::vector<int> survivors = survivors_of(batch, filter_contact_batch);
    CHECK(std::is_sorted(survivors.begin(), survivors.end()));
    int lost = 0;
    for (int pair = 0; pair < static_cast<int>(batch.queries.size()); ++pair) {
      const bool survives = std::binary_search(survivors.begin(), survivors.end(), pair);
      if (!survives && contact(batch.queries[pair]).contact) ++lost;
    }
    CHECK(lost == 0);
  });
}

TEST_CASE("A pair that the separation filter leaves out keeps its distance")
{
  for_all_batches(501, [](const StoredBatch& batch) {
    for (const double delta : {0.0, 1e-4, 0.3}) {
      const auto filter = [delta](const CcdBatch& view, std::span<int> out) {
        return filter_separation_batch(view, delta, out);
      };
      const std::vector<int> survivors = survivors_of(batch, filter);
      int lost = 0;
      for (int pair = 0; pair < static_cast<int>(batch.queries.size()); ++pair) {
        if (std::binary_search(survivors.begin(), survivors.end(), pair)) continue;
        // The slab that the kernel found bounds the distance at all times by (1 + 4 u) delta: the
        // advancement proves a millionth less.
        const CcdQuery& query = batch.queries[pair];
        const SeparationTime answer =
            separation(query, (1.0 - 1e-6) * delta, {.tolerance = 0.0, .max_evaluations = 1000});
        const bool proved = answer.free || (delta == 0.0 && !contact(query).contact);
        if (!proved) ++lost;
      }
      CHECK(lost == 0);
    }
  });
}

template <int width>
std::vector<int> kept_by_lanes(const StoredBatch& batch, double delta)
{
  std::vector<int> kept = survivors_of(batch, filter_contact<width>);
  const auto separation = [delta](const CcdBatch& view, std::span<int> out) {
    return filter_separation<width>(view, delta, out);
  };
  const std::vector<int> kept_apart = survivors_of(batch, separation);
  kept.insert(kept.end(), kept_apart.begin(), kept_apart.end());
  return kept;
}

TEST_CASE("Two, four and eight lanes keep the same pairs")
{
  for_all_batches(999, [](const StoredBatch& batch) {
    for (const double delta : {0.0, 1e-4, 0.3}) {
      CHECK(kept_by_lanes<2>(batch, delta) == kept_by_lanes<4>(batch, delta));
      CHECK(kept_by_lanes<4>(batch, delta) == kept_by_lanes<8>(batch, delta));
    }
  });
}

TEST_CASE("On cloth the lanes keep what the scalar filter keeps")
{
  for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge}) {
    const StoredBatch batch = random_batch(CcdFamily::cloth, kind, 20000, 7);
    std::vector<int> expected;
    for (int pair = 0; pair < static_cast<int>(batch.queries.size()); ++pair) {
      const FilterAnswer answer = filter_contact(batch.queries[pair]);
      if (answer.verdict != Verdict::no || answer.stage >= CcdStage::subdivision)
        expected.push_back(pair);
    }
    CHECK(survivors_of(batch, filter_contact_batch) == expected);
    CHECK(expected.size() < batch.queries.size() / 4);  // most are decided here
  }
}

TEST_CASE("Batches of any size, empty ones too, give the answers of single queries")
{
  for (const int count : {0, 1, 3, 7, 8, 9, 17, 511, 512, 513, 1500}) {
    CAPTURE(count);
    const StoredBatch batch =
        random_batch(CcdFamily::planted_contact, CcdKind::edge_edge, count, 11);
    std::vector<BatchContact> contacts = {{99, {}}};  // what was there before goes
    contact_batch(batch.view(), contacts);
    std::size_t next = 0;
    for (int pair = 0; pair < count; ++pair) {
      const ContactTime expected = contact(batch.queries[pair]);
      if (!expected.contact) continue;
      REQUIRE(next < contacts.size());
      CHECK(contacts[next].pair == pair);
      CHECK(contacts[next].contact.time == expected.time);
      ++next;
    }
    CHECK(next == contacts.size());
  }
}

TEST_CASE("Every pair that limits a step is named, with its safe time")
{
  const double delta = 2e-4;
  const StoredBatch batch = random_batch(CcdFamily::cloth, CcdKind::vertex_face, 5000, 13);
  std::vector<BatchSafeTime> limits;
  safe_time_batch(batch.view(), delta, limits);
  std::vector<double> time(batch.queries.size(), 1.0);
  for (const BatchSafeTime& limit : limits) time[limit.pair] = limit.safe.time;
  for (std::size_t pair = 0; pair < batch.queries.size(); ++pair) {
    const double alone = safe_time(batch.queries[pair], delta).time;
    CHECK(time[pair] >= alone);  // the filter may prove what the advancement gave up on
    if (time[pair] < 1.0) CHECK(time[pair] == alone);
  }
  CHECK(limits.size() > 50);
}

}  // namespace
}  // namespace tact
