#include <doctest/doctest.h>

#include <tact/scene/scene_builder.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/scene/step_options.hpp>

#include "messages.hpp"

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
  CHECK_FALSE(plain.contact.projected.has_value());

  const StepOptions chosen = options_with({"/integrator=explicit", "/contact/solver=pcg-pgs",
                                           "/contact/audit=0.25", "/contact/friction=pyramid"});
  CHECK(chosen.integrator == IntegratorKind::semi_implicit_euler);
  REQUIRE(chosen.contact.projected.has_value());
  CHECK(chosen.contact.projected->method == ProjectedMethod::pcg_pgs);
  CHECK(chosen.contact.projected->audit == 0.25);
  CHECK(chosen.contact.solver.law == FrictionLaw::pyramid);
}

TEST_CASE("a scene that was written out with its choices reads as the same scene")
{
  const SceneDescription scene =
      read_scene("block-on-slope", {"/integrator=explicit", "/contact/audit=0.25"});
  CHECK(scene.resolved.find("\"explicit\"") != std::string::npos);
  CHECK(scene.run.integrator == "explicit");
  CHECK(scene.run.contact.audit == 0.25);
}

TEST_CASE("solvers that do not step are refused, with those that do")
{
  for (const char* solver : {"mprgp", "full", "lemke-cone"}) {
    const std::string message =
        message_of([&] { (void)options_with({std::string("/contact/solver=") + solver}); });
    CHECK(message.find(solver) != std::string::npos);
    CHECK(message.find("pcg-pgs, pgs, nncg or apgd") != std::string::npos);
  }
}

TEST_CASE("nonconvex names the way to the sides and goes with solvers that know groups")
{
  CHECK_FALSE(options_with({}).contact.nonconvex.has_value());
  CHECK_FALSE(options_with({"/nonconvex=none"}).contact.nonconvex.has_value());
  CHECK(options_with({"/nonconvex=selection"}).contact.nonconvex == NonconvexMethod::selection);
  CHECK(options_with({"/nonconvex=max"}).contact.nonconvex == NonconvexMethod::max_form);
  CHECK(options_with({"/nonconvex=sum"}).contact.nonconvex == NonconvexMethod::sum_form);
  const std::string message = message_of([] {
    (void)options_with({"/nonconvex=max", "/contact/solver=pgs"});
  });
  CHECK(message.find("/nonconvex: found \"max\"") != std::string::npos);
  CHECK(message.find("auto, anticipation, nested or ica") != std::string::npos);
}
