#include <csignal>
#include <string>

#include <doctest/doctest.h>

#include <files/messages.hpp>
#include <tact/recording/reader_process.hpp>

using namespace tact;

TEST_CASE("a reading process answers, keeps what it knows, and changes nothing here")
{
  int asked = 0;
  ReaderProcess reader([&asked](std::string_view request) {
    return std::string(request) + std::to_string(++asked);
  });
  CHECK(reader.ask("a") == "a1");
  CHECK(reader.ask("") == "2");
  const std::string large(5'000'000, 'x');
  CHECK(reader.ask(large) == large + "3");
  CHECK(asked == 0);
}

TEST_CASE("what a reading process refuses and what it dies of are told, and the next one answers")
{
  ReaderProcess reader([](std::string_view request) {
    if (request == "wrong") throw Error("wrong input");
    if (request == "crash") std::raise(SIGSEGV);
    if (request == "abort") std::raise(SIGABRT);
    return std::string(request);
  });
  CHECK(message_of([&] { (void)reader.ask("wrong"); }) == "wrong input");
  CHECK_THROWS_AS((void)reader.ask("crash"), ReaderDied);
  CHECK(reader.ask("on") == "on");
  CHECK(contains(message_of([&] { (void)reader.ask("abort"); }), "signal 6"));
  CHECK(reader.ask("on") == "on");
}

TEST_CASE("Ctrl-C does not end a reading process")
{
  ReaderProcess reader([](std::string_view request) {
    std::raise(SIGINT);
    return std::string(request);
  });
  CHECK(reader.ask("on") == "on");
}
