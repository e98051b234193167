#include <new>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/core/printable.hpp>

using namespace tact;

TEST_CASE("text that people can read passes as it is")
{
  for (const std::string text : {"", "plain",
                                 "gr\xc3\xb6\xc3\x9f"
                                 "er",
                                 "\xe6\x91\xa9\xe6\x93\xa6", "\xf0\x9f\x98\x80", "a \\x1b of ours"})
    CHECK(printable(text) == text);
}

TEST_CASE("what steers a terminal or turns the direction of writing is spelled out")
{
  CHECK(printable("\x1b[31mred") == "\\x1b[31mred");
  CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(printable("two\nlines\tand\x7f") == "two lines and\\x7f");
  CHECK(printable("\xc2\x9b"
                  "2J") == "\\u009b2J");                        // C1: one character for ESC [
  CHECK(printable("gpj\xe2\x80\xae.exe") == "gpj\\u202e.exe");  // right-to-left override
  CHECK(printable("\xe2\x81\xa6x") == "\\u2066x");
  CHECK(printable("\xef\xbb\xbfx") == "\\ufeffx");
}

TEST_CASE("bytes that are no UTF-8 become replacement characters, one each")
{
  const std::string r = "\xef\xbf\xbd";
  CHECK(printable("\xff\xfe") == r + r);
  CHECK(printable("\xc3(") == r + "(");
  CHECK(printable("\xe2\x80") == r + r);                  // the end is missing
  CHECK(printable("\xc0\xaf") == r + r);                  // longer than needed
  CHECK(printable("\xed\xa0\x80") == r + r + r);          // half a surrogate pair
  CHECK(printable("\xf4\x90\x80\x80") == r + r + r + r);  // beyond Unicode
}

TEST_CASE("every sequence of two bytes becomes text that stays as it is")
{
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      const std::string once = printable(std::string{static_cast<char>(a), static_cast<char>(b)});
      if (printable(once) != once) FAIL_CHECK(a << " " << b);
      for (const char c : once)
        if (static_cast<unsigned char>(c) < 0x20) FAIL_CHECK(a << " " << b);
    }
}

TEST_CASE("an error speaks for itself, and what is no error of a user is told as a fault")
{
  CHECK(told(Error("a.json: found -2")) == "a.json: found -2");
  CHECK(told(std::bad_alloc()) == "out of memory");
  CHECK(told(std::runtime_error("[json.exception.type_error.302]")).starts_with("this is a fault"));
}

TEST_CASE("what is said of wrong input is one line, whatever the input put into it")
{
  const Error error("a\nb.json: found \x1b[2J\xff");
  CHECK(std::string(error.what()) == "a b.json: found \\x1b[2J\xef\xbf\xbd");
  CHECK(std::string(WriteError("no\nroom").what()) == "no room");
}
