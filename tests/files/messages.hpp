// What a complaint must look like, for every reader of the layer.
#pragma once

#include <functional>
#include <string>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>

namespace tact {

// The message of the Error that `action` throws; "" when it throws none.
inline std::string message_of(const std::function<void()>& action)
{
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part)
{
  return text.find(part) != std::string::npos;
}

// One line that names the file and the place, and says what was found or expected.
inline void check_complaint(const std::string& message, const std::string& file,
                            const std::string& place, const std::string& words)
{
  CAPTURE(message);
  CHECK(contains(message, file));
  CHECK(contains(message, place));
  CHECK(contains(message, words));
  CHECK(message.find('\n') == std::string::npos);
  CHECK(message.size() < 500);
}

}  // namespace tact
