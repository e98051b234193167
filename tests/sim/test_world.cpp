#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/sim/world.hpp>

#include "worlds.hpp"

using namespace tact;
using namespace tact::test;

TEST_CASE("bodies that springs or pins join form one component, others one each")
{
  WorldBuilder builder;
  const int a = builder.add(box("a", {0.0, 0.0, 0.0}));
  const int ground = builder.add(turntable("ground", 0.0));
  const int b = builder.add(box("b", {1.0, 0.0, 0.0}));
  const int c = builder.add(box("c", {2.0, 0.0, 0.0}));
  builder.add(Spring{.a = {.body = a}, .b = {.body = c}, .stiffness = 10.0});
  builder.add(Spring{.a = {.body = b}, .b = {.body = ground}, .stiffness = 10.0});
  const World world = builder.build();

  REQUIRE(world.components().size() == 2);
  CHECK(world.components()[0].bodies == std::vector<int>{a, c});
  CHECK(world.components()[1].bodies == std::vector<int>{b});
  CHECK(world.place(a).node == 0);
  CHECK(world.place(c).node == 2);
  CHECK(world.place(b).node == 4);
  CHECK(world.place(ground).component == -1);
  CHECK(world.v_size() == 18);
  CHECK(world.q_size() == 21);
  CHECK(world.vertex_count() == 32);
  CHECK(world.components()[0].pattern->slot(0, 3) >= 0);  // a's translation, c's rotation
  CHECK(world.find("b") == b);
  CHECK(world.find("d") == -1);
}

TEST_CASE("a vertex pinned to the world is prescribed, one pinned to a body is joined softly")
{
  WorldBuilder builder;
  const int cloth = builder.add(sheet("cloth", 5, 0.0));
  const int block = builder.add(box("block", {0.5, 0.0, 0.5}));
  builder.add(Pin{.a = {.body = cloth, .point = {.vertex = 0}}, .b = {.place = {-0.5, 0.0, -0.5}}});
  builder.add(Pin{.a = {.body = block}, .b = {.body = cloth, .point = {.vertex = 24}}});
  const World world = builder.build();
  REQUIRE(world.prescribed().size() == 1);
  CHECK(world.prescribed()[0].node == 0);
  CHECK(world.soft_pins().size() == 1);
  CHECK(world.components().size() == 1);
}

TEST_CASE("joints that cannot be are refused with what is wrong")
{
  WorldBuilder builder;
  const int cloth = builder.add(sheet("cloth", 3, 0.0));
  const int block = builder.add(box("block", {0.0, 1.0, 0.0}));
  const int ground = builder.add(turntable("ground", 0.0));
  const auto complaint = [&](const auto& joint) {
    try {
      builder.add(joint);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(complaint(Spring{.a = {.body = 7}, .b = {}}) ==
        "spring: found body 7, expected one below 3");
  CHECK(complaint(Spring{.a = {.body = cloth, .point = {.vertex = 9}}, .b = {}}) ==
        "spring: found vertex 9 of \"cloth\", expected one below 9");
  CHECK(complaint(Spring{.a = {.body = cloth}, .b = {}}) ==
        "spring: \"cloth\" is cloth and has no axes of its own; name one of its vertices");
  CHECK(complaint(Pin{.a = {.body = ground}, .b = {}}) == "pin: neither end can move");
  CHECK(complaint(Spring{.a = {.body = block}, .b = {.body = block}}) ==
        "spring: both ends are the same point");
  CHECK(complaint(Spring{.a = {.body = block}, .b = {}, .stiffness = -1.0}) ==
        "spring: stiffness is -1, expected a number >= 0");
  CHECK_THROWS_WITH_AS(builder.add(box("block", {0.0, 0.0, 0.0})),
                       "world: two bodies are called \"block\"", Error);
  builder.add(Pin{.a = {.body = block}, .b = {.place = {0.0, 0.0, 0.0}}});
  CHECK_THROWS_WITH_AS(builder.build(),
                       "pin: its ends are 1 m apart at the start, expected at most 1e-06 m; a "
                       "spring joins points at a distance",
                       Error);
}

TEST_CASE("the hash of a state tells any two bits apart")
{
  State state{.step = 3, .t = 0.5, .q = VectorXd::LinSpaced(5, 0.0, 1.0), .v = VectorXd::Zero(3)};
  const std::string hash = state_hash(state);
  CHECK(hash.size() == 16);
  CHECK(state_hash(State(state)) == hash);
  State other = state;
  other.v[1] = -0.0;  // equal as a number, not as bits
  CHECK(state_hash(other) != hash);
  other = state;
  other.q[2] = std::nextafter(other.q[2], 1.0);
  CHECK(state_hash(other) != hash);
  other = state;
  other.step = 4;
  CHECK(state_hash(other) != hash);
}
