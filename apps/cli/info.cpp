// tact info: what a recording holds, in one look.
#include <cstddef>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/table.hpp>
#include <tact/core/error.hpp>
#include <tact/recording/recording.hpp>

namespace tact::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  std::string recording;
  bool json = false;
};

Json body_json(const RecordedBody& body)
{
  return {{"name", body.name},
          {"kind", body.kind},
          {"vertices", body.vertex_count},
          {"triangles", body.triangles.size()},
          {"mass", body.masses.empty() ? Json() : Json(body.mass())}};
}

Json info_json(const Recording& recording, const Frame& last)
{
  const RecordingHeader& header = recording.header();
  Json bodies = Json::array();
  for (const RecordedBody& body : header.bodies) bodies.push_back(body_json(body));
  return {{"file", recording.file().string()},
          {"scene", header.scene},
          {"version", header.version},
          {"format", header.format},
          {"seed", header.seed},
          {"dt", header.dt},
          {"gravity", {header.gravity.x(), header.gravity.y(), header.gravity.z()}},
          {"contact_distance", header.contact_distance},
          {"friction", header.friction},
          {"tolerance", header.tolerance ? Json(*header.tolerance) : Json()},
          {"finished", recording.finished()},
          {"frames", recording.frame_count()},
          {"t_first", recording.times().front()},
          {"t_last", recording.times().back()},
          {"step_last", recording.steps().back()},
          {"contacts_last", last.certificate.contacts},
          {"bytes", std::filesystem::file_size(recording.file())},
          {"bodies", std::move(bodies)}};
}

void print_info(const Recording& recording, const Frame& last, const Console& console)
{
  const RecordingHeader& header = recording.header();
  const auto line = [&](std::string_view name, const std::string& value) {
    console.out << fmt::format("{:<10}{}\n", name, value);
  };
  const double megabytes = static_cast<double>(std::filesystem::file_size(recording.file())) / 1e6;
  line("scene", fmt::format("{}, seed {}, by tact {}", header.scene, header.seed, header.version));
  line("file", fmt::format("{}, {:.1f} MB, format {}", recording.file().string(), megabytes,
                           header.format));
  line("frames",
       fmt::format("{} from {:.6g} to {:.6g} s, {} steps of {:.6g} s{}", recording.frame_count(),
                   recording.times().front(), recording.times().back(), recording.steps().back(),
                   header.dt, recording.finished() ? "" : "; the run has not come to its end"));
  line("contact",
       fmt::format(
           "held {:.3g} m apart, friction by a {}{}", header.contact_distance, header.friction,
           header.tolerance ? fmt::format(", solved to {:.3g} m/s", *header.tolerance) : ""));
  line("last", fmt::format("{} contacts, residual {:.3g} m/s", last.certificate.contacts,
                           last.certificate.residual));
  Table table({{"body"}, {"kind"}, {"vertices", true}, {"triangles", true}, {"kg", true}});
  for (const RecordedBody& body : header.bodies)
    table.add({{body.name},
               {body.kind},
               {fmt::format("{}", body.vertex_count)},
               {fmt::format("{}", body.triangles.size())},
               {body.masses.empty() ? "" : fmt::format("{:.4g}", body.mass())}});
  console.out << '\n';
  table.print(console);
}

int info(const InfoOptions& options, const Console& console)
{
  if (options.recording.empty())
    throw Error("info: no recording given, expected the folder of a run");
  const Recording recording = Recording::open(options.recording);
  if (recording.frame_count() == 0)
    throw Error(fmt::format("{}: found no frame yet", recording.file().string()));
  const Frame last = recording.frame(recording.frame_count() - 1);
  if (options.json)
    console.out << info_json(recording, last).dump(2, ' ', false, Json::error_handler_t::replace)
                << '\n';
  else
    print_info(recording, last, console);
  return done;
}

Action declare_info(CLI::App& app)
{
  const auto options = std::make_shared<InfoOptions>();
  app.add_option("DIR", options->recording, "The folder of a run, finished or not")->type_name("");
  app.add_flag("--json", options->json, "Print it as JSON");
  return [options](const Console& console) { return info(*options, console); };
}

}  // namespace

Command info_command()
{
  return {"info", "Tell what a recording holds",
          "  tact info out/falling-cloth\n"
          "  tact info out/letters --json\n",
          declare_info};
}

}  // namespace tact::cli
