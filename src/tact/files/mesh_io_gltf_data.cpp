#include <tact/files/mesh_io_gltf_data.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/files/mesh_io_bytes.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

// Numbers of the glTF 2.0 specification.
constexpr int unsigned_byte = 5121, unsigned_short = 5123, unsigned_int = 5125,
              single_precision = 5126;
constexpr std::uint32_t chunk_json = 0x4E4F534A, chunk_bin = 0x004E4942;
constexpr std::size_t glb_header = 12, glb_chunk_header = 8;  // bytes

constexpr std::size_t max_file_bytes = std::size_t{1} << 30;  // of all buffers beside the file
constexpr int max_int = std::numeric_limits<int>::max();

std::size_t component_bytes(int component)
{
  if (component == unsigned_byte) return 1;
  return component == unsigned_short ? 2 : 4;
}

std::size_t byte_length(const JsonValue& object, std::string_view key)
{
  return static_cast<std::size_t>(object.member(key, "a number of bytes").integer_in(1, max_int));
}

std::size_t byte_offset(const JsonValue& object, std::size_t most)
{
  const auto given = object.find("byteOffset");
  return given ? static_cast<std::size_t>(given->integer_in(0, static_cast<int>(most))) : 0;
}

constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int, 256> base64_values = [] {
  std::array<int, 256> table{};
  for (int& value : table) value = -1;
  for (std::size_t i = 0; i < base64_digits.size(); ++i)
    table[static_cast<unsigned char>(base64_digits[i])] = static_cast<int>(i);
  return table;
}();

// RFC 4648, with its padding and without anything between the digits.
std::optional<std::string> base64_decoded(std::string_view text)
{
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  for (; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(3 * (text.size() / 4) + 3);
  unsigned group = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int value = base64_values[static_cast<unsigned char>(text[i])];
    if (value < 0) return std::nullopt;
    group = group << 6 | static_cast<unsigned>(value);
    if (i % 4 == 3)
      for (const int shift : {16, 8, 0}) bytes += static_cast<char>(group >> shift & 0xff);
  }
  if (padding == 1) bytes.append({static_cast<char>(group >> 10), static_cast<char>(group >> 2)});
  if (padding == 2) bytes += static_cast<char>(group >> 4);
  return bytes;
}

// %20 and the like, as of RFC 3986.
std::string percent_decoded(std::string_view text)
{
  const auto digit = [](char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    return static_cast<int>(digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c));
  };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool code =
        text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    plain += code ? static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2])) : text[i];
    if (code) i += 2;
  }
  return plain;
}

// A hostile file must not reach beyond its own folder.
fs::path path_beside(const fs::path& file, const JsonValue& uri)
{
  const std::string text = uri.text();
  const fs::path path = percent_decoded(text);
  const bool leaves =
      path.is_absolute() || std::find(path.begin(), path.end(), fs::path("..")) != path.end();
  if (path.empty() || leaves || text.find(':') != std::string::npos ||
      path.string().find('\0') != std::string::npos)
    uri.reject("data in base64, or the path of a file in or below the folder of this one");
  return file.parent_path() / path;
}

}  // namespace

GltfData::GltfData(const fs::path& file, std::string_view content)
    : file_(file), content_bytes_(content.size())
{
  if (content.starts_with("glTF")) {
    split_glb(content);
  } else {
    constexpr std::string_view before = " \t\r\n\xEF\xBB\xBF";  // blanks and the mark of UTF-8
    const std::size_t start = content.find_first_not_of(before);
    if (start == std::string_view::npos || content[start] != '{')
      throw Error(
          fmt::format("{}: found {}, expected glTF: a JSON object, or a GLB file, which "
                      "begins with \"glTF\"",
                      file.string(), excerpt(content)));
    json_text_ = content;
  }
  json_ = parse_json(file, std::string(json_text_));
  const JsonValue version =
      root().member("asset", "an object with the version").member("version", "a version");
  if (!version.text().starts_with("2.")) version.reject("glTF of version 2");
}

// "glTF", the version, the length of the file; then chunks of a length, a kind and bytes.
void GltfData::split_glb(std::string_view content)
{
  const std::string name = file_.string();
  MeshBytes bytes(name, content, std::endian::little);
  bytes.skip(4);
  if (const auto version = bytes.take<std::uint32_t>("the version"); version != 2)
    throw Error(fmt::format("{}: found GLB version {}, expected 2", name, version));
  if (const auto claimed = bytes.take<std::uint32_t>("the length"); claimed != content.size())
    throw Error(fmt::format("{}: found {} bytes, expected {}, as byte 8 claims", name,
                            content.size(), claimed));
  for (std::size_t at = glb_header; at < content.size();) {
    const auto size = bytes.take<std::uint32_t>("the length of a chunk");
    const auto kind = bytes.take<std::uint32_t>("the kind of a chunk");
    at += glb_chunk_header;
    if (size > bytes.bytes_left())
      bytes.complain(fmt::format("a chunk that claims {} bytes", size),
                     fmt::format("at most the {} that are left", bytes.bytes_left()));
    const bool first = at == glb_header + glb_chunk_header;
    if (first != (kind == chunk_json))
      bytes.complain(first ? "a first chunk of another kind" : "JSON a second time",
                     "JSON in the first chunk only");
    if (first) json_text_ = content.substr(at, size);
    if (kind == chunk_bin && binary_chunk_.empty()) binary_chunk_ = content.substr(at, size);
    bytes.skip(size);
    at += size;
  }
  if (json_text_.empty())
    throw Error(fmt::format("{}: found no JSON, expected a chunk of it", name));
}

JsonValue GltfData::item(const JsonValue& index, std::string_view list) const
{
  const JsonValue items = root().member(list, "a list");
  const int count = items.array_size();
  if (count == 0) items.reject("at least one");
  return items.at(index.integer_in(0, count - 1));
}

std::vector<Vector3d> GltfData::positions(const JsonValue& index)
{
  const JsonValue accessor = item(index, "accessors");
  const Elements from = elements(accessor, "VEC3", {single_precision});
  MeshBytes bytes(accessor.pointer(), from.bytes, std::endian::little);
  std::vector<Vector3d> points(static_cast<std::size_t>(from.count));
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (double& x : points[i]) x = bytes.take<float>("a coordinate");
    if (!points[i].allFinite())
      accessor.reject(fmt::format("a coordinate of vertex {} that is not finite", i),
                      "finite numbers");
    bytes.skip(from.stride - 3 * sizeof(float));
  }
  return points;
}

std::vector<int> GltfData::vertex_numbers(const JsonValue& index, int vertex_count)
{
  const JsonValue accessor = item(index, "accessors");
  const Elements from = elements(accessor, "SCALAR", {unsigned_byte, unsigned_short, unsigned_int});
  MeshBytes bytes(accessor.pointer(), from.bytes, std::endian::little);
  std::vector<int> numbers(static_cast<std::size_t>(from.count));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint32_t number = from.component == unsigned_byte    ? bytes.take<std::uint8_t>("")
                                 : from.component == unsigned_short ? bytes.take<std::uint16_t>("")
                                                                    : bytes.take<std::uint32_t>("");
    if (number >= static_cast<std::uint32_t>(vertex_count))
      accessor.reject(fmt::format("vertex {} as number {}", number, i),
                      fmt::format("vertices from 0 to {}", vertex_count - 1));
    numbers[i] = static_cast<int>(number);
    bytes.skip(from.stride - component_bytes(from.component));
  }
  return numbers;
}

GltfData::Elements GltfData::elements(const JsonValue& accessor, std::string_view type,
                                      std::initializer_list<int> components)
{
  if (const auto sparse = accessor.find("sparse"))
    sparse->reject("a sparse accessor", "one with all its numbers in a buffer view");
  accessor.member("type", "a type").one_of({type});
  const JsonValue component = accessor.member("componentType", "a kind of number");
  const auto known = std::find(components.begin(), components.end(),
                               component.integer_in(0, std::numeric_limits<short>::max()));
  if (known == components.end())
    component.reject(type == "VEC3" ? "5126 (single precision)"
                                    : "5121, 5123 or 5125 (integers without sign)");
  const JsonValue view =
      item(accessor.member("bufferView", "the number of a buffer view"), "bufferViews");
  const std::string_view bytes = view_bytes(view);
  const std::size_t size = (type == "VEC3" ? 3 : 1) * component_bytes(*known);
  const auto given = view.find("byteStride");
  const auto stride = static_cast<std::size_t>(
      given ? given->integer_in(static_cast<int>(size), 252) : static_cast<int>(size));
  const std::size_t start = byte_offset(accessor, bytes.size());
  const std::size_t room = bytes.size() - start;
  const std::size_t most = room < size ? 0 : 1 + (room - size) / stride;
  const JsonValue count = accessor.member("count", "how many there are");
  if (count.number() > static_cast<double>(most))
    count.reject(fmt::format("at most {}, as many as the buffer view holds", most));
  return {bytes.substr(start), stride, *known,
          count.integer_in(1, std::max(1, static_cast<int>(most)))};
}

std::string_view GltfData::view_bytes(const JsonValue& view)
{
  const std::string_view bytes = buffer_bytes(view.member("buffer", "the number of a buffer"));
  const std::size_t start = byte_offset(view, bytes.size());
  const std::size_t size = byte_length(view, "byteLength");
  if (size > bytes.size() - start)
    view.reject(fmt::format("{} bytes from byte {} on", size, start),
                fmt::format("no more than the {} bytes of the buffer", bytes.size()));
  return bytes.substr(start, size);
}

std::string_view GltfData::buffer_bytes(const JsonValue& index)
{
  const JsonValue buffer = item(index, "buffers");
  const std::size_t size = byte_length(buffer, "byteLength");
  const auto uri = buffer.find("uri");
  if (!uri && (buffer.pointer() != "/buffers/0" || binary_chunk_.empty()))
    buffer.reject("a buffer without data", "a uri, or for buffer 0 of a GLB file a binary chunk");
  const std::string_view bytes = uri ? loaded(*uri) : binary_chunk_;
  if (size > bytes.size())
    buffer.reject(fmt::format("{} bytes", bytes.size()), fmt::format("{}, as it claims", size));
  return bytes.substr(0, size);
}

std::string_view GltfData::loaded(const JsonValue& uri)
{
  const auto [place, fresh] = loaded_.try_emplace(uri.pointer());
  if (!fresh) return place->second;
  const std::string text = uri.text();
  if (text.starts_with("data:")) {
    const std::size_t comma = text.find(',');
    const bool coded =
        comma != std::string::npos && std::string_view(text).substr(0, comma).ends_with(";base64");
    auto bytes = coded ? base64_decoded(std::string_view(text).substr(comma + 1)) : std::nullopt;
    if (!bytes) uri.reject("data that is no base64", "\"data:...;base64,\" and its digits");
    return place->second = std::move(*bytes);
  }
  const fs::path path = path_beside(file_, uri);
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error)
    uri.reject(fmt::format("{} ({})", excerpt(text), error.message()), "a file with the data");
  if (size > max_file_bytes - file_bytes_)
    uri.reject(fmt::format("a file of {} bytes", size),
               fmt::format("at most {} in all such files", max_file_bytes));
  try {
    place->second = read_text(path);
  } catch (const Error&) {  // names the path, which may hold anything
    uri.reject(fmt::format("{}, which cannot be read", excerpt(text)), "a file with the data");
  }
  file_bytes_ += place->second.size();
  return place->second;
}

}  // namespace tact
