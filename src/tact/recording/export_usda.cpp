// Text USD: one layer, a Mesh for each body, its topology once and its points as time samples. A
// body that never moves has its points once. Time codes are frames, timeCodesPerSecond plays them
// in real time.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tact/recording/atomic_file.hpp>
#include <tact/recording/export_formats.hpp>

namespace tact {
namespace {

// USD wants all times of one body together, a recording all bodies of one time. Bodies are written
// in groups whose samples fit into this much memory, with one reading of the frames for each group.
constexpr std::size_t group_bytes = 256 << 20;

// Letters, digits and underscores, not starting with a digit; no two alike.
class PrimNames {
 public:
  std::string make(const std::string& name)
  {
    std::string identifier;
    for (const char c : name) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      identifier += plain ? c : '_';
    }
    if (identifier.empty() || (identifier[0] >= '0' && identifier[0] <= '9'))
      identifier = "_" + identifier;
    std::string unique = identifier;
    for (int i = 2; !used_.insert(unique).second; ++i) unique = fmt::format("{}_{}", identifier, i);
    return unique;
  }

 private:
  std::set<std::string> used_;
};

std::string usda_string(const std::string& text)
{
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + '"';
}

// The time codes of the frames: 0, 1, 2, ... where they are evenly spaced.
struct TimeCodes {
  double per_second = 24.0;
  std::vector<double> codes;
};

TimeCodes time_codes(const ExportJob& job)
{
  TimeCodes result;
  const std::vector<double>& times = job.recording.times();
  const double start = times[job.frames.front()];
  const double seconds = times[job.frames.back()] - start;
  if (seconds > 0.0) result.per_second = static_cast<double>(job.frames.size() - 1) / seconds;
  result.per_second = std::round(1e6 * result.per_second) / 1e6;
  for (const int k : job.frames)
    result.codes.push_back(std::round(1e6 * (times[k] - start) * result.per_second) / 1e6);
  return result;
}

// [(0, 1, 2), ...] in single precision, as point3f has it.
void append_points(std::string& text, std::span<const Vector3d> points)
{
  const auto out = std::back_inserter(text);
  text += '[';
  for (const Vector3d& p : points)
    fmt::format_to(out, FMT_COMPILE("({}, {}, {}), "), static_cast<float>(p[0]),
                   static_cast<float>(p[1]), static_cast<float>(p[2]));
  if (!points.empty()) text.resize(text.size() - 2);
  text += ']';
}

std::string topology(const RecordedBody& body)
{
  std::string counts, corners;
  for (const Triangle& triangle : body.triangles) {
    counts += counts.empty() ? "3" : ", 3";
    for (const int corner : triangle)
      fmt::format_to(std::back_inserter(corners), "{}{}", corners.empty() ? "" : ", ", corner);
  }
  return fmt::format(
      "        int[] faceVertexCounts = [{}]\n        int[] faceVertexIndices = [{}]\n", counts,
      corners);
}

using Samples = std::vector<std::vector<Vector3d>>;  // of one body, one a frame

void write_body(AtomicFile& file, const std::string& prim, const RecordedBody& body,
                const Samples& samples, const TimeCodes& times)
{
  std::string text = fmt::format("    def Mesh \"{}\"\n    {{\n", prim);
  text +=
      fmt::format("        custom string userProperties:tact:name = {}\n", usda_string(body.name));
  text +=
      fmt::format("        custom string userProperties:tact:kind = {}\n", usda_string(body.kind));
  text += fmt::format("        uniform bool doubleSided = {}\n", body.kind == "cloth" ? 1 : 0);
  text += "        uniform token subdivisionScheme = \"none\"\n" + topology(body);
  const bool still = std::all_of(samples.begin(), samples.end(),
                                 [&](const auto& points) { return points == samples.front(); });
  if (still) {
    text += "        point3f[] points = ";
    append_points(text, samples.front());
    text += '\n';
  } else {
    text += "        point3f[] points.timeSamples = {\n";
    for (std::size_t i = 0; i < samples.size(); ++i) {
      text += fmt::format("            {}: ", times.codes[i]);
      append_points(text, samples[i]);
      text += ",\n";
      file.write(text);
      text.clear();
    }
    text += "        }\n";
  }
  file.write(text + "    }\n\n");
}

// The bodies from `first` on whose samples fit into memory together; at least one.
std::span<const RecordedBody> next_group(std::span<const RecordedBody> bodies, std::size_t frames)
{
  std::size_t count = 0, bytes = 0;
  for (const RecordedBody& body : bodies) {
    bytes += frames * static_cast<std::size_t>(body.vertex_count) * sizeof(Vector3d);
    if (count > 0 && bytes > group_bytes) break;
    ++count;
  }
  return bodies.first(count);
}

std::vector<Samples> read_samples(const ExportJob& job, std::span<const RecordedBody> bodies)
{
  std::vector<Samples> samples(bodies.size());
  for (const int k : job.frames) {
    job.begin_frame(k);
    const std::vector<Vector3d> vertices = job.recording.vertices(k);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto points = part(vertices, bodies[i]);
      samples[i].emplace_back(points.begin(), points.end());
    }
  }
  return samples;
}

}  // namespace

ExportedFiles export_usda(const ExportJob& job)
{
  const RecordingHeader& header = job.recording.header();
  const TimeCodes times = time_codes(job);
  make_folder(job.folder);
  const std::filesystem::path path = job.folder / "recording.usda";
  AtomicFile file(path);
  file.write(fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"recording\"\n    doc = {}\n"
      "    endTimeCode = {}\n    framesPerSecond = {}\n    metersPerUnit = 1\n"
      "    startTimeCode = 0\n    timeCodesPerSecond = {}\n"
      "    upAxis = \"Y\"\n)\n\ndef Xform \"recording\"\n{{\n",
      usda_string(origin(header)), times.codes.back(), times.per_second, times.per_second));
  PrimNames names;
  std::span<const RecordedBody> rest = header.bodies;
  while (!rest.empty()) {
    const auto group = next_group(rest, job.frames.size());
    const std::vector<Samples> samples = read_samples(job, group);
    for (std::size_t i = 0; i < group.size(); ++i)
      write_body(file, names.make(group[i].name), group[i], samples[i], times);
    rest = rest.subspan(group.size());
  }
  file.write("}\n");
  file.commit();
  return {path};
}

}  // namespace tact
