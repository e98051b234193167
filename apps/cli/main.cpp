// The `tact` command.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include <cli/command_line.hpp>
#include <cli/console.hpp>

int main(int argc, char** argv)
{
  using namespace tact::cli;
  // A file that grows beyond `ulimit -f` is told like a full disk, and does not end the program.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const int code = run(arguments, {.out = std::cout,
                                   .err = std::cerr,
                                   .out_is_terminal = ::isatty(STDOUT_FILENO) == 1,
                                   .err_is_terminal = ::isatty(STDERR_FILENO) == 1});
  errno = 0;
  if (std::cout.flush()) return code;
  std::cerr << "tact: cannot write the results: " << std::strerror(errno ? errno : EIO) << '\n';
  return failed;
}
