#include <doctest/doctest.h>

#include <tact/sim/stick_anchors.hpp>

using namespace tact;

namespace {

constexpr double noise = 1e-5, farthest = 1e-3;  // m

// Vertex 0 over vertex 1, its normal along y.
struct Touch {
  std::vector<ContactRecord> records = std::vector<ContactRecord>(1);
  ContactProblem problem;
  StickAnchors anchors;

  Touch()
  {
    KeyedContact& contact = records[0].contact;
    contact.key.vertices = {0, 1, -1, -1};
    contact.key.first_side = 1;
    contact.weights = {1.0, -1.0, 0.0, 0.0};
    contact.normal = Vector3d::UnitY();
    records[0].frame = contact_frame(contact.normal);
    problem.contacts.resize(1);
    problem.contacts[0].mu = 0.5;
  }

  // A step that ends with vertex 0 so far along z.
  void step(double z, const Vector3d& impulse)
  {
    anchors.store(records, problem, impulse, {.friction = FrictionLaw::disc, .noise = noise},
                  places(z));
  }
  double drift(double z) const
  {
    const Vector2d drift = anchors.drift(records[0], places(z), {.farthest = farthest});
    return (records[0].frame.rightCols<2>() * drift).z();
  }
  static std::vector<Vector3d> places(double z)
  {
    return {Vector3d(0.0, 1e-3, z), Vector3d::Zero()};
  }
};

const Vector3d sticking(1.0, 0.1, 0.0), slipping(1.0, 0.0, 0.5), apart_again(0.0, 0.0, 0.0);

}  // namespace

TEST_CASE("a contact that sticks drifts from where it began to, however small the drift is")
{
  Touch touch;
  touch.step(0.25, sticking);
  CHECK(touch.drift(0.25) == 0.0);
  for (int k = 1; k <= 100; ++k) touch.step(0.25 + 1e-7 * k, sticking);
  CHECK(touch.drift(0.25 + 1e-5) == doctest::Approx(1e-5));
  CHECK(touch.drift(0.25 + 2.0 * farthest) == 0.0);
}

TEST_CASE("a contact that slips takes its anchor along, and one that does not push forgets")
{
  Touch touch;
  touch.step(0.0, sticking);
  touch.step(0.4 * noise, slipping);  // at the bound, but within what solves err by
  CHECK(touch.drift(0.4 * noise) == doctest::Approx(0.4 * noise));
  touch.step(1.0, slipping);
  CHECK(touch.drift(1.0) == doctest::Approx(noise));
  touch.step(1.0, apart_again);
  CHECK(touch.drift(1.0 + noise) == 0.0);
  touch.step(1.0, slipping);  // what slips from the start sticks nowhere
  CHECK(touch.drift(1.0 + noise) == 0.0);
}
