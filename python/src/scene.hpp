// Scenes, as Python hands them in: a name, a file, or a dict.
#pragma once

#include <memory>
#include <string>

#include <pybind11/pybind11.h>

#include <tact/setup/scene_builder.hpp>

namespace tact::python {

// `changes` are {"/json/pointer": value}, or None; meshes of a dict are looked for in `folder`.
std::shared_ptr<const Scene> make_scene(const pybind11::object& source,
                                        const pybind11::object& changes, const std::string& folder);

}  // namespace tact::python
