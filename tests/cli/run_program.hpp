// Starts the real program and keeps what it says, each stream apart.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include <files/temporary_folder.hpp>
#include <tact/files/text_file.hpp>

#include "run_command.hpp"

namespace tact::cli {

// `words` is what a user types after "tact", for a POSIX shell; TACT_PROGRAM comes from CMake.
inline Result program(const std::string& words, const std::string& before = "")
{
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::string err = (folder.path() / "err").string();
  const std::string line =
      before + "'" TACT_PROGRAM "' " + words + " >'" + out + "' 2>'" + err + "'";
  const int status = std::system(line.c_str());
  REQUIRE(WIFEXITED(status));  // a signal is a crash
  return {WEXITSTATUS(status), read_text(out), read_text(err)};
}

// The same where no file may grow beyond half a kilobyte.
inline Result program_with_file_limit(const std::string& words)
{
  return program(words, "ulimit -f 1; ");
}

}  // namespace tact::cli
