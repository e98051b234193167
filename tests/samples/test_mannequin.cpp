#include <cmath>

#include <doctest/doctest.h>

#include <tact/geometry/mesh_check.hpp>
#include <tact/samples/mannequin.hpp>

using namespace tact;

TEST_CASE("the mannequin is one closed smooth surface that nowhere meets itself")
{
  for (const double cell : {0.01, 0.013, 0.016}) {
    CAPTURE(cell);
    const Mannequin mannequin(cell);
    const SurfaceCheck found = check(mannequin.surface());
    CHECK(found.components == 1);
    CHECK(found.euler == 2);
    CHECK(found.closed());
    CHECK(found.manifold());
    CHECK(found.oriented());
    CHECK(found.intersections.count == 0);
    CHECK(found.aspect.greatest < 10.0);
    CHECK(found.box.extent().y() == doctest::Approx(1.15).epsilon(0.03));
    for (const Vector3d& x : mannequin.surface().positions)
      CHECK(std::abs(Mannequin::distance(x)) < 0.02 * cell);
  }
}

TEST_CASE("its bones bend it without a crossing, and what is far from a joint keeps its shape")
{
  const Mannequin mannequin(0.013);
  const std::vector<Vector3d> unmoved = mannequin.posed({});
  for (std::size_t i = 0; i < unmoved.size(); ++i)
    CHECK((unmoved[i] - mannequin.surface().positions[i]).norm() < 1e-15);
  for (const double angle : {-0.3, 0.4, 0.9}) {
    CAPTURE(angle);
    TriMesh posed = mannequin.surface();
    posed.positions = mannequin.posed(
        {.hip = {-0.3 * angle, angle}, .knee = {0.4, 0.2}, .shoulder = {0.3, -0.2}});
    CHECK(check(posed).intersections.count == 0);
    CHECK(volume(posed) == doctest::Approx(volume(mannequin.surface())).epsilon(0.02));
    for (int i = 0; i < posed.vertex_count(); ++i) {
      const Vector3d& start = mannequin.surface().positions[i];
      const bool trunk = std::abs(start.x()) < 0.1 && start.y() > -0.06;
      if (trunk) CHECK((posed.positions[i] - start).norm() < 1e-15);
    }
  }
}
