// What people get to read, whatever bytes a file put into it.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace tact {

class OutOfMemory;

// One line of valid UTF-8, without characters that steer a terminal or turn the direction of text.
// Bytes that are no UTF-8 become U+FFFD, white space blanks, and what steers is spelled out: \x1b,
// \u202e. A second time changes nothing.
std::string printable(std::string_view text);

// Who wanted more memory than there is, and how much is allowed.
std::string told(const OutOfMemory& error);

// What to tell of anything that was thrown: an Error speaks for itself, of the rest a user knows
// nothing.
std::string told(const std::exception& error);

}  // namespace tact
