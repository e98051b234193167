// tact plot, and the log of steps that it reads.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <files/temporary_folder.hpp>
#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/run/step_log.hpp>

#include "run_program.hpp"

using namespace tact;
using namespace tact::cli;

TEST_CASE("the log of steps has one line a step and a resumed run goes on with it")
{
  const TemporaryFolder folder;
  const std::string run =
      fmt::format("run block-on-slope -o '{}' --steps ", folder.path().string());
  REQUIRE(program(run + "20").code == done);
  REQUIRE(program(run + "50 --resume").code == done);
  const std::vector<LoggedStep> steps = read_step_log(folder.path() / "steps.csv");
  REQUIRE(steps.size() == 50);
  for (int k = 0; k < 50; ++k) CHECK(steps[k].step == k + 1);
  CHECK(steps.back().contacts > 0);
  CHECK(steps.back().phases.solve > 0.0);
  CHECK(steps.back().kinetic >= 0.0);
  CHECK(steps.back().unconverged == 0);
  CHECK(steps.back().momentum_loss < 1e-6);
  CHECK(steps.back().potential <= steps.front().potential);
}

TEST_CASE("a resumed run drops lines after its checkpoint and one that was cut off")
{
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "steps.csv";
  StepLog log(file);
  log.start();
  for (int k = 1; k <= 5; ++k) log.add({.step = k, .t = 0.1 * k, .contacts = 7, .phases = {}});
  log.commit();
  write_text(file, fmt::format("{}6,0.6,7", read_text(file)));
  CHECK(read_step_log(file).size() == 5);
  log.go_on_after(3);
  const LoggedStep told{.step = 4,
                        .t = 0.4,
                        .contacts = 9,
                        .unconverged = 2,
                        .cut = 1,
                        .kinetic = 0.125,
                        .potential = -3.5,
                        .momentum_loss = 0.25,
                        .energy_gain = 1e-3,
                        .phases = {}};
  log.add(told);
  log.commit();
  const std::vector<LoggedStep> steps = read_step_log(file);
  REQUIRE(steps.size() == 4);
  CHECK(steps[3].unconverged == told.unconverged);
  CHECK(steps[3].cut == told.cut);
  CHECK(steps[3].kinetic == told.kinetic);
  CHECK(steps[3].potential == told.potential);
  CHECK(steps[3].momentum_loss == told.momentum_loss);
  CHECK(steps[3].energy_gain == told.energy_gain);
  CHECK(steps[2].contacts == 7);
  CHECK(steps[3].contacts == 9);
  write_text(file, "something else\n");
  CHECK_THROWS_AS((void)read_step_log(file), Error);
}

TEST_CASE("plot draws each chart of a run and says what it does not know")
{
  const TemporaryFolder folder;
  const std::string dir = fmt::format("'{}'", folder.path().string());
  REQUIRE(program("run block-on-slope --steps 30 -o " + dir).code == done);
  for (const std::string what : {"residual", "contacts", "energy", "phases", "forces"}) {
    CHECK(program(fmt::format("plot {} {}", dir, what)).code == done);
    const std::string svg = read_text(folder.path() / (what + ".svg"));
    CHECK(svg.find("<svg") != std::string::npos);
    CHECK(svg.find("time, s") != std::string::npos);
  }
  CHECK(read_text(folder.path() / "forces.svg").find("block and ") != std::string::npos);
  const Result wrong = program("plot " + dir + " phase");
  CHECK(wrong.code == wrong_input);
  CHECK(wrong.err.find("did you mean \"phases\"") != std::string::npos);
  CHECK(program("plot " + dir + "/nothing residual").code == wrong_input);
}
