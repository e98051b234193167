// A scene in the hands of a program: copies and saved states go on with the same bits.
#include <limits>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/run/simulation.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/sim/state.hpp>

using namespace tact;

namespace {

// A box and a cloth that fall onto the ground.
std::shared_ptr<const Scene> falling_scene(const std::string& more = "")
{
  const std::string text = R"({"dt": 0.005, "mu": 0.5, "bodies": [
    {"name": "ground", "type": "obstacle", "ground": 2},
    {"name": "box", "type": "rigid", "box": [0.1, 0.1, 0.1], "mass": 0.5,
     "position": [0, 0.051, 0]},
    {"name": "sheet", "type": "cloth", "grid": {"size": [0.3, 0.3], "vertices": [9, 9]},
     "position": [0, 0.13, 0]}])" +
                           more + "}";
  return std::make_shared<const Scene>(build_scene(read_scene_text("falling.json", text)));
}

void take_steps(Simulation& simulation, int count)
{
  for (int k = 0; k < count; ++k) (void)simulation.step();
}

}  // namespace

TEST_CASE("a simulation steps as a stepper does, in vectors that stay where they are")
{
  const std::shared_ptr<const Scene> scene = falling_scene();
  Simulation simulation(scene);
  const double* q = simulation.state().q.data();
  const double* v = simulation.state().v.data();
  Stepper stepper(scene->world, step_options(scene->run));
  State state = scene->state;
  for (int k = 0; k < 30; ++k) {
    (void)stepper.step(state, scene->run.dt);
    (void)simulation.step();
    REQUIRE(state_hash(simulation.state()) == state_hash(state));
  }
  CHECK(simulation.state().q.data() == q);
  CHECK(simulation.state().v.data() == v);
  CHECK_FALSE(simulation.frame()->contacts.empty());
}

TEST_CASE("copies and saved states go on with the same bits, and leave the other alone")
{
  Simulation simulation(falling_scene());
  take_steps(simulation, 25);
  const std::string saved = simulation.save();
  Simulation copy(simulation);
  CHECK(copy.frame()->contacts == simulation.frame()->contacts);
  const std::string before = state_hash(simulation.state());
  take_steps(copy, 20);
  CHECK(state_hash(simulation.state()) == before);
  take_steps(simulation, 20);
  const std::string after = state_hash(simulation.state());
  CHECK(state_hash(copy.state()) == after);
  copy.load(saved);
  CHECK(state_hash(copy.state()) == before);
  CHECK(copy.frame()->contacts.empty());
  CHECK(copy.last() == nullptr);
  take_steps(copy, 20);
  CHECK(state_hash(copy.state()) == after);
  copy.reset();
  CHECK(state_hash(copy.state()) == state_hash(copy.scene().state));
}

TEST_CASE("states that are damaged or of another scene are refused, and change nothing")
{
  Simulation simulation(falling_scene());
  take_steps(simulation, 10);
  const std::string saved = simulation.save();
  take_steps(simulation, 1);
  const std::string before = state_hash(simulation.state());
  for (std::size_t at = 0; at < saved.size(); at += 97) {
    std::string damaged = saved;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    CHECK_THROWS_AS(simulation.load(damaged), Error);
  }
  CHECK_THROWS_AS(simulation.load(saved.substr(0, saved.size() - 1)), Error);
  CHECK_THROWS_AS(simulation.load({}), Error);
  Simulation other(falling_scene(R"(, "wind": [1, 0, 0])"));
  CHECK_THROWS_WITH_AS(other.load(saved), "load: found a state of another scene", Error);
  CHECK(state_hash(simulation.state()) == before);
}

TEST_CASE("velocities of a body are set whole and finite, or not at all")
{
  Simulation simulation(falling_scene());
  const int box = simulation.world().find("box");
  VectorXd v = VectorXd::Zero(6);
  v[0] = 1.0;
  simulation.set_velocities(box, v);
  CHECK(simulation.world().v(simulation.state(), box) == v);
  CHECK_THROWS_AS(simulation.set_velocities(box, VectorXd::Zero(3)), Error);
  v[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(simulation.set_velocities(box, v), Error);
  CHECK(simulation.state().v.allFinite());
  CHECK_THROWS_AS(simulation.step(2.0), Error);
}
