// Checks for numbers on the command line, in the words of the project's messages. They run on the
// text, before CLI11 converts it:   --tolerance: found "tiny", expected a number > 0
#pragma once

namespace CLI {
class Option;
}

namespace tact::cli {

void expect_positive_number(CLI::Option* option);
void expect_number_at_least(CLI::Option* option, double low);
void expect_integer(CLI::Option* option, int low, int high);
void expect_even_integer(CLI::Option* option, int low, int high);

}  // namespace tact::cli
