#include <csignal>
#include <stdexcept>

#include <doctest/doctest.h>

#include <tact/recording/rehearsal.hpp>

using namespace tact;

TEST_CASE("a rehearsal tells of a crash and survives an exception and changes nothing")
{
  int changed = 0;
  CHECK(survives([&] { changed = 1; }));
  CHECK(changed == 0);
  CHECK(survives([] { throw std::runtime_error("wrong input"); }));
  CHECK_FALSE(survives([] { std::raise(SIGSEGV); }));
  CHECK_FALSE(survives([] { std::raise(SIGABRT); }));
}
