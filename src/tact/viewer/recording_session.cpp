#include <tact/viewer/recording_session.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/viewer/contact_image.hpp>
#include <tact/viewer/scene_encoder.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double seconds_between_looks = 0.5;  // for newer frames of a run under way

Recording open_with_frames(const fs::path& path)
{
  Recording recording = Recording::open(path);
  if (recording.frame_count() == 0)
    throw Error(
        fmt::format("view: {}: found no frames, expected at least one", recording.file().string()));
  return recording;
}

class RecordingSession final : public Session {
 public:
  explicit RecordingSession(const fs::path& path)
      : recording_(open_with_frames(path)),
        header_(recording_.header()),
        encoder_(header_, recording_.frame(0)),
        written_(fs::last_write_time(recording_.file()))
  {
  }

  Message scene() override
  {
    return std::make_shared<std::string>(encoder_.scene(
        {{"mode", "recording"}, {"times", recording_.times()}, {"finished", finished()}}));
  }

  Message frame(const FrameRequest& request) override
  {
    const int last = recording_.frame_count() - 1;
    const int k = static_cast<int>(std::clamp<std::int64_t>(request.frame, 0, last));
    const Frame frame = read(k);
    MessageWriter message;
    const ContactImage image = contact_image(contact_partners(header_, frame));
    message.add("pattern", image.pixels);
    // Times of frames that the page does not know of yet: `after` is the last that it does.
    const std::vector<double>& times = recording_.times();
    const auto known = std::clamp<std::int64_t>(request.after + 1, 0, last + 1);
    Json extra = {{"frame", k},
                  {"frames", last + 1},
                  {"first_new", known},
                  {"new_times", std::vector<double>(times.begin() + known, times.end())},
                  {"finished", finished()},
                  {"pattern", to_json(image)}};
    return std::make_shared<std::string>(
        encoder_.frame(frame, std::move(extra), std::move(message)));
  }

  void command(const Json& command) override
  {
    throw Error(fmt::format("a recording can be looked at, not changed ({})",
                            command.value("do", "unknown command")));
  }

  // A run commits frames by replacing the file.
  void tick() override
  {
    if (finished() || since_look_.seconds() < seconds_between_looks) return;
    since_look_ = Timer();
    try {
      if (fs::last_write_time(recording_.file()) != written_) open_again();
    } catch (const std::exception&) {
      // Between two names: the next look sees it.
    }
  }

  void on_news(std::function<void()>) override {}

 private:
  bool finished() const { return recording_.finished(); }

  // A run that ends merges its segments, and those that were open here are gone.
  Frame read(int k)
  {
    try {
      return recording_.frame(k);
    } catch (const Error&) {
      open_again();
      return recording_.frame(k);
    }
  }

  void open_again()
  {
    const fs::file_time_type now = fs::last_write_time(recording_.file());
    Recording newer = Recording::open(recording_.file());
    if (newer.header().scene_json != header_.scene_json || newer.frame_count() == 0)
      throw Error(fmt::format("{}: another run has replaced this one; load the page again",
                              recording_.file().string()));
    recording_ = std::move(newer);
    written_ = now;
  }

  Recording recording_;
  RecordingHeader header_;
  SceneEncoder encoder_;
  fs::file_time_type written_;
  Timer since_look_;
};

}  // namespace

std::unique_ptr<Session> open_recording_session(const fs::path& path)
{
  return std::make_unique<RecordingSession>(path);
}

}  // namespace tact
