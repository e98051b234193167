#include <tact/recording/rehearsal.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace tact {
namespace {

constexpr unsigned longest_rehearsal = 60;  // s

[[noreturn]] void rehearse(const std::function<void()>& action)
{
  // Handlers of this program would report a crash that is none of its own.
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM})
    std::signal(signal, SIG_DFL);
  alarm(longest_rehearsal);
  try {
    action();
  } catch (...) {  // the process itself will meet it again, and tell
  }
  _exit(0);
}

}  // namespace

bool survives(const std::function<void()>& action)
{
  const pid_t copy = fork();
  if (copy < 0) return true;  // no copies to be had: nothing can be told
  if (copy == 0) rehearse(action);
  int status = 0;
  while (waitpid(copy, &status, 0) < 0)
    if (errno != EINTR) return true;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace tact
