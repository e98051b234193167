// Lattices around the stored meshes.
#include <string>

#include <doctest/doctest.h>

#include <geometry/lattice_check.hpp>
#include <tact/core/error.hpp>
#include <tact/files/mesh_io.hpp>

#include "../data.hpp"

namespace tact {
namespace {

TEST_CASE("Spot, bunny, torus and the sharp stones lie in lattices of any fineness")
{
  const auto folder = test_data("meshes/surface");
  if (!folder) return;
  for (const char* name : {"spot.obj", "bunny.obj", "torus.obj", "erleben/spike.obj",
                           "erleben/wedge.obj", "erleben/hole.obj", "cylinder.obj"}) {
    const TriMesh surface = read_surface(*folder / name);
    const double size = bounding_box(surface.positions).extent().maxCoeff();
    for (const int cells : {5, 12, 25}) {
      CAPTURE(name);
      CAPTURE(cells);
      const Lattice lattice = fit_lattice(surface, size / cells);
      check_lattice(surface, lattice);
      // Coarse cells hold thin parts of the surface that some lines of the measurement miss.
      CHECK(filled_volume(lattice) == doctest::Approx(volume(surface)).epsilon(0.01));
    }
  }
}

TEST_CASE("The teapot is open and refused")
{
  const auto folder = test_data("meshes/surface");
  if (!folder) return;
  CHECK_THROWS_AS(fit_lattice(read_surface(*folder / "teapot.obj"), 1.0), Error);
}

}  // namespace
}  // namespace tact
