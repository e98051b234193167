// The published benchmark queries (Wang et al. 2021) with exact truth and contact times.
#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include <doctest/doctest.h>

#include <tact/collision/ccd_exact.hpp>
#include <tact/files/ccd_io.hpp>
#include <tact/files/ccd_times.hpp>
#include <tact/run/ccd_check.hpp>

#include "data.hpp"

namespace tact {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> query_files(const fs::path& folder)
{
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".csv" && ccd_kind_in_path(entry.path()))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<ReferenceTime> times_of(const ReferenceTimes& all, const fs::path& file,
                                    const fs::path& folder)
{
  const auto found = all.find(fs::relative(file, folder).generic_string());
  return found == all.end() ? std::vector<ReferenceTime>{} : found->second;
}

TEST_CASE("All benchmark queries: no miss, no false alarm, no late time, none 1e-9 early")
{
  const auto folder = test_data("ccd");
  if (!folder) return;
  const ReferenceTimes times = read_reference_times(*folder / "toi.csv");
  CcdReport total;
  for (const fs::path& file : query_files(*folder)) {
    CAPTURE(file.string());
    const auto queries = read_ccd_queries(file, *ccd_kind_in_path(file));
    const CcdReport report = check_ccd_queries(queries, times_of(times, file, *folder));
    CHECK(report.false_positives == 0);
    CHECK(report.false_negatives == 0);
    CHECK(report.times_late == 0);
    CHECK(report.earliest_time <= 1e-9);
    CHECK(report.longest_seconds < 1e-3);
    CHECK(report.times_compared == report.collisions);
    total += report;
  }
  CHECK(total.queries == 2824);
  CHECK(total.collisions == 325);
#ifdef NDEBUG
  CHECK(total.seconds / total.queries < 5e-6);
#endif
}

TEST_CASE("The exact stage alone answers all benchmark queries, to 2^-46")
{
  const auto folder = test_data("ccd");
  if (!folder) return;
  const ReferenceTimes times = read_reference_times(*folder / "toi.csv");
  int wrong = 0, wrong_times = 0;
  for (const fs::path& file : query_files(*folder)) {
    const auto queries = read_ccd_queries(file, *ccd_kind_in_path(file));
    std::vector<std::optional<double>> answers;
    for (const auto& [query, truth] : queries) {
      answers.push_back(exact_contact(query));
      wrong += answers.back().has_value() != truth;
    }
    for (const ReferenceTime& reference : times_of(times, file, *folder)) {
      const std::optional<double> answer = answers[reference.query];
      REQUIRE(answer);
      const mpq_class early = reference.time - mpq_class(*answer);
      if (early < -1e-25 || early > mpq_class(0x1p-46)) ++wrong_times;
    }
  }
  CHECK(wrong == 0);
  CHECK(wrong_times == 0);
}

}  // namespace
}  // namespace tact
