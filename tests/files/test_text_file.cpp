#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <tact/files/text_file.hpp>

namespace fs = std::filesystem;
using namespace tact;

TEST_CASE("text comes back byte for byte and leaves no temporary file behind")
{
  const TemporaryFolder folder;
  const std::string text("one\r\ntwo\0three\n", 15);
  write_text(folder.path() / "a.txt", text);
  CHECK(read_text(folder.path() / "a.txt") == text);
  write_text(folder.path() / "a.txt", "shorter");
  CHECK(read_text(folder.path() / "a.txt") == "shorter");
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("writing through a symbolic link keeps the link")
{
  const TemporaryFolder folder;
  folder.file("real.txt", "old");
  fs::create_symlink("real.txt", folder.path() / "link.txt");
  write_text(folder.path() / "link.txt", "new");
  CHECK(fs::is_symlink(folder.path() / "link.txt"));
  CHECK(read_text(folder.path() / "real.txt") == "new");
}

TEST_CASE("what cannot be written is a WriteError that tells the cause")
{
  const TemporaryFolder folder;
  CHECK_THROWS_AS(write_text(folder.path() / "absent" / "a.txt", "text"), WriteError);
  if (fs::exists("/dev/full")) {
    const std::string message = message_of([] { write_text("/dev/full", "text"); });
    check_complaint(message, "/dev/full", "cannot write", "No space left on device");
    CHECK(fs::is_character_file("/dev/full"));  // written in place, not replaced by a file
  }
}

TEST_CASE("only files are read: not folders, not devices, not what is absent")
{
  const TemporaryFolder folder;
  const auto message = [](const fs::path& path) { return message_of([&] { read_text(path); }); };
  check_complaint(message(folder.path()), folder.path().string(), "", "folder");
  check_complaint(message("/dev/zero"), "/dev/zero", "", "expected a file");
  check_complaint(message(folder.path() / "absent"), "absent", "", "no such file");
}

TEST_CASE("foreign text fits in one line of a message")
{
  CHECK(excerpt("short") == "\"short\"");
  CHECK(excerpt("a\nb\x1b[31m\x7f") == "\"a b\\x1b[31m\\x7f\"");
  CHECK(excerpt(std::string(1000, 'x')).size() < 50);
}
