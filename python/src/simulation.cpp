// A simulation as a Python object.
#include <tact/run/simulation.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <tact/core/error.hpp>
#include <tact/sim/state.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interrupt.hpp"
#include "problem_object.hpp"
#include "scene.hpp"

namespace tact::python {
namespace {

using namespace pybind11::literals;

// One thread at a time: others are told, not made to wait.
class SimulationObject {
 public:
  explicit SimulationObject(const std::shared_ptr<const Scene>& scene)
      : simulation_(scene, TACT_VERSION)
  {
  }
  SimulationObject(const SimulationObject& other) : simulation_(other.idle()) {}
  SimulationObject& operator=(const SimulationObject&) = delete;

  Simulation& idle() { return *checked(&simulation_); }
  const Simulation& idle() const { return *checked(&simulation_); }

  StepReport step(double dt, int steps)
  {
    if (steps < 1) throw Error(fmt::format("step: found {} steps, expected 1 or more", steps));
    const Busy busy(*this);
    for (int k = 0; k < steps; ++k) {
      handle_signals();  // a signal may have come when no step was there to be stopped
      released([&] { simulation_.step(dt); });
    }
    return simulation_.report();
  }

  int body(const std::string& name) const
  {
    const World& world = idle().world();
    const int found = world.find(name);
    if (found >= 0) return found;
    std::vector<std::string> names;
    for (int i = 0; i < world.body_count(); ++i) names.push_back(world.body(i).name());
    throw Error(fmt::format("found the body \"{}\", expected one of the scene{}", name,
                            did_you_mean(name, names)));
  }

 private:
  class Busy {
   public:
    explicit Busy(SimulationObject& object) : busy_(object.busy_)
    {
      (void)object.idle();
      busy_ = true;
    }
    ~Busy() { busy_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    std::atomic<bool>& busy_;
  };

  template <class S>
  S* checked(S* simulation) const
  {
    if (busy_) throw std::runtime_error("the simulation is being stepped by another thread");
    return simulation;
  }

  Simulation simulation_;
  std::atomic<bool> busy_{false};
};

const SimulationObject& simulation_in(const py::object& self)
{
  return py::cast<const SimulationObject&>(self);
}

const Body& body_named(const SimulationObject& object, const std::string& name)
{
  return object.idle().world().body(object.body(name));
}

void require_kind(bool fits, const Body& body, const char* expected)
{
  if (!fits)
    throw Error(fmt::format("found the {} \"{}\", expected {}", name_of(body.kind()), body.name(),
                            expected));
}

// A body's first entries in q or v: views of the state itself.
py::array part_of_q(const py::object& self, const std::string& name, py::ssize_t first,
                    std::vector<py::ssize_t> shape)
{
  const SimulationObject& object = simulation_in(self);
  const int body = object.body(name);
  const double* q = object.idle().state().q.data() + object.idle().world().place(body).q;
  return view_of(q + first, std::move(shape), self);
}

py::array part_of_v(const py::object& self, const std::string& name, py::ssize_t first,
                    std::vector<py::ssize_t> shape)
{
  const SimulationObject& object = simulation_in(self);
  const int body = object.body(name);
  const double* v = object.idle().state().v.data();
  return view_of(v + 3 * object.idle().world().place(body).node + first, std::move(shape), self);
}

py::ssize_t places_of(const Body& body)
{
  require_kind(body.node_count() > 0, body, "a body that moves; see pose() and vertices()");
  return body.deforms() ? body.node_count() : 1;
}

py::array positions(const py::object& self, const std::string& name)
{
  return part_of_q(self, name, 0, {places_of(body_named(simulation_in(self), name)), 3});
}

py::array velocities(const py::object& self, const std::string& name)
{
  return part_of_v(self, name, 0, {places_of(body_named(simulation_in(self), name)), 3});
}

void require_rigid(const Body& body)
{
  require_kind(body.kind() == BodyKind::rigid, body, "a rigid body");
}

py::array orientation(const py::object& self, const std::string& name)
{
  require_rigid(body_named(simulation_in(self), name));
  return part_of_q(self, name, 3, {4});
}

py::array angular_velocity(const py::object& self, const std::string& name)
{
  require_rigid(body_named(simulation_in(self), name));
  return part_of_v(self, name, 3, {3});
}

void set_velocities(SimulationObject& object, const std::string& name, const Doubles& velocities,
                    const std::optional<Doubles>& angular)
{
  const Body& body = body_named(object, name);
  require_shape(velocities, "velocities", {places_of(body), 3});
  const int number = object.body(name);
  VectorXd v = object.idle().world().v(object.idle().state(), number);
  v.head(velocities.size()) = Eigen::Map<const VectorXd>(velocities.data(), velocities.size());
  if (angular) {
    require_rigid(body);
    require_shape(*angular, "angular", {3});
    v.tail<3>() = Eigen::Map<const Vector3d>(angular->data());
  }
  object.idle().set_velocities(number, v);
}

py::array pose(const SimulationObject& object, const std::string& name)
{
  const Body& body = body_named(object, name);
  const Simulation& simulation = object.idle();
  const auto found =
      body.pose(simulation.state().t, simulation.world().q(simulation.state(), object.body(name)));
  require_kind(found.has_value(), body, "a rigid body or an obstacle");
  Eigen::Matrix<double, 4, 4, Eigen::RowMajor> matrix = found->matrix();
  return py::array_t<double>({4, 4}, matrix.data());
}

py::array vertices(const SimulationObject& object, const std::string& name)
{
  const Body& body = body_named(object, name);
  const Simulation& simulation = object.idle();
  py::array_t<double> places({static_cast<py::ssize_t>(body.vertex_count()), py::ssize_t{3}});
  auto* first = reinterpret_cast<Vector3d*>(places.mutable_data());
  body.place_surface(simulation.state().t,
                     simulation.world().q(simulation.state(), object.body(name)),
                     {first, static_cast<std::size_t>(body.vertex_count())});
  return places;
}

py::array triangles(const py::object& self, const std::string& name)
{
  return view_of(body_named(simulation_in(self), name).triangles(), self);
}

py::object contact_problem(const SimulationObject& object)
{
  const Simulation& simulation = object.idle();
  const StepResult* last = simulation.last();
  if (!last || last->problem.size() + last->problem.bilateral.size() == 0) return py::none();
  const bool pyramid = simulation.scene().run.contact.friction == "pyramid";
  return py::cast(ProblemObject{std::make_shared<const Problem>(
      Problem{.kind = "contact",
              .data = last->problem,
              .warm_start = last->warm_start,
              .law = pyramid ? FrictionLaw::pyramid : FrictionLaw::disc})});
}

void bind_report(py::module_& module)
{
  using R = StepReport;
  py::class_<R>(module, "StepReport", "What a step cost and how good its result is.")
      .def_readonly("contacts", &R::contacts, "In the contact problem of the last pass.")
      .def_readonly("passes", &R::passes, "Of constraint manifold refinement.")
      .def_readonly("halvings", &R::halvings, "Of the step.")
      .def_readonly("cut_steps", &R::cut_steps, "Parts that the last resort had to cut.")
      .def_readonly("unconverged", &R::unconverged, "Solves that missed their tolerance.")
      .def_readonly("residual", &R::residual, "m/s: the shared measure, of what was committed.")
      .def_readonly("momentum_error", &R::momentum_error, "|A v - b - J' lambda| / |b|.")
      .def_readonly("momentum_loss", &R::momentum_loss, "Relative, over what touches.")
      .def_readonly("energy_gain", &R::energy_gain, "J, never negative.")
      .def_readonly("kinetic_energy", &R::kinetic_energy, "J, at the end.")
      .def_readonly("potential_energy", &R::potential_energy, "J, at the end.")
      .def_readonly("joint_gap", &R::joint_gap, "m: how far the worst joint was open.")
      .def_readonly("joint_turn", &R::joint_turn, "rad: the same, turned.")
      .def_readonly("islands", &R::islands, "Of contacts.")
      .def_readonly("clearance", &R::clearance,
                    "m: least distance between surfaces at the end, up to 1.5 of the distance that "
                    "contacts are held at.")
      .def_property_readonly(
          "seconds",
          [](const R& report) {
            const PhaseSeconds& spent = report.seconds;
            return py::dict("dynamics"_a = spent.dynamics, "broad_phase"_a = spent.broad_phase,
                            "narrow_phase"_a = spent.narrow_phase, "solve"_a = spent.solve);
          },
          "s: wall time by phase.")
      .def("__repr__", [](const R& report) {
        return fmt::format("<tact.StepReport {} contacts, {} passes, residual {:.2g} m/s>",
                           report.contacts, report.passes, report.residual);
      });
}

constexpr const char* simulation_help =
    R"(A scene that is stepped.

scene  a Scene, or whatever makes one: a name, a file, a dict

Arrays of the state are read-only views: they show the state of now, however many steps later they
are looked at. Copy what is to stay. A simulation is for one thread at a time; steps release the
lock of the interpreter, so that several simulations can be stepped side by side. Ctrl-C ends a
step within a second; the state is then that before the step.)";

using SimulationClass = py::class_<SimulationObject>;

void bind_state(SimulationClass& simulation)
{
  using S = SimulationObject;
  simulation
      .def_property_readonly(
          "time", [](const S& s) { return s.idle().state().t; }, "s: of the state.")
      .def_property_readonly(
          "steps", [](const S& s) { return s.idle().state().step; }, "Taken since the start.")
      .def_property_readonly(
          "hash", [](const S& s) { return state_hash(s.idle().state()); },
          "Of all bits of the state, as report.json has it.")
      .def("positions", &positions, "body"_a,
           "m, (n, 3): places of the nodes of a cloth or a soft solid (of its tetrahedra), or the\n"
           "centre of mass of a rigid body. A view, no copy.")
      .def("velocities", &velocities, "body"_a, "m/s, (n, 3): of positions(). A view, no copy.")
      .def("orientation", &orientation, "body"_a,
           "Unit quaternion x, y, z, w of a rigid body. A view, no copy.")
      .def("angular_velocity", &angular_velocity, "body"_a,
           "rad/s, in world axes, of a rigid body. A view, no copy.")
      .def("set_velocities", &set_velocities, "body"_a, "velocities"_a, "angular"_a = py::none(),
           "Gives a body other velocities, m/s as velocities() has them; of a rigid body also its\n"
           "angular velocity, rad/s.")
      .def("pose", &pose, "body"_a,
           "(4, 4): from the own axes of a rigid body or an obstacle to the world.")
      .def("vertices", &vertices, "body"_a, "m, (n, 3): the surface, which collides and is seen.")
      .def("triangles", &triangles, "body"_a, "(m, 3): of the surface. A view, no copy.");
}

void bind_contacts(SimulationClass& simulation)
{
  using S = SimulationObject;
  simulation
      .def_property_readonly(
          "contacts", [](const S& s) { return contacts_view(s.idle().frame()); },
          "Structured array of the contacts of the last step that push: body_a, body_b (-1: the\n"
          "world), point, normal (from b to a), gap, mu, normal_impulse and friction_impulse on a\n"
          "(N s), velocity. A view of memory that is its own: it stays as it is.")
      .def_property_readonly(
          "forces", [](const S& s) { return wrench_table(s.idle().header(), *s.idle().frame()); },
          "Structured array of what contacts did to bodies in the last step: body, partner (-1:\n"
          "the world), force (N), torque (N m) about the point `about`. Each touching pair stands\n"
          "there twice, once from each side.")
      .def_property_readonly(
          "joints", [](const S& s) { return joint_table(s.idle().header(), *s.idle().frame()); },
          "Structured array, a row a joint: body_a, body_b, point, force (N) and torque (N m) on\n"
          "b, gap (m) and turn (rad) by which it is open. Empty before the first step.")
      .def_property_readonly(
          "joint_names",
          [](const S& s) {
            std::vector<std::string> names;
            for (const Joint& joint : s.idle().world().joints()) names.push_back(joint.name);
            return names;
          },
          "Names of the rows of joints.")
      .def_property_readonly("problem", &contact_problem,
                             "The contact problem of the last step, for tact.solve(); None where\n"
                             "nothing was near.");
}

}  // namespace

void bind_simulation(py::module_& module)
{
  using S = SimulationObject;
  bind_report(module);
  SimulationClass simulation(module, "Simulation", simulation_help);
  simulation
      .def(py::init([](const py::object& scene) {
             const std::shared_ptr<const Scene> built =
                 py::isinstance<Scene>(scene) ? py::cast<std::shared_ptr<Scene>>(scene)
                                              : make_scene(scene, py::none(), ".");
             return std::make_unique<S>(built);
           }),
           "scene"_a)
      .def_property_readonly(
          "scene",
          [](const S& s) { return std::const_pointer_cast<Scene>(s.idle().shared_scene()); },
          "The Scene.")
      .def(
          "step", &S::step, "dt"_a = 0.0, "steps"_a = 1,
          "Takes steps of dt seconds (0: the scene's own) and reports on the last of them. Raises\n"
          "tact.StepError where one cannot be computed; the state is then that before it.")
      .def_property_readonly(
          "report", [](const S& s) { return s.idle().report(); }, "Of the last step.")
      .def(
          "reset", [](S& s) { s.idle().reset(); }, "Goes back to the start of the scene.")
      .def(
          "save", [](const S& s) { return py::bytes(s.idle().save()); },
          "The state, and all that the next steps depend on, as bytes: what is loaded goes on\n"
          "with the same bits.")
      .def(
          "load", [](S& s, const std::string& bytes) { s.idle().load(bytes); }, "state"_a,
          "Goes on from what save() gave, of this scene.")
      .def(
          "copy", [](const S& s) { return std::make_unique<S>(s); },
          "Another simulation that goes on from here. Both share the scene.")
      .def("__copy__", [](const S& s) { return std::make_unique<S>(s); })
      .def(
          "__deepcopy__", [](const S& s, const py::dict&) { return std::make_unique<S>(s); },
          "memo"_a)
      .def("__repr__", [](const S& s) {
        return fmt::format("<tact.Simulation {}: step {}, t = {:g} s>", s.idle().scene().name,
                           s.idle().state().step, s.idle().state().t);
      });
  bind_state(simulation);
  bind_contacts(simulation);
}

}  // namespace tact::python
