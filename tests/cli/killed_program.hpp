// Starts the real program and kills it, as a power cut or an impatient user would.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <tact/core/timer.hpp>

namespace tact::cli {

enum class End { exited, killed };

struct Killed {
  End end = End::exited;
  int code = 0;          // of a program that had ended before
  double seconds = 0.0;  // that it ran
};

// Sends `signal` after so many seconds, unless the program ends by itself before.
inline Killed start_and_signal(const std::vector<std::string>& arguments, double seconds,
                               int signal)
{
  const Timer timer;
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
    std::vector<char*> words;
    std::string program = TACT_PROGRAM;
    words.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string& word : copies) words.push_back(word.data());
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    ::_exit(127);
  }
  int status = 0;
  while (timer.seconds() < seconds) {
    if (::waitpid(child, &status, WNOHANG) == child)
      return {End::exited, WEXITSTATUS(status), timer.seconds()};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(child, signal);
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return {End::killed, 0, timer.seconds()};
  return {End::exited, WEXITSTATUS(status), timer.seconds()};
}

}  // namespace tact::cli
