// A run in a folder of its own, for `tact verify` to judge and tests to tamper with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tact/recording/recording.hpp>

#include "run_program.hpp"

namespace tact::cli {

// A run of a scene, and what is asked of it.
class Run {
 public:
  explicit Run(const std::string& scene, const std::vector<std::string>& more = {})
  {
    std::vector<std::string> words{"run", folder_.file("scene.json", scene).string(), "-o",
                                   out().string()};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = in_process(words);
    CAPTURE(result.err);
    REQUIRE(result.code == done);
  }

  std::filesystem::path out() const { return folder_.path() / "out"; }
  std::filesystem::path recording() const { return out() / "recording.h5"; }
  Result verify(const std::vector<std::string>& more = {}) const
  {
    std::vector<std::string> words{"verify", out().string()};
    words.insert(words.end(), more.begin(), more.end());
    return in_process(words);
  }
  // Undoes all tampering.
  void restore() const
  {
    const std::filesystem::path copy = out() / "copy.h5";
    if (std::filesystem::exists(copy))
      std::filesystem::copy_file(copy, recording(),
                                 std::filesystem::copy_options::overwrite_existing);
    else
      std::filesystem::copy_file(recording(), copy);
  }
  // A frame in which bodies touch.
  int touching_frame() const
  {
    const Recording recording = Recording::open(out());
    for (int k = recording.frame_count() - 1; k > 0; --k)
      if (recording.contacts(k).size() > 4 && recording.contacts(k)[0].normal_impulse > 0.0)
        return k;
    FAIL("nothing touches");
    return 0;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace tact::cli
