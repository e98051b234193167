// Wrong input. Thrown at the door only: solvers that do not converge say so in their report.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tact {

// The message says who complains, what was found, what was expected and what to do, in one line
// that is made printable here, whatever a file put into it:
//   stack.json: /contacts/3/mu: found -0.2, expected a number >= 0
class Error : public std::runtime_error {
 public:
  explicit Error(std::string_view message);
};

// The input was right, but its result could not be stored: a full disk, a folder without
// permission.
class WriteError : public Error {
 public:
  using Error::Error;
};

// `; did you mean "lemke-cone"?` for the known name nearest to `name`, or `` where none is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace tact
