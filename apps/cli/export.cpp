// tact export: a recording in the format of another program.
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/progress.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/recording/exports.hpp>
#include <tact/viewer/export_html.hpp>

namespace tact::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ExportOptions {
  std::string recording;
  std::string format;
  std::string out;  // empty: the format's name, in the folder of the recording
  std::string frames;
  bool json = false;
};

struct ExportResult {
  std::string format;
  fs::path folder = {};
  std::size_t frames = 0;
  std::size_t files = 0;
  std::uintmax_t bytes = 0;
  double seconds = 0.0;
};

// Those of the recording layer, and the page.
std::vector<ExportFormat> all_formats()
{
  const std::span<const ExportFormat> plain = export_formats();
  std::vector<ExportFormat> formats(plain.begin(), plain.end());
  formats.push_back(html_format());
  return formats;
}

ExportFormat chosen_format(const ExportOptions& options)
{
  const std::vector<ExportFormat> formats = all_formats();
  if (options.format.empty())
    throw Error("export: no --format given, expected " + names_of(formats));
  try {
    return export_format(options.format, formats);
  } catch (const Error& error) {
    throw Error(fmt::format("export: --{}", error.what()));
  }
}

std::vector<int> chosen_frames(const ExportOptions& options, const Recording& recording)
{
  try {
    return select_frames(options.frames, recording.frame_count());
  } catch (const Error& error) {
    throw Error(fmt::format("export: {}: --{}", recording.file().string(), error.what()));
  }
}

ExportResult write_files(const ExportOptions& options, const Console& console)
{
  const Timer timer;
  const ExportFormat format = chosen_format(options);
  if (options.recording.empty())
    throw Error("export: no recording given, expected the folder of a run");
  const Recording recording = Recording::open(options.recording);
  ExportJob job{.recording = recording, .frames = chosen_frames(options, recording)};
  job.folder = options.out.empty() ? recording.file().parent_path() / std::string(format.name)
                                   : fs::path(options.out);
  // Formats in one file read the frames twice: once to see what moves, once to write.
  const int readings = format.name == "glb" || format.name == "html" ? 2 : 1;
  Progress progress(console, readings * static_cast<int>(job.frames.size()));
  job.begin_frame = [&](int frame) { progress.begin(fmt::format("frame {}", frame)); };
  const std::vector<fs::path> files = format.write(job);

  ExportResult result{.format = std::string(format.name), .folder = job.folder};
  result.frames = job.frames.size();
  result.files = files.size();
  for (const fs::path& file : files) result.bytes += fs::file_size(file);
  result.seconds = timer.seconds();
  return result;
}

int export_recording(const ExportOptions& options, const Console& console)
{
  const ExportResult result = write_files(options, console);
  if (options.json) {
    const Json json = {{"format", result.format}, {"out", result.folder.string()},
                       {"frames", result.frames}, {"files", result.files},
                       {"bytes", result.bytes},   {"seconds", result.seconds}};
    console.out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
    return done;
  }
  console.out << fmt::format("{} frames in {} files, {:.1f} MB, in {}\n", result.frames,
                             result.files, static_cast<double>(result.bytes) * 1e-6,
                             result.folder.string());
  return done;
}

Action declare_export(CLI::App& app)
{
  const auto options = std::make_shared<ExportOptions>();
  app.add_option("DIR", options->recording, "The folder of a run")->type_name("");
  std::string formats = "One of:";
  for (const ExportFormat& format : all_formats())
    formats += fmt::format("\n  {:<5} {}", format.name, format.summary);
  app.add_option("--format", options->format, formats)->type_name("FORMAT");
  app.add_option("--out", options->out, "Where to write; default: DIR/FORMAT")->type_name("DIR");
  app.add_option(
         "--frames", options->frames,
         "From frame A to before B, each K-th, as in Python (10:20:2, ::5, -1); default: all")
      ->type_name("A:B:K");
  app.add_flag("--json", options->json, "Print what was written as JSON");
  return [options](const Console& console) { return export_recording(*options, console); };
}

}  // namespace

Command export_command()
{
  return {"export", "Write the frames of a recording for other programs",
          "  tact export out/falling-cloth --format vtu\n"
          "  tact export out/falling-cloth --format glb --out clip --frames 0:200:5\n",
          declare_export};
}

}  // namespace tact::cli
