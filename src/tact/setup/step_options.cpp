#include <tact/setup/step_options.hpp>

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/solvers/solvers.hpp>

namespace tact {
namespace {

// The way to the sides that a solver of the table stands for.
std::optional<NonconvexMethod> way_of_solver(std::string_view solver)
{
  if (solver == "side-selection") return NonconvexMethod::selection;
  if (solver == "union-max") return NonconvexMethod::max_form;
  if (solver == "union-sum") return NonconvexMethod::sum_form;
  return std::nullopt;
}

std::optional<NonconvexMethod> way_of_name(std::string_view name)
{
  for (const NonconvexMethod method :
       {NonconvexMethod::selection, NonconvexMethod::max_form, NonconvexMethod::sum_form})
    if (name == tact::name(method)) return method;
  return std::nullopt;
}

// Who solves, and how sides at sharp corners are found. A solver of unions asks for sides; the
// convex problems are then for `auto`.
void set_method(const RunOptions& run, ContactStepOptions& options)
{
  options.nonconvex = way_of_name(run.nonconvex);
  const std::optional<NonconvexMethod> way = way_of_solver(run.contact.solver);
  if (!way) {
    options.method = run.contact.solver;
    return;
  }
  if (options.nonconvex && options.nonconvex != way)
    throw Error(fmt::format(
        "/nonconvex: found \"{}\" with the solver \"{}\", which finds sides in another way",
        run.nonconvex, run.contact.solver));
  options.nonconvex = way;
}

// Of a step of the scene, whether the bodies of a component can be parts of an island for the
// method.
bool takes(const ContactMethod& method, const Scene& scene, const Component& component)
{
  if (method.takes == Takes::all_bodies) return true;
  const Body& body = scene.world.body(component.bodies.front());
  const bool nodes_are_free = scene.run.integrator == "explicit";
  if (body.deforms()) return nodes_are_free && method.takes == Takes::rigid_bodies_and_nodes;
  return component.bodies.size() == 1;
}

std::string friction_not_taken(const ContactMethod& method, const RunOptions& run,
                               const FrictionSettings& friction)
{
  if (method.guide.friction == "cone" && run.contact.friction == "pyramid")
    return "its friction is the round cone, and /contact/friction is \"pyramid\"";
  if (method.guide.friction == "none" && friction.mu > 0.0)
    return fmt::format("it takes contacts without friction only, and /mu is {:g}", friction.mu);
  return {};
}

// The rows of the first joint that are more than the method takes.
std::string joints_not_taken(const ContactMethod& method, const World& world)
{
  for (const Joint& joint : world.joints()) {
    const bool limited = joint.motion.acts();
    if (method.rows >= (limited ? Rows::limited : Rows::equations)) continue;
    return fmt::format("islands with the joint \"{}\"{}, for {} needs {}", joint.name,
                       limited ? ", which has a range, friction or a motor" : "", method.name,
                       method.guide.needs);
  }
  return {};
}

}  // namespace

std::string not_taken(const Scene& scene)
{
  const ContactMethod* method = contact_method(scene.run.contact.solver);
  if (!method) return {};
  const std::string friction = friction_not_taken(*method, scene.run, scene.friction);
  if (!friction.empty())
    return fmt::format("auto solves what {} does not take: {}", method->name, friction);
  const std::string joints = joints_not_taken(*method, scene.world);
  if (!joints.empty())
    return fmt::format("auto solves what {} does not take: {}", method->name, joints);
  for (const Component& component : scene.world.components()) {
    if (takes(*method, scene, component)) continue;
    const std::string& name = scene.world.body(component.bodies.front()).name();
    return fmt::format("auto solves what {} does not take: islands with \"{}\", for {} needs {}",
                       method->name, name, method->name, method->guide.needs);
  }
  return {};
}

StepOptions step_options(const RunOptions& run)
{
  const ContactSettings& settings = run.contact;
  StepOptions options;
  if (run.integrator == "explicit") options.integrator = IntegratorKind::semi_implicit_euler;
  set_method(run, options.contact);
  options.contact.delta = settings.delta;
  options.contact.solver.tolerance = settings.tolerance;
  options.contact.solver.law =
      settings.friction == "pyramid" ? FrictionLaw::pyramid : FrictionLaw::disc;
  options.contact.solver.audit = settings.audit;
  options.contact.rows_per_pair = settings.rows_per_pair;
  if (settings.rows_per_pair == 0) options.contact.rows_per_patch = 0;
  options.contact.measure_clearance = true;
  // Free motion is found well below what contacts are solved to.
  options.dynamics.pcg.tolerance = std::clamp(1e-4 * settings.tolerance, 1e-12, 1e-7);
  return options;
}

Stepper make_stepper(const Scene& scene)
{
  return Stepper(scene.world, step_options(scene.run));
}

}  // namespace tact
