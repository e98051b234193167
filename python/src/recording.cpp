// Recordings as Python objects: frames are read when they are asked for.
#include <tact/recording/recording.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <tact/core/error.hpp>

#include "arrays.hpp"
#include "bindings.hpp"

namespace tact::python {
namespace {

using namespace pybind11::literals;

using RecordingPointer = std::shared_ptr<const Recording>;

struct FrameObject {
  RecordingPointer recording;
  std::shared_ptr<const Frame> frame;
};

RecordingPointer open_recording(const py::object& folder)
{
  const auto name = py::cast<std::string>(py::module_::import("os").attr("fspath")(folder));
  return std::make_shared<const Recording>(Recording::open(name));
}

const RecordedBody& recorded_body(const Recording& recording, const std::string& name)
{
  std::vector<std::string> names;
  for (const RecordedBody& body : recording.header().bodies) {
    if (body.name == name) return body;
    names.push_back(body.name);
  }
  throw Error(fmt::format("{}: found the body \"{}\", expected one of the recording{}",
                          recording.file().string(), name, did_you_mean(name, names)));
}

// As in a list of Python: -1 is the last.
int frame_number(const Recording& recording, int k)
{
  const int count = recording.frame_count();
  const int number = k < 0 ? k + count : k;
  if (number < 0 || number >= count)
    throw py::index_error(fmt::format("found frame {}, expected one of {}", k, count));
  return number;
}

std::span<const Vector3d> part_of(const std::vector<Vector3d>& vertices, const RecordedBody& body)
{
  return std::span(vertices).subspan(static_cast<std::size_t>(body.first_vertex),
                                     static_cast<std::size_t>(body.vertex_count));
}

py::array read_vertices(const RecordingPointer& recording, int k, const std::string& name)
{
  const RecordedBody& body = recorded_body(*recording, name);
  const std::vector<Vector3d> all = recording->vertices(frame_number(*recording, k));
  const std::span<const Vector3d> part = part_of(all, body);
  py::array_t<double> places({static_cast<py::ssize_t>(part.size()), py::ssize_t{3}});
  std::ranges::copy(part, reinterpret_cast<Vector3d*>(places.mutable_data()));
  return places;
}

py::dict certificate(const FrameObject& object)
{
  const FrameCertificate& found = object.frame->certificate;
  return py::dict("clearance"_a = found.clearance, "residual"_a = found.residual,
                  "momentum_error"_a = found.momentum_error,
                  "body_momentum_error"_a = found.body_momentum_error,
                  "cone_violation"_a = found.cone_violation, "bilateral"_a = found.bilateral,
                  "passes"_a = found.passes, "halvings"_a = found.halvings, "cut"_a = found.cut,
                  "unconverged"_a = found.unconverged, "contacts"_a = found.contacts,
                  "active"_a = found.active);
}

void bind_frame(py::module_& module)
{
  using F = FrameObject;
  py::class_<F>(module, "Frame", "A frame of a recording.")
      .def_property_readonly(
          "step", [](const F& f) { return f.frame->step; }, "Its number.")
      .def_property_readonly(
          "time", [](const F& f) { return f.frame->t; }, "s.")
      .def(
          "vertices",
          [](const py::object& self, const std::string& body) {
            const F& f = py::cast<const F&>(self);
            return view_of(part_of(f.frame->vertices, recorded_body(*f.recording, body)), self);
          },
          "body"_a, "m, (n, 3): the surface of a body. A view, no copy.")
      .def_property_readonly(
          "contacts", [](const F& f) { return contacts_view(f.frame); }, "As Simulation.contacts.")
      .def_property_readonly(
          "forces", [](const F& f) { return wrench_table(f.recording->header(), *f.frame); },
          "As Simulation.forces.")
      .def_property_readonly(
          "joints", [](const F& f) { return joint_table(f.recording->header(), *f.frame); },
          "As Simulation.joints.")
      .def_property_readonly("certificate", &certificate,
                             "dict: how good the step was that ended here (docs/verify.md).")
      .def("__repr__", [](const F& f) {
        return fmt::format("<tact.Frame of step {}, t = {:g} s>", f.frame->step, f.frame->t);
      });
}

constexpr const char* recording_help =
    R"(What a run left behind, finished or under way: len() frames, each read when it is asked for.

folder  of the run, or the recording.h5 in it)";

}  // namespace

void bind_recording(py::module_& module)
{
  bind_frame(module);
  using R = Recording;
  py::class_<R, std::shared_ptr<R>>(module, "Recording", recording_help)
      .def(py::init([](const py::object& folder) {
             return std::const_pointer_cast<R>(open_recording(folder));
           }),
           "folder"_a)
      .def("__len__", &R::frame_count)
      .def_property_readonly(
          "times", [](const R& r) { return py::array(py::cast(r.times())); }, "s, one a frame.")
      .def_property_readonly(
          "steps", [](const R& r) { return py::array(py::cast(r.steps())); },
          "Numbers of steps, one a frame.")
      .def_property_readonly(
          "scene", [](const R& r) { return r.header().scene; }, "Its name.")
      .def_property_readonly(
          "scene_json", [](const R& r) { return r.header().scene_json; },
          "All of it, every default filled in: Scene(json.loads(...)) makes it again.")
      .def_property_readonly(
          "version", [](const R& r) { return r.header().version; }, "Of tact.")
      .def_property_readonly(
          "dt", [](const R& r) { return r.header().dt; }, "s: of a step.")
      .def_property_readonly("finished", &R::finished, "Whether the run came to its end.")
      .def_property_readonly(
          "bodies",
          [](const R& r) {
            std::vector<std::string> names;
            for (const RecordedBody& body : r.header().bodies) names.push_back(body.name);
            return names;
          },
          "Names of the bodies; contacts tell bodies by their places here.")
      .def(
          "triangles",
          [](const py::object& self, const std::string& body) {
            return view_of(recorded_body(py::cast<const R&>(self), body).triangles, self);
          },
          "body"_a, "(m, 3): of the surface of a body. A view, no copy.")
      .def("_read_vertices", [](const std::shared_ptr<R>& r, int k,
                                const std::string& body) { return read_vertices(r, k, body); })
      .def(
          "__getitem__",
          [](const std::shared_ptr<R>& r, int k) {
            const int number = frame_number(*r, k);
            return FrameObject{r, std::make_shared<const Frame>(r->frame(number))};
          },
          "frame"_a, "Reads a frame; -1 is the last.")
      .def("__repr__", [](const R& r) {
        return fmt::format("<tact.Recording {}: {} frames of {}>", r.file().string(),
                           r.frame_count(), r.header().scene);
      });
}

}  // namespace tact::python
