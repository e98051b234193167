// Forces and contact problems that a run leaves behind.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <recording/frames.hpp>
#include <tact/recording/recording.hpp>

#include "run_program.hpp"

namespace fs = std::filesystem;
using namespace tact;
using namespace tact::cli;
using nlohmann::json;

namespace {

// 0.2 m x 0.2 m x 0.2 m x 500 kg/m^3 = 4 kg.
const std::string resting_block = R"({
  "dt": 0.005, "time": 1.5, "mu": 0.4, "contact": {"tolerance": 1e-13},
  "record": {"forces": ["block", "ground"]},
  "bodies": [
    {"name": "ground", "type": "obstacle", "box": [4, 1, 4], "position": [0, -0.5, 0]},
    {"name": "block", "type": "rigid", "box": [0.2, 0.2, 0.2], "position": [0.1, 0.101, 0.3],
     "density": 500}
  ]
})";

const Vector3d weight(0.0, 4.0 * 9.81, 0.0);  // N

Vector3d vector_of(const json& numbers)
{
  return {numbers[0].get<double>(), numbers[1].get<double>(), numbers[2].get<double>()};
}

json run_in_process(const fs::path& scene, const fs::path& out,
                    const std::vector<std::string>& more = {})
{
  std::vector<std::string> words{"run", scene.string(), "-o", out.string(), "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Result result = in_process(words);
  CAPTURE(result.err);
  REQUIRE(result.code == done);
  return json::parse(result.out);
}

}  // namespace

TEST_CASE("the ground carries a block at rest with its weight, to 1e-9")
{
  const TemporaryFolder folder;
  const fs::path scene = folder.file("scene.json", resting_block);
  const json report = run_in_process(scene, folder.path() / "out", {"--every", "50"});
  const json& block = report["forces"]["block"];
  CHECK(block["seconds"].get<double>() == doctest::Approx(1.0));
  for (const json* force : {&block["mean"], &block["last"], &block["partners"]["ground"]["mean"],
                            &block["partners"]["ground"]["last"]}) {
    CHECK((vector_of((*force)["force"]) - weight).norm() < 1e-9 * weight.norm());
    CHECK(vector_of((*force)["torque"]).norm() < 1e-9 * weight.norm());  // lever 1 m
  }
  // Action is reaction.
  const json& ground = report["forces"]["ground"]["partners"]["block"];
  CHECK((vector_of(ground["last"]["force"]) + weight).norm() < 1e-9 * weight.norm());
}

TEST_CASE("the CSV of pairs tells the same force as the report")
{
  const TemporaryFolder folder;
  const fs::path scene = folder.file("scene.json", resting_block), out = folder.path() / "out";
  const json report = run_in_process(scene, out, {"--time", "0.5"});
  REQUIRE(in_process({"export", out.string(), "--format", "csv", "--frames", "-1"}).code == done);
  const std::string table = bytes_of(out / "csv" / "forces.csv");
  // One line for the ground and one for the block, behind the heading.
  CHECK(std::count(table.begin(), table.end(), '\n') == 3);
  const std::size_t line = table.find(",block,ground,");
  REQUIRE(line != std::string::npos);
  double x = 0.0, y = 0.0, z = 0.0;
  REQUIRE(std::sscanf(table.c_str() + line, ",block,ground,%lf,%lf,%lf", &x, &y, &z) == 3);
  CHECK(Vector3d(x, y, z) == vector_of(report["forces"]["block"]["last"]["force"]));
}

TEST_CASE("a resumed run tells the same forces as an unbroken one")
{
  const TemporaryFolder folder;
  const fs::path scene = folder.file("scene.json", resting_block);
  const json whole = run_in_process(scene, folder.path() / "whole", {"--steps", "120"});
  run_in_process(scene, folder.path() / "broken", {"--steps", "70"});
  const json broken =
      run_in_process(scene, folder.path() / "broken", {"--steps", "120", "--resume"});
  CHECK(whole["forces"] == broken["forces"]);
}

TEST_CASE("a scene that asks about no body has no forces in its report")
{
  const TemporaryFolder folder;
  const fs::path scene = folder.file("scene.json", resting_block);
  const json report =
      run_in_process(scene, folder.path() / "out", {"--steps", "5", "--set", "/record/forces=[]"});
  CHECK_FALSE(report.contains("forces"));
}

TEST_CASE("recorded problems: the steps asked for, solved again by `tact solve`")
{
  const TemporaryFolder folder;
  const fs::path scene = folder.file("scene.json", resting_block), out = folder.path() / "out";
  run_in_process(scene, out, {"--steps", "20", "--record-problems", "step=12"});
  const fs::path file = out / "problems" / "step_000012.json";
  REQUIRE(fs::exists(file));
  CHECK(std::distance(fs::directory_iterator(out / "problems"), {}) == 1);
  for (const std::string start : {"--json", "--warm-start"}) {
    const Result solved =
        in_process({"solve", file.string(), "--tolerance", "1e-9", "--json", start});
    CAPTURE(solved.err);
    REQUIRE(solved.code == done);
    const json problem = json::parse(solved.out)["problems"][0];
    CHECK(problem["kind"] == "contact");
    CHECK(problem["contacts"].get<int>() >= 4);
    CHECK(problem["rows"][0]["residual"].get<double>() < 1e-9);
  }
  run_in_process(scene, out, {"--steps", "20", "--record-problems", "every=6", "--overwrite"});
  CHECK(std::distance(fs::directory_iterator(out / "problems"), {}) == 3);
  CHECK(fs::exists(out / "problems" / "step_000018.json"));
  // A run anew leaves none of a former one.
  run_in_process(scene, out, {"--steps", "3", "--overwrite"});
  CHECK(fs::is_empty(out / "problems"));
}

TEST_CASE("recorded problems are the same files after an interruption")
{
  const TemporaryFolder folder;
  const fs::path scene = folder.file("scene.json", resting_block);
  const std::vector<std::string> all{"--steps", "10", "--record-problems", "all"};
  run_in_process(scene, folder.path() / "whole", all);
  run_in_process(scene, folder.path() / "broken", {"--steps", "6", "--record-problems", "all"});
  std::vector<std::string> resumed = all;
  resumed.push_back("--resume");
  run_in_process(scene, folder.path() / "broken", resumed);
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder.path() / "whole" / "problems")) {
    ++files;
    const fs::path other = folder.path() / "broken" / "problems" / entry.path().filename();
    REQUIRE(fs::exists(other));
    CHECK((bytes_of(entry.path()) == bytes_of(other)));
  }
  CHECK(files == 10);
}

TEST_CASE("recorded problems: only solves that missed their tolerance, and wrong words are told")
{
  const TemporaryFolder folder;
  const fs::path scene = folder.file("scene.json", resting_block), out = folder.path() / "out";
  run_in_process(scene, out,
                 {"--steps", "10", "--tolerance", "1e-3", "--record-problems", "unconverged"});
  CHECK_FALSE(fs::exists(out / "problems"));
  for (const std::string when : {"sometimes", "step=", "step=0", "step=3x", "every=-1"})
    check_refused(
        in_process({"run", scene.string(), "-o", out.string(), "--record-problems", when}),
        "--record-problems: found \"" + when + "\", expected all, unconverged, step=K or every=K");
}
