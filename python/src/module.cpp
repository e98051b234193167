// The module tact._tact; python/tact/__init__.py gives its names to users.
#include <tbb/global_control.h>

#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/core/printable.hpp>
#include <tact/sim/step_error.hpp>

#include "bindings.hpp"

namespace tact::python {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;

void set_threads(int count)
{
  static std::optional<tbb::global_control> limit;
  if (count < 1 || count > 1024)
    throw Error(fmt::format("set_threads: found {}, expected 1 to 1024", count));
  limit.reset();
  limit.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
}

}  // namespace

void bind_errors(py::module_& module)
{
  static py::exception<Error> wrong_input(module, "Error", PyExc_ValueError);
  wrong_input.attr("__doc__") =
      "Wrong input. The message says where, what was found and what was expected, as the "
      "command's.";
  static py::exception<StepError> step_error(module, "StepError", PyExc_RuntimeError);
  step_error.attr("__doc__") =
      "A step could not be computed. The simulation is as it was before the step.";
  // NOLINTNEXTLINE(performance-unnecessary-value-param): so pybind11 asks for it
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      wrong_input(printable(error.what()).c_str());
    } catch (const StepError& error) {
      step_error(printable(error.what()).c_str());
    } catch (const OutOfMemory& error) {
      PyErr_SetString(PyExc_MemoryError, told(error).c_str());
    }
  });
}

}  // namespace tact::python

PYBIND11_MODULE(_tact, module)
{
  using namespace tact::python;
  module.attr("__version__") = TACT_VERSION;
  bind_errors(module);
  bind_scene(module);
  bind_problems(module);
  bind_simulation(module);
  bind_recording(module);
  bind_queries(module);
  module.def(
      "set_threads", &set_threads, pybind11::arg("count"),
      "Most threads that all work of the library takes together. The bits of results do not\n"
      "depend on it.");
}
