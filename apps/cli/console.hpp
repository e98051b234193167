// Where a command talks: results to `out`, everything else to `err`. Tests pass strings.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace tact::cli {

enum ExitCode : int {
  done = 0,
  failed = 1,       // the run failed: a full disk, no memory
  wrong_input = 2,  // the input or the usage is wrong; nothing was written
  not_reached = 3,  // finished, but a result asked for was not reached
};

enum class Verbosity { quiet, normal, verbose };

enum class Tone { plain, good, bad, faint };

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  Verbosity verbosity = Verbosity::normal;
  bool no_color = false;

  // Colour goes to terminals only, and not where NO_COLOR is set (no-color.org) or --no-color
  // given.
  bool color() const;
  std::string paint(std::string_view text, Tone tone) const;

  // One line on `err`, "tact: ...", in every case / unless --quiet / only with --verbose.
  void complain(std::string_view message) const;
  void tell(std::string_view message) const;
  void detail(std::string_view message) const;
};

}  // namespace tact::cli
