// The million motion queries of `tact bench collision`: fast stages against the exact one.
#include <algorithm>
#include <optional>

#include <tbb/parallel_for.h>

#include <bench/collision.hpp>
#include <bench/cpu_timer.hpp>
#include <tact/collision/ccd.hpp>
#include <tact/collision/ccd_batch.hpp>
#include <tact/collision/ccd_exact.hpp>
#include <tact/collision/ccd_families.hpp>

namespace tact {
namespace {

constexpr double exact_time_error = 0x1p-46;  // both times are early, the exact one by this at most
constexpr double allowed_early = 1e-9;
constexpr long queries_per_round = 512;

// Which queries the filter in lanes lets through.
std::vector<bool> survivors_of(const std::vector<CcdQuery>& queries)
{
  std::vector<bool> survives(queries.size(), false);
  for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge}) {
    std::vector<MovingVertex> vertices;
    std::vector<VertexQuad> quads;
    std::vector<int> number;
    for (int i = 0; i < static_cast<int>(queries.size()); ++i) {
      if (queries[i].kind != kind) continue;
      const auto first = static_cast<int>(vertices.size());
      for (int k = 0; k < 4; ++k) vertices.emplace_back(queries[i].start[k], queries[i].end[k]);
      quads.push_back({first, first + 1, first + 2, first + 3});
      number.push_back(i);
    }
    std::vector<int> kept(quads.size());
    const int count = filter_contact_batch({kind, vertices, quads}, kept);
    for (int s = 0; s < count; ++s) survives[number[kept[s]]] = true;
  }
  return survives;
}

void judge(const ContactTime& fast, const std::optional<double>& exact, bool survives,
           QueryTally& tally)
{
  ++tally.queries;
  if (!exact) {
    if (fast.contact) ++tally.invented;
    return;
  }
  ++tally.contacts;
  if (!fast.contact || !survives)
    ++tally.missed;
  else if (fast.time > *exact + exact_time_error)
    ++tally.late;
  else if (fast.time < *exact - allowed_early)
    ++tally.early;
}

QueryTally tally_family(CcdFamily family, long count)
{
  QueryTally tally;
  tally.family = name(family);
  Random random(1000 + static_cast<std::uint64_t>(family));
  std::vector<CcdQuery> queries;
  std::vector<ContactTime> answers;
  double seconds = 0.0;
  for (long done = 0; done < count; done += queries_per_round) {
    queries.resize(std::min(queries_per_round, count - done));
    for (CcdQuery& query : queries) query = random_query(family, random);
    answers.clear();
    const CpuTimer timer;
    for (const CcdQuery& query : queries) answers.push_back(contact(query));
    seconds += timer.seconds();
    const std::vector<bool> survives = survivors_of(queries);
    for (std::size_t i = 0; i < queries.size(); ++i)
      judge(answers[i], exact_contact(queries[i]), survives[i], tally);
  }
  tally.mean_us = 1e6 * seconds / static_cast<double>(count);
  return tally;
}

}  // namespace

std::vector<QueryTally> tally_queries(long count)
{
  std::vector<QueryTally> tallies(ccd_family_count);
  const long each = (count + ccd_family_count - 1) / ccd_family_count;
  tbb::parallel_for(0, ccd_family_count,
                    [&](int f) { tallies[f] = tally_family(static_cast<CcdFamily>(f), each); });
  return tallies;
}

}  // namespace tact
