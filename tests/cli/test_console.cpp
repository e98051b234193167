#include <cstdlib>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <cli/console.hpp>
#include <cli/progress.hpp>
#include <cli/table.hpp>

using namespace tact::cli;

namespace {

struct Terminal {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err, .out_is_terminal = true, .err_is_terminal = true};
};

}  // namespace

TEST_CASE("colour goes to terminals only and never against the wish of the user")
{
  ::unsetenv("NO_COLOR");
  Terminal terminal;
  CHECK(terminal.console.paint("ok", Tone::good) == "\x1b[32mok\x1b[0m");
  CHECK(terminal.console.paint("ok", Tone::plain) == "ok");

  Console piped = terminal.console;
  piped.out_is_terminal = false;
  CHECK(piped.paint("ok", Tone::good) == "ok");
  Console plain = terminal.console;
  plain.no_color = true;
  CHECK(plain.paint("ok", Tone::good) == "ok");

  ::setenv("NO_COLOR", "1", 1);
  CHECK(terminal.console.paint("ok", Tone::good) == "ok");
  ::setenv("NO_COLOR", "", 1);  // empty counts as not set
  CHECK(terminal.console.paint("ok", Tone::good) != "ok");
  ::unsetenv("NO_COLOR");
}

TEST_CASE("what is told depends on how much the user wants to hear and complaints do not")
{
  const auto said = [](Verbosity verbosity) {
    Terminal terminal;
    terminal.console.verbosity = verbosity;
    terminal.console.complain("wrong\nhere");
    terminal.console.tell("news");
    terminal.console.detail("step");
    return terminal.err.str();
  };
  CHECK(said(Verbosity::quiet) == "tact: wrong here\n");
  CHECK(said(Verbosity::normal) == "tact: wrong here\ntact: news\n");
  CHECK(said(Verbosity::verbose) == "tact: wrong here\ntact: news\ntact: step\n");
}

TEST_CASE("a table aligns text to the left and numbers to the right and leaves out empty columns")
{
  Terminal terminal;
  terminal.console.out_is_terminal = false;
  Table table({{"name"}, {"size", true}, {"never"}, {"note"}});
  table.add({{"a"}, {"5"}, {""}, {""}});
  table.add({{"größer"}, {"1000"}, {""}, {"so"}});  // 6 letters, 8 bytes
  table.print(terminal.console);
  CHECK(terminal.out.str() ==
        "name    size  note\n"
        "a          5\n"
        "größer  1000  so\n");
}

TEST_CASE("progress is silent for quick work and tells each step when asked to")
{
  Terminal terminal;
  {
    Progress progress(terminal.console, 2);
    progress.begin("one");
    progress.begin("two");
  }
  CHECK(terminal.err.str().empty());
  terminal.console.verbosity = Verbosity::verbose;
  {
    Progress progress(terminal.console, 1);
    progress.begin("three");
  }
  CHECK(terminal.err.str() == "tact: three\n");
}
