#include <tact/recording/exports.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/recording/export_formats.hpp>

namespace tact {

static_assert(std::endian::native == std::endian::little);

namespace {

constexpr std::array<ExportFormat, 7> formats{{
    {"obj", "Wavefront OBJ, a file a frame, 17 digits: reads back bit for bit", export_obj},
    {"ply", "binary PLY, a file a frame, doubles, the body's number with each vertex", export_ply},
    {"vtu", "VTK with a PVD index for ParaView: velocities, bodies, kinds", export_vtu},
    {"usda", "text USD, one file with time samples, for Houdini and Blender", export_usda},
    {"glb", "binary glTF, one animated file for any viewer; best for short clips", export_glb},
    {"csv", "forces of every frame: a table of contacts, a table of pairs of bodies", export_csv},
    {"poses", "CSV: position, rotation and velocities of every body, a line per frame",
     export_poses},
}};

[[noreturn]] void reject_selection(std::string_view selection)
{
  throw Error(
      fmt::format("frames: found \"{}\", expected A:B:K with whole numbers and K >= 1", selection));
}

// nullopt for an empty part.
std::optional<int> parse_part(std::string_view part, std::string_view selection)
{
  if (part.empty()) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc() || end != part.data() + part.size()) reject_selection(selection);
  return value;
}

std::vector<std::optional<int>> parse_parts(std::string_view selection)
{
  std::vector<std::optional<int>> parts;
  std::string_view rest = selection;
  while (true) {
    const std::size_t colon = rest.find(':');
    parts.push_back(parse_part(rest.substr(0, colon), selection));
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  if (parts.size() > 3) reject_selection(selection);
  return parts;
}

}  // namespace

std::span<const ExportFormat> export_formats()
{
  return formats;
}

std::string names_of(std::span<const ExportFormat> some)
{
  std::string names;
  for (std::size_t k = 0; k < some.size(); ++k) {
    if (k > 0) names += k + 1 < some.size() ? ", " : " or ";
    names += some[k].name;
  }
  return names;
}

const ExportFormat& export_format(std::string_view name, std::span<const ExportFormat> some)
{
  std::vector<std::string> names;
  for (const ExportFormat& format : some) {
    if (format.name == name) return format;
    names.emplace_back(format.name);
  }
  throw Error(fmt::format("format: found \"{}\", expected {}{}", name, names_of(some),
                          did_you_mean(name, names)));
}

std::vector<int> select_frames(std::string_view selection, int frame_count)
{
  std::vector<std::optional<int>> parts = parse_parts(selection);
  const bool all = selection.empty();
  const bool single = parts.size() == 1 && !all;
  parts.resize(3);
  const auto from_start = [frame_count](std::int64_t k) { return k < 0 ? k + frame_count : k; };
  const std::int64_t first = from_start(parts[0].value_or(0));
  const std::int64_t end = single ? first + 1 : from_start(parts[1].value_or(frame_count));
  const int step = parts[2].value_or(1);
  if (step < 1) reject_selection(selection);
  std::vector<int> frames;
  for (std::int64_t k = std::max<std::int64_t>(first, 0); k < end && k < frame_count; k += step)
    frames.push_back(static_cast<int>(k));
  if (frames.empty())
    throw Error(all ? "frames: the recording has none"
                    : fmt::format("frames: found \"{}\", which selects none of the {} frames",
                                  selection, frame_count));
  return frames;
}

std::filesystem::path frame_file(const ExportJob& job, int frame, std::string_view ending)
{
  return job.folder / fmt::format("frame_{:05}.{}", frame, ending);
}

std::string origin(const RecordingHeader& header)
{
  return fmt::format("tact {}, scene {}", header.version, header.scene);
}

int kind_number(const RecordedBody& body)
{
  const auto& kinds = recorded_kinds;
  return static_cast<int>(std::find(kinds.begin(), kinds.end(), body.kind) - kinds.begin());
}

}  // namespace tact
