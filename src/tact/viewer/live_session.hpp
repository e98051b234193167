// A live simulation for the page, in a thread of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <tact/setup/scene_builder.hpp>
#include <tact/viewer/session.hpp>

namespace tact {

struct LiveOptions {
  std::string version = {};           // of tact
  std::filesystem::path folder = {};  // where problems are saved
  bool running = false;               // from the start
};

// Commands of the page: {"do": "run" | "pause" | "step" | "reset" | "save" | "release"},
// {"do": "set", "solver", "dt" (s), "mu" (or null), "speed"}, {"do": "pull", "body", "vertex",
// "to"}.
std::unique_ptr<Session> start_live_session(Scene scene, const LiveOptions& options);

}  // namespace tact
