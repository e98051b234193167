// The `tact` command.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include <cli/command_line.hpp>
#include <cli/console.hpp>
#include <cli/result_buffer.hpp>

int main(int argc, char** argv)
{
  using namespace tact::cli;
  // A file that grows beyond `ulimit -f` is told like a full disk, and does not end the program.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  ResultBuffer results(STDOUT_FILENO);
  std::ostream out(&results);
  std::cerr.tie(&out);  // what comes first is seen first
  const int code = run(arguments, {.out = out,
                                   .err = std::cerr,
                                   .out_is_terminal = ::isatty(STDOUT_FILENO) == 1,
                                   .err_is_terminal = ::isatty(STDERR_FILENO) == 1});
  errno = 0;
  const bool benches_told = std::fflush(stdout) == 0;  // these print by themselves
  int cause = benches_told ? 0 : errno;
  out.flush();
  if (results.failure() != 0) cause = results.failure();
  std::cerr.tie(nullptr);
  if (benches_told && results.failure() == 0) return code;
  std::cerr << "tact: " << lost_results(cause) << '\n';
  return failed;
}
