#include <cmath>
#include <filesystem>
#include <limits>

#include <doctest/doctest.h>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <recording/frames.hpp>
#include <recording/full_disk.hpp>
#include <tact/core/error.hpp>
#include <tact/recording/checkpoint.hpp>

using namespace tact;
namespace fs = std::filesystem;

namespace {

Checkpoint sample_checkpoint(std::int64_t step)
{
  const RecordingHeader header = sample_header();
  const Frame frame = sample_frame(header, static_cast<int>(step));
  Checkpoint checkpoint{.step = step,
                        .t = frame.t,
                        .frames = static_cast<int>(step) + 1,
                        .q = frame.q,
                        .v = frame.v,
                        .scene_json = header.scene_json};
  checkpoint.extra.push_back({"warm start", {1.0 / 3.0, -0.0, 5e-324}, {}});
  checkpoint.extra.push_back({"counters", {}, {0, 255, 10, 13}});
  checkpoint.extra.push_back({"empty", {}, {}});
  return checkpoint;
}

void check_same(const Checkpoint& a, const Checkpoint& b)
{
  CHECK(a.step == b.step);
  CHECK(same_bits(&a.t, &b.t, 1));
  CHECK(a.frames == b.frames);
  CHECK(same_bits(a.q, b.q));
  CHECK(same_bits(a.v, b.v));
  CHECK(a.scene_json == b.scene_json);
  REQUIRE(a.extra.size() == b.extra.size());
  for (std::size_t i = 0; i < a.extra.size(); ++i) {
    CHECK(a.extra[i].name == b.extra[i].name);
    CHECK(a.extra[i].bytes == b.extra[i].bytes);
    REQUIRE(a.extra[i].doubles.size() == b.extra[i].doubles.size());
    CHECK(
        same_bits(a.extra[i].doubles.data(), b.extra[i].doubles.data(), a.extra[i].doubles.size()));
  }
}

std::string checkpoint_complaint(const fs::path& folder)
{
  return message_of([&folder] { read_checkpoint(folder); });
}

}  // namespace

TEST_CASE("a checkpoint comes back bit for bit")
{
  const TemporaryFolder folder;
  CHECK_FALSE(has_checkpoint(folder.path()));
  Checkpoint checkpoint = sample_checkpoint(7);
  checkpoint.q[0] = std::numeric_limits<double>::quiet_NaN();
  write_checkpoint(folder.path() / "run", checkpoint);
  CHECK(has_checkpoint(folder.path() / "run"));
  check_same(read_checkpoint(folder.path() / "run"), checkpoint);
  CHECK(array(checkpoint, "counters").bytes[1] == 255);
  check_complaint(message_of([&] { array(checkpoint, "clock"); }), "checkpoint", "\"clock\"", "");
}

TEST_CASE("the newest checkpoint counts and the one before it stands in when it is torn")
{
  const TemporaryFolder folder;
  for (const std::int64_t step : {1, 2, 3})
    write_checkpoint(folder.path(), sample_checkpoint(step));
  check_same(read_checkpoint(folder.path()), sample_checkpoint(3));
  const std::string whole = bytes_of(folder.path() / "checkpoint.bin");
  for (std::size_t size = 0; size < whole.size(); size += 101) {
    CAPTURE(size);
    folder.file("checkpoint.bin", whole.substr(0, size));
    check_same(read_checkpoint(folder.path()), sample_checkpoint(2));
  }
  fs::remove(folder.path() / "checkpoint.bin");
  check_same(read_checkpoint(folder.path()), sample_checkpoint(2));
}

TEST_CASE("a flipped bit anywhere in a checkpoint is noticed")
{
  const TemporaryFolder folder;
  Checkpoint checkpoint = sample_checkpoint(1);
  write_checkpoint(folder.path(), checkpoint);
  const std::string whole = bytes_of(folder.path() / "checkpoint.bin");
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += bit < 192 ? 5 : 251) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    folder.file("checkpoint.bin", damaged);
    CAPTURE(bit);
    CHECK(contains(checkpoint_complaint(folder.path()), "checkpoint.bin"));
  }
}

TEST_CASE("foreign files and empty folders are no checkpoints")
{
  const TemporaryFolder folder;
  check_complaint(checkpoint_complaint(folder.path()), folder.path().string(), "", "no checkpoint");
  folder.file("checkpoint.bin", "a text that is longer than the preamble of a checkpoint");
  check_complaint(checkpoint_complaint(folder.path()), "checkpoint.bin", "",
                  "no checkpoint of tact");
}

TEST_CASE("a checkpoint that cannot be written leaves the ones before it")
{
  const TemporaryFolder folder;
  write_checkpoint(folder.path(), sample_checkpoint(1));
  write_checkpoint(folder.path(), sample_checkpoint(2));
  {
    const FileSizeLimit limit(100);
    CHECK_THROWS_AS(write_checkpoint(folder.path(), sample_checkpoint(3)), WriteError);
  }
  check_same(read_checkpoint(folder.path()), sample_checkpoint(2));
  remove_checkpoints(folder.path());
  CHECK_FALSE(has_checkpoint(folder.path()));
  CHECK(fs::is_empty(folder.path()));
}
