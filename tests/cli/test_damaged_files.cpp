// Mutants of recordings and of FCLIB files, each through the commands that read it: a finding or a
// clean answer, never a crash.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <files/temporary_folder.hpp>
#include <recording/frames.hpp>
#include <tact/core/random.hpp>
#include <tact/files/fclib_global.hpp>
#include <tact/files/fclib_io.hpp>
#include <tact/files/text_file.hpp>

#include "run_command.hpp"

namespace fs = std::filesystem;
using namespace tact;
using namespace tact::cli;

namespace {

using Commands = std::vector<std::vector<std::string>>;

// Numbers that sizes, addresses and counts break on.
constexpr std::uint64_t odd_numbers[] = {0,
                                         1,
                                         0x7f,
                                         0xff,
                                         0xffff,
                                         0x7fffffff,
                                         0x80000000,
                                         0xffffffff,
                                         0x7fffffffffffffff,
                                         0xffffffffffffffff};

// One to four changes: a byte, a bit, a number, a piece of the file over another, zeros, or an end.
std::string mutant_of(const std::string& original, Random& random)
{
  std::string bytes = original;
  const auto place = [&] {
    return static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())));
  };
  const int changes = 1 + random.below(4);
  for (int change = 0; change < changes; ++change) {
    const std::size_t at = place();
    const std::size_t run = std::min<std::size_t>(1 + random.below(64), bytes.size() - at);
    switch (random.below(8)) {
      case 0:
      case 1:
      case 2: bytes[at] = static_cast<char>(random.below(256)); break;
      case 3: bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8))); break;
      case 4:
      case 5:
        std::memcpy(bytes.data() + at, &odd_numbers[random.below(std::size(odd_numbers))],
                    std::min<std::size_t>(run, 1u << random.below(4)));
        break;
      case 6: {
        const std::size_t from = std::min(place(), bytes.size() - run);
        std::memmove(bytes.data() + at, bytes.data() + from, run);
        break;
      }
      case 7:
        if (random.below(16) == 0)
          bytes.resize(std::max<std::size_t>(1, at));
        else
          std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), run, '\0');
    }
  }
  return bytes;
}

// Exit 0, 2 or 3; of 2 one line.
int clean_answer(const std::vector<std::string>& words)
{
  const Result result = in_process(words);
  CAPTURE(words);
  CAPTURE(result.err);
  CHECK((result.code == done || result.code == wrong_input || result.code == not_reached));
  if (result.code == wrong_input)
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  return result.code;
}

// Every mutant through the first command and one of the others; how many the first refused.
int damage(const fs::path& file, int mutants, std::uint64_t seed, const Commands& commands)
{
  const std::string original = read_text(file);
  Random random(seed);
  int noticed = 0;
  for (int trial = 0; trial < mutants; ++trial) {
    CAPTURE(trial);
    std::ofstream(file, std::ios::binary) << mutant_of(original, random);
    if (clean_answer(commands[0]) == wrong_input) ++noticed;
    (void)clean_answer(commands[1 + static_cast<std::size_t>(trial) % (commands.size() - 1)]);
  }
  std::ofstream(file, std::ios::binary) << original;
  return noticed;
}

Commands readers_of(const std::string& folder)
{
  const std::string out = folder + "/exports";
  Commands commands{{"verify", folder, "--threads", "1"},
                    {"plot", folder, "forces", "--out", folder + "/forces.svg"},
                    {"info", folder},
                    {"diff", folder, folder},
                    {"render", folder, "--frame", "-1", "--size", "64x48", "--overlay", "all",
                     "--threads", "1", "--out", folder + "/a.png"}};
  for (const char* format : {"obj", "ply", "vtu", "usda", "glb", "csv", "poses", "html"})
    commands.push_back({"export", folder, "--format", format, "--out", out});
  return commands;
}

void damage_recordings(int mutants)
{
  const TemporaryFolder finished, growing;
  make_recording(finished.path(), sample_header(), 3);
  {
    RecordingWriter writer = RecordingWriter::create(growing.path(), sample_header());
    write_frames(writer, 0, 2);
    writer.commit();
  }
  const std::string whole = finished.path().string(), parts = growing.path().string();
  const int noticed =
      damage(finished.path() / "recording.h5", mutants / 2, 1, readers_of(whole)) +
      damage(growing.path() / "recording.h5", mutants / 4, 2, readers_of(parts)) +
      damage(growing.path() / "segments/00000.h5", mutants / 4, 3, readers_of(parts));
  CHECK(noticed > mutants / 20);
}

// Damage to the segments of a run that is gone on with and finished, here in this process.
int damage_former_runs(int mutants)
{
  const TemporaryFolder growing;
  const fs::path segment = growing.path() / "segments/00000.h5";
  {
    RecordingWriter writer = RecordingWriter::create(growing.path(), sample_header());
    write_frames(writer, 0, 2);
    writer.commit();
  }
  const std::string recording = read_text(growing.path() / "recording.h5");
  const std::string original = read_text(segment);
  Random random(6);
  int noticed = 0;
  for (int trial = 0; trial < mutants; ++trial) {
    CAPTURE(trial);
    std::ofstream(growing.path() / "recording.h5", std::ios::binary) << recording;
    fs::create_directories(segment.parent_path());
    std::ofstream(segment, std::ios::binary) << mutant_of(original, random);
    try {
      RecordingWriter writer = RecordingWriter::resume(growing.path(), 2);
      write_frames(writer, 2, 3);
      writer.finish();
    } catch (const Error&) {
      ++noticed;
    }
  }
  return noticed;
}

// Two contacts that push, by velocities or with bodies.
FclibFile small_problem(bool global)
{
  const auto diagonal = [](int size) {
    SparseRows matrix(size, size);
    for (int k = 0; k < size; ++k) matrix.insert(k, k) = 1.0 + k;
    return matrix;
  };
  const VectorXd down = VectorXd::Constant(6, -1.0), mu = VectorXd::Constant(2, 0.5);
  if (!global)
    return {FrictionProblem{.dimension = 3, .W = diagonal(6), .q = down, .mu = mu},
            {"a", "b", "c"}};
  return {contact_problem({.dimension = 3,
                           .M = diagonal(6),
                           .H = diagonal(6),
                           .G = {},
                           .f = down,
                           .w = VectorXd::Zero(6),
                           .b = {},
                           .mu = mu}),
          {}};
}

void damage_problems(int mutants)
{
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "problem.hdf5";
  const Commands commands{{"check", file.string()},
                          {"solve", file.string(), "--max-iterations", "20"},
                          {"check", file.string(), "--json"}};
  int noticed = 0;
  for (const bool global : {false, true}) {
    write_fclib(file, small_problem(global));
    noticed += damage(file, mutants / 2, global ? 5 : 4, commands);
  }
  CHECK(noticed > mutants / 20);
}

}  // namespace

TEST_CASE("damaged FCLIB files are read or refused and never crash a command")
{
  damage_problems(100);
}

// The thousands take minutes: docs/robustness.md has the command.
TEST_CASE("thousands of damaged FCLIB files never crash a command" * doctest::skip())
{
  damage_problems(10'000);
}

TEST_CASE("damaged recordings are found bad or refused and never crash a command")
{
  damage_recordings(200);
}

TEST_CASE("a run that goes on from a damaged recording is finished or refused, and never crashes")
{
  CHECK(damage_former_runs(200) > 10);
}

TEST_CASE("thousands of damaged recordings that are gone on with crash no run" * doctest::skip())
{
  CHECK(damage_former_runs(3'000) > 100);
}

TEST_CASE("thousands of damaged recordings never crash a command" * doctest::skip())
{
  damage_recordings(10'000);
}
