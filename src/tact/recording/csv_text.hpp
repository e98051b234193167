// What the tables of exports have in common. Inside this layer only.
#pragma once

#include <iterator>
#include <string>
#include <vector>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tact/recording/recording.hpp>

namespace tact {

// RFC 4180: quotes around text that needs them, quotes inside doubled.
inline std::string csv_quoted(const std::string& text)
{
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

// A time as the scene has it, 0.49 s: sums of steps are off in the last digits.
inline std::string csv_time(double t)
{
  return fmt::format("{:.12g}", t);
}

class BodyNames {
 public:
  explicit BodyNames(const RecordingHeader& header)
  {
    for (const RecordedBody& body : header.bodies) names_.push_back(csv_quoted(body.name));
  }
  std::string operator()(int body) const
  {
    if (body < 0) return "world";
    const auto i = static_cast<std::size_t>(body);
    return i < names_.size() ? names_[i] : fmt::format("{}", body);
  }

 private:
  std::vector<std::string> names_;
};

inline void append_vector(std::string& text, const Vector3d& x, char end)
{
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("{},{},{}{}"), x[0], x[1], x[2], end);
}

}  // namespace tact
