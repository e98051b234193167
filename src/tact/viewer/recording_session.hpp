// A recording for the page, finished or still being written.
#pragma once

#include <filesystem>
#include <memory>

#include <tact/viewer/session.hpp>

namespace tact {

// Throws Error when there is no recording, or one without frames.
std::unique_ptr<Session> open_recording_session(const std::filesystem::path& path);

}  // namespace tact
