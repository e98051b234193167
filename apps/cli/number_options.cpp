#include <cli/number_options.hpp>

#include <charconv>
#include <cmath>
#include <string>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

namespace tact::cli {
namespace {

template <class Number>
bool parse(const std::string& text, Number& number)
{
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

// An empty answer means that all is well.
template <class Accepts>
void expect(CLI::Option* option, const std::string& expected, Accepts accepts)
{
  option->check([=](const std::string& text) {
    return accepts(text) ? std::string() : fmt::format("found \"{}\", expected {}", text, expected);
  });
}

bool is_integer(const std::string& text, int low, int high)
{
  int number = 0;
  return parse(text, number) && number >= low && number <= high;
}

}  // namespace

void expect_positive_number(CLI::Option* option)
{
  option->type_name("NUMBER");
  expect(option, "a number > 0", [](const std::string& text) {
    double number = 0.0;
    return parse(text, number) && number > 0.0 && std::isfinite(number);
  });
}

void expect_number_at_least(CLI::Option* option, double low)
{
  option->type_name("NUMBER");
  expect(option, fmt::format("a number >= {}", low), [=](const std::string& text) {
    double number = 0.0;
    return parse(text, number) && number >= low && std::isfinite(number);
  });
}

void expect_integer(CLI::Option* option, int low, int high)
{
  option->type_name("COUNT");
  expect(option, fmt::format("an integer from {} to {}", low, high),
         [=](const std::string& text) { return is_integer(text, low, high); });
}

void expect_even_integer(CLI::Option* option, int low, int high)
{
  option->type_name("COUNT");
  expect(option, fmt::format("an even integer from {} to {}", low, high),
         [=](const std::string& text) {
           return is_integer(text, low, high) && std::stoi(text) % 2 == 0;
         });
}

}  // namespace tact::cli
