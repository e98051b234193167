// Runs commands in-process and keeps what they say.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <cli/command_line.hpp>

namespace tact::cli {

struct Result {
  int code = 0;
  std::string out;
  std::string err;
};

inline Result in_process(const std::vector<std::string>& arguments)
{
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(arguments, {.out = out, .err = err});
  return {code, out.str(), err.str()};
}

// Exit 2, nothing on stdout, one line on stderr that contains `words`.
inline void check_refused(const Result& result, const std::string& words)
{
  CAPTURE(result.err);
  CHECK(result.code == wrong_input);
  CHECK(result.out.empty());
  CHECK(result.err.starts_with("tact: "));
  CHECK(result.err.find('\n') == result.err.size() - 1);
  CHECK(result.err.find(words) != std::string::npos);
}

}  // namespace tact::cli
