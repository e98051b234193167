// glTF and GLB: what they show is read as the specification says, and hostile files end in a line.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <tact/core/random.hpp>
#include <tact/files/mesh_io.hpp>
#include <tact/files/mesh_io_formats.hpp>
#include <tact/geometry/mesh_check.hpp>
#include <tact/geometry/shapes.hpp>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include "../data.hpp"
#include "little_endian.hpp"

namespace tact {
namespace {

using Json = nlohmann::json;

constexpr int unsigned_byte = 5121, unsigned_short = 5123, unsigned_int = 5125;

std::string base64(const std::string& data)
{
  const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < data.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < data.size() ? static_cast<unsigned char>(data[i + k]) : 0u);
    for (int k = 0; k < 4; ++k) text += digits[group >> (18 - 6 * k) & 63];
  }
  const std::size_t padding = (3 - data.size() % 3) % 3;
  return text.replace(text.size() - padding, padding, std::string(padding, '='));
}

struct Gltf {
  Json json;
  std::string buffer;

  void add_view(const std::string& data, const Json& accessor, const Json& further = {})
  {
    Json view = {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", data.size()}};
    view.update(further.is_null() ? Json::object() : further);
    json["accessors"].push_back(accessor);
    json["accessors"].back()["bufferView"] = json["bufferViews"].size();
    json["bufferViews"].push_back(view);
    buffer += data;
    json["buffers"][0]["byteLength"] = buffer.size();
  }

  // With the data inside.
  std::string text() const
  {
    Json whole = json;
    whole["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(buffer);
    return whole.dump();
  }

  std::string glb() const
  {
    std::string head = json.dump();
    head.resize((head.size() + 3) / 4 * 4, ' ');
    std::string body = buffer;
    body.resize((body.size() + 3) / 4 * 4, '\0');
    const std::string chunks = little_endian(std::uint32_t(head.size())) + "JSON" + head +
                               little_endian(std::uint32_t(body.size())) + std::string("BIN\0", 4) +
                               body;
    return "glTF" + little_endian(std::uint32_t(2)) +
           little_endian(std::uint32_t(chunks.size() + 12)) + chunks;
  }
};

std::string float_bytes(const std::vector<Vector3d>& points, int further_bytes = 0)
{
  std::string data;
  for (const Vector3d& p : points) {
    for (const double x : p) data += little_endian(float(x));
    data += std::string(static_cast<std::size_t>(further_bytes), '\x7f');
  }
  return data;
}

std::string index_bytes(const std::vector<int>& numbers, int component)
{
  std::string data;
  for (const int i : numbers)
    data += component == unsigned_byte    ? little_endian(std::uint8_t(i))
            : component == unsigned_short ? little_endian(std::uint16_t(i))
                                          : little_endian(std::uint32_t(i));
  return data;
}

// A node with a mesh of one primitive, which has no accessors yet.
Gltf empty_file()
{
  return {{{"asset", {{"version", "2.0"}}},
           {"scene", 0},
           {"scenes", {{{"nodes", {0}}}}},
           {"nodes", {{{"mesh", 0}}}},
           {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}}}}}}},
           {"accessors", Json::array()},
           {"bufferViews", Json::array()},
           {"buffers", {{{"byteLength", 0}}}}},
          {}};
}

Json position_accessor(std::size_t count)
{
  return {{"componentType", 5126}, {"count", count}, {"type", "VEC3"}};
}

Json index_accessor(std::size_t count, int component)
{
  return {{"componentType", component}, {"count", count}, {"type", "SCALAR"}};
}

Gltf gltf_of(const std::vector<Vector3d>& points, const std::vector<int>& numbers,
             int component = unsigned_short)
{
  Gltf file = empty_file();
  file.add_view(float_bytes(points), position_accessor(points.size()));
  file.add_view(index_bytes(numbers, component), index_accessor(numbers.size(), component));
  return file;
}

const std::vector<Vector3d> tetrahedron{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<int> faces{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

Gltf tetrahedron_file()
{
  return gltf_of(tetrahedron, faces);
}

Json& primitive_of(Gltf& file)
{
  return file.json["meshes"][0]["primitives"][0];
}

TriMesh parse(const Gltf& file)
{
  const TriMesh mesh = parse_gltf("a.gltf", file.text());
  const TriMesh binary = parse_gltf("a.glb", file.glb());
  CHECK(mesh.positions == binary.positions);
  CHECK(mesh.triangles == binary.triangles);
  return mesh;
}

TEST_CASE("glTF and GLB: triangles are placed by their nodes and welded")
{
  const TemporaryFolder folder;
  const TriMesh sphere = make_icosphere(1.0, 1);
  std::vector<Vector3d> corners;  // every triangle with corners of its own, as seams make them
  std::vector<int> numbers;
  for (int t = 0; t < sphere.triangle_count(); ++t)
    for (const Vector3d& corner : sphere.corners(t)) {
      numbers.push_back(static_cast<int>(corners.size()));
      corners.push_back(corner);
    }
  Gltf file = gltf_of(corners, numbers, unsigned_int);
  file.json["nodes"][0]["translation"] = {10, 20, 30};
  for (const auto& path : {folder.file("a.gltf", file.text()), folder.file("b.GLB", file.glb())}) {
    const TriMesh mesh = read_surface(path);
    CHECK(mesh.vertex_count() == sphere.vertex_count());
    CHECK(mesh.triangle_count() == sphere.triangle_count());
    CHECK(build_topology(mesh).boundary_edges.empty());
    CHECK(volume(mesh) == doctest::Approx(volume(sphere)).epsilon(1e-6));  // stores floats
    const Vector3d middle = bounding_box(mesh.positions).centre();
    CHECK((middle - Vector3d(10, 20, 30)).norm() < 1e-6);
  }
}

TEST_CASE("glTF: integers of all widths, data with gaps between, and no indices at all")
{
  const TriMesh expected = parse(tetrahedron_file());
  CHECK(expected.positions == tetrahedron);
  CHECK(expected.triangles == std::vector<Triangle>{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
  for (const int component : {unsigned_byte, unsigned_int})
    CHECK(parse(gltf_of(tetrahedron, faces, component)).triangles == expected.triangles);

  Gltf gaps = empty_file();
  gaps.add_view(std::string(8, '\x7f') + float_bytes(tetrahedron, 12), position_accessor(4),
                {{"byteStride", 24}});
  gaps.json["accessors"][0]["byteOffset"] = 8;
  gaps.json["bufferViews"][0]["byteLength"] = gaps.buffer.size() - 12;  // the last gap is not there
  gaps.add_view(index_bytes(faces, unsigned_short), index_accessor(12, unsigned_short));
  CHECK(parse(gaps).positions == tetrahedron);
  CHECK(parse(gaps).triangles == expected.triangles);

  std::vector<Vector3d> corners;
  for (const int i : faces) corners.push_back(tetrahedron[static_cast<std::size_t>(i)]);
  Gltf plain = gltf_of(corners, {0});
  primitive_of(plain).erase("indices");
  CHECK(volume(parse(plain)) == doctest::Approx(1.0 / 6.0).epsilon(1e-7));
}

TEST_CASE("glTF: strips and fans face where the specification says, and stitches vanish")
{
  const std::vector<Vector3d> square{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  Gltf strip = gltf_of(square, {0, 1, 2, 3, 3, 3});
  primitive_of(strip)["mode"] = 5;
  CHECK(parse(strip).triangles == std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}});
  Gltf fan = gltf_of(square, {0, 1, 3, 2});
  primitive_of(fan)["mode"] = 6;
  CHECK(parse(fan).triangles == std::vector<Triangle>{{1, 3, 0}, {3, 2, 0}});
}

TEST_CASE("glTF: several primitives are one mesh; points, lines and hidden nodes are not in it")
{
  Gltf file = gltf_of(tetrahedron, {0, 2, 1, 0, 1, 3});
  file.add_view(index_bytes({0, 3, 2, 1, 2, 3}, unsigned_byte), index_accessor(6, unsigned_byte));
  Json& primitives = file.json["meshes"][0]["primitives"];
  primitives.push_back(primitives[0]);
  primitives[1]["indices"] = 2;
  primitives.push_back({{"mode", 1}, {"attributes", {{"POSITION", 0}}}});
  file.json["nodes"].push_back({{"mesh", 0}, {"translation", {5, 5, 5}}});  // in no scene
  const TriMesh mesh = parse(file);
  CHECK(mesh.positions == tetrahedron);
  CHECK(mesh.triangle_count() == 4);
  CHECK(build_topology(mesh).boundary_edges.empty());
}

TEST_CASE("glTF: nodes in nodes multiply, by matrix as by scale, rotation and translation")
{
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
  const Eigen::Affine3d outer =
      Eigen::Translation3d(1, 2, 3) * turn * Eigen::Scaling(2.0, 3.0, 4.0);
  const Eigen::Affine3d inner(Eigen::Translation3d(-1, 0, 5));
  Gltf file = tetrahedron_file();
  const Json outer_parts = {{"children", {1}},
                            {"translation", {1, 2, 3}},
                            {"rotation", {turn.x(), turn.y(), turn.z(), turn.w()}},
                            {"scale", {2, 3, 4}}};
  const std::vector<double> numbers(outer.data(), outer.data() + 16);
  const Json outer_matrix = {{"children", {1}}, {"matrix", numbers}};
  for (const Json& node : {outer_parts, outer_matrix}) {
    file.json["nodes"] = {node, {{"mesh", 0}, {"translation", {-1, 0, 5}}}};
    const TriMesh mesh = parse(file);
    for (int i = 0; i < 4; ++i)
      CHECK((mesh.positions[i] - outer * (inner * tetrahedron[i])).norm() < 1e-14);
    CHECK(volume(mesh) == doctest::Approx(24.0 / 6.0).epsilon(1e-12));
  }
}

TEST_CASE("glTF: a node that mirrors leaves the outside outside")
{
  Gltf file = tetrahedron_file();
  file.json["nodes"][0]["scale"] = {-1, 1, 1};
  CHECK(volume(parse(file)) == doctest::Approx(1.0 / 6.0).epsilon(1e-12));
}

TEST_CASE("glTF: buffers are read from files beside, and from nowhere else")
{
  const TemporaryFolder folder;
  Gltf file = tetrahedron_file();
  folder.file("some data.bin", file.buffer);
  file.json["buffers"][0]["uri"] = "some%20data.bin";
  const auto path = folder.file("a.gltf", file.json.dump());
  CHECK(read_surface(path).positions == tetrahedron);

  const std::string there = (folder.path() / "some data.bin").string();
  for (const std::string& uri :
       {there, "file://" + there, std::string("http://example.org/a.bin"), std::string("../a.bin"),
        std::string("x/%2e%2e/../a.bin"), std::string()}) {
    file.json["buffers"][0]["uri"] = uri;
    const std::string message = message_of([&] { parse_gltf(path, file.json.dump()); });
    check_complaint(message, "a.gltf", "/buffers/0/uri", "in or below the folder of this one");
  }
  for (const char* uri : {"no-such.bin", "no\nsuch.bin", "."}) {
    file.json["buffers"][0]["uri"] = uri;
    const std::string message = message_of([&] { parse_gltf(path, file.json.dump()); });
    check_complaint(message, "a.gltf: /buffers/0/uri", "found \"", "expected a file with the data");
  }
  file.json["buffers"][0]["uri"] = "a.gltf";  // there, but short
  file.json["buffers"][0]["byteLength"] = 1'000'000;
  CHECK(contains(message_of([&] { parse_gltf(path, file.json.dump()); }),
                 "expected 1000000, as it claims"));
}

struct Change {
  std::string pointer;
  Json value;
  std::string words;  // what the message must say
};

TEST_CASE("glTF: complaints name the place, what was found and what was expected")
{
  const std::vector<Change> changes{
      {"/asset/version", "1.0", "found \"1.0\", expected glTF of version 2"},
      {"/scene", 1, "found 1, expected an integer from 0 to 0"},
      {"/scenes", Json::array(), "expected at least one"},
      {"/scenes/0/nodes/0", -1, "found -1, expected an integer from 0 to 0"},
      {"/scenes/0/nodes", {0, 0}, "found node 0 a second time, expected a tree"},
      {"/nodes/0/children", {0}, "found node 0 a second time, expected a tree"},
      {"/nodes/0/mesh", "one", "found \"one\", expected an integer"},
      {"/nodes/0/skin", 0, "found a skin"},
      {"/nodes/0/scale", {1, 2}, "expected an array of 3"},
      {"/nodes/0/rotation", {0, 0, 0, 0}, "expected a unit quaternion"},
      {"/nodes/0/translation", {0, 1e308, 0}, ""},  // far away, and all right
      {"/nodes/0/matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2}, "0 0 0 1"},
      {"/nodes/0/matrix", {1, 2, 3}, "expected an array of 16"},
      {"/meshes/0/primitives", 7, "found 7, expected an array"},
      {"/meshes/0/primitives/0/mode", 9, "found 9, expected an integer from 0 to 6"},
      {"/meshes/0/primitives/0/mode", 1, "found no triangle"},
      {"/meshes/0/primitives/0/targets", Json::array({Json::object()}), "found morph targets"},
      {"/meshes/0/primitives/0/extensions",
       {{"KHR_draco_mesh_compression", Json::object()}},
       "found Draco compression"},
      {"/meshes/0/primitives/0/attributes/POSITION", 7, "found 7, expected an integer from 0 to 1"},
      {"/meshes/0/primitives/0/attributes/POSITION", 1, "found \"SCALAR\", expected VEC3"},
      {"/meshes/0/primitives/0/attributes", Json::object(), "found nothing, expected positions"},
      {"/meshes/0/primitives/0/indices", 0, "found \"VEC3\", expected SCALAR"},
      {"/accessors/0/sparse", Json::object(), "found a sparse accessor"},
      {"/accessors/0/componentType", 5123, "found 5123, expected 5126"},
      {"/accessors/1/componentType", 5126, "found 5126, expected 5121, 5123 or 5125"},
      {"/accessors/1/componentType", 5122, "found 5122, expected 5121, 5123 or 5125"},
      {"/accessors/1/componentType", 5125, "found 12, expected at most 6"},
      {"/accessors/0/count", 0, "found 0, expected an integer from 1 to 4"},
      {"/accessors/0/count", -1, "found -1, expected an integer from 1 to 4"},
      {"/accessors/0/count", 5, "found 5, expected at most 4, as many as the buffer view holds"},
      {"/accessors/0/count", 4e9, "found 4000000000.0, expected at most 4"},
      {"/accessors/0/count", 18446744073709551615u, "expected at most 4"},
      {"/accessors/0/count", 3, "found vertex 3 as number 5, expected vertices from 0 to 2"},
      {"/accessors/1/count", 11, "found 11 corners of triangles, expected a multiple of three"},
      {"/accessors/0/byteOffset", 49, "found 49, expected an integer from 0 to 48"},
      {"/accessors/0/byteOffset", 48, "found 4, expected at most 0"},
      {"/accessors/0/byteOffset", -4, "found -4, expected an integer from 0"},
      {"/accessors/0/bufferView", 2, "found 2, expected an integer from 0 to 1"},
      {"/bufferViews/0/byteStride", 4, "found 4, expected an integer from 12 to 252"},
      {"/bufferViews/0/byteLength", 73, "found 73 bytes from byte 0 on, expected no more than"},
      {"/bufferViews/0/byteLength", 4294967295u, "expected an integer from 1 to 2147483647"},
      {"/bufferViews/0/byteOffset", 73, "found 73, expected an integer from 0 to 72"},
      {"/bufferViews/0/buffer", 1, "found 1, expected an integer from 0 to 0"},
      {"/buffers/0/byteLength", 74, "bytes, expected 74, as it claims"},
      {"/buffers/0/byteLength", 1e300, "expected an integer from 1 to 2147483647"},
      {"/extensionsRequired",
       {"KHR_materials_unlit", "EXT_meshopt_compression"},
       "/extensionsRequired/1: found \"EXT_meshopt_compression\""},
  };
  for (const Change& change : changes) {
    CAPTURE(change.pointer);
    CAPTURE(change.value.dump());
    Gltf file = tetrahedron_file();
    file.json[Json::json_pointer(change.pointer)] = change.value;
    if (change.words.empty()) {
      CHECK_NOTHROW(parse_gltf("good.glb", file.glb()));
      continue;
    }
    check_complaint(message_of([&] { parse_gltf("bad.glb", file.glb()); }), "bad.glb", ":",
                    change.words);
  }
}

TEST_CASE("glTF: coordinates that are no numbers, or are none once placed, are complained about")
{
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    std::vector<Vector3d> points = tetrahedron;
    points[2][1] = bad;
    const std::string glb = gltf_of(points, faces).glb();
    check_complaint(message_of([&] { parse_gltf("bad.glb", glb); }), "bad.glb", "/accessors/0",
                    "found a coordinate of vertex 2 that is not finite");
  }
  Gltf file = tetrahedron_file();
  file.json["nodes"] = {{{"children", {1}}, {"scale", {1e200, 1, 1}}},
                        {{"mesh", 0}, {"scale", {1e200, 1, 1}}}};
  check_complaint(message_of([&] { parse_gltf("bad.glb", file.glb()); }), "bad.glb", ":",
                  "has a coordinate that is not finite");
}

TEST_CASE("glTF: data in base64 is read to the letter")
{
  Gltf file = tetrahedron_file();
  const std::string good = "data:;base64," + base64(file.buffer);
  for (const std::string& uri :
       {good.substr(0, good.size() - 1), good.substr(0, good.size() - 2) + "*A",
        good.substr(0, 40) + "=" + good.substr(41), std::string("data:,abcd"), std::string("data:"),
        std::string("data:;base64")}) {
    file.json["buffers"][0]["uri"] = uri;
    check_complaint(message_of([&] { parse_gltf("bad.gltf", file.json.dump()); }), "bad.gltf",
                    "/buffers/0/uri", "found data that is no base64");
  }
  for (const std::size_t size : {73, 74, 75}) {  // with all three paddings
    file.buffer.resize(size, '\xff');
    CHECK(parse_gltf("a.gltf", file.text()).positions == tetrahedron);
  }
}

TEST_CASE("GLB: what chunks claim is compared with what is there")
{
  const std::string good = tetrahedron_file().glb();
  const auto glb = [](const std::string& chunks) {
    return "glTF" + little_endian(std::uint32_t(2)) +
           little_endian(std::uint32_t(12 + chunks.size())) + chunks;
  };
  const std::string brackets = little_endian(std::uint32_t(2)) + "JSON{}";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "found \"\", expected glTF"},
      {"hello", "found \"hello\", expected glTF"},
      {"[]", "found \"[]\", expected glTF"},
      {"{}", "/asset: found nothing"},
      {"glTF", "byte 4: found the end of the file"},
      {"glTF" + little_endian(std::uint32_t(1)), "found GLB version 1, expected 2"},
      {"glTF" + little_endian(std::uint32_t(2)) + little_endian(~std::uint32_t(0)),
       "found 12 bytes, expected 4294967295, as byte 8 claims"},
      {glb(""), "found no JSON"},
      {glb("abc"), "byte 12: found the end of the file"},
      {glb(little_endian(~std::uint32_t(0)) + "JSON{}"),
       "found a chunk that claims 4294967295 bytes"},
      {glb(little_endian(std::uint32_t(0)) + std::string("BIN\0", 4)),
       "a first chunk of another kind"},
      {glb(brackets + brackets), "found JSON a second time"},
      {glb(brackets), "/asset: found nothing"},
      {glb(good.substr(12) + "abc"), "found the end of the file"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.first);
    const std::string message = message_of([&] { parse_gltf("bad.glb", one.first); });
    check_complaint(message, "bad.glb", ":", one.second);
  }
  Gltf file = tetrahedron_file();
  file.json.erase("buffers");
  CHECK(contains(message_of([&] { parse_gltf("bad.glb", file.glb()); }), "/buffers"));
  check_complaint(message_of([] { parse_gltf("bad.gltf", tetrahedron_file().json.dump()); }),
                  "bad.gltf", "/buffers/0", "found a buffer without data");
}

TEST_CASE("GLB: 22 bytes that claim 4 GB are refused")
{
  const auto folder = test_data("faults");
  if (!folder) return;
  check_complaint(message_of([&] { read_surface(*folder / "glb-4GB.glb"); }), "glb-4GB.glb", ":",
                  "found 22 bytes, expected 4294967295, as byte 8 claims");
}

TEST_CASE("glTF: a small file that shows a mesh without end is refused")
{
  Gltf file = tetrahedron_file();
  Json& primitives = file.json["meshes"][0]["primitives"];
  for (int i = 0; i < 1000; ++i)
    primitives.push_back({{"mode", 0}, {"attributes", {{"POSITION", 0}}}});
  for (int i = 1; i < 1000; ++i) {
    file.json["nodes"].push_back({{"mesh", 0}});
    file.json["scenes"][0]["nodes"].push_back(i);
  }
  check_complaint(message_of([&] { parse_gltf("bad.glb", file.glb()); }), "bad.glb", ":",
                  "expected at most 1000000");
}

TEST_CASE("glTF: a hundred thousand nodes in each other are read, and deep brackets refused")
{
  Gltf file = tetrahedron_file();
  file.json["nodes"] = Json::array();
  for (int i = 0; i < 100'000; ++i) file.json["nodes"].push_back({{"children", {i + 1}}});
  file.json["nodes"].push_back({{"mesh", 0}});
  CHECK(parse_gltf("deep.glb", file.glb()).positions == tetrahedron);

  const std::string deep = "{\"asset\":" + std::string(1'000'000, '[');
  CHECK(contains(message_of([&] { parse_gltf("deep.gltf", deep); }), "deep.gltf: line 1"));
}

TEST_CASE("glTF: cut off anywhere or with any byte changed, a file is read or complained about")
{
  for (const std::string& text : {tetrahedron_file().text(), tetrahedron_file().glb()}) {
    Random random(1);
    int outcomes = 0;
    const auto attempt = [&](std::string_view content) {
      try {
        parse_gltf("x", content);
      } catch (const Error& error) {
        CHECK(std::string_view(error.what()).starts_with("x: "));
      }
      ++outcomes;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
      attempt(std::string_view(text).substr(0, i));
      std::string changed = text;
      changed[i] = static_cast<char>(random.below(256));
      attempt(changed);
    }
    CHECK(outcomes == 2 * static_cast<int>(text.size()));
  }
}

}  // namespace
}  // namespace tact
