// The words of a text, line by line, with complaints that name the place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tact {

class MeshText {
 public:
  // Both outlive the reader. What follows a `comment` in a line is not there.
  MeshText(std::string_view name, std::string_view text, char comment = '\0')
      : name_(name), rest_(text), comment_(comment)
  {
  }

  // Goes to the next line that is not blank. False at the end of the text.
  bool next_line();

  // Goes to the next line, blank or not. False at the end of the text.
  bool any_line();

  // The next word of this line; "" at its end.
  std::string_view word();

  // The next word of this line or a later one; "" at the end of the text.
  std::string_view word_anywhere();

  // A word as a number. `what` completes "expected ...".
  double finite(std::string_view word) const;
  long integer(std::string_view word, long low, long high, std::string_view what) const;

  std::string_view line() const { return line_; }
  std::size_t bytes_left() const { return rest_.size(); }  // after this line
  std::string_view rest() const { return rest_; }

  // Throws Error: "NAME: line 7: found ..., expected ...". `found` is quoted from the text; an
  // empty one is called the end of the line.
  [[noreturn]] void reject(std::string_view found, std::string_view expected) const;

  // The same where what was found is described, not quoted.
  [[noreturn]] void complain(std::string_view found, std::string_view expected) const;

 private:
  std::string_view name_;
  std::string_view rest_;        // after the line
  std::string_view line_;        // without blanks around it
  std::string_view line_words_;  // those not yet taken
  char comment_;
  long number_ = 0;
  bool ended_ = false;
};

}  // namespace tact
