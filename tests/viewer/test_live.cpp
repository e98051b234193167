// A simulation that someone looks at and changes.
#include <atomic>
#include <thread>

#include <doctest/doctest.h>

#include <files/temporary_folder.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/files/contact_io.hpp>
#include <tact/run/run.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/solvers/solvers.hpp>
#include <tact/viewer/live_session.hpp>
#include <tact/viewer/live_simulation.hpp>

namespace tact {
namespace {

Scene small_cloth()
{
  return build_scene(read_scene("falling-cloth", {"/vertices=8"}));
}

Scene slope(double degrees)
{
  return build_scene(
      read_scene("block-on-slope", {"/mu=0.3", "/angle=" + std::to_string(degrees)}));
}

double height(const Frame& frame)
{
  double sum = 0.0;
  for (const Vector3d& vertex : frame.vertices) sum += vertex.y();
  return sum / static_cast<double>(frame.vertices.size());
}

// The frame of the session once `wanted` holds, or null after a long while.
template <class Wanted>
Message wait_for(Session& session, const Wanted& wanted)
{
  const Timer timer;
  while (timer.seconds() < 60.0) {
    if (const Message frame = session.frame({}); frame && wanted(read_message(*frame).head))
      return frame;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return nullptr;
}

TEST_CASE("a simulation that nobody touches goes the way of tact run bit by bit")
{
  LiveSimulation live(small_cloth(), "");
  for (int k = 0; k < 60; ++k) REQUIRE(live.step());
  const Scene scene = small_cloth();
  Stepper stepper = make_stepper(scene);
  State state = scene.world.start();
  for (int k = 0; k < 60; ++k) stepper.step(state, scene.run.dt);
  CHECK(live.frame().q == state.q);
}

TEST_CASE("reset begins again with the same bits")
{
  LiveSimulation live(small_cloth(), "");
  for (int k = 0; k < 90; ++k) REQUIRE(live.step());
  const VectorXd q = live.frame().q;
  live.reset();
  CHECK(live.frame().step == 0);
  for (int k = 0; k < 90; ++k) REQUIRE(live.step());
  CHECK(live.frame().q == q);
}

TEST_CASE("a pulled body hangs g over the square of the rate below the hand" *
          doctest::test_suite("slow"))
{
  // The spring has k = w^2 m with w = 10 rad/s, so that at rest m g = k d gives d = g / 100.
  LiveSimulation live(
      build_scene(read_scene("spinning-bodies", {"/gravity=[0,-9.81,0]", "/spin=0"})), "");
  const World& world = live.scene().world;
  REQUIRE(world.body(0).kind() == BodyKind::rigid);
  const Vector3d hand(0.0, 3.0, 0.0);
  live.pull(Pull{.body = 0, .vertex = 0, .to = hand});
  LiveSettings settings = live.settings();
  settings.dt = 0.02;
  live.change(settings);
  for (int k = 0; k < 500; ++k) REQUIRE(live.step());
  const Vector3d& vertex = live.frame().vertices[world.place(0).vertex];
  CHECK((vertex - hand).norm() ==
        doctest::Approx(0.0981).epsilon(0.25));  // it still swings a little
}

TEST_CASE("a pull moves cloth against its weight and letting go ends that")
{
  LiveSimulation live(small_cloth(), "");
  const double before = height(live.frame());
  const int cloth = live.scene().world.find("cloth");
  REQUIRE(cloth >= 0);
  const int first = live.scene().world.place(cloth).vertex;
  const Vector3d up = live.frame().vertices[first + 30] + Vector3d(0.0, 1.0, 0.0);
  live.pull(Pull{.body = cloth, .vertex = 30, .to = up});
  for (int k = 0; k < 200; ++k) REQUIRE(live.step());
  const double pulled = height(live.frame());
  CHECK(pulled > before + 0.2);
  live.pull(std::nullopt);
  for (int k = 0; k < 60; ++k) REQUIRE(live.step());
  CHECK(height(live.frame()) < pulled);
}

TEST_CASE("friction that is turned up while a block slides brings it to rest")
{
  LiveSimulation live(slope(20.0), "");  // steeper than atan(0.3), 16.7 degrees: it slides
  for (int k = 0; k < 60; ++k) REQUIRE(live.step());
  CHECK(live.frame().v.norm() > 0.05);
  LiveSettings settings = live.settings();
  settings.mu = 0.6;
  live.change(settings);
  for (int k = 0; k < 60; ++k) REQUIRE(live.step());
  CHECK(live.frame().v.norm() < 1e-3);
}

TEST_CASE("every solver that steps leaves the residuals of its last solve")
{
  for (const std::string& solver : contact_method_names()) {
    CAPTURE(solver);
    LiveSimulation live(slope(10.0), "");
    LiveSettings settings = live.settings();
    settings.solver = solver;
    live.change(settings);
    for (int k = 0; k < 20; ++k) REQUIRE(live.step());
    CHECK(live.report().contacts > 0);
    CHECK_FALSE(live.report().history.empty());
    CHECK(live.report().unconverged == 0);
  }
}

TEST_CASE("the saved problem is that of the last step")
{
  const TemporaryFolder folder;
  LiveSimulation live(slope(10.0), "");
  CHECK_THROWS_AS(live.save_problem(folder.path()), Error);  // nothing is in contact yet
  for (int k = 0; k < 5; ++k) REQUIRE(live.step());
  const auto file = live.save_problem(folder.path() / "problems");
  CHECK(file.filename() == "step_000005.json");
  CHECK(read_contact_problem(file).size() == live.problem()->size());
}

TEST_CASE("settings and pulls that cannot be are refused with the reason")
{
  LiveSimulation live(small_cloth(), "");
  for (const double dt : {0.0, -1.0, 2.0, std::nan("")}) {
    LiveSettings settings = live.settings();
    settings.dt = dt;
    CHECK_THROWS_AS(live.change(settings), Error);
  }
  LiveSettings settings = live.settings();
  settings.solver = "lemke";
  CHECK_THROWS_AS(live.change(settings), Error);
  settings = live.settings();
  settings.mu = -0.1;
  CHECK_THROWS_AS(live.change(settings), Error);
  CHECK_THROWS_AS(live.pull(Pull{.body = 99, .vertex = 0}), Error);
  const int ground = live.scene().world.find("ground");
  CHECK_THROWS_AS(live.pull(Pull{.body = ground, .vertex = 0}), Error);
  CHECK(live.step());
}

TEST_CASE("a session runs, pauses, steps, resets and tells what it goes by")
{
  const std::unique_ptr<Session> session = start_live_session(small_cloth(), {});
  const auto send = [&](const nlohmann::json& command) { session->command(command); };
  CHECK(read_message(*session->scene()).head["mode"] == "live");
  send({{"do", "run"}});
  REQUIRE(wait_for(*session, [](const auto& head) { return head["step"] >= 5; }));
  send({{"do", "pause"}});
  const Message paused =
      wait_for(*session, [](const auto& head) { return head["running"] == false; });
  REQUIRE(paused);
  const auto step = read_message(*paused).head["step"].get<int>();
  send({{"do", "step"}});
  CHECK(wait_for(*session, [&](const auto& head) { return head["step"] == step + 1; }));
  send({{"do", "set"}, {"solver", "ica"}, {"dt", 0.001}, {"mu", 0.9}});
  CHECK(wait_for(*session, [](const auto& head) {
    return head["settings"]["solver"] == "ica" && head["settings"]["mu"] == 0.9;
  }));
  send({{"do", "reset"}});
  CHECK(wait_for(*session, [](const auto& head) { return head["step"] == 0; }));
  CHECK_THROWS_AS(send({{"do", "dance"}}), Error);
  CHECK_THROWS_AS(send({{"do", "set"}, {"dt", -1.0}}), Error);
  CHECK_THROWS_AS(send({{"do", "pull"}, {"body", 1}, {"vertex", 1 << 20}, {"to", {0, 0, 0}}}),
                  Error);
}

TEST_CASE("a simulation is held back to the pace that was asked for")
{
  const std::unique_ptr<Session> session = start_live_session(slope(10.0), {});
  session->command({{"do", "set"}, {"speed", 0.5}});
  session->command({{"do", "run"}});
  REQUIRE(wait_for(*session, [](const auto& head) { return head["t"] > 0.0; }));
  const Timer timer;
  REQUIRE(wait_for(*session, [](const auto& head) { return head["t"] >= 0.1; }));
  // 0.1 s at half the pace is 0.2 s; the first steps may have been made before the timer began.
  CHECK(timer.seconds() > 0.1);
}

}  // namespace
}  // namespace tact
