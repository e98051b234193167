// The parts of the module; each adds its classes and functions. The order matters where one names
// the types of another.
#pragma once

#include <pybind11/pybind11.h>

namespace tact::python {

void bind_errors(pybind11::module_& module);
void bind_scene(pybind11::module_& module);
void bind_problems(pybind11::module_& module);
void bind_simulation(pybind11::module_& module);
void bind_recording(pybind11::module_& module);
void bind_queries(pybind11::module_& module);

}  // namespace tact::python
