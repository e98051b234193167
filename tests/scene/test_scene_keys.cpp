#include <functional>

#include <doctest/doctest.h>

#include <tact/scene/scene_keys.hpp>
#include <tact/scene/scene_patch.hpp>
#include <tact/scene/scene_tables.hpp>

#include <files/messages.hpp>

using namespace tact;
using nlohmann::json;

namespace {

KeyTable wheel_table()
{
  const KeyTable tyre{
      .name = "tyre",
      .title = "a tyre",
      .keys = {required(number_key("width", "m", positive_length, nullptr, "width")),
               integer_key("grooves", 0, 9, 3, "around")},
      .shorthand = "width"};
  return {.name = "wheel",
          .title = "a wheel",
          .keys = {number_key("mass", "kg", positive, nullptr, "in all"),
                   number_key("density", "kg/m^3", positive, 1000.0, "instead"),
                   choice_key("side", {"left", "right"}, "left", "of the car"),
                   vector_key("axle", 3, "m", any_number, {0, 0, 0}, "its middle"),
                   integers_key("spokes", 2, 1, 40, nullptr, "inner and outer"),
                   object_key("tyre", tyre, "around it"), path_key("picture", "of it"),
                   list_key("bolts", text_key("", nullptr, "a name"), "that hold it")},
          .groups = {{.names = {"mass", "density"}, .required = false}},
          .needs = {{"bolts", "spokes"}}};
}

std::string complaint(const json& wheel)
{
  const std::filesystem::path file = "car.json";
  return message_of([&] { check_object({file, "/wheels/0", wheel}, wheel_table()); });
}

json completed(json wheel)
{
  complete(wheel, wheel_table(), "/garage");
  return wheel;
}

std::string patch_complaint(const std::string& patch)
{
  json document = {{"list", {1, 2}}, {"number", 3}};
  return message_of([&] { apply_patch(document, patch); });
}

json patched(const std::string& patch)
{
  json document = {{"list", {1, 2}}};
  apply_patch(document, patch);
  return document;
}

// Every row of every table below this one.
void visit_rows(const KeyTable& table, const std::function<void(const KeyTable&, const Key&)>& see)
{
  for (const Key& key : table.keys) {
    see(table, key);
    const Key& inner = key.kind == ValueKind::list ? key.element.front() : key;
    for (const KeyTable& next : inner.tables) visit_rows(next, see);
  }
}

}  // namespace

TEST_CASE("a value that its row does not allow is told with place, finding and expectation")
{
  const auto check = [](const json& wheel, const std::string& place, const std::string& words) {
    check_complaint(complaint(wheel), "car.json: ", place + ": found ", words);
  };
  check({{"mass", -1}}, "/wheels/0/mass", "found -1, expected a number > 0");
  check({{"mass", "heavy"}}, "/wheels/0/mass", "found \"heavy\", expected a number > 0");
  check({{"side", "rigth"}}, "/wheels/0/side", "one of left, right; did you mean \"right\"?");
  check({{"axle", {1, 2}}}, "/wheels/0/axle", "an array of 2, expected an array of 3 numbers (m)");
  check({{"axle", {1, 2, true}}}, "/wheels/0/axle/2", "found true, expected a number (m)");
  check({{"spokes", {1, 2.5}}}, "/wheels/0/spokes/1",
        "found 2.5, expected an integer from 1 to 40");
  check({{"tyre", 0.0}}, "/wheels/0/tyre", "found 0.0, expected a number > 0");
  check({{"tyre", json::object()}}, "/wheels/0/tyre/width", "found nothing");
  check({{"tyre", {{"width", 1}, {"grooves", 10}}}}, "/wheels/0/tyre/grooves", "from 0 to 9");
  check({{"bolts", "M8"}}, "/wheels/0/bolts", "expected an array");
  check({{"bolts", {""}}, {"spokes", {1, 2}}}, "/wheels/0/bolts/0", "a text that is not empty");
  check({{"bolts", {"a\nb"}}, {"spokes", {1, 2}}}, "/wheels/0/bolts/0",
        "without control characters");
  check({{"bolts", {"M8"}}}, "/wheels/0/spokes", "as \"bolts\" is there");
  check({{"mass", 1}, {"density", 2}}, "/wheels/0", "mass and density, expected at most one");
  check({{"sidde", "left"}}, "/wheels/0/sidde", "a key of a wheel; did you mean \"side\"?");
  check({{"colour", 1}}, "/wheels/0/colour", "a key of a wheel: mass, density, side");
  CHECK(complaint({{"mass", 5}, {"tyre", 0.2}}).empty());
}

TEST_CASE("completing writes shorthands out and fills in defaults and paths")
{
  const json wheel = completed({{"tyre", 0.2}, {"picture", "a/../b.png"}});
  CHECK(wheel["tyre"] == json{{"width", 0.2}, {"grooves", 3}});
  CHECK(wheel["picture"] == "/garage/b.png");
  CHECK(wheel["side"] == "left");
  CHECK(wheel["density"] == 1000.0);
  CHECK(!wheel.contains("spokes"));
  CHECK(completed({{"picture", "/b.png"}})["picture"] == "/b.png");
}

TEST_CASE("a default gives way to the other key of its group")
{
  CHECK(!completed({{"mass", 2}}).contains("density"));
}

TEST_CASE("completing twice changes nothing")
{
  const json once = completed({{"tyre", 0.2}, {"picture", "b.png"}});
  CHECK(completed(once) == once);
}

TEST_CASE("a patch sets values, makes objects on the way and takes what is no JSON as a text")
{
  CHECK(patched("/mu=0.5")["mu"] == 0.5);
  CHECK(patched("/list/1=7")["list"] == json{1, 7});
  CHECK(patched("/contact/solver=ica")["contact"]["solver"] == "ica");
  CHECK(patched("/gravity=[0, 0, -9.81]")["gravity"][2] == -9.81);
  CHECK(patched("/a~1b/c~0=\"x=y\"")["a/b"]["c~"] == "x=y");
  CHECK(patched("/name=")["name"] == "");
}

TEST_CASE("a patch that leads nowhere is refused and its pointer named")
{
  const auto check = [](const std::string& patch, const std::string& words) {
    check_complaint(patch_complaint(patch), "--set", words, "expected");
  };
  check("/list/2=1", "/list/2: found the index \"2\", expected one from 0 to 1");
  check("/list/-=1", "/list/-: found the index \"-\"");
  check("/list/x/y=1", "found the index \"x\"");
  check("/number/x=1", "/number/x: found 3 where \"x\" should be");
  check("mu=0.5", "found \"mu=0.5\", expected /json/pointer=value");
  check("/mu", "found \"/mu\"");
  check("", "found \"\"");
  check("/name=\xff", "bytes that are no UTF-8");
}

TEST_CASE("every key of scene files has a line of doc and a default that its own check accepts")
{
  const std::filesystem::path file = "default";
  visit_rows(scene_file_table(), [&](const KeyTable& table, const Key& key) {
    CAPTURE(table.name);
    CAPTURE(key.name);
    CHECK(!key.doc.empty());
    CHECK(!key.doc.ends_with('.'));
    if (key.fallback.is_null()) return;
    CHECK(!key.required);
    const KeyTable alone{.name = "alone", .title = "alone", .keys = {key}};
    const json object = {{key.name, key.fallback}};
    CHECK(message_of([&] { check_object({file, "", object}, alone); }) == "");
  });
}

TEST_CASE("groups and needs of the tables name keys that are there")
{
  visit_rows(scene_file_table(), [&](const KeyTable& table, const Key&) {
    CAPTURE(table.name);
    for (const KeyGroup& group : table.groups)
      for (const std::string& name : group.names) CHECK(table.find(name));
    for (const auto& [name, needs] : table.needs) CHECK((table.find(name) && table.find(needs)));
    CHECK((table.shorthand.empty() || table.find(table.shorthand)));
  });
}
