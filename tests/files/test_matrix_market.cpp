#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <tact/core/random.hpp>
#include <tact/files/matrix_market.hpp>

using namespace tact;

namespace {

MatrixXd read(std::string_view text, int rows, int columns)
{
  const TemporaryFolder folder;
  return read_matrix_market(folder.file("M.mtx", text), rows, columns);
}

std::string matrix_complaint(std::string_view text, int rows = 2, int columns = 2)
{
  return message_of([&] { read(text, rows, columns); });
}

const std::string coordinate = "%%MatrixMarket matrix coordinate real general\n";
const std::string array = "%%MatrixMarket matrix array real general\n";

}  // namespace

TEST_CASE("every layout of the format gives the matrix it describes")
{
  const MatrixXd M{{1.0, 2.5}, {0.0, -3.0}};
  CHECK(read(coordinate + "% a comment\n\n2 2 3\n1 1 1\n1 2 2.5\n2 2 -3\n", 2, 2) == M);
  CHECK(read(coordinate + "2 2 3\r\n 2 2 -3e0 \r\n1\t1 +1\r\n1 2 25E-1", 2, 2) == M);
  CHECK(read(array + "2 2\n1\n0\n2.5\n-3\n", 2, 2) == M);  // column by column
  CHECK(read("%%matrixmarket MATRIX Array Integer General\n1 2\n4\n5\n", 1, 2) ==
        MatrixXd{{4.0, 5.0}});

  const MatrixXd S{{1.0, 7.0}, {7.0, 2.0}};
  CHECK(read("%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n1 1 1\n2 1 7\n2 2 2\n", 2,
             2) == S);
  CHECK(read("%%MatrixMarket matrix array real symmetric\n2 2\n1\n7\n2\n", 2, 2) == S);
}

TEST_CASE("writing and reading keeps every bit of every double")
{
  MatrixXd M(6, 6);
  Random random(7);
  for (int i = 0; i < M.size(); ++i) {  // all exponents; no infinities, no NaN
    double value = 0.0;
    do {
      const std::uint64_t bits = random.bits();
      std::memcpy(&value, &bits, sizeof value);
    } while (!std::isfinite(value));
    M(i) = value;
  }
  M.topRows(1) << 0.0, -0.0, 0.1, 1.0 / 3.0, std::numeric_limits<double>::denorm_min(),
      std::numeric_limits<double>::max();

  const TemporaryFolder folder;
  for (const MatrixLayout layout : {MatrixLayout::coordinate, MatrixLayout::array}) {
    write_matrix_market(folder.path() / "M.mtx", M, layout);
    const MatrixXd back = read_matrix_market(folder.path() / "M.mtx", 6, 6);
    CHECK(std::memcmp(back.data(), M.data(), sizeof(double) * static_cast<std::size_t>(M.size())) ==
          0);
  }
}

TEST_CASE("a wrong header or size is told by its line")
{
  check_complaint(matrix_complaint(""), "M.mtx", "line 1", "an empty file");
  check_complaint(matrix_complaint("garbage\n"), "M.mtx", "line 1",
                  "found \"garbage\", expected a header");
  check_complaint(matrix_complaint("%%MatrixMarket matrix coordinate complex general\n"), "M.mtx",
                  "line 1", "expected a header");
  check_complaint(matrix_complaint(coordinate), "M.mtx", "line 1", "size of the matrix");
  check_complaint(matrix_complaint(coordinate + "2 3 1\n"), "M.mtx", "line 2", "expected 2 x 2");
  check_complaint(matrix_complaint(coordinate + "2 2\n"), "M.mtx", "line 2",
                  "rows, columns and number");
  check_complaint(matrix_complaint(coordinate + "2 2 5\n"), "M.mtx", "line 2", "from 0 to 4");
  check_complaint(matrix_complaint(coordinate + "2 2 -1\n"), "M.mtx", "line 2", "from 0 to 4");
  check_complaint(matrix_complaint(array + "two 2\n"), "M.mtx", "line 2",
                  "found a size of \"two\"");
  check_complaint(matrix_complaint("%%MatrixMarket matrix array real symmetric\n2 1\n1\n2\n", 2, 1),
                  "M.mtx", "line 1", "a symmetric matrix");
}

TEST_CASE("a wrong entry is told by its line")
{
  const std::string head = coordinate + "2 2 2\n1 1 1\n";
  check_complaint(matrix_complaint(head), "M.mtx", "line 3", "after 1 entries, expected 2");
  check_complaint(matrix_complaint(head + "2 2 nan\n"), "M.mtx", "line 4",
                  "found \"nan\", expected a finite");
  check_complaint(matrix_complaint(head + "2 2 -inf\n"), "M.mtx", "line 4",
                  "expected a finite number");
  check_complaint(matrix_complaint(head + "2 2 1e400\n"), "M.mtx", "line 4",
                  "expected a finite number");
  check_complaint(matrix_complaint(head + "2 2 1.5x\n"), "M.mtx", "line 4", "found \"1.5x\"");
  check_complaint(matrix_complaint(head + "2 3 1\n"), "M.mtx", "line 4", "a column from 1 to 2");
  check_complaint(matrix_complaint(head + "0 2 1\n"), "M.mtx", "line 4", "a row from 1 to 2");
  check_complaint(matrix_complaint(head + "99999999999999999999 2 1\n"), "M.mtx", "line 4",
                  "a row from 1");
  check_complaint(matrix_complaint(head + "2 2\n"), "M.mtx", "line 4", "row, column and value");
  check_complaint(matrix_complaint(head + "1 1 5\n"), "M.mtx", "line 4", "entry 1 1 a second time");
  check_complaint(matrix_complaint(head + "2 2 1\n2 1 1\n"), "M.mtx", "line 5",
                  "the end of the file");
  check_complaint(
      matrix_complaint("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n"), "M.mtx",
      "line 3", "on or below the diagonal");
  check_complaint(matrix_complaint(array + "2 2\n1\n2\n3\n"), "M.mtx", "line",
                  "expected 4 entries");
  check_complaint(matrix_complaint(array + "2 2\n1\n2 3\n3\n4\n"), "M.mtx", "line 4",
                  "found \"2 3\"");
  check_complaint(matrix_complaint(array + "2 2\n1\n2\n3\n4\n5\n"), "M.mtx", "line 7",
                  "the end of the file");
}

TEST_CASE("a claim that the file cannot hold is refused before memory is taken for it")
{
  // Five thousand squared would be 200 MB; nothing is allocated for it, so this is immediate.
  check_complaint(matrix_complaint(array + "5000 5000\n1\n", 5000, 5000), "M.mtx", "line 2",
                  "expected 25000000 entries");
  check_complaint(matrix_complaint(coordinate + "5000 5000 25000000\n1 1 1\n", 5000, 5000), "M.mtx",
                  "line 3", "after 1 entries, expected 25000000");
}
