#include <cli/former_run.hpp>

#include <optional>
#include <string>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/recording/checkpoint.hpp>
#include <tact/recording/recording.hpp>

namespace tact::cli {
namespace {

namespace fs = std::filesystem;

// "a finished recording of letters, 1334 frames up to 40 s", and whether it can go on.
std::string what_lies_in(const fs::path& folder)
{
  try {
    const Recording recording = Recording::open(folder);
    const int frames = recording.frame_count();
    return fmt::format("{} recording of {}, {} frames up to {:g} s",
                       recording.finished() ? "a finished" : "an unfinished",
                       recording.header().scene, frames,
                       frames > 0 ? recording.times().back() : 0.0);
  } catch (const Error&) {
    return "a recording that cannot be read";
  }
}

}  // namespace

void refuse_to_replace(const fs::path& folder)
{
  if (!fs::exists(folder / "recording.h5")) return;
  throw Error(fmt::format("{} holds {}: {}--overwrite replaces it, -o DIR writes elsewhere",
                          folder.string(), what_lies_in(folder),
                          has_checkpoint(folder) ? "--resume goes on from its end, " : ""));
}

}  // namespace tact::cli
