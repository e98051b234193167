// Stanford PLY, text and binary. Of the elements, `vertex` (x, y, z) and `face` (vertex_indices)
// are used, and all others passed over.
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/files/mesh_io_bytes.hpp>
#include <tact/files/mesh_io_formats.hpp>
#include <tact/files/mesh_io_text.hpp>
#include <tact/files/text_file.hpp>
#include <tact/geometry/polygon.hpp>

namespace tact {
namespace {

enum class Scalar { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct ScalarName {
  std::string_view name;
  Scalar type;
};
constexpr std::array<ScalarName, 16> scalar_names{{
    {"char", Scalar::int8},
    {"int8", Scalar::int8},
    {"uchar", Scalar::uint8},
    {"uint8", Scalar::uint8},
    {"short", Scalar::int16},
    {"int16", Scalar::int16},
    {"ushort", Scalar::uint16},
    {"uint16", Scalar::uint16},
    {"int", Scalar::int32},
    {"int32", Scalar::int32},
    {"uint", Scalar::uint32},
    {"uint32", Scalar::uint32},
    {"float", Scalar::float32},
    {"float32", Scalar::float32},
    {"double", Scalar::float64},
    {"float64", Scalar::float64},
}};

struct Property {
  std::string_view name;
  Scalar type = Scalar::float32;
  std::optional<Scalar> count_type;  // of a list
};

struct Element {
  std::string_view name;
  long count = 0;
  std::vector<Property> properties;
};

enum class Format { ascii, little_endian, big_endian };

struct PlyHeader {
  Format format = Format::ascii;
  std::vector<Element> elements;
};

constexpr long max_ply_count = std::numeric_limits<int>::max();

// ---- Header -----------------------------------------------------------------------------------

Scalar read_scalar_name(MeshText& text)
{
  const std::string_view word = text.word();
  for (const auto& [name, type] : scalar_names)
    if (word == name) return type;
  text.reject(word, "a type: char, uchar, short, ushort, int, uint, float or double");
}

Format read_format(MeshText& text)
{
  const std::string_view word = text.word();
  if (word == "ascii") return Format::ascii;
  if (word == "binary_little_endian") return Format::little_endian;
  if (word == "binary_big_endian") return Format::big_endian;
  text.reject(word, "ascii, binary_little_endian or binary_big_endian");
}

Element read_element(MeshText& text)
{
  Element element{text.word(), 0, {}};
  element.count = text.integer(text.word(), 0, max_ply_count, "a number of elements");
  return element;
}

Property read_property(MeshText& text)
{
  MeshText ahead = text;
  Property property;
  if (ahead.word() == "list") {
    text.word();
    property.count_type = read_scalar_name(text);
  }
  property.type = read_scalar_name(text);
  property.name = text.word();
  if (property.name.empty()) text.reject({}, "the name of a property");
  return property;
}

// Leaves `text` before the first line of data.
PlyHeader read_ply_header(MeshText& text)
{
  PlyHeader header;
  std::optional<Format> format;
  if (!text.next_line() || text.line() != "ply") text.reject(text.line(), "\"ply\"");
  while (text.next_line()) {
    const std::string_view keyword = text.word();
    if (keyword == "format") {
      format = read_format(text);
    } else if (keyword == "element") {
      header.elements.push_back(read_element(text));
    } else if (keyword == "property") {
      if (header.elements.empty()) text.reject(text.line(), "an element before its properties");
      header.elements.back().properties.push_back(read_property(text));
    } else if (keyword == "end_header") {
      if (!format) text.reject(text.line(), "a format before the end of the header");
      header.format = *format;
      return header;
    } else if (keyword != "comment" && keyword != "obj_info") {
      text.reject(keyword, "format, comment, element, property or end_header");
    }
  }
  text.reject({}, "end_header");
}

// ---- Data, from text or bytes -----------------------------------------------------------------

class TextValues {
 public:
  explicit TextValues(MeshText& text) : text_(text) {}

  double value(Scalar) { return text_.finite(text_.word_anywhere()); }
  std::size_t bytes_left() const { return text_.bytes_left() + text_.line().size(); }
  [[noreturn]] void complain(const std::string& found, const std::string& expected) const
  {
    text_.complain(found, expected);
  }

 private:
  MeshText& text_;
};

class ByteValues {
 public:
  explicit ByteValues(MeshBytes bytes) : bytes_(bytes) {}

  double value(Scalar type)
  {
    const double x = raw_value(type);
    if (!std::isfinite(x)) bytes_.complain("a number that is not finite", "a finite one");
    return x;
  }
  std::size_t bytes_left() const { return bytes_.bytes_left(); }
  [[noreturn]] void complain(const std::string& found, const std::string& expected) const
  {
    bytes_.complain(found, expected);
  }

 private:
  double raw_value(Scalar type)
  {
    switch (type) {
      case Scalar::int8: return bytes_.take<std::int8_t>("a number");
      case Scalar::uint8: return bytes_.take<std::uint8_t>("a number");
      case Scalar::int16: return bytes_.take<std::int16_t>("a number");
      case Scalar::uint16: return bytes_.take<std::uint16_t>("a number");
      case Scalar::int32: return bytes_.take<std::int32_t>("a number");
      case Scalar::uint32: return bytes_.take<std::uint32_t>("a number");
      case Scalar::float32: return bytes_.take<float>("a number");
      case Scalar::float64: break;
    }
    return bytes_.take<double>("a number");
  }

  MeshBytes bytes_;
};

// A whole number from `low` to `high`; what else the file holds there is told in words.
template <class Values>
int whole(Values& values, double x, long low, long high, const char* what)
{
  if (!(x >= double(low) && x <= double(high)) || x != std::floor(x))
    values.complain(fmt::format("{}", x), fmt::format("{} from {} to {}", what, low, high));
  return static_cast<int>(x);
}

// Calls take(property, value) for each value of an element, the length of a list not included.
template <class Values, class Take>
void read_values(Values& values, const Element& element, Take take)
{
  for (const Property& property : element.properties) {
    long count = 1;
    if (property.count_type) {
      const long most =
          static_cast<long>(std::min<std::size_t>(values.bytes_left(), max_ply_count));
      count = whole(values, values.value(*property.count_type), 0, most, "the length of a list");
    }
    for (long k = 0; k < count; ++k) take(property, values.value(property.type));
  }
}

template <class Values>
void read_vertices(Values& values, const Element& element, TriMesh& mesh)
{
  for (long i = 0; i < element.count; ++i) {
    Vector3d& p = mesh.positions.emplace_back(Vector3d::Zero());
    read_values(values, element, [&p](const Property& property, double x) {
      if (property.name == "x") p[0] = x;
      if (property.name == "y") p[1] = x;
      if (property.name == "z") p[2] = x;
    });
  }
}

bool holds_corners(const Property& property)
{
  return property.count_type &&
         (property.name == "vertex_indices" || property.name == "vertex_index");
}

template <class Values>
void read_faces(Values& values, const Element& element, TriMesh& mesh)
{
  std::vector<int> corners;
  for (long i = 0; i < element.count; ++i) {
    corners.clear();
    read_values(values, element, [&](const Property& property, double x) {
      if (!holds_corners(property)) return;
      corners.push_back(whole(values, x, 0, mesh.vertex_count() - 1, "a vertex"));
    });
    if (corners.size() < 3)
      values.complain(fmt::format("face {} with {} corners", i, corners.size()), "at least 3");
    if (corners.size() > max_nonconvex_corners && !is_convex(mesh.positions, corners))
      values.complain(fmt::format("face {} with {} corners that is not convex", i, corners.size()),
                      fmt::format("at most {}", max_nonconvex_corners));
    triangulate(mesh.positions, corners, mesh.triangles);
  }
}

template <class Values>
TriMesh read_elements(const PlyHeader& header, Values values)
{
  TriMesh mesh;
  for (const Element& element : header.elements) {
    if (element.name == "vertex")
      read_vertices(values, element, mesh);
    else if (element.name == "face")
      read_faces(values, element, mesh);
    else
      for (long i = 0; i < element.count; ++i) read_values(values, element, [](auto&&...) {});
  }
  return mesh;
}

// What must be in the header for the data to make sense, and for its reading to end.
void require_mesh(const PlyHeader& header, const MeshText& text)
{
  bool x = false, y = false, z = false, corners = false;
  for (const Element& element : header.elements) {
    if (element.properties.empty())
      text.complain(fmt::format("an element {} without properties", excerpt(element.name)),
                    "at least one property");
    for (const Property& property : element.properties) {
      const bool of_vertex = element.name == "vertex" && !property.count_type && !corners;
      x = x || (of_vertex && property.name == "x");
      y = y || (of_vertex && property.name == "y");
      z = z || (of_vertex && property.name == "z");
      corners = corners || (element.name == "face" && holds_corners(property));
    }
  }
  if (!x || !y || !z || !corners)
    text.complain(
        "a header without a mesh",
        "an element vertex with x, y and z, then an element face with a list vertex_indices");
}

}  // namespace

TriMesh parse_ply(std::string_view name, std::string_view content)
{
  MeshText text(name, content);
  const PlyHeader header = read_ply_header(text);
  require_mesh(header, text);
  const auto bytes = [&](std::endian order) {
    MeshBytes all(name, content, order);
    all.skip(content.size() - text.bytes_left());
    return ByteValues(all);
  };
  TriMesh mesh;
  switch (header.format) {
    case Format::ascii: mesh = read_elements(header, TextValues(text)); break;
    case Format::little_endian: mesh = read_elements(header, bytes(std::endian::little)); break;
    case Format::big_endian: mesh = read_elements(header, bytes(std::endian::big)); break;
  }
  if (mesh.triangles.empty())
    throw Error(fmt::format("{}: found no face, expected at least one", name));
  return mesh;
}

}  // namespace tact
