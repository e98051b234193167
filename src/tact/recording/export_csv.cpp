// The contacts of every frame, one line each, with the mean force of the step: impulse / dt.
#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tact/recording/atomic_file.hpp>
#include <tact/recording/export_formats.hpp>

namespace tact {
namespace {

constexpr const char* heading =
    "frame,time,body_a,body_b,point_x,point_y,point_z,normal_x,normal_y,normal_z,gap,mu,"
    "normal_impulse,friction_impulse_x,friction_impulse_y,friction_impulse_z,"
    "force_x,force_y,force_z\n";

// RFC 4180: quotes around text that needs them, quotes inside doubled.
std::string quoted(const std::string& text)
{
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

class BodyNames {
 public:
  explicit BodyNames(const RecordingHeader& header)
  {
    for (const RecordedBody& body : header.bodies) names_.push_back(quoted(body.name));
  }
  std::string operator()(int body) const
  {
    if (body < 0) return "world";
    const auto i = static_cast<std::size_t>(body);
    return i < names_.size() ? names_[i] : fmt::format("{}", body);
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace

ExportedFiles export_csv(const ExportJob& job)
{
  const RecordingHeader& header = job.recording.header();
  const BodyNames name(header);
  make_folder(job.folder);
  const std::filesystem::path path = job.folder / "contacts.csv";
  AtomicFile file(path);
  file.write(heading);
  std::string text;
  for (const int k : job.frames) {
    job.begin_frame(k);
    text.clear();
    for (const RecordedContact& c : job.recording.contacts(k)) {
      const Vector3d force = (c.normal_impulse * c.normal + c.friction_impulse) / header.dt;
      const auto out = std::back_inserter(text);
      fmt::format_to(out, FMT_COMPILE("{},{},{},{},"), k, job.recording.times()[k], name(c.body_a),
                     name(c.body_b));
      for (const Vector3d& x : {c.point, c.normal})
        fmt::format_to(out, FMT_COMPILE("{},{},{},"), x[0], x[1], x[2]);
      fmt::format_to(out, FMT_COMPILE("{},{},{},"), c.gap, c.mu, c.normal_impulse);
      const Vector3d& f = c.friction_impulse;
      fmt::format_to(out, FMT_COMPILE("{},{},{},{},{},{}\n"), f[0], f[1], f[2], force[0], force[1],
                     force[2]);
    }
    file.write(text);
  }
  file.commit();
  return {path};
}

}  // namespace tact
