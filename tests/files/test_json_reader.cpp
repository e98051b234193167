#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <tact/files/json_reader.hpp>

using namespace tact;

namespace {

std::string complaint(std::string_view text)
{
  const TemporaryFolder folder;
  const auto file = folder.file("a.json", text);
  return message_of([&] { const JsonFile json(file); });
}

// Runs `read` on the root of a document and gives the message of what it throws.
std::string complaint(std::string_view text, const std::function<void(const JsonValue&)>& read)
{
  const TemporaryFolder folder;
  const JsonFile json(folder.file("a.json", text));
  return message_of([&] { read(json.root()); });
}

}  // namespace

TEST_CASE("what is no JSON is told by line and column")
{
  check_complaint(complaint(""), "a.json", "line 1, column 1", "an empty file");
  check_complaint(complaint(" \n\t\n"), "a.json", "line", "an empty file");
  check_complaint(complaint("garbage"), "a.json", "line 1, column 1", "found \"garbage\"");
  check_complaint(complaint("{\n \"n\": nonsense\n}"), "a.json", "line 2, column 7",
                  "found \"nonsense\"");
  check_complaint(complaint("{\n \"n\": 3,\n \"M\":"), "a.json", "line 3", "the end of the file");
  check_complaint(complaint("{\"n\": NaN}"), "a.json", "line 1, column 7", "found \"NaN");
  check_complaint(complaint("{\"n\": 3} {}"), "a.json", "line 1, column 10", "found \"{}\"");
  check_complaint(complaint("{\"n\": 1e999}"), "a.json", "line 1, column 7", "double precision");
  check_complaint(complaint(std::string("{\"n\"\0: 3}", 9)), "a.json", "line 1", "valid JSON");
  check_complaint(complaint("[1, 2]"), "a.json", "top level",
                  "an array of 2, expected a JSON object");
}

TEST_CASE("nesting of any depth is refused or read, never a crash")
{
  const std::string deep(200000, '[');
  check_complaint(complaint(deep), "a.json", "line 1", "the end of the file");
  const std::string closed = deep + std::string(deep.size(), ']');
  CHECK(complaint("{\"a\": " + closed + "}").empty());
}

TEST_CASE("a key that stands twice is told with its place")
{
  check_complaint(complaint(R"({"a": 1, "b": 2, "a": 3})"), "a.json", ": /a:", "a second time");
  check_complaint(complaint(R"({"c": [{"x": 1}, [], {"x": 1, "y": {}, "x": 2}]})"), "a.json",
                  ": /c/2/x:", "a second time");
  CHECK(complaint(R"({"a": {"x": 1}, "b": {"x": 1}})").empty());
}

TEST_CASE("values of the wrong type or range are told by JSON pointer")
{
  const std::string_view text =
      R"({"n": 2.5, "name": 7, "list": [1, "two", null], "rows": [[1, 2], [3]], "a/b~c": -1})";
  const auto check = [&](const auto& read, const std::string& place, const std::string& words) {
    check_complaint(complaint(text, read), "a.json", place, words);
  };
  using J = JsonValue;
  check([](const J& j) { j.member("n", "").integer_in(1, 9); },
        ": /n:", "found 2.5, expected an int");
  check([](const J& j) { j.member("name", "").text(); }, ": /name:", "found 7, expected a text");
  check([](const J& j) { j.member("name", "").one_of({"lcp"}); }, ": /name:", "expected lcp");
  check([](const J& j) { j.member("list", "").vector(3); }, ": /list/1:", "found \"two\"");
  check([](const J& j) { j.member("list", "").vector(4); }, ": /list:", "found an array of 3");
  check([](const J& j) { j.member("list", "").at(2).number(); }, ": /list/2:", "found null");
  check([](const J& j) { j.member("rows", "").matrix(2, 2); },
        ": /rows/1:", "expected an array of 2");
  check([](const J& j) { j.member("a/b~c", "").number_at_least(0.0); }, ": /a~1b~0c:", "found -1");
  check([](const J& j) { j.member("mu", "a number"); },
        ": /mu:", "found nothing, expected a number");
  check([](const J& j) { j.member("rows", "").member("x", ""); }, ": /rows:", "expected an object");
}

TEST_CASE("unknown keys and names come with the nearest valid spelling")
{
  const auto keys = [](const JsonValue& json) { json.allow_only({"body_a", "restitution"}); };
  check_complaint(complaint(R"({"restitutoin": 1})", keys), "a.json",
                  ": /restitutoin:", "did you mean \"restitution\"?");
  const auto kind = [](const JsonValue& json) { json.member("kind", "").one_of({"mlcp", "blcp"}); };
  check_complaint(complaint(R"({"kind": "mclp"})", kind), "a.json",
                  ": /kind:", "did you mean \"mlcp\"?");
}
