#include <type_traits>

#include <doctest/doctest.h>

#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/solvers/solvers.hpp>

#include <files/messages.hpp>

using namespace tact;

namespace {

StepOptions options_with(const std::vector<std::string>& patches)
{
  return step_options(build_scene(read_scene("block-on-slope", patches)).run);
}

}  // namespace

TEST_CASE("a scene chooses how steps are made and who solves their contacts")
{
  const StepOptions plain = options_with({});
  CHECK(plain.integrator == IntegratorKind::implicit_euler);
  CHECK(plain.contact.method == "auto");

  const StepOptions chosen = options_with({"/integrator=explicit", "/contact/solver=pcg-pgs",
                                           "/contact/audit=0.25", "/contact/friction=pyramid"});
  CHECK(chosen.integrator == IntegratorKind::semi_implicit_euler);
  CHECK(chosen.contact.method == "pcg-pgs");
  CHECK(chosen.contact.solver.audit == 0.25);
  CHECK(chosen.contact.solver.law == FrictionLaw::pyramid);
}

TEST_CASE(
    "a stepper of a scene has the scene's contact, integrator and nonconvex, and none without")
{
  static_assert(!std::is_constructible_v<Stepper, const World&>);
  static_assert(!std::is_constructible_v<Stepper, World, StepOptions>);
  const Scene scene = build_scene(
      read_scene("block-on-slope", {"/contact/delta=0.004", "/integrator=explicit",
                                    "/nonconvex=selection", "/contact/friction=pyramid"}));
  Stepper by_scene = make_stepper(scene);
  CHECK(by_scene.contact_distance() == 0.004);

  StepOptions options;  // the same by hand
  options.integrator = IntegratorKind::semi_implicit_euler;
  options.contact.delta = 0.004;
  options.contact.nonconvex = NonconvexMethod::selection;
  options.contact.solver.law = FrictionLaw::pyramid;
  options.contact.rows_per_pair = scene.run.contact.rows_per_pair;
  options.contact.solver.tolerance = scene.run.contact.tolerance;
  Stepper by_hand(scene.world, options), by_default(scene.world, {});
  State from_scene = scene.state, from_hand = scene.state, from_default = scene.state;
  for (int i = 0; i < 40; ++i) {
    by_scene.step(from_scene, scene.run.dt);
    by_hand.step(from_hand, scene.run.dt);
    by_default.step(from_default, scene.run.dt);
  }
  CHECK(from_scene.q == from_hand.q);
  CHECK(from_scene.q != from_default.q);
}

TEST_CASE("a scene that was written out with its choices reads as the same scene")
{
  const SceneDescription scene =
      read_scene("block-on-slope", {"/integrator=explicit", "/contact/audit=0.25"});
  CHECK(scene.resolved.find("\"explicit\"") != std::string::npos);
  CHECK(scene.run.integrator == "explicit");
  CHECK(scene.run.contact.audit == 0.25);
}

TEST_CASE("every method of the table can be named in a scene")
{
  for (const std::string& name : contact_method_names()) {
    CAPTURE(name);
    const StepOptions options = options_with({"/contact/solver=" + name});
    const ContactMethod* method = contact_method(name);
    const bool unions = method && method->unions == Unions::needed;
    CHECK(options.contact.nonconvex.has_value() == unions);
    CHECK(options.contact.method == (unions ? "auto" : name));
  }
}

TEST_CASE("nonconvex names the way to the sides and goes with every solver of convex problems")
{
  CHECK_FALSE(options_with({}).contact.nonconvex.has_value());
  CHECK_FALSE(options_with({"/nonconvex=none"}).contact.nonconvex.has_value());
  CHECK(options_with({"/nonconvex=selection"}).contact.nonconvex == NonconvexMethod::selection);
  CHECK(options_with({"/nonconvex=max"}).contact.nonconvex == NonconvexMethod::max_form);
  CHECK(options_with({"/nonconvex=sum"}).contact.nonconvex == NonconvexMethod::sum_form);
  CHECK(options_with({"/nonconvex=sum", "/contact/solver=pgs"}).contact.method == "pgs");
  CHECK(options_with({"/nonconvex=sum", "/contact/solver=union-sum"}).contact.nonconvex ==
        NonconvexMethod::sum_form);
  const std::string message = message_of([] {
    (void)options_with({"/nonconvex=max", "/contact/solver=union-sum"});
  });
  CHECK(message.find("/nonconvex: found \"max\"") != std::string::npos);
  CHECK(message.find("union-sum") != std::string::npos);
}
