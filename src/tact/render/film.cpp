#include <tact/render/film.hpp>

#include <span>
#include <system_error>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/recording/atomic_file.hpp>
#include <tact/render/film_encoder.hpp>
#include <tact/render/png.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

fs::path picture_folder(const fs::path& file)
{
  return file.string() + ".frames";
}

// A word as a shell reads it.
std::string quoted(const std::string& word)
{
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

Film::Film(const fs::path& file, const FilmOptions& options) : file_(file), options_(options)
{
  if (options.width <= 0 || options.height <= 0 || options.width % 2 || options.height % 2)
    throw Error(fmt::format("film: size is {}x{}, expected even numbers > 0", options.width,
                            options.height));
  if (!(options.fps > 0.0)) throw Error(fmt::format("film: fps is {}, expected > 0", options.fps));
  if (const auto program = find_program(options.program))
    encoder_ = std::make_unique<FilmEncoder>(*program, part_of(file), film_arguments(options));
  else
    make_folder(picture_folder(file));
}

Film::~Film() = default;

void Film::add(const Image& image)
{
  if (image.width != options_.width || image.height != options_.height)
    throw Error(fmt::format("film: found a picture of {}x{}, expected {}x{}", image.width,
                            image.height, options_.width, options_.height));
  if (encoder_)
    encoder_->write(std::as_bytes(std::span(image.rgb)));
  else
    write_png(picture_folder(file_) / fmt::format("frame_{:05}.png", frames_), image,
              {{"Title", options_.title}, {"Software", options_.comment}});
  ++frames_;
}

FilmResult Film::finish()
{
  FilmResult result{.file = file_, .frames = frames_, .command = ""};
  if (encoder_) {
    encoder_->finish();
    encoder_.reset();
    std::error_code error;
    fs::rename(part_of(file_), file_, error);
    if (error) throw_write_error(file_, error.value());
    return result;
  }
  result.file = picture_folder(file_);
  result.command = fmt::format(
      "ffmpeg -framerate {} -i {} -c:v libx264 -crf 18 -pix_fmt yuv420p -movflags +faststart {}",
      options_.fps, quoted((result.file / "frame_%05d.png").string()), quoted(file_.string()));
  return result;
}

}  // namespace tact
