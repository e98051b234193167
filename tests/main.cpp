// The entry point of every test program. The precompiled header has the first half of doctest
// already, where one of these words would stand for both.
#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
