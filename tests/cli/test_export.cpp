#include <filesystem>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cli/run_command.hpp>
#include <recording/frames.hpp>
#include <scene/temporary_folder.hpp>
#include <tact/scene/mesh_io.hpp>

using namespace tact;
using namespace tact::cli;
namespace fs = std::filesystem;

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
  check_refused(in_process({"export", run, "--format", "html"}), "not there yet");
  check_refused(in_process({"export", run}), "no --format given");
  check_refused(in_process({"export", "--format", "obj"}), "no recording given");
  check_refused(in_process({"export", run, "--format", "obj", "--frames", "2:1:x"}), "A:B:K");
  check_refused(in_process({"export", run, "--format", "obj", "--frames", "7"}), "2 frames");
  CHECK(fs::is_empty(empty));
  CHECK(std::distance(fs::directory_iterator(run), {}) == 1);
}
