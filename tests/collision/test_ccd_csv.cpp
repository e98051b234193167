// The reader of query files: what it takes, and the one line it answers bad input with.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/ccd_io.hpp>
#include <tact/files/ccd_times.hpp>

namespace tact {
namespace {

using Rows = std::vector<std::string>;

// A query at rest with coordinates 1/2, -3/4, 0.
Rows query_rows()
{
  return Rows(8, "1,2,-3,4,0,1,1");
}

std::string text_of(const Rows& rows)
{
  return fmt::format("{}\n", fmt::join(rows, "\n"));
}

std::vector<LabelledQuery> parse(const std::string& text)
{
  return parse_ccd_queries(text, CcdKind::edge_edge, "some.csv");
}

// The message that a text is refused with.
std::string refusal(const std::string& text)
{
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal_of_row_3(const std::string& row)
{
  Rows rows = query_rows();
  rows[2] = row;
  return refusal(text_of(rows));
}

TEST_CASE("Eight rows of seven integers are a query")
{
  Rows rows = query_rows();
  rows[0] = "9007199254740991,2596148429267413814265248164610048,0,1,-5,-1,1";  // den 2^111
  rows[7] = "\t4503599627370497 , 4503599627370496,9007199254740993,9007199254740993,3,1, 1\r";
  const std::vector<LabelledQuery> queries = parse(text_of(rows) + "\n \r\n");
  REQUIRE(queries.size() == 1);
  const auto& [query, truth] = queries[0];
  CHECK(truth);
  CHECK(query.kind == CcdKind::edge_edge);
  CHECK(query.start[0] == Vector3d(0x1.fffffffffffffp+52 * 0x1p-111, 0.0, 5.0));
  CHECK(query.start[1] == Vector3d(0.5, -0.75, 0.0));
  CHECK(query.end[3] == Vector3d(1.0 + 0x1p-52, 1.0, 3.0));
}

TEST_CASE("The last line may lack its end, and several queries follow each other")
{
  std::string text = text_of(query_rows()) + text_of(Rows(8, "1,1,1,1,1,1,0"));
  text.pop_back();
  const std::vector<LabelledQuery> queries = parse(text);
  REQUIRE(queries.size() == 2);
  CHECK_FALSE(queries[1].truth);
}

TEST_CASE("Bad text is refused with the line, what was found and what was expected")
{
  CHECK(refusal("") == "some.csv: found no query, expected 8 rows of 7 integers for each");
  CHECK(refusal("\n\n") == refusal(""));
  CHECK(refusal(text_of(Rows(7, "1,1,1,1,1,1,0"))) ==
        "some.csv: line 7: found the end of the text after 7 rows of a query, expected 8 rows");
  CHECK(refusal_of_row_3("1,2,3") == "some.csv: line 3: found 3 columns, expected 7 columns");
  CHECK(refusal_of_row_3("1,2,3,4,5,6,1,8") ==
        "some.csv: line 3: found 8 columns, expected 7 columns");
  CHECK(refusal_of_row_3("") == "some.csv: line 3: found a blank line, expected 7 columns");
  CHECK(refusal_of_row_3("1,2,3,0,5,1,1") ==
        "some.csv: line 3: found the denominator 0, expected another integer");
  CHECK(refusal_of_row_3("1,2,3,1,5,1,0") ==
        "some.csv: line 3: found truth 0, expected the same in all rows of a query");
  CHECK(refusal_of_row_3("1,2,3,1,5,1,2") ==
        "some.csv: line 3: found truth \"2\", expected 0 or 1");
  for (const char* word : {"nan", "inf", "-inf", "1.5", "1e3", "0x10", "--1", "-", "", "+1", "1 2"})
    CHECK(refusal_of_row_3(fmt::format("{},1,3,1,5,1,1", word)) ==
          fmt::format("some.csv: line 3: found \"{}\", expected an integer", word));
}

TEST_CASE("A quotient that is not a double is refused: its truth would be that of another query")
{
  const std::string expected = ", expected a quotient that is exactly a double";
  CHECK(refusal_of_row_3("1,3,3,1,5,1,1") ==
        "some.csv: line 3: found the coordinate \"1\"/\"3\"" + expected);
  const std::string nines(330, '9');  // neither it nor its inverse is in the range of double
  CHECK(refusal_of_row_3("9007199254740993,1,3,1,5,1,1").ends_with(expected));  // 2^53 + 1
  CHECK(refusal_of_row_3(fmt::format("1,{},3,1,5,1,1", nines)).ends_with(expected));
  CHECK(refusal_of_row_3(fmt::format("{},1,3,1,5,1,1", nines)).ends_with(expected));
}

TEST_CASE("Huge lines and garbage of all bytes are refused quickly and on one line")
{
  CHECK(refusal_of_row_3(fmt::format("{},1,3,1,5,1,1", std::string(10'000'000, '7'))) ==
        "some.csv: line 3: found an integer of 10000000 digits, expected at most 330");
  CHECK(refusal_of_row_3(std::string(10'000'000, ',')) ==
        "some.csv: line 3: found 10000001 columns, expected 7 columns");
  std::string garbage;
  for (int i = 0; i < 4096; ++i) garbage += static_cast<char>(i * 37 + i / 256);
  const std::string message = refusal(garbage);
  CHECK(message.starts_with("some.csv: line "));
  CHECK(message.find('\n') == std::string::npos);
  CHECK(message.size() < 200);
}

TEST_CASE("The kind is told by the name of the file or of its folder")
{
  CHECK(ccd_kind_in_path("a/edge-edge/data_0_0.csv") == CcdKind::edge_edge);
  CHECK(ccd_kind_in_path("vertex-face/data_0_0.csv") == CcdKind::vertex_face);
  CHECK(ccd_kind_in_path("a/b/my-vertex-face-2.csv") == CcdKind::vertex_face);
  CHECK(ccd_kind_in_path("edge-edge/vertex-face.csv") == CcdKind::vertex_face);
  CHECK_FALSE(ccd_kind_in_path("edge-edge/other/data.csv"));
}

TEST_CASE("Contact times are read as exact decimals")
{
  const std::string header = "file,query,collision,toi,coplanar_motion\n";
  const ReferenceTimes times = parse_reference_times(
      header + "a/b.csv,3,1,0.1000000000000000000000001,0\na/b.csv,5,1,1.0,1\nc.csv,0,0,0,0\n",
      "t");
  REQUIRE(times.size() == 1);
  const std::vector<ReferenceTime>& of_b = times.find("a/b.csv")->second;
  REQUIRE(of_b.size() == 2);
  CHECK(of_b[0].query == 3);
  CHECK(of_b[0].time == mpq_class("1000000000000000000000001/10000000000000000000000000"));
  CHECK(of_b[1].time == 1);
  CHECK(of_b[1].coplanar_motion);
  for (const char* row :
       {"a,x,1,0.5,0", "a,-1,1,0.5,0", "a,1,1,1.5,0", "a,1,1,0.5e1,0", "a,1,1,nan,0",
        "a,1,1,-0.5,0", "a,1,2,0.5,0", "a,1,1,0.5,7", "a,1,1,.5,0", "a,1,1,,0"})
    CHECK_THROWS_AS(parse_reference_times(header + row, "t"), Error);
  CHECK_THROWS_AS(parse_reference_times("", "t"), Error);
  CHECK_THROWS_AS(parse_reference_times("file,query,toi\n", "t"), Error);
}

}  // namespace
}  // namespace tact
