#include "scene.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
#include <tact/scene/built_in_scenes.hpp>
#include <tact/scene/scene_file.hpp>

#include "bindings.hpp"
#include "interrupt.hpp"

namespace tact::python {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;

using Json = nlohmann::json;

// Arrays and numbers of numpy are lists and numbers. `pointer` says where the value is.
Json json_from(const py::handle& value, const std::string& pointer)
{
  if (value.is_none()) return nullptr;
  if (py::isinstance<py::bool_>(value)) return py::cast<bool>(value);
  if (py::isinstance<py::int_>(value)) return py::cast<std::int64_t>(value);
  if (py::isinstance<py::str>(value)) return py::cast<std::string>(value);
  if (py::isinstance<py::float_>(value)) {
    const auto number = py::cast<double>(value);
    if (!std::isfinite(number))
      throw Error(fmt::format("scene: {}: found {}, expected a finite number", pointer, number));
    return number;
  }
  if (py::isinstance<py::dict>(value)) {
    Json object = Json::object();
    for (const auto& [key, entry] : py::reinterpret_borrow<py::dict>(value)) {
      const auto name = py::cast<std::string>(py::str(key));
      object[name] = json_from(entry, fmt::format("{}/{}", pointer, name));
    }
    return object;
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    Json list = Json::array();
    for (const py::handle entry : value)
      list.push_back(json_from(entry, fmt::format("{}/{}", pointer, list.size())));
    return list;
  }
  if (py::hasattr(value, "tolist")) return json_from(value.attr("tolist")(), pointer);
  if (py::hasattr(value, "__fspath__")) return py::cast<std::string>(py::str(value));
  throw py::type_error(fmt::format("scene: {}: found {}, expected what JSON can hold", pointer,
                                   py::cast<std::string>(py::str(py::type::of(value)))));
}

std::vector<std::string> patches_from(const py::object& changes)
{
  std::vector<std::string> patches;
  if (changes.is_none()) return patches;
  for (const auto& [key, value] : py::cast<py::dict>(changes)) {
    const auto pointer = py::cast<std::string>(key);
    patches.push_back(fmt::format("{}={}", pointer, json_from(value, pointer).dump()));
  }
  return patches;
}

SceneDescription read_source(const py::object& source, const std::vector<std::string>& patches,
                             const std::string& folder)
{
  if (py::isinstance<py::dict>(source)) {
    const std::string text = json_from(source, "").dump();
    const auto file = (std::filesystem::path(folder) / "scene").lexically_normal();
    return released([&] { return read_scene_text(file, text, patches); });
  }
  const std::string name = py::cast<std::string>(py::module_::import("os").attr("fspath")(source));
  return released([&] { return read_scene(name, patches); });
}

std::vector<std::string> body_names(const Scene& scene)
{
  std::vector<std::string> names;
  for (int i = 0; i < scene.world.body_count(); ++i) names.push_back(scene.world.body(i).name());
  return names;
}

std::string scene_words(const Scene& scene)
{
  return fmt::format("<tact.Scene {}: {} bodies, {:g} s in steps of {:g} s>", scene.name,
                     scene.world.body_count(), scene.run.time, scene.run.dt);
}

constexpr const char* scene_help =
    R"(A scene: bodies, what joins them, and how to step them (docs/scenes.md tells the keys).

source   the name of a built-in scene (tact.scenes()), a JSON file, or a dict with the same keys,
         in which numbers and arrays of numpy may stand
changes  other values, by JSON pointer: {"/mu": 0.5, "/contact/tolerance": 1e-4}
folder   where the meshes of a dict are looked for

Raises tact.Error, with the place in the scene, for whatever is wrong with it.)";

}  // namespace

std::shared_ptr<const Scene> make_scene(const py::object& source, const py::object& changes,
                                        const std::string& folder)
{
  const SceneDescription description = read_source(source, patches_from(changes), folder);
  return released([&] { return std::make_shared<const Scene>(build_scene(description)); });
}

void bind_scene(py::module_& module)
{
  py::class_<Scene, std::shared_ptr<Scene>>(module, "Scene", scene_help)
      .def(py::init(
               [](const py::object& source, const py::object& changes, const std::string& folder) {
                 return std::const_pointer_cast<Scene>(make_scene(source, changes, folder));
               }),
           "source"_a, "changes"_a = py::none(), "folder"_a = ".")
      .def_readonly("name", &Scene::name, "Its name: that of the file, without its ending.")
      .def_property_readonly(
          "dt", [](const Scene& scene) { return scene.run.dt; }, "s: of a step.")
      .def_property_readonly(
          "duration", [](const Scene& scene) { return scene.run.time; },
          "s: how long it is to be simulated.")
      .def_property_readonly("bodies", &body_names,
                             "Names of the bodies; contacts tell bodies by their places here.")
      .def_readonly("json", &Scene::resolved_json, "All of it as JSON, with every default.")
      .def("__repr__", &scene_words);
  module.def(
      "scenes",
      [] {
        py::dict summaries;
        for (const BuiltInScene& scene : built_in_scenes())
          summaries[py::str(scene.name)] = scene.summary;
        return summaries;
      },
      "The built-in scenes: their names, and a line on each.");
}

}  // namespace tact::python
