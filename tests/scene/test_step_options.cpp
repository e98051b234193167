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
