// tact render: a picture of one frame of a recording, or a film of all.
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/interrupt.hpp>
#include <cli/number_options.hpp>
#include <cli/output_file.hpp>
#include <cli/progress.hpp>
#include <cli/version.hpp>
#include <tact/core/error.hpp>
#include <tact/core/font_file.hpp>
#include <tact/core/timer.hpp>
#include <tact/render/film.hpp>
#include <tact/render/overlays.hpp>
#include <tact/render/png.hpp>
#include <tact/render/recorded_stage.hpp>

namespace tact::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int largest_side = 8192;  // pixels

struct RenderCommandOptions {
  std::string recording;
  std::optional<int> frame;
  std::string out;  // empty: frame_00042.png or film.mp4 in the folder of the recording
  std::string size = "1280x720";
  std::string camera;   // empty: automatic
  std::string overlay;  // empty: none
  double fps = 30.0;
  double speed = 1.0;
  int threads = 0;  // 0: all
  bool json = false;
};

struct Size {
  int width, height;
};

// What is to be done, all of it checked.
struct RenderJob {
  const RenderCommandOptions& options;
  Recording recording;
  Size size;
  std::optional<int> frame;  // empty: a film
  fs::path out;
  std::optional<Camera> camera;
  Overlays overlays = {};
};

struct Rendered {
  fs::path file;
  int frames = 0;
  std::string command;  // that makes the film, where ffmpeg is missing
};

std::string program_name()
{
  return "tact " + version();
}

Size parse_size(const std::string& text)
{
  Size size{};
  const char* const end = text.data() + text.size();
  const auto [middle, wrong_width] = std::from_chars(text.data(), end, size.width);
  const bool separated = wrong_width == std::errc() && middle != end && *middle == 'x';
  const auto [stop, wrong_height] = std::from_chars(separated ? middle + 1 : end, end, size.height);
  const auto fits = [](int side) { return side >= 16 && side <= largest_side; };
  if (!separated || wrong_height != std::errc() || stop != end || !fits(size.width) ||
      !fits(size.height))
    throw Error(fmt::format("render: --size: found \"{}\", expected WIDTHxHEIGHT, 16 to {} each",
                            text, largest_side));
  return size;
}

// Counts from the end where negative.
int frame_number(int asked, const Recording& recording)
{
  const int count = recording.frame_count();
  if (asked < -count || asked >= count)
    throw Error(fmt::format("render: {}: --frame: found {}, expected {} to {}",
                            recording.file().string(), asked, -count, count - 1));
  return asked < 0 ? asked + count : asked;
}

// A name that ends in .png without --frame asks for the last frame.
std::optional<int> asked_frame(const RenderCommandOptions& options)
{
  const std::string kind = fs::path(options.out).extension().string();
  if (!options.out.empty() && kind != ".png" && kind != ".mp4")
    throw Error(fmt::format("render: --out: found {}, expected a name that ends in .png or .mp4",
                            options.out));
  if (kind == ".mp4" && options.frame)
    throw Error(
        fmt::format("render: --out: found {}, expected .png for a single frame", options.out));
  if (kind == ".png" && !options.frame) return -1;
  return options.frame;
}

// The camera that the scene of the recording gives, if it gives one.
std::optional<Camera> scene_camera(const std::string& scene_json)
{
  const Json scene = Json::parse(scene_json, nullptr, false);
  if (!scene.is_object() || !scene.contains("camera")) return std::nullopt;
  const Json& given = scene["camera"];
  const auto place = [&](const char* key) {
    const auto numbers = given.at(key).get<std::array<double, 3>>();
    return Vector3d(numbers[0], numbers[1], numbers[2]);
  };
  try {
    Camera camera{.eye = place("from"), .target = place("to")};
    camera.fov = given.value("field_of_view", camera.fov);
    validate(camera);
    return camera;
  } catch (const std::exception&) {
    return std::nullopt;  // not written by tact: the picture is framed by what is in it
  }
}

RenderJob prepare(const RenderCommandOptions& options)
{
  if (options.recording.empty())
    throw Error("render: no recording given, expected the folder of a run");
  const Size size = parse_size(options.size);
  const std::optional<int> asked = asked_frame(options);
  if (!asked && (size.width % 2 || size.height % 2))
    throw Error(
        fmt::format("render: --size: found {}, expected even numbers for a film", options.size));
  RenderJob job{options, Recording::open(options.recording), size, std::nullopt, options.out, {}};
  job.camera = options.camera.empty() ? scene_camera(job.recording.header().scene_json)
                                      : parse_camera(options.camera, "render: --camera");
  if (job.recording.frame_count() == 0)
    throw Error(fmt::format("render: {}: found no frames, expected at least one",
                            job.recording.file().string()));
  if (!options.overlay.empty()) job.overlays = parse_overlays(options.overlay, "render: --overlay");
  if (asked) job.frame = frame_number(*asked, job.recording);
  if (job.out.empty())
    job.out = job.recording.file().parent_path() /
              (job.frame ? fmt::format("frame_{:05}.png", *job.frame) : "film.mp4");
  require_output("render: --out", job.out.string(), {job.recording.file().string()});
  return job;
}

class Photographer {
 public:
  explicit Photographer(const RenderJob& job)
      : job_(job), stage_(job.recording, 1.0 * job.size.width / job.size.height)
  {
  }

  Image picture(int frame) const
  {
    const std::vector<Vector3d> vertices = job_.recording.vertices(frame);
    const Camera camera = job_.camera.value_or(stage_.camera());
    Image image = render(stage_.scene(frame, vertices), camera,
                         {.width = job_.size.width, .height = job_.size.height});
    if (job_.overlays.any())
      draw_overlays(image, camera, job_.recording.header(), job_.recording.frame(frame),
                    job_.overlays);
    return image;
  }

 private:
  const RenderJob& job_;
  RecordedStage stage_;
};

Rendered take_picture(const RenderJob& job)
{
  const int frame = *job.frame;
  const double t = job.recording.times()[frame];
  write_png(job.out, Photographer(job).picture(frame),
            {{"Title", job.recording.header().scene},
             {"Description", fmt::format("frame {}, t = {} s", frame, t)},
             {"Software", program_name()}});
  return {.file = job.out, .frames = 1, .command = ""};
}

Rendered make_film(const RenderJob& job, const Console& console)
{
  const std::vector<int> frames =
      film_frames(job.recording.times(), job.options.fps, job.options.speed);
  const Photographer photographer(job);
  Film film(job.out, {.width = job.size.width,
                      .height = job.size.height,
                      .fps = job.options.fps,
                      .title = job.recording.header().scene,
                      .comment = program_name()});
  Progress progress(console, static_cast<int>(frames.size()));
  const InterruptGuard interrupt;
  Image image;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (interrupt.requested())
      throw WriteError(fmt::format("render: interrupted after {} of {} pictures, no film was made",
                                   i, frames.size()));
    progress.begin(fmt::format("frame {}", frames[i]));
    if (i == 0 || frames[i] != frames[i - 1]) image = photographer.picture(frames[i]);
    film.add(image);
  }
  const FilmResult result = film.finish();
  return {.file = result.file, .frames = result.frames, .command = result.command};
}

int render_recording(const RenderCommandOptions& options, const Console& console)
{
  const Timer timer;
  const RenderJob job = prepare(options);
  std::optional<tbb::global_control> limit;
  if (options.threads > 0)
    limit.emplace(tbb::global_control::max_allowed_parallelism,
                  static_cast<std::size_t>(options.threads));
  if (!find_font(FontWeight::regular))
    console.tell("render: pictures have no words: " + no_font_message(FontWeight::regular));
  const Rendered rendered = job.frame ? take_picture(job) : make_film(job, console);
  if (!rendered.command.empty())
    console.tell("ffmpeg is not installed; this makes the film of the pictures: " +
                 rendered.command);
  if (options.json) {
    const Json json = {{"file", rendered.file.string()},
                       {"width", job.size.width},
                       {"height", job.size.height},
                       {"frames", rendered.frames},
                       {"seconds", timer.seconds()}};
    console.out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
    return done;
  }
  console.out << rendered.file.string() << '\n';
  return done;
}

Action declare_render(CLI::App& app)
{
  const auto options = std::make_shared<RenderCommandOptions>();
  app.add_option("DIR", options->recording, "The folder of a run")->type_name("");
  CLI::Option* frame = app.add_option("--frame", options->frame,
                                      "A PNG of this frame; negative numbers count from the end");
  expect_integer(frame, -1'000'000'000, 1'000'000'000);
  frame->type_name("K");
  app.add_option("--out", options->out,
                 "FILE.png or FILE.mp4; default: frame_K.png or film.mp4 in DIR")
      ->type_name("FILE");
  app.add_option("--size", options->size, "In pixels; default: 1280x720")->type_name("WxH");
  app.add_option("--camera", options->camera,
                 "Eye, target (x y z each, m) and vertical angle of view (degrees), in one "
                 "word; default: the scene's camera, or one that sees all")
      ->type_name("\"EYE TARGET FOV\"");
  app.add_option("--overlay", options->overlay,
                 "Over the picture: contacts, forces, cones, velocities, names, or all; several "
                 "with commas between")
      ->type_name("LIST");
  expect_positive_number(
      app.add_option("--fps", options->fps, "Pictures a second of the film; default: 30"));
  expect_positive_number(app.add_option("--speed", options->speed,
                                        "Pace of the film; 0.1 is ten times slower; default: 1"));
  expect_integer(app.add_option("--threads", options->threads, "Default: all of the machine"), 1,
                 1024);
  app.add_flag("--json", options->json, "Print what was written as JSON");
  return [options](const Console& console) { return render_recording(*options, console); };
}

}  // namespace

Command render_command()
{
  return {"render", "Make a picture of a frame of a recording, or a film of all",
          "  tact render out/letters --frame -1 --out letters.png\n"
          "  tact render out/bunny --camera \"1 0.8 2  0 0.2 0  30\" --speed 0.25\n",
          declare_render};
}

}  // namespace tact::cli
