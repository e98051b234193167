// What a page looks at: a recording or a simulation. The server asks it, from one thread.
#pragma once

#include <functional>
#include <optional>

#include <tact/viewer/message.hpp>

namespace tact {

// A page asks for one frame at a time and for the next one when it has shown that. So the slowest
// page costs nobody time, and nothing is queued for it.
struct FrameRequest {
  std::int64_t frame = 0;   // of a recording: its number
  std::int64_t after = -1;  // of a simulation: the newest frame, once its serial is above this one
};

class Session {
 public:
  virtual ~Session() = default;

  // What a page gets first.
  virtual Message scene() = 0;

  // Null: not there yet. The server asks again after `tick` or `wake`.
  virtual Message frame(const FrameRequest& request) = 0;

  // Does what a page's button asks for, or throws Error to tell the page why not.
  virtual void command(const nlohmann::json& command) = 0;

  // Called some times a second.
  virtual void tick() {}

  // `wake` may be called from any thread when there is something new.
  virtual void on_news(std::function<void()> wake) = 0;
};

}  // namespace tact
