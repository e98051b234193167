#include <tact/files/ccd_times.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include <tact/files/csv_rows.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> header = {"file", "query", "collision", "toi",
                                                    "coplanar_motion"};
using TimesFields = std::array<std::string_view, header.size()>;

constexpr std::size_t max_decimals = 100;

// Query files lie in <scene>/<kind>/. Farther up a file of that name speaks of something else.
constexpr int levels_searched = 4;

int read_index(const CsvRows& rows, std::string_view field)
{
  int index = 0;
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, index);
  if (error != std::errc() || stop != end || index < 0)
    rows.reject(fmt::format("query {}", excerpt(field)), "a number from 0 on");
  return index;
}

bool read_flag(const CsvRows& rows, std::string_view field, std::string_view what)
{
  if (field != "0" && field != "1")
    rows.reject(fmt::format("{} {}", what, excerpt(field)), "0 or 1");
  return field == "1";
}

// "0.25" as 25 / 100. Times are from 0 to 1.
mpq_class read_decimal(const CsvRows& rows, std::string_view field)
{
  const std::size_t point = std::min(field.find('.'), field.size());
  const std::string_view whole = field.substr(0, point);
  const std::string_view decimals = point < field.size() ? field.substr(point + 1) : "";
  const bool digits_only = decimals.find_first_not_of("0123456789") == std::string_view::npos;
  if ((whole != "0" && whole != "1") || !digits_only || decimals.size() > max_decimals)
    rows.reject(fmt::format("toi {}", excerpt(field)), "a decimal from 0 to 1");
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, decimals.size());
  mpq_class time(mpz_class(fmt::format("{}{}", whole, decimals), 10), scale);
  time.canonicalize();
  if (time > 1) rows.reject(fmt::format("toi {}", excerpt(field)), "a decimal from 0 to 1");
  return time;
}

}  // namespace

std::optional<fs::path> find_reference_times(const fs::path& query_file)
{
  std::error_code error;
  fs::path folder = fs::weakly_canonical(query_file, error);
  for (int level = 0; level < levels_searched; ++level) {
    folder = folder.parent_path();
    const fs::path candidate = folder / "toi.csv";
    if (fs::is_regular_file(candidate, error)) return candidate;
  }
  return std::nullopt;
}

ReferenceTimes read_reference_times(const fs::path& file)
{
  return parse_reference_times(read_text(file), file.string());
}

ReferenceTimes parse_reference_times(std::string_view text, std::string_view name)
{
  CsvRows rows(name, text);
  TimesFields fields;
  if (!rows.next(fields) || fields != header)
    rows.reject("another header", fmt::format("{}", fmt::join(header, ",")));
  ReferenceTimes times;
  while (rows.next(fields)) {
    const auto& [file, query, collision, time, coplanar] = fields;
    if (!read_flag(rows, collision, "collision")) continue;
    times[std::string(file)].push_back({.query = read_index(rows, query),
                                        .time = read_decimal(rows, time),
                                        .coplanar_motion = read_flag(rows, coplanar, "motion")});
  }
  return times;
}

}  // namespace tact
