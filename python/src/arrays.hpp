// Numbers of the library as numpy arrays, and back. A view has no memory of its own: its owner, the
// Python object that keeps what it looks at, lives as long as it does.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <pybind11/numpy.h>

#include <tact/core/types.hpp>
#include <tact/recording/recording.hpp>
#include <tact/recording/wrench.hpp>

namespace tact::python {

namespace py = pybind11;

// What callers hand in: doubles in the order of C, converted where they are not.
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Integers = py::array_t<int, py::array::c_style | py::array::forcecast>;

// Views that cannot be written to.
py::array view_of(const double* data, std::vector<py::ssize_t> shape, const py::object& owner);
py::array view_of(std::span<const Vector3d> points, const py::object& owner);     // (n, 3)
py::array view_of(std::span<const Triangle> triangles, const py::object& owner);  // (n, 3)

// Of the contacts of a frame, which the view keeps.
py::array contacts_view(const std::shared_ptr<const Frame>& frame);

// Small tables, copied. Forces are means over the step: impulse / dt.
py::array wrench_table(const RecordingHeader& header, const Frame& frame);
py::array joint_table(const RecordingHeader& header, const Frame& frame);

py::array copy_of(const VectorXd& x);
py::array copy_of(const Vector3d& x);

// Throws Error, with the name of the argument, unless the shape is as told (-1: any).
void require_shape(const py::array& array, std::string_view name,
                   const std::vector<py::ssize_t>& shape);

VectorXd vector_from(const Doubles& array, std::string_view name);
MatrixXd matrix_from(const Doubles& array, std::string_view name);

}  // namespace tact::python
