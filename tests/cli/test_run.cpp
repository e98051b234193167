#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <files/temporary_folder.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/surface_intersection.hpp>
#include <tact/recording/recording.hpp>

#include "killed_program.hpp"
#include "run_program.hpp"

namespace fs = std::filesystem;
using namespace tact;
using namespace tact::cli;
using nlohmann::json;

namespace {

// Bodies of all kinds, some in contact: a cloth that falls on a block on the ground.
const std::string scene = R"({
  "name": "small",   // comments are allowed
  "dt": 0.005, "time": 0.4, "mu": 0.4,
  "bodies": [
    {"name": "ground", "type": "obstacle", "box": [4, 1, 4], "position": [0, -0.5, 0]},
    {"name": "block", "type": "rigid", "box": [0.2, 0.2, 0.2], "position": [0, 0.102, 0],
     "density": 500},
    {"name": "cloth", "type": "cloth", "grid": {"size": [0.6, 0.6], "vertices": [13, 13]},
     "position": [0.05, 0.25, 0]},
    {"name": "jelly", "type": "soft", "box": [0.1, 0.1, 0.1], "cells": [2, 2, 2],
     "position": [1, 0.2, 0], "young": 1e5}
  ]
})";

json report_of(const fs::path& folder)
{
  return json::parse(read_text(folder / "report.json"));
}

json run_to_end(const fs::path& file, const fs::path& folder, const std::string& more = "")
{
  const Result result =
      program("run '" + file.string() + "' -o '" + folder.string() + "' --json " + more);
  CAPTURE(result.err);
  REQUIRE(result.code == done);
  return json::parse(result.out);
}

// Of a recording: everything that a reader can see.
bool same_recording(const fs::path& a, const fs::path& b)
{
  const Recording x = Recording::open(a), y = Recording::open(b);
  if (x.frame_count() != y.frame_count() || x.times() != y.times()) return false;
  for (int k = 0; k < x.frame_count(); ++k) {
    const Frame f = x.frame(k), g = y.frame(k);
    if (f.vertices != g.vertices || f.q != g.q || f.v != g.v || f.contacts != g.contacts)
      return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a run writes its recording and a report with all keys")
{
  const TemporaryFolder folder;
  const fs::path file = folder.file("small.json", scene);
  const json report = run_to_end(file, folder.path() / "out");
  CHECK(report == report_of(folder.path() / "out"));
  for (const char* key : {"scene",
                          "version",
                          "seed",
                          "threads",
                          "steps",
                          "simulated_seconds",
                          "wall_seconds",
                          "phase_seconds",
                          "contacts_max",
                          "contacts_mean",
                          "cmr_passes",
                          "halvings",
                          "residual_max",
                          "penetration_max",
                          "momentum_error_max",
                          "state_hash",
                          "finished",
                          "unconverged",
                          "cut_steps",
                          "momentum_loss_max",
                          "energy_gain_max",
                          "clearance_min",
                          "islands_max",
                          "island_contacts_max",
                          "devices"})
    CHECK_MESSAGE(report.contains(key), key);
  for (const char* key : {"dynamics", "broad_phase", "narrow_phase", "solve", "output"})
    CHECK_MESSAGE(report["phase_seconds"].contains(key), key);
  CHECK(report["scene"] == "small");
  CHECK(report["steps"] == 80);
  CHECK(report["simulated_seconds"].get<double>() == doctest::Approx(0.4));
  CHECK(report["finished"] == true);
  CHECK(report["penetration_max"] == 0.0);
  CHECK(report["contacts_max"].get<int>() > 4);
  CHECK(report["unconverged"] == 0);
  CHECK(report["cut_steps"] == 0);
  CHECK_FALSE(report.contains("missed"));
  CHECK(report["clearance_min"].get<double>() > 0.0);
  // Small bodies are solved exactly; what is left is the distance between the points of a contact.
  CHECK(report["momentum_loss_max"].get<double>() < 0.05);  // as far as verify allows
  // The block on the ground, the cloth on it, and the jelly, which lands by itself.
  CHECK(report["islands_max"] == 2);
  CHECK(report["island_contacts_max"].get<int>() <= report["contacts_max"].get<int>());
  CHECK(report["island_contacts_max"].get<int>() >= 4);
  CHECK(report["devices"] == json::array({"cpu"}));
  CHECK(Recording::open(folder.path() / "out").frame_count() == 81);
}

TEST_CASE("no two triangles intersect in any frame, by the exact test")
{
  const TemporaryFolder folder;
  run_to_end(folder.file("small.json", scene), folder.path() / "out");
  const Recording recording = Recording::open(folder.path() / "out");
  std::vector<TriMesh> surfaces;
  for (const RecordedBody& body : recording.header().bodies)
    surfaces.push_back({.positions = {}, .triangles = body.triangles});
  for (int k = 0; k < recording.frame_count(); ++k) {
    CAPTURE(k);
    const std::vector<Vector3d> vertices = recording.vertices(k);
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      const RecordedBody& body = recording.header().bodies[i];
      const auto first = vertices.begin() + body.first_vertex;
      surfaces[i].positions.assign(first, first + body.vertex_count);
    }
    CHECK(intersecting_pairs(surfaces).pairs.empty());
  }
}

TEST_CASE("the same bits with one thread and with two")
{
  const TemporaryFolder folder;
  const fs::path file = folder.file("small.json", scene);
  const json one = run_to_end(file, folder.path() / "one", "--threads 1");
  const json two = run_to_end(file, folder.path() / "two", "--threads 2");
  CHECK(one["state_hash"] == two["state_hash"]);
  CHECK(same_recording(folder.path() / "one", folder.path() / "two"));
}

TEST_CASE("steps and what is recorded of them follow the command line")
{
  const TemporaryFolder folder;
  const fs::path file = folder.file("small.json", scene);
  const json report =
      run_to_end(file, folder.path() / "out", "--steps 20 --every 5 --dt 0.002 --set /mu=0.1");
  CHECK(report["steps"] == 20);
  CHECK(report["simulated_seconds"].get<double>() == doctest::Approx(0.04));
  const Recording recording = Recording::open(folder.path() / "out");
  CHECK(recording.steps() == std::vector<std::int64_t>{0, 5, 10, 15, 20});
  CHECK(json::parse(recording.header().scene_json)["mu"] == 0.1);
}

TEST_CASE("a box that a press squeezes ends the run, and says who is in whose way")
{
  const TemporaryFolder folder;
  const fs::path file = folder.file("squeeze.json", R"({"name": "squeeze", "dt": 0.005, "time": 0.5,
    "bodies": [
      {"name": "floor", "type": "obstacle", "box": [1, 0.1, 1], "position": [0, -0.05, 0]},
      {"name": "box", "type": "rigid", "box": [0.1, 0.1, 0.1], "density": 500,
       "position": [0, 0.055, 0]},
      {"name": "press", "type": "obstacle", "box": [1, 0.1, 1], "position": [0, 0.17, 0],
       "motion": [{"t": 0, "position": [0, 0.17, 0]}, {"t": 0.2, "position": [0, 0.1, 0]}]}]})");
  const fs::path out = folder.path() / "out";
  const Result result = program(fmt::format("run '{}' -o '{}'", file.string(), out.string()));
  CHECK(result.code == failed);
  CHECK(result.err.find("\"box\" and \"press\" cannot be kept apart") != std::string::npos);
  CHECK(fs::exists(out / "failed-problem.json"));
  CHECK(Recording::open(out).frame_count() > 5);
}

TEST_CASE("three-situations draws the pattern of B for each of them [Miguel11] fig. 1")
{
  const TemporaryFolder folder;
  const Result result =
      program("run three-situations --steps 30 -o '" + folder.path().string() + "'");
  REQUIRE(result.code == done);
  const std::string picture = read_text(folder.path() / "pattern.svg");
  for (const char* words : {">deformable<", ">mixed<", ">rigid<", "rank 0 of 0 rigid bodies",
                            "rank 6 of 1 rigid bodies", "rank 18 of 3 rigid bodies"})
    CHECK_MESSAGE(picture.find(words) != std::string::npos, words);
  // "The mixed configuration is dense and large": contacts, and the share of B that is filled.
  const auto number_after = [&](const std::string& name, std::string_view words) {
    const std::size_t column = picture.find(">" + name + "<");
    return std::stod(picture.substr(picture.find(words, column) + words.size()));
  };
  const auto contacts = [&](const std::string& name) { return number_after(name, "y=\"38.00\">"); };
  const auto filled = [&](const std::string& name) {
    return number_after(name, ">B: ") / (contacts(name) * contacts(name));
  };
  CHECK(contacts("mixed") > 4.0 * contacts("rigid"));
  CHECK(filled("mixed") > 0.3);
  CHECK(filled("mixed") > 3.0 * filled("deformable"));
}

TEST_CASE("an interrupted run ends with exit 1 and goes on with --resume to the same bits")
{
  const TemporaryFolder folder;
  const std::string file = folder.file("small.json", scene).string();
  const json whole = run_to_end(file, folder.path() / "whole");
  const std::string out = (folder.path() / "out").string();
  // A long run, stopped politely; then the same run to the length of the whole one.
  const Killed stopped = start_and_signal({"run", file, "-o", out, "--time", "1000"}, 1.0, SIGINT);
  REQUIRE(stopped.end == End::exited);
  CHECK(stopped.code == failed);
  const json report = report_of(out);
  CHECK(report["finished"] == false);
  const auto steps = report["steps"].get<int>();
  CHECK(steps > 0);
  CHECK(Recording::open(out).frame_count() == steps + 1);
  if (steps < 80) CHECK(run_to_end(file, out, "--resume")["state_hash"] == whole["state_hash"]);
}

TEST_CASE("Ctrl-C ends a run within a second in the middle of a step that takes many")
{
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  // A dense problem of some thousand unknowns: the first step takes half a minute.
  const double asked = 3.0;  // s
  const Killed stopped = start_and_signal(
      {"run", "block-stack", "--set", "/blocks=30", "--solver", "lemke-standard", "-o", out}, asked,
      SIGINT);
  REQUIRE(stopped.end == End::exited);
  CHECK(stopped.code == failed);
  CHECK(stopped.seconds < asked + 1.0);
  const json report = report_of(out);
  CHECK(report["finished"] == false);
  CHECK(Recording::open(out).frame_count() == report["steps"].get<int>() + 1);
}

TEST_CASE("what was missed before a run was interrupted and resumed is not forgotten")
{
  const TemporaryFolder folder;
  const std::string file = folder.file("small.json", scene).string();
  const auto run = [&](const std::string& out, const std::string& more) {
    return program("run '" + file + "' --tolerance 1e-17 --every 7 -o '" +
                   (folder.path() / out).string() + "' " + more);
  };
  const Result told = run("whole", "--steps 70 --json");
  CHECK(told.code == not_reached);
  CHECK(json::parse(told.out) == report_of(folder.path() / "whole"));
  run("broken", "--steps 40");  // between two frames
  const Result resumed = run("broken", "--steps 70 --resume");
  CHECK(resumed.code == not_reached);
  const json whole = report_of(folder.path() / "whole"),
             broken = report_of(folder.path() / "broken");
  CHECK(whole["unconverged"].get<int>() > 0);
  CHECK(resumed.err == "tact: " + whole["missed"].get<std::string>() + "\n");
  for (const char* key :
       {"unconverged", "cut_steps", "halvings", "momentum_loss_max", "energy_gain_max",
        "clearance_min", "islands_max", "missed", "state_hash"})
    CHECK_MESSAGE(whole[key] == broken[key], key);
  CHECK(read_text(folder.path() / "whole" / "recording.h5") ==
        read_text(folder.path() / "broken" / "recording.h5"));
}

TEST_SUITE("slow")
{
  TEST_CASE(
      "killed at 20 moments and resumed each time a run ends with the bits of an unbroken one")
  {
    const TemporaryFolder folder;
    const std::string file = folder.file("small.json", scene).string();
    for (const std::string threads : {"1", "2"}) {
      CAPTURE(threads);
      const fs::path whole = folder.path() / ("whole" + threads);
      const fs::path broken = folder.path() / ("broken" + threads);
      const Timer timer;
      const json report = run_to_end(file, whole, "--threads " + threads + " --checkpoint 0.02");
      const double seconds = timer.seconds();
      Random random(17);
      int kills = 0;
      for (int k = 0; k < 20; ++k) {
        const Killed killed = start_and_signal({"run", file, "-o", broken.string(), "--threads",
                                                threads, "--checkpoint", "0.02", "--resume"},
                                               random.uniform(0.0, 0.3 * seconds), SIGKILL);
        kills += killed.end == End::killed;
      }
      CHECK(kills >= 5);  // the last ones may find it finished
      const json end =
          run_to_end(file, broken, "--threads " + threads + " --checkpoint 0.02 --resume");
      CHECK(end["state_hash"] == report["state_hash"]);
      CHECK(end["steps"] == report["steps"]);
      CHECK(same_recording(whole, broken));
    }
  }
}

TEST_CASE("surfaces that pass through each other are measured, said, and found again by verify")
{
  const TemporaryFolder folder;
  const fs::path file = folder.file("strip.json", R"({"dt": 0.005, "time": 0.3, "bodies": [
    {"name": "ground", "type": "obstacle", "ground": 2},
    {"name": "strip", "type": "cloth", "grid": {"size": [0.1, 0.6], "vertices": [3, 19]},
     "self_collision": false, "bend": 0.01, "rotation": {"axis": [1, 0, 0], "angle_degrees": 84},
     "position": [0, 0.31, 0], "velocity": [0, -2, 0]}]})");
  const auto out = [&](const char* name) { return "-o '" + (folder.path() / name).string() + "'"; };
  const std::string run = "run '" + file.string() + "' --json ";
  const Result through = program(run + out("through"));
  CHECK(through.code == not_reached);
  CHECK(through.err.find("Surfaces intersect") != std::string::npos);
  const json report = json::parse(through.out);
  CHECK(report["intersecting_pairs"].get<int>() > 10);
  CHECK(report["penetration_max"].get<double>() > 1e-4);
  CHECK(report["missed"].get<std::string>().find("Surfaces intersect") != std::string::npos);
  const Result judged = program("verify --json '" + (folder.path() / "through").string() + "'");
  CHECK(judged.code == not_reached);
  CHECK(json::parse(judged.out)["penetration_max"] == report["penetration_max"]);

  const Result apart = program(run + out("apart") + " --set /bodies/1/self_collision=true");
  CHECK(apart.code == done);
  CHECK(json::parse(apart.out)["intersecting_pairs"] == 0);
  CHECK(json::parse(apart.out)["penetration_max"] == 0.0);
}

TEST_CASE("every kind of solver takes a scene through its contacts; what it does not take is said")
{
  const TemporaryFolder folder;
  const fs::path file = folder.file("small.json", scene);
  for (const std::string solver :
       {"auto", "anticipation", "nested", "ica", "pcg-pgs", "full", "ipm", "lemke-cone"}) {
    CAPTURE(solver);
    const json report = run_to_end(file, folder.path() / solver, "--steps 30 --solver " + solver);
    CHECK(report["penetration_max"] == 0.0);
    CHECK(report["contacts_max"].get<int>() > 4);
    CHECK(report["residual_max"].get<double>() < 0.1);
    CHECK((report["refused_islands"] == 0) == (solver != "lemke-cone"));
  }
}

TEST_CASE("solvers of the papers run scenes, and their recordings pass tact verify")
{
  const TemporaryFolder folder;
  int number = 0;
  for (const std::string command :
       {"peg-in-hole --solver lemke-cone --steps 60",
        "block-stack --solver lemke-reduced --steps 60",
        "block-stack --solver lemke-cone --friction pyramid --steps 60",
        "block-on-slope --solver full --steps 60", "vertebrae --solver coupling --steps 6"}) {
    CAPTURE(command);
    const fs::path out = folder.path() / std::to_string(++number);
    const Result run = program("run " + command + " -o '" + out.string() + "'");
    CAPTURE(run.err);
    CHECK(run.code == done);
    CHECK((run.err.find("coupling does not take") != std::string::npos) ==
          (command.find("coupling") != std::string::npos));
    CHECK(program("verify '" + out.string() + "'").code == done);
  }
}

TEST_CASE("a recorded problem keeps its law of friction, and solve can be told another")
{
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  REQUIRE(program("run block-stack --friction pyramid --steps 20 --record-problems step=20 -o '" +
                  out.string() + "'")
              .code == done);
  const std::string problem = (out / "problems" / "step_000020.json").string();
  CHECK(json::parse(read_text(problem))["friction"] == "pyramid");
  const auto status = [&](const std::string& options) {
    const Result solved = program("solve '" + problem + "' --solver prox --json " + options);
    return json::parse(solved.out)["problems"][0]["rows"][0]["status"].get<std::string>();
  };
  CHECK(status("") == "unsupported");  // prox knows the round cone only
  CHECK(status("--friction disc") == "converged");
  CHECK(program("solve '" + problem + "' --friction square").code == wrong_input);
}

TEST_CASE("friction of the scene decides whether a block stays on its slope")
{
  const TemporaryFolder folder;
  const auto slide = [&](const std::string& mu) {
    const fs::path out = folder.path() / ("mu" + mu);
    const Result result = program("run block-on-slope --time 0.5 -o '" + out.string() +
                                  "' --set /mu=" + mu + " --set /angle=20 --json");
    CAPTURE(result.err);
    REQUIRE(result.code == done);
    const Recording recording = Recording::open(out);
    const RecordedBody& body = recording.header().bodies.back();
    const int vertex = body.kind == "rigid" ? body.first_vertex : 0;
    return (recording.vertices(recording.frame_count() - 1)[vertex] - recording.vertices(0)[vertex])
        .norm();
  };
  // tan(20 degrees) = 0.364
  CHECK(slide("0.40") < 1e-3);
  CHECK(slide("0.30") > 0.05);
}

TEST_CASE("wrong usage of run is one clear line and nothing is written")
{
  const TemporaryFolder folder;
  const std::string file = folder.file("small.json", scene).string();
  const fs::path out = folder.path() / "out";
  const auto refused = [&](const std::string& words, const std::string& expected) {
    check_refused(program("run " + words + " -o '" + out.string() + "'"), expected);
    CHECK(!fs::exists(out));
  };
  refused("", "run: no scene given");
  refused("falling-clot", "did you mean \"falling-cloth\"?");
  refused("'" + file + "' --dt 0", "/dt");
  refused("'" + file + "' --steps many", "--steps: found \"many\", expected an integer");
  refused("'" + file + "' --set /bodies/9/mass=1", "/bodies/9");
  refused("'" + file + "' --solver magic", "/contact/solver");
  refused("'" + file + "' --solver union-max --set /nonconvex=sum", "/nonconvex: found \"sum\"");
}

TEST_CASE("a run replaces no recording, unless it is told to")
{
  const TemporaryFolder folder;
  const std::string file = folder.file("small.json", scene).string();
  const fs::path out = folder.path() / "out";
  const std::string run = "run '" + file + "' -o '" + out.string() + "' --steps ";
  REQUIRE(program(run + "5").code == done);
  const std::string before = read_text(out / "recording.h5");
  const std::string lies = "holds a finished recording of small, 6 frames up to 0.025 s";
  check_refused(program(run + "5"), lies);
  check_refused(program(run + "7"), "--resume goes on from its end, --overwrite replaces it");
  check_refused(program("run block-on-slope --steps 3 -o '" + out.string() + "'"), lies);
  CHECK(read_text(out / "recording.h5") == before);
  check_refused(program(run + "5 --overwrite --resume"), "--resume");
  CHECK(program(run + "3 --overwrite").code == done);
  CHECK(Recording::open(out).frame_count() == 4);
  std::ofstream(out / "recording.h5", std::ios::trunc) << "no HDF5";
  check_refused(program(run + "5"), "holds a recording that cannot be read");
}

TEST_CASE("a checkpoint of another scene is refused")
{
  const TemporaryFolder folder;
  const std::string file = folder.file("small.json", scene).string();
  const std::string out = (folder.path() / "out").string();
  run_to_end(file, out, "--steps 5");
  const Result result = program("run '" + file + "' -o '" + out + "' --resume --set /mu=0.9");
  check_refused(result, "its checkpoint is of another scene or of other settings");
  CHECK(run_to_end(file, out, "--steps 7 --resume")["steps"] == 7);  // a longer run goes on
}
