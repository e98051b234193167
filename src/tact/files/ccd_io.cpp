#include <tact/files/ccd_io.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/core.h>
#include <gmpxx.h>

#include <tact/core/error.hpp>
#include <tact/files/csv_rows.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

// 2^1074, the largest denominator of a double, has 324 digits.
constexpr std::size_t max_digits = 330;

using QueryFields = std::array<std::string_view, 7>;

std::optional<std::int64_t> small_integer(std::string_view field)
{
  std::int64_t value = 0;
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

mpz_class any_integer(const CsvRows& rows, std::string_view field)
{
  const std::string_view digits = field.starts_with('-') ? field.substr(1) : field;
  const bool digits_only = digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (digits.empty() || !digits_only) rows.reject(excerpt(field), "an integer");
  if (digits.size() > max_digits)
    rows.reject(fmt::format("an integer of {} digits", digits.size()),
                fmt::format("at most {}", max_digits));
  return mpz_class(std::string(field), 10);
}

// num / den if it is a double, for any integers.
std::optional<double> exact_quotient(const mpz_class& num, const mpz_class& den)
{
  mpq_class quotient(num, den);
  quotient.canonicalize();
  const double rounded = quotient.get_d();
  if (!std::isfinite(rounded) || mpq_class(rounded) != quotient) return std::nullopt;
  return rounded;
}

// The same for integers below 2^53, without GMP: a fused multiply-add shows the rounding error.
std::optional<double> exact_quotient(std::int64_t num, std::int64_t den)
{
  const double quotient = static_cast<double>(num) / static_cast<double>(den);
  if (std::fma(quotient, static_cast<double>(den), -static_cast<double>(num)) != 0.0)
    return std::nullopt;
  return quotient;
}

double read_quotient(const CsvRows& rows, std::string_view num, std::string_view den)
{
  constexpr std::int64_t small = std::int64_t{1} << 53;
  const auto is_small = [](const std::optional<std::int64_t>& x) {
    return x && *x <= small && *x >= -small;
  };
  const auto num_64 = small_integer(num), den_64 = small_integer(den);
  std::optional<double> value;
  if (is_small(num_64) && is_small(den_64) && *den_64 != 0) {
    value = exact_quotient(*num_64, *den_64);
  } else {
    const mpz_class num_z = any_integer(rows, num), den_z = any_integer(rows, den);
    if (den_z == 0) rows.reject("the denominator 0", "another integer");
    value = exact_quotient(num_z, den_z);
  }
  if (!value)
    rows.reject(fmt::format("the coordinate {}/{}", excerpt(num), excerpt(den)),
                "a quotient that is exactly a double");
  return *value;
}

bool read_truth(const CsvRows& rows, std::string_view field)
{
  if (field != "0" && field != "1") rows.reject(fmt::format("truth {}", excerpt(field)), "0 or 1");
  return field == "1";
}

Vector3d read_point(const CsvRows& rows, const QueryFields& fields)
{
  Vector3d point;
  for (int k = 0; k < 3; ++k) point[k] = read_quotient(rows, fields[2 * k], fields[2 * k + 1]);
  return point;
}

// The seven rows that follow the one in `fields`.
LabelledQuery read_query(CsvRows& rows, QueryFields& fields, CcdKind kind)
{
  LabelledQuery labelled{.query = {.kind = kind, .start = {}, .end = {}},
                         .truth = read_truth(rows, fields[6])};
  labelled.query.start[0] = read_point(rows, fields);
  for (int i = 1; i < 8; ++i) {
    if (!rows.next(fields))
      rows.reject(fmt::format("the end of the text after {} rows of a query", i), "8 rows");
    if (read_truth(rows, fields[6]) != labelled.truth)
      rows.reject(fmt::format("truth {}", fields[6]), "the same in all rows of a query");
    (i < 4 ? labelled.query.start[i] : labelled.query.end[i - 4]) = read_point(rows, fields);
  }
  return labelled;
}

}  // namespace

std::optional<CcdKind> ccd_kind_in_path(const std::filesystem::path& file)
{
  for (const std::filesystem::path& part : {file.filename(), file.parent_path().filename()})
    for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge})
      if (part.string().find(name(kind)) != std::string::npos) return kind;
  return std::nullopt;
}

std::vector<LabelledQuery> read_ccd_queries(const std::filesystem::path& file, CcdKind kind)
{
  return parse_ccd_queries(read_text(file), kind, file.string());
}

std::vector<LabelledQuery> parse_ccd_queries(std::string_view text, CcdKind kind,
                                             std::string_view name)
{
  CsvRows rows(name, text);
  QueryFields fields;
  std::vector<LabelledQuery> queries;
  while (rows.next(fields)) queries.push_back(read_query(rows, fields, kind));
  if (queries.empty())
    throw Error(fmt::format("{}: found no query, expected 8 rows of 7 integers for each", name));
  return queries;
}

}  // namespace tact
