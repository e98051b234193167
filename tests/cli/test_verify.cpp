#include <filesystem>
#include <string>
#include <utility>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tact/files/text_file.hpp>
#include <tact/recording/recording.hpp>
#include <tact/recording/recording_writer.hpp>
#include <tact/run/verify.hpp>

#include "run_program.hpp"
#include "tampered_recording.hpp"
#include "verified_run.hpp"

namespace fs = std::filesystem;
using namespace tact;
using namespace tact::cli;
using nlohmann::json;

namespace {

// Bodies of all kinds that touch each other: a cloth falls on a block, a jelly on the ground. Two
// obstacles overlap, which they may.
const std::string all_kinds = R"({
  "dt": 0.005, "time": 0.2, "mu": 0.4,
  "bodies": [
    {"name": "ground", "type": "obstacle", "box": [4, 1, 4], "position": [0, -0.5, 0]},
    {"name": "wall", "type": "obstacle", "box": [1, 4, 4], "position": [-2, 0, 0]},
    {"name": "block", "type": "rigid", "box": [0.2, 0.2, 0.2], "position": [0, 0.102, 0],
     "density": 500},
    {"name": "cloth", "type": "cloth", "grid": {"size": [0.5, 0.5], "vertices": [9, 9]},
     "position": [0.05, 0.24, 0]},
    {"name": "jelly", "type": "soft", "box": [0.1, 0.1, 0.1], "cells": [2, 2, 2],
     "position": [1, 0.06, 0], "young": 1e5}
  ]
})";

// All that a balance of momentum must know of: pins to the world and to what moves by a script,
// springs between bodies, drag, wind, damping; and a pinned vertex that is pushed.
const std::string all_forces = R"({
  "dt": 0.01, "time": 0.5, "wind": [3, 0, 0],
  "bodies": [
    {"name": "ground", "type": "obstacle", "box": [4, 1, 4], "position": [0, -0.5, 0]},
    {"name": "flag", "type": "cloth", "grid": {"size": [0.5, 0.5], "vertices": [9, 9]},
     "position": [0, 0.4, 0], "drag": 0.1},
    {"name": "ball", "type": "rigid", "box": [0.1, 0.1, 0.1], "position": [0, 0.6, 0],
     "density": 300, "velocity": [0, -1, 0]},
    {"name": "weight", "type": "rigid", "box": [0.1, 0.1, 0.1], "position": [1, 0.5, 0],
     "density": 300}
  ],
  "pins": [{"body": "flag", "vertices": [0, 8, 72, 80, 40]}],
  "springs": [{"a": {"body": "weight", "point": [0, 0.05, 0]}, "b": [1, 1, 0],
               "stiffness": 200, "damping": 1}]
})";

int lowest_vertex(const Recording& recording, const std::string& name, int frame)
{
  const std::vector<Vector3d> x = recording.vertices(frame);
  int lowest = -1;
  for (const RecordedBody& body : recording.header().bodies) {
    if (body.name != name) continue;
    for (int i = body.first_vertex; i < body.first_vertex + body.vertex_count; ++i)
      if (lowest < 0 || x[i].y() < x[lowest].y()) lowest = i;
  }
  return lowest;
}

void check_found(const Run& run, int frame, const std::string& words)
{
  const Result result = run.verify();
  CAPTURE(result.err);
  CHECK(result.code == not_reached);
  CHECK(result.err.find("frame " + std::to_string(frame) + ": ") != std::string::npos);
  CHECK(result.err.find(words) != std::string::npos);
  CHECK(result.out.ends_with("not ok\n"));
}

}  // namespace

TEST_CASE("verify: recordings of explicit steps hold with pins and springs and solvers of regions" *
          doctest::test_suite("slow"))
{
  for (const std::string& scene : {all_kinds, all_forces})
    for (const char* solver : {"auto", "pcg-pgs", "pgs", "nncg", "apgd"}) {
      CAPTURE(solver);
      const Run run(scene, {"--set", "/integrator=explicit", "/contact/audit=0.1", "--dt", "0.002",
                            "--solver", solver, "--every", "5"});
      const Result result = run.verify({"--json"});
      CAPTURE(result.err);
      CHECK(result.code == done);
      const json report = json::parse(read_text(run.out() / "report.json"));
      CHECK(report.at("substeps") ==
            report.at("steps").get<int>() * report.at("substeps_max").get<int>());
      CHECK(report.contains("audit") == (std::string(solver) != "auto"));
    }
}

TEST_CASE("verify: a recording of all kinds of bodies holds, and the keys are those of scripts")
{
  const Run run(all_kinds);
  const Result result = run.verify({"--json"});
  CAPTURE(result.err);
  CAPTURE(result.out);
  REQUIRE(result.code == done);
  CHECK(result.err.empty());
  const auto verdict = nlohmann::ordered_json::parse(result.out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : verdict.items()) keys.push_back(key);
  keys.resize(6);
  CHECK(keys == std::vector<std::string>{"frames", "triangles_max", "intersecting_pairs",
                                         "residual_max", "momentum_error_max", "ok"});
  CHECK(verdict["frames"] == 41);
  // Three boxes of 12, a grid of 8 x 8 squares, and 6 sides of 2 x 2 squares.
  CHECK(verdict["triangles_max"] == 36 + 128 + 48);
  CHECK(verdict["intersecting_pairs"] == 0);
  CHECK(verdict["residual_max"].get<double>() < 2e-3);        // twice the solver's tolerance
  CHECK(verdict["momentum_error_max"].get<double>() < 1e-9);  // small bodies are solved exactly
  CHECK(verdict["ok"] == true);
  CHECK(verdict["contacts"].get<int>() > 40);
  CHECK(verdict["finished"] == true);
  CHECK(verdict["clearance_min"].get<double>() > 0.0);
  const json report = json::parse(read_text(run.out() / "report.json"));
  CHECK(report["momentum_error_max"].get<double>() == verdict["momentum_error_max"].get<double>());
}

TEST_CASE("verify: pins, springs, wind and damping are part of the balance of momentum")
{
  const Run run(all_forces, {"--every", "3"});
  const Result result = run.verify({"--json"});
  CAPTURE(result.err);
  REQUIRE(result.code == done);
  const json verdict = json::parse(result.out);
  CHECK(verdict["frames"] == 17);
  CHECK(verdict["contacts"].get<int>() > 10);
  CHECK(verdict["momentum_error_max"].get<double>() < 1e-8);
  // The world holds the flag and the weight; the ball is free until it touches.
  const Recording recording = Recording::open(run.out());
  const Frame first = recording.frame(1);
  CHECK(first.momentum[1].other.norm() > 1e-4);
  CHECK(first.momentum[2].other.norm() < 1e-12);
  CHECK(first.momentum[3].other.norm() > 1e-3);
}

TEST_CASE("verify: the verdict does not depend on the number of threads")
{
  const Run run(all_kinds);
  json one = json::parse(run.verify({"--json", "--threads", "1"}).out);
  json two = json::parse(run.verify({"--json", "--threads", "2"}).out);
  one.erase("seconds");
  two.erase("seconds");
  CHECK(one == two);
}

TEST_CASE("verify finds a planted intersection and names frame and bodies")
{
  const Run run(all_kinds);
  const int lowest = lowest_vertex(Recording::open(run.out()), "block", 30);
  // A corner of the block, 1 cm into the ground.
  tamper_number(run.recording(), frame_path(30) + "/vertices",
                3 * static_cast<std::size_t>(lowest) + 1, [](double y) { return y - 0.01; });
  check_found(run, 30, "\"ground\" and \"block\" intersect");
  const json verdict = json::parse(run.verify({"--json"}).out);
  CHECK(verdict["ok"] == false);
  CHECK(verdict["intersecting_pairs"].get<int>() > 0);
  CHECK(verdict["findings"][0]["frame"] == 30);
}

TEST_CASE("verify finds a cloth that was folded through itself")
{
  const Run run(all_kinds);
  const RecordedBody cloth = Recording::open(run.out()).header().bodies[3];
  // A corner, drawn across to the other side below the cloth, and the middle, drawn down through
  // it.
  const auto corner = 3 * static_cast<std::size_t>(cloth.first_vertex);
  const std::string vertices = frame_path(1) + "/vertices";
  tamper_number(run.recording(), vertices, corner, [](double x) { return x + 0.4; });
  tamper_number(run.recording(), vertices, corner + 1, [](double y) { return y - 0.01; });
  tamper_number(run.recording(), vertices, corner + 2, [](double z) { return z + 0.4; });
  tamper_number(run.recording(), vertices, corner + 3 * 40 + 1, [](double y) { return y - 0.03; });
  check_found(run, 1, "\"cloth\" and itself intersect");
}

TEST_CASE("verify finds an impulse, a velocity or a mass that is not what it was")
{
  struct Tampering {
    const char* what;
    const char* words;
    std::function<void(const Run&, int)> change;
  };
  const auto column = [](const char* name) {
    return [name](const Run& run, int k) {
      tamper_column(run.recording(), frame_path(k) + "/contacts", name,
                    [](double x) { return x + 1e-3; });
    };
  };
  const std::vector<Tampering> tamperings = {
      {"normal impulse", "is out of balance", column("normal_impulse")},
      {"friction impulse", "is out of balance", column("friction_impulse")},
      {"velocity of a contact", "residual of its contacts", column("velocity")},
      {"gap", "its gap is recorded as", column("gap")},
      {"point", "m from where its vertices put it", column("point")},
      {"weights", "its weights sum to", column("weights")},
      {"normal", "not at right angles", column("normal")},
      {"v", "the momentum of \"block\" is out of balance",
       [](const Run& run, int k) {
         tamper_number(run.recording(), frame_path(k) + "/v", 1, [](double x) { return x + 1e-9; });
       }},
      {"mass", "is out of balance", [](const Run& run, int) {
         tamper_number(run.recording(), "/bodies/00002/masses", 0,
                       [](double m) { return m * (1.0 + 1e-6); });
       }}};
  const Run run(all_kinds, {"--steps", "30"});
  for (const Tampering& tampering : tamperings) {
    CAPTURE(tampering.what);
    run.restore();
    const int frame = tampering.what == std::string("mass") ? 1 : run.touching_frame();
    tampering.change(run, frame);
    check_found(run, frame, tampering.words);
  }
}

TEST_CASE("verify finds a certificate that claims another residual")
{
  const Run run(all_kinds, {"--steps", "30"});
  for (const std::string claim :
       {"residual", "natural", "natural_max", "cone_violation", "body_momentum_error"}) {
    CAPTURE(claim);
    run.restore();
    const int frame = run.touching_frame();
    tamper_certificate(run.recording(), frame, claim, [](double x) { return 0.5 * x + 1e-7; });
    check_found(run, frame, "its certificate says");
  }
}

TEST_CASE("verify judges whether what was asked for holds, in the words of the run")
{
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  // Below what doubles can hold: every solve with contacts misses it.
  const Result run =
      in_process({"run", folder.file("scene.json", all_kinds).string(), "-o", out.string(),
                  "--tolerance", "1e-17", "--every", "4", "--steps", "40"});
  CHECK(run.code == not_reached);
  const json report = json::parse(read_text(out / "report.json"));
  CHECK(report["finished"] == true);
  CHECK(report["unconverged"].get<int>() > 0);
  const std::string miss = report["missed"];
  CAPTURE(miss);
  CHECK(run.err == "tact: " + miss + "\n");
  CHECK(miss.find(fmt::format("missed its tolerance in {} of {} solves",
                              report["unconverged"].get<int>(), report["solves"].get<int>())) !=
        std::string::npos);
  CHECK(miss.find("asked: 1e-17 m/s") != std::string::npos);
  CHECK(miss.find("first in step ") != std::string::npos);

  const Result verdict = in_process({"verify", out.string(), "--json"});
  CHECK(verdict.code == not_reached);
  CHECK(verdict.err.find(miss) != std::string::npos);
  const json judged = json::parse(verdict.out);
  CHECK(judged["ok"] == false);
  for (const char* key :
       {"unconverged", "cut_steps", "halvings", "momentum_loss_max", "energy_gain_max",
        "clearance_min", "islands_max", "island_contacts_max", "steps", "solves", "tolerance"})
    CHECK_MESSAGE(judged[key] == report[key], key);
  int found = 0;
  for (const json& finding : judged["findings"])
    found += finding["text"].get<std::string>().find("missed its tolerance") != std::string::npos;
  CHECK(found > 0);
}

TEST_CASE("verify finds what the record itself says is not good")
{
  const Run run(all_kinds, {"--steps", "30"});
  const int frame = run.touching_frame();
  SUBCASE("a residual above the tolerance")
  {
    set_root_attribute(run.recording(), "tolerance", H5T_NATIVE_DOUBLE, 1e-18);
    check_found(run, 1, "The laws of contact and motion hold to");  // things touch from the start
  }
  SUBCASE("a solve that missed it, in a step that was not recorded")
  {
    tamper_attribute<std::int64_t>(run.recording(), frame, "account", "unconverged",
                                   [](double) { return 2.0; });
    check_found(run, frame, "The solver missed its tolerance in 2");
  }
  SUBCASE("a step that the last resort ended")
  {
    tamper_attribute<std::int64_t>(run.recording(), frame, "account", "cut_steps",
                                   [](double) { return 1.0; });
    tamper_attribute<double>(run.recording(), frame, "account", "momentum_loss_max",
                             [](double) { return 0.25; });
    check_found(run, frame,
                "The last resort had to end 1 of 1 step; a step lost up to 0.25 of the momentum");
  }
}

TEST_CASE("verify looks at the momentum of frames that were cut, and tells the largest error")
{
  const Run run(all_kinds, {"--steps", "30"});
  const Recording recording = Recording::open(run.out());
  const RecordingHeader& header = recording.header();
  const int k = run.touching_frame();
  Frame frame = recording.frame(k);
  REQUIRE(verify_frame(header, k, frame).ok());
  // As a last resort would leave it: the block goes off at 1 m/s, and the record says so.
  const std::size_t block = 2;
  frame.v[header.bodies[block].v_first] += 1.0;
  frame.certificate.cut = 1;
  frame.account.cut_steps = 1;
  const std::vector<MomentumCheck> checks = check_momentum(header, frame);
  frame.momentum[block].left = checks[block].left;
  frame.certificate.body_momentum_error = checks[block].error();
  CHECK(checks[block].error() > 0.5);
  const VerifyReport report = verify_frame(header, k, frame);
  CHECK(report.momentum_error_max == doctest::Approx(checks[block].error()));
  CHECK(report.momentum_left_max == doctest::Approx(1.0).epsilon(1e-6));
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[0].text.find("the momentum of \"block\" is out of balance") !=
        std::string::npos);
  CHECK(report.findings[1].text.find("The last resort had to end") != std::string::npos);
}

TEST_CASE("verify: what a solver was allowed to leave is no finding where nearly nothing acts")
{
  const Run run(all_kinds, {"--steps", "1"});
  const Recording recording = Recording::open(run.out());
  RecordingHeader header = recording.header();
  Frame frame = recording.frame(1);
  header.gravity.setZero();
  frame.v.setZero();
  frame.contacts.clear();
  frame.certificate = {};
  frame.account = {.steps = 1};
  for (MomentumBalance& balance : frame.momentum) balance = {};
  const std::size_t block = 2;
  // Of what was asked for; `held`: what the judge divides by, over the body's own mass. What drags
  // or holds it counts.
  for (const auto& both : {std::pair{0.5, 1.0}, {2.0, 1.0}, {2.0, 3.0}, {4.0, 3.0}}) {
    const double speed = both.first, held = both.second;
    CAPTURE(speed);
    CAPTURE(held);
    const double left = speed * *header.tolerance;
    frame.v[header.bodies[block].v_first] = left;
    frame.momentum[block].mass = held * header.bodies[block].mass();
    const std::vector<MomentumCheck> checks = check_momentum(header, frame);
    frame.momentum[block].left = checks[block].left;
    frame.certificate.body_momentum_error = checks[block].error();
    CHECK(checks[block].error() > 0.9);  // all that there is
    CHECK(verify_frame(header, 1, frame).ok() == (speed < held));
  }
}

TEST_CASE("verify reads recordings of an older tact and says what is not recorded")
{
  const Run run(all_kinds, {"--steps", "10"});
  make_format_2(run.recording(), 11);
  const Result told = run.verify();
  CAPTURE(told.err);
  CHECK(told.code == done);
  CHECK(told.out.find("not recorded") != std::string::npos);
  const json verdict = json::parse(run.verify({"--json"}).out);
  CHECK(verdict["ok"] == true);
  for (const char* key : {"unconverged", "cut_steps", "momentum_loss_max", "tolerance"})
    CHECK_MESSAGE(verdict[key].is_null(), key);
  // What its certificates tell is judged all the same.
  tamper_attribute<std::int32_t>(run.recording(), 7, "certificate", "unconverged",
                                 [](double) { return 1.0; });
  check_found(run, 7, "The solver missed its tolerance in 1 solve ");
}

TEST_CASE("verify tells frames that are missing, damaged or out of order, and judges the others")
{
  const Run run(all_kinds, {"--steps", "10"});
  SUBCASE("missing")
  {
    delete_object(run.recording(), frame_path(5));
    check_found(run, 5, "is damaged or missing");
  }
  SUBCASE("without its contacts")
  {
    delete_object(run.recording(), frame_path(5) + "/contacts");
    check_found(run, 5, "damaged or missing");
  }
  SUBCASE("of another time")
  {
    tamper_number(run.recording(), "/t", 5, [](double t) { return t + 1e-3; });
    check_found(run, 5, "the list of frames says");
  }
  CHECK(json::parse(run.verify({"--json"}).out)["frames"] == 11);
}

TEST_CASE("verify judges a run that has not ended, and finds the segment that is damaged")
{
  const Run run(all_kinds, {"--steps", "10"});
  {
    // As a run leaves it that is killed after its second commit.
    const Frame next = Recording::open(run.out()).frame(6);
    RecordingWriter writer = RecordingWriter::resume(run.out(), 6);
    writer.append(next);
    writer.commit();
  }
  const Result good = run.verify({"--json"});
  CAPTURE(good.err);
  CHECK(good.code == done);
  const json verdict = json::parse(good.out);
  CHECK(verdict["finished"] == false);
  CHECK(verdict["frames"] == 7);
  fs::resize_file(run.out() / "segments" / "00001.h5", 500);
  check_found(run, 6, "segments/00001.h5");
}

TEST_CASE("verify refuses what is no recording, in one line")
{
  const TemporaryFolder folder;
  check_refused(in_process({"verify"}), "no recording given");
  check_refused(in_process({"verify", folder.path().string()}), "holds no recording");
  check_refused(in_process({"verify", (folder.path() / "absent").string()}), "no such folder");
  const Run run(all_kinds, {"--steps", "2"});
  fs::resize_file(run.recording(), fs::file_size(run.recording()) - 100);
  check_refused(run.verify(), "damaged");
  check_refused(run.verify({"--threads", "0"}), "--threads");
}
