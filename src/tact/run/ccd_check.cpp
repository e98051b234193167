#include <tact/run/ccd_check.hpp>

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

#include <tact/core/timer.hpp>

namespace tact {
namespace {

constexpr int passes = 5;
constexpr double allowed_early = 1e-9;

// One pass for the total, with the clock read at its ends only, and one for the single queries.
void measure(std::span<const LabelledQuery> queries, std::vector<ContactTime>& answers,
             CcdReport& report)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> shortest(queries.size(), infinity);
  report.seconds = infinity;
  for (int pass = 0; pass < passes; ++pass) {
    const Timer whole;
    for (std::size_t i = 0; i < queries.size(); ++i) answers[i] = contact(queries[i].query);
    report.seconds = std::min(report.seconds, whole.seconds());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const Timer single;
      answers[i] = contact(queries[i].query);
      shortest[i] = std::min(shortest[i], single.seconds());
    }
  }
  for (const double seconds : shortest)
    report.longest_seconds = std::max(report.longest_seconds, seconds);
}

void compare_verdicts(std::span<const LabelledQuery> queries, std::span<const ContactTime> answers,
                      CcdReport& report)
{
  report.queries = static_cast<int>(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const bool found = answers[i].contact, truth = queries[i].truth;
    ++report.decided_by[static_cast<std::size_t>(answers[i].stage)];
    if (found) ++report.collisions;
    if (found && !truth) ++report.false_positives;
    if (!found && truth) ++report.false_negatives;
  }
}

// In rational arithmetic: the difference may be far below the rounding of a double.
void compare_times(std::span<const ReferenceTime> times, std::span<const ContactTime> answers,
                   CcdReport& report)
{
  // The stored times have 25 digits: what is less than one of the last is not a difference.
  const mpq_class last_digit("1/10000000000000000000000000");
  for (const ReferenceTime& reference : times) {
    const auto query = static_cast<std::size_t>(reference.query);
    assert(query < answers.size());
    if (!answers[query].contact) continue;  // a false negative already
    const mpq_class early = reference.time - mpq_class(answers[query].time);
    ++report.times_compared;
    if (early < -last_digit) ++report.times_late;
    report.earliest_time = std::max(report.earliest_time, early.get_d());
  }
}

}  // namespace

bool CcdReport::agrees() const
{
  return false_positives == 0 && false_negatives == 0 && times_late == 0 &&
         earliest_time <= allowed_early;
}

CcdReport& CcdReport::operator+=(const CcdReport& other)
{
  queries += other.queries;
  collisions += other.collisions;
  false_positives += other.false_positives;
  false_negatives += other.false_negatives;
  times_compared += other.times_compared;
  times_late += other.times_late;
  earliest_time = std::max(earliest_time, other.earliest_time);
  seconds += other.seconds;
  longest_seconds = std::max(longest_seconds, other.longest_seconds);
  for (int stage = 0; stage < ccd_stage_count; ++stage)
    decided_by[stage] += other.decided_by[stage];
  return *this;
}

CcdReport check_ccd_queries(std::span<const LabelledQuery> queries,
                            std::span<const ReferenceTime> times)
{
  CcdReport report;
  std::vector<ContactTime> answers(queries.size());
  measure(queries, answers, report);
  compare_verdicts(queries, answers, report);
  compare_times(times, answers, report);
  return report;
}

}  // namespace tact
