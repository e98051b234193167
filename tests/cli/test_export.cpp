#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cli/run_program.hpp>
#include <files/temporary_folder.hpp>
#include <recording/frames.hpp>
#include <tact/files/mesh_io.hpp>

using namespace tact;
using namespace tact::cli;
namespace fs = std::filesystem;

TEST_CASE("files that may not grow are told like a full disk")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 3);
  const std::string run = folder.path().string(), out = run + "/out";
  for (const char* format : {"obj", "ply", "vtu", "usda", "glb", "html"}) {
    CAPTURE(format);
    const Result result = program_with_file_limit(
        fmt::format("export '{}' --format {} --out '{}'", run, format, out));
    CHECK(result.code == failed);
    CHECK(result.err.find("cannot write: File too large") != std::string::npos);
  }
  const Result result =
      program_with_file_limit(fmt::format("render '{0}' --frame 0 --out '{0}/a.png'", run));
  CHECK(result.code == failed);
  CHECK(result.err.find("a.png: cannot write: File too large") != std::string::npos);
}

TEST_CASE("tact export: OBJ and PLY frames read back have the recorded bits")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 3);
  const Recording recording = Recording::open(folder.path());
  std::vector<Triangle> triangles;
  for (const RecordedBody& body : recording.header().bodies)
    for (const auto& [a, b, c] : body.triangles)
      triangles.push_back({a + body.first_vertex, b + body.first_vertex, c + body.first_vertex});
  for (const std::string format : {"obj", "ply"}) {
    CAPTURE(format);
    const Result result = in_process({"export", folder.path().string(), "--format", format});
    CAPTURE(result.err);
    REQUIRE(result.code == done);
    for (int k = 0; k < 3; ++k) {
      const std::string name = "frame_0000" + std::to_string(k) + "." + format;
      const TriMesh mesh = read_surface(folder.path() / format / name);
      CHECK(same_bits(mesh.positions, recording.vertices(k)));
      CHECK(mesh.triangles == triangles);
    }
  }
  const std::string obj = bytes_of(folder.path() / "obj" / "frame_00000.obj");
  for (const char* name : {"o top\n", "o red_cloth\n", "o jelly\n", "o ground\n"})
    CHECK(obj.find(name) != std::string::npos);
}

TEST_CASE("tact export --json tells what was written")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 5);
  const std::string out = (folder.path() / "out").string();
  const Result result = in_process({"export", folder.path().string(), "--format", "vtu", "--out",
                                    out, "--frames", "1::2", "--json"});
  CAPTURE(result.err);
  REQUIRE(result.code == done);
  const auto report = nlohmann::json::parse(result.out);
  CHECK(report["format"] == "vtu");
  CHECK(report["out"] == out);
  CHECK(report["frames"] == 2);
  CHECK(report["files"] == 3);
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(out)) bytes += entry.file_size();
  CHECK(report["bytes"] == bytes);
}

TEST_CASE("tact export refuses what it cannot do and writes nothing")
{
  const TemporaryFolder folder;
  const std::string empty = (folder.path() / "empty").string();
  fs::create_directory(empty);
  const std::string run = (folder.path() / "run").string();
  make_recording(run, sample_header(), 2);
  check_refused(in_process({"export", empty, "--format", "obj"}), "holds no recording");
  check_refused(in_process({"export", run + "x", "--format", "obj"}), "no such folder");
  check_refused(in_process({"export", run, "--format", "vtk"}), "did you mean \"vtu\"?");
  check_refused(in_process({"export", run}), "no --format given");
  check_refused(in_process({"export", "--format", "obj"}), "no recording given");
  check_refused(in_process({"export", run, "--format", "obj", "--frames", "2:1:x"}), "A:B:K");
  check_refused(in_process({"export", run, "--format", "obj", "--frames", "7"}), "2 frames");
  CHECK(fs::is_empty(empty));
  CHECK(std::distance(fs::directory_iterator(run), {}) == 1);
}

namespace {

// tests/cli/obj_intersections.py, which shares nothing with tact but the files: 0 no two triangles
// meet, 1 some do.
int look_for_intersections(const std::string& files)
{
  const std::string words =
      "/usr/bin/python3 '" TACT_CLI_TESTS "/obj_intersections.py' " + files + " >/dev/null 2>&1";
  const int status = std::system(words.c_str());
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

bool have_numpy()
{
  if (std::system("/usr/bin/python3 -c 'import numpy' >/dev/null 2>&1") == 0) return true;
  MESSAGE("skipped: numpy is not installed");
  return false;
}

}  // namespace

TEST_CASE("a program that knows only OBJ files finds intersecting triangles, and no others")
{
  if (!have_numpy()) return;
  const std::string face = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  struct Second {
    const char* corners;
    int meets;
  };
  for (const Second& second :
       {Second{"v 0.2 0.2 -1\nv 0.2 0.2 1\nv 5 5 5\n", 1},      // through its middle
        Second{"v 0.1 0.1 0\nv 0.4 0.1 0\nv 0.1 0.4 0\n", 1},   // flat upon it
        Second{"v 0.3 0.3 0\nv 0.3 0.3 1\nv 1 1 1\n", 1},       // a corner touches it
        Second{"v 0.3 0.3 1e-300\nv 0.3 0.3 1\nv 1 1 1\n", 0},  // or nearly so
        Second{"v 1 1 0\nv 2 1 0\nv 1 2 0\n", 0},               // beside it in its plane
        Second{"v 0.5 0.5 -1\nv 0.5 0.5 1\nv 2 2 0\n", 1},      // at its longest side
        Second{"v 0.5 0.5000000000000001 -1\nv 0.5 0.5000000000000001 1\nv 2 2 0\n", 0}}) {
    CAPTURE(std::string(second.corners));
    const TemporaryFolder folder;
    const fs::path file = folder.file("two.obj", face + second.corners + "f 4 5 6\n");
    CHECK(look_for_intersections(fmt::format("'{}'", file.string())) == second.meets);
  }
}

TEST_CASE("a program that knows only OBJ files finds no intersection in the frames of a run")
{
  if (!have_numpy()) return;
  const TemporaryFolder folder;
  const std::string out = fmt::format("'{}'", folder.path().string());
  REQUIRE(program("run falling-cloth --set /vertices=14 --time 0.8 -o " + out).code == done);
  REQUIRE(program("export " + out + " --format obj --frames 100::20").code == done);
  CHECK(look_for_intersections(out + "/obj/*.obj") == 0);
}
