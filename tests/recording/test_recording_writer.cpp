// Nothing that was committed is ever lost: kills, full disks, a second run in the same folder.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <utility>

#include <doctest/doctest.h>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <recording/frames.hpp>
#include <recording/full_disk.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/core/timer.hpp>
#include <tact/recording/checkpoint.hpp>

using namespace tact;
namespace fs = std::filesystem;

namespace {

constexpr int run_frames = 12;
constexpr int frames_a_checkpoint = 3;

// What `tact run` does with its folder, from the last checkpoint or from the start.
void write_run(const fs::path& folder, bool resume)
{
  const bool goes_on = resume && has_checkpoint(folder);
  const int first = goes_on ? read_checkpoint(folder).frames : 0;
  if (!goes_on) remove_checkpoints(folder);
  RecordingWriter writer = goes_on ? RecordingWriter::resume(folder, first)
                                   : RecordingWriter::create(folder, sample_header(12));
  for (int k = first; k < run_frames; ++k) {
    write_frames(writer, k, k + 1);
    if ((k + 1) % frames_a_checkpoint != 0) continue;
    writer.commit();
    write_checkpoint(folder, {.step = 3 * k, .t = 0.03 * k, .frames = writer.committed_count()});
  }
  writer.finish();
}

// Runs in a child process that is killed after some seconds.
void run_and_kill(const fs::path& folder, double seconds)
{
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    write_run(folder, true);
    ::_exit(0);
  }
  ::usleep(static_cast<useconds_t>(1e6 * seconds));
  ::kill(child, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
}

int readable_frames(const fs::path& folder)
{
  if (!fs::exists(folder / "recording.h5")) return 0;
  const Recording recording = Recording::open(folder);
  check_frames(recording, recording.frame_count());
  return recording.frame_count();
}

}  // namespace

TEST_SUITE_BEGIN("slow");

TEST_CASE("kill -9 at 20 random moments: whole commits remain and resuming gives the same file")
{
  const TemporaryFolder unbroken;
  const Timer timer;
  write_run(unbroken.path(), false);
  const double whole_run = timer.seconds();
  const std::string expected = bytes_of(unbroken.path() / "recording.h5");
  REQUIRE_FALSE(expected.empty());

  Random random(20);
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    const TemporaryFolder folder;
    int frames = 0;
    for (int kill = 0; kill <= round % 3; ++kill) {  // some are killed again after resuming
      run_and_kill(folder.path(), random.uniform(0.0, whole_run));
      const int now = readable_frames(folder.path());
      CHECK(now % frames_a_checkpoint == 0);
      CHECK(now >= (has_checkpoint(folder.path()) ? read_checkpoint(folder.path()).frames : 0));
      CHECK(now >=
            frames - frames_a_checkpoint);  // at most what lies after the checkpoint is redone
      frames = now;
    }
    write_run(folder.path(), true);
    check_frames(Recording::open(folder.path()), run_frames);
    CHECK((bytes_of(folder.path() / "recording.h5") == expected));
  }
}

TEST_SUITE_END();

TEST_CASE("resuming drops what was committed after the checkpoint")
{
  const TemporaryFolder folder;
  {
    RecordingWriter writer = RecordingWriter::create(folder.path(), sample_header());
    write_frames(writer, 0, 4);
    writer.commit();
    write_frames(writer, 4, 8);
    writer.commit();
  }
  for (const int kept : {6, 3, 3, 0}) {
    CAPTURE(kept);
    RecordingWriter writer = RecordingWriter::resume(folder.path(), kept);
    CHECK(writer.frame_count() == kept);
    check_frames(Recording::open(folder.path()), kept);
    write_frames(writer, kept, 9);
    writer.commit();
    check_frames(Recording::open(folder.path()), 9);
  }
}

TEST_CASE("a finished recording can be resumed and finished again")
{
  const TemporaryFolder folder, unbroken;
  make_recording(unbroken.path(), sample_header(), 8);
  make_recording(folder.path(), sample_header(), 5);
  RecordingWriter writer = RecordingWriter::resume(folder.path(), 4);
  check_frames(Recording::open(folder.path()), 4);
  write_frames(writer, 4, 8);
  writer.finish();
  CHECK((bytes_of(folder.path() / "recording.h5") == bytes_of(unbroken.path() / "recording.h5")));
}

TEST_CASE("a checkpoint that covers more frames than there are is refused")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 5);
  check_complaint(message_of([&] { RecordingWriter::resume(folder.path(), 6); }), "recording.h5",
                  "5 frames", "at least the 6");
  check_frames(Recording::open(folder.path()), 5);
}

TEST_CASE("a new run replaces the recording of its folder at its first commit and not before")
{
  const TemporaryFolder folder;
  {
    RecordingWriter unfinished = RecordingWriter::create(folder.path(), sample_header());
    write_frames(unfinished, 0, 5);
    unfinished.commit();
  }
  RecordingHeader header = sample_header(3);
  header.scene = "other";
  RecordingWriter writer = RecordingWriter::create(folder.path(), header);
  write_frames(writer, 0, 2);
  check_frames(Recording::open(folder.path()), 5);
  writer.commit();
  const Recording recording = Recording::open(folder.path());
  CHECK(recording.header().scene == "other");
  check_frames(recording, 2);
  CHECK(std::distance(fs::directory_iterator(folder.path() / "segments"), {}) == 1);
}

TEST_CASE("two runs cannot write to one folder")
{
  const TemporaryFolder folder;
  const RecordingWriter writer = RecordingWriter::create(folder.path(), sample_header());
  check_complaint(message_of([&] { RecordingWriter::create(folder.path(), sample_header()); }),
                  folder.path().string(), "", "another run");
}

TEST_CASE("memory stays bounded: what gathers is committed by itself")
{
  const TemporaryFolder folder;
  RecordingWriter writer = RecordingWriter::create(folder.path(), sample_header(200));
  // About 3 MB a frame, 32 MiB at most in memory.
  write_frames(writer, 0, 12);
  CHECK(writer.committed_count() >= 10);
  CHECK(Recording::open(folder.path()).frame_count() == writer.committed_count());
}

TEST_CASE("a write that fails loses nothing and can be repeated")
{
  const TemporaryFolder folder;
  RecordingWriter writer = RecordingWriter::create(folder.path(), sample_header(12));
  write_frames(writer, 0, 3);
  writer.commit();
  write_frames(writer, 3, 6);
  for (const std::size_t bytes : {0, 100, 5000}) {
    CAPTURE(bytes);
    const FileSizeLimit limit(bytes);
    CHECK_THROWS_AS(writer.commit(), WriteError);
    check_complaint(message_of([&] { writer.commit(); }), "segments/00001.h5", "", "cannot write");
    check_frames(Recording::open(folder.path()), 3);
  }
  writer.commit();
  check_frames(Recording::open(folder.path()), 6);
  {
    const FileSizeLimit limit(12000);
    check_complaint(message_of([&] { writer.finish(); }), "recording", "all 6 frames",
                    "cannot write");
    check_frames(Recording::open(folder.path()), 6);
  }
  writer.finish();
  check_frames(Recording::open(folder.path()), 6);
}

TEST_CASE("a disk that fills up is told and the recording up to there stays readable")
{
  const SmallDisk disk(512 << 10);
  if (!disk.mounted()) return;
  RecordingWriter writer = RecordingWriter::create(disk.path(), sample_header(20));
  int committed = 0;
  std::string message;
  for (int k = 0; k < 1000 && message.empty(); ++k) {
    write_frames(writer, k, k + 1);
    message = message_of([&writer] { writer.commit(); });
    committed = writer.committed_count();
  }
  check_complaint(message, disk.path().string(), "", "No space left on device");
  CHECK(committed > 3);
  check_frames(Recording::open(disk.path()), committed);
  check_complaint(message_of([&] { write_checkpoint(disk.path(), {.q = VectorXd::Ones(70000)}); }),
                  "checkpoint", "", "No space left on device");
  CHECK_FALSE(has_checkpoint(disk.path()));
}
