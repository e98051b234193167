// Text USD, read back by a small parser of the part of its grammar that a mesh layer needs.
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <files/temporary_folder.hpp>
#include <recording/frames.hpp>
#include <tact/recording/exports.hpp>

using namespace tact;

namespace {

// A value: numbers of a list or tuple in one row, texts as they are.
struct Value {
  std::vector<double> numbers;
  std::string text;
};

struct Prim {
  std::string type;
  std::map<std::string, Value> attributes;
  std::map<std::string, std::map<double, Value>> samples;
  std::map<std::string, Prim> children;
};

class UsdaParser {
 public:
  explicit UsdaParser(const std::string& text) : text_(text)
  {
    REQUIRE(text_.starts_with("#usda 1.0\n"));
    at_ = 10;
  }

  std::map<std::string, Value> metadata;
  std::map<std::string, Prim> prims;

  void parse()
  {
    expect("(");
    while (!accept(")")) {
      const std::string key = word();
      expect("=");
      metadata[key] = value();
    }
    while (skip(), at_ < text_.size()) parse_prim(prims);
  }

 private:
  void skip()
  {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool accept(const std::string& token)
  {
    skip();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  void expect(const std::string& token)
  {
    const bool found = accept(token);
    INFO("at ", text_.substr(at_, 60), " expected ", token);
    REQUIRE(found);
  }
  std::string word()
  {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  std::string("_:.[]+-").find(text_[at_]) != std::string::npos))
      ++at_;
    INFO("at ", text_.substr(start, 60));
    REQUIRE(at_ > start);
    return text_.substr(start, at_ - start);
  }
  std::string quoted()
  {
    expect("\"");
    std::string result;
    while (text_.at(at_) != '"') {
      if (text_[at_] == '\\') ++at_;
      result += text_.at(at_++);
    }
    ++at_;
    return result;
  }
  double number()
  {
    skip();
    std::size_t length = 0;
    const double x = std::stod(text_.substr(at_, 40), &length);
    at_ += length;
    return x;
  }
  void row(const std::string& close, Value& result)
  {
    if (accept(close)) return;
    do {
      if (accept("("))
        row(")", result);
      else
        result.numbers.push_back(number());
    } while (accept(","));
    expect(close);
  }
  Value value()
  {
    Value result;
    skip();
    if (text_.at(at_) == '"')
      result.text = quoted();
    else if (accept("["))
      row("]", result);
    else
      result.numbers.push_back(number());
    return result;
  }
  void parse_attribute(Prim& prim)
  {
    std::string type = word();
    while (type == "custom" || type == "uniform") type = word();
    const std::string name = word();
    expect("=");
    if (!name.ends_with(".timeSamples")) {
      prim.attributes[name] = value();
      return;
    }
    expect("{");
    while (!accept("}")) {
      const double time = number();
      expect(":");
      prim.samples[name.substr(0, name.find('.'))][time] = value();
      expect(",");
    }
  }
  void parse_prim(std::map<std::string, Prim>& siblings)
  {
    expect("def");
    Prim prim;
    prim.type = word();
    const std::string name = quoted();
    expect("{");
    while (!accept("}")) {
      skip();
      if (text_.compare(at_, 4, "def ") == 0)
        parse_prim(prim.children);
      else
        parse_attribute(prim);
    }
    const bool fresh = siblings.emplace(name, std::move(prim)).second;
    REQUIRE(fresh);
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

// A reader of point3f makes floats of what it finds.
std::vector<float> as_floats(const Value& value)
{
  std::vector<float> numbers;
  for (const double x : value.numbers) numbers.push_back(static_cast<float>(x));
  return numbers;
}

// Vertices of a body in single precision, coordinate after coordinate.
std::vector<float> rounded(const std::vector<Vector3d>& vertices, const RecordedBody& body)
{
  std::vector<float> numbers;
  for (int i = body.first_vertex; i < body.first_vertex + body.vertex_count; ++i)
    for (const double x : vertices[static_cast<std::size_t>(i)])
      numbers.push_back(static_cast<float>(x));
  return numbers;
}

}  // namespace

TEST_CASE(
    "a USD layer has each mesh once and its points at every frame, to the last bit of a float")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 4);
  const Recording recording = Recording::open(folder.path());
  const auto files = export_format("usda").write(
      {.recording = recording, .frames = {0, 1, 2, 3}, .folder = folder.path() / "usd"});
  const std::string text = bytes_of(files.at(0));
  UsdaParser layer(text);
  layer.parse();
  CHECK(layer.metadata["upAxis"].text == "Y");
  CHECK(layer.metadata["metersPerUnit"].numbers == std::vector<double>{1.0});
  CHECK(layer.metadata["startTimeCode"].numbers == std::vector<double>{0.0});
  CHECK(layer.metadata["endTimeCode"].numbers == std::vector<double>{3.0});
  // A frame every 0.03 s; the rate is rounded to six decimals.
  CHECK(layer.metadata["timeCodesPerSecond"].numbers[0] == doctest::Approx(1.0 / 0.03));

  REQUIRE(layer.prims.contains("recording"));
  auto& meshes = layer.prims["recording"].children;
  CHECK(meshes.size() == 4);
  for (const RecordedBody& body : recording.header().bodies) {
    CAPTURE(body.name);
    const std::string name = body.name == "red cloth" ? "red_cloth" : body.name;
    REQUIRE(meshes.contains(name));
    Prim& mesh = meshes[name];
    CHECK(mesh.type == "Mesh");
    std::vector<double> corners;
    for (const Triangle& triangle : body.triangles)
      corners.insert(corners.end(), triangle.begin(), triangle.end());
    CHECK(mesh.attributes["faceVertexIndices"].numbers == corners);
    CHECK(mesh.attributes["faceVertexCounts"].numbers ==
          std::vector<double>(body.triangles.size(), 3.0));
    CHECK(mesh.attributes["userProperties:tact:kind"].text == body.kind);
    if (body.name == "ground") {
      CHECK(as_floats(mesh.attributes["points"]) == rounded(recording.vertices(0), body));
      continue;
    }
    REQUIRE(mesh.samples["points"].size() == 4);
    for (int k = 0; k < 4; ++k)
      CHECK(as_floats(mesh.samples["points"][k]) == rounded(recording.vertices(k), body));
  }
}

TEST_CASE("names that USD does not allow are changed and stay different")
{
  const TemporaryFolder folder;
  RecordingHeader header = sample_header();
  header.bodies[0].name = "3 boxes";
  header.bodies[1].name = "a/b";
  header.bodies[2].name = "a \"b\\";
  header.bodies[3].name = "a b";
  header.scene = "quote \" and \\ slash";
  make_recording(folder.path(), header, 2);
  const Recording recording = Recording::open(folder.path());
  const auto files = export_format("usda").write(
      {.recording = recording, .frames = {0, 1}, .folder = folder.path() / "usd"});
  const std::string text = bytes_of(files.at(0));
  UsdaParser layer(text);
  layer.parse();
  auto& meshes = layer.prims["recording"].children;
  for (const char* name : {"_3_boxes", "a_b", "a__b_", "a_b_2"}) {
    CAPTURE(name);
    CHECK(meshes.contains(name));
  }
  CHECK(meshes["a__b_"].attributes["userProperties:tact:name"].text == header.bodies[2].name);
  CHECK(layer.metadata["doc"].text == "tact 1.2.3, scene " + header.scene);
}
