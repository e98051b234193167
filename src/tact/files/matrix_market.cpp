#include <tact/files/matrix_market.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

constexpr std::string_view header_wanted =
    "a header \"%%MatrixMarket matrix [coordinate|array] [real|integer] [general|symmetric]\"";

// The lines of a text that are neither blank nor comments, each with its number.
class Lines {
 public:
  Lines(const std::filesystem::path& file, std::string_view text) : file_(file), rest_(text) {}

  bool next()
  {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      const std::size_t first = line_.find_first_not_of(blanks);
      if (first == std::string_view::npos) continue;
      if (line_[first] == '%' && number_ > 1) continue;
      line_.remove_prefix(first);
      return true;
    }
    return false;
  }

  // The words of the line. Words past the last place are not lost: `count` tells of them.
  template <std::size_t size>
  std::array<std::string_view, size> words(std::size_t& count) const
  {
    std::array<std::string_view, size> found;
    std::string_view line = line_;
    for (count = 0; !line.empty(); ++count) {
      const std::size_t end = std::min(line.find_first_of(blanks), line.size());
      if (count < size) found[count] = line.substr(0, end);
      line.remove_prefix(std::min(line.find_first_not_of(blanks, end), line.size()));
    }
    return found;
  }

  std::string_view line() const { return line_.substr(0, line_.find_last_not_of(blanks) + 1); }
  std::size_t bytes_left() const { return rest_.size(); }

  [[noreturn]] void reject(std::string_view found, std::string_view expected) const
  {
    throw Error(fmt::format("{}: line {}: found {}, expected {}", file_.string(),
                            std::max(number_, 1), found, expected));
  }

 private:
  static constexpr std::string_view blanks = " \t\r";

  const std::filesystem::path& file_;
  std::string_view rest_;
  std::string_view line_;
  int number_ = 0;
};

struct MatrixHeader {
  MatrixLayout layout = MatrixLayout::coordinate;
  bool symmetric = false;
};

bool equal_ignoring_case(std::string_view a, std::string_view b)
{
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

MatrixHeader read_matrix_header(Lines& lines)
{
  if (!lines.next()) lines.reject("an empty file", header_wanted);
  std::size_t count = 0;
  const auto words = lines.words<5>(count);
  const auto is = [&words](int word, std::string_view name) {
    return equal_ignoring_case(words[static_cast<std::size_t>(word)], name);
  };
  const bool known = count == 5 && is(0, "%%MatrixMarket") && is(1, "matrix") &&
                     (is(2, "coordinate") || is(2, "array")) &&
                     (is(3, "real") || is(3, "integer")) &&
                     (is(4, "general") || is(4, "symmetric"));
  if (!known) lines.reject(excerpt(lines.line()), header_wanted);
  return {.layout = is(2, "array") ? MatrixLayout::array : MatrixLayout::coordinate,
          .symmetric = is(4, "symmetric")};
}

// std::from_chars reads the same number whatever the locale, and says when it stopped early.
template <class Number>
bool parse(std::string_view word, Number& number)
{
  if (word.starts_with('+')) word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && stop == end;
}

double parse_entry(const Lines& lines, std::string_view word)
{
  double value = 0.0;
  if (!parse(word, value) || !std::isfinite(value)) lines.reject(excerpt(word), "a finite number");
  return value;
}

int parse_index(const Lines& lines, std::string_view word, int size, std::string_view what)
{
  int index = 0;
  if (!parse(word, index) || index < 1 || index > size)
    lines.reject(excerpt(word), fmt::format("a {} from 1 to {}", what, size));
  return index - 1;
}

void require_size(const Lines& lines, std::string_view rows_word, std::string_view columns_word,
                  int rows, int columns)
{
  int found_rows = 0;
  int found_columns = 0;
  const bool same = parse(rows_word, found_rows) && parse(columns_word, found_columns) &&
                    found_rows == rows && found_columns == columns;
  if (!same)
    lines.reject(fmt::format("a size of {} x {}", excerpt(rows_word), excerpt(columns_word)),
                 fmt::format("{} x {}", rows, columns));
}

void require_end(Lines& lines, long long entries)
{
  if (lines.next())
    lines.reject(excerpt(lines.line()),
                 fmt::format("the end of the file after {} entries", entries));
}

[[noreturn]] void reject_early_end(const Lines& lines, long long found, long long entries)
{
  lines.reject(fmt::format("the end of the file after {} entries", found),
               fmt::format("{} entries", entries));
}

struct Entry {
  int row;
  int column;
  double value;
};

// All entries, before anything as large as the matrix exists but one bit a position.
std::vector<Entry> read_entries(Lines& lines, long long count, int rows, int columns,
                                bool symmetric)
{
  const auto width = static_cast<std::size_t>(columns);
  std::vector<bool> seen(static_cast<std::size_t>(rows) * width);
  std::vector<Entry> entries;
  constexpr std::size_t shortest_line = 6;  // "1 1 1\n"
  entries.reserve(
      std::min(static_cast<std::size_t>(count), lines.bytes_left() / shortest_line + 1));
  for (long long k = 0; k < count; ++k) {
    if (!lines.next()) reject_early_end(lines, k, count);
    std::size_t found = 0;
    const auto words = lines.words<3>(found);
    if (found != 3) lines.reject(excerpt(lines.line()), "row, column and value");
    const int row = parse_index(lines, words[0], rows, "row");
    const int column = parse_index(lines, words[1], columns, "column");
    if (symmetric && row < column)
      lines.reject(excerpt(lines.line()),
                   "an entry on or below the diagonal of a symmetric matrix");
    auto mark = seen[static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column)];
    if (mark)
      lines.reject(fmt::format("entry {} {} a second time", row + 1, column + 1), "it once");
    mark = true;
    entries.push_back({row, column, parse_entry(lines, words[2])});
  }
  return entries;
}

std::vector<Entry> read_coordinate_entries(Lines& lines, bool symmetric, int rows, int columns)
{
  std::size_t count = 0;
  const auto words = lines.words<3>(count);
  if (count != 3) lines.reject(excerpt(lines.line()), "rows, columns and number of entries");
  require_size(lines, words[0], words[1], rows, columns);
  const long long most = static_cast<long long>(rows) * columns;
  long long entry_count = 0;
  if (!parse(words[2], entry_count) || entry_count < 0 || entry_count > most)
    lines.reject(excerpt(words[2]), fmt::format("a number of entries from 0 to {}", most));
  std::vector<Entry> entries = read_entries(lines, entry_count, rows, columns, symmetric);
  require_end(lines, entry_count);
  return entries;
}

MatrixXd read_coordinates(Lines& lines, bool symmetric, int rows, int columns)
{
  const std::vector<Entry> entries = read_coordinate_entries(lines, symmetric, rows, columns);
  MatrixXd matrix = MatrixXd::Zero(rows, columns);
  for (const Entry& entry : entries) {
    matrix(entry.row, entry.column) = entry.value;
    if (symmetric) matrix(entry.column, entry.row) = entry.value;
  }
  return matrix;
}

// Column by column; of a symmetric matrix the part on and below the diagonal.
MatrixXd read_array(Lines& lines, bool symmetric, int rows, int columns)
{
  std::size_t count = 0;
  const auto words = lines.words<2>(count);
  if (count != 2) lines.reject(excerpt(lines.line()), "rows and columns");
  require_size(lines, words[0], words[1], rows, columns);
  const long long n = rows;
  const long long entries = symmetric ? n * (n + 1) / 2 : n * columns;
  constexpr long long shortest_line = 2;  // "1\n", the last perhaps without its end
  if (static_cast<long long>(lines.bytes_left()) + 1 < shortest_line * entries)
    lines.reject(fmt::format("{} bytes of entries", lines.bytes_left()),
                 fmt::format("{} entries, one a line", entries));
  MatrixXd matrix(rows, columns);
  long long read = 0;
  for (int j = 0; j < columns; ++j) {
    for (int i = symmetric ? j : 0; i < rows; ++i, ++read) {
      if (!lines.next()) reject_early_end(lines, read, entries);
      matrix(i, j) = parse_entry(lines, lines.line());
      if (symmetric) matrix(j, i) = matrix(i, j);
    }
  }
  require_end(lines, entries);
  return matrix;
}

// The header; the lines stand at the size then.
MatrixHeader read_header_and_reach_size(Lines& lines, int rows, int columns)
{
  const MatrixHeader header = read_matrix_header(lines);
  if (header.symmetric && rows != columns)
    lines.reject("a symmetric matrix", fmt::format("one of {} x {}", rows, columns));
  if (!lines.next()) lines.reject("the end of the file", "a line with the size of the matrix");
  return header;
}

}  // namespace

MatrixXd read_matrix_market(const std::filesystem::path& file, int rows, int columns)
{
  const std::string text = read_text(file);
  Lines lines(file, text);
  const MatrixHeader header = read_header_and_reach_size(lines, rows, columns);
  if (header.layout == MatrixLayout::array)
    return read_array(lines, header.symmetric, rows, columns);
  return read_coordinates(lines, header.symmetric, rows, columns);
}

void write_matrix_market(const std::filesystem::path& file, const MatrixXd& matrix,
                         MatrixLayout layout)
{
  const bool array = layout == MatrixLayout::array;
  std::string entries;
  long long count = 0;
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      const double value = matrix(i, j);
      if (!array && value == 0.0 && !std::signbit(value)) continue;
      if (!array) fmt::format_to(std::back_inserter(entries), "{} {} ", i + 1, j + 1);
      fmt::format_to(std::back_inserter(entries), "{}\n", value);
      ++count;
    }
  }
  const std::string size = array ? fmt::format("{} {}", matrix.rows(), matrix.cols())
                                 : fmt::format("{} {} {}", matrix.rows(), matrix.cols(), count);
  write_text(file, fmt::format("%%MatrixMarket matrix {} real general\n{}\n{}",
                               array ? "array" : "coordinate", size, entries));
}

Eigen::SparseMatrix<double, Eigen::RowMajor> read_sparse_matrix_market(
    const std::filesystem::path& file, int rows, int columns)
{
  const std::string text = read_text(file);
  Lines lines(file, text);
  const MatrixHeader header = read_header_and_reach_size(lines, rows, columns);
  if (header.layout == MatrixLayout::array)
    lines.reject("the array layout", "the coordinate layout, for a sparse matrix");
  std::vector<Eigen::Triplet<double>> triplets;
  for (const Entry& entry : read_coordinate_entries(lines, header.symmetric, rows, columns)) {
    triplets.emplace_back(entry.row, entry.column, entry.value);
    if (header.symmetric && entry.row != entry.column)
      triplets.emplace_back(entry.column, entry.row, entry.value);
  }
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

void write_matrix_market(const std::filesystem::path& file,
                         const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix)
{
  using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n",
                                 matrix.rows(), matrix.cols(), matrix.nonZeros());
  for (Eigen::Index row = 0; row < matrix.rows(); ++row)
    for (Rows::InnerIterator it(matrix, row); it; ++it)
      fmt::format_to(std::back_inserter(text), "{} {} {}\n", row + 1, it.col() + 1, it.value());
  write_text(file, text);
}

}  // namespace tact
