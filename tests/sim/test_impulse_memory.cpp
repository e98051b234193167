#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/sim/impulse_memory.hpp>

using namespace tact;

namespace {

ContactRecord record(int a, int b, const Vector3d& normal)
{
  ContactRecord r;
  r.contact.key.vertices = {a, b, -1, -1};
  r.contact.key.first_side = 1;
  r.contact.normal = normal;
  r.frame = contact_frame(normal);
  return r;
}

}  // namespace

TEST_CASE("a contact that persists starts from its last impulse, its tangents turned along")
{
  ImpulseMemory memory;
  const Vector3d n = Vector3d::UnitY();
  const Vector3d turned = Vector3d(0.1, 1.0, 0.0).normalized();
  const VectorXd lambda = Vector3d(2.0, 0.3, -0.4);
  const std::vector<ContactRecord> before = {record(1, 2, n)};
  memory.store(before, lambda, 0.01);
  const ContactRecord now = record(1, 2, turned);
  const Vector3d start = memory.recall(now, 10.0, 0.01, FrictionLaw::disc);
  // The same vector in the world, in another frame.
  CHECK((now.frame * start - before[0].frame * lambda).norm() < 1e-15);
  // Half the step, half the impulse.
  CHECK((memory.recall(now, 10.0, 0.005, FrictionLaw::disc) - 0.5 * start).norm() < 1e-15);
  // Within the cone of the contact that recalls it.
  const Vector3d cut = memory.recall(record(1, 2, n), 0.1, 0.01, FrictionLaw::disc);
  CHECK(cut.tail<2>().norm() == doctest::Approx(0.1 * 2.0));
  CHECK(memory.recall(record(1, 3, n), 0.1, 0.01, FrictionLaw::disc).isZero(0.0));
}

TEST_CASE("rows of one key start from their sum, and rows without impulse are forgotten")
{
  ImpulseMemory memory;
  const std::vector<ContactRecord> rows = {record(1, 2, Vector3d::UnitY()),
                                           record(1, 2, Vector3d::UnitY()),
                                           record(5, 6, Vector3d::UnitX())};
  VectorXd lambda(9);
  lambda << 1.0, 0.0, 0.0, 0.5, 0.1, 0.0, 0.0, 0.0, 0.0;
  memory.store(rows, lambda, 1.0);
  CHECK(memory.size() == 1);
  CHECK(memory.recall(rows[0], 1.0, 1.0, FrictionLaw::disc) == Vector3d(1.5, 0.1, 0.0));
}

TEST_CASE("saved and restored it recalls the same bits")
{
  ImpulseMemory memory;
  std::vector<ContactRecord> rows;
  for (int k = 0; k < 50; ++k) rows.push_back(record(97 - k, k, Vector3d::UnitZ()));
  const VectorXd lambda = VectorXd::LinSpaced(150, 0.1, 7.3);
  memory.store(rows, lambda, 0.004);
  ImpulseMemory other;
  other.restore(memory.save());
  CHECK(other.save() == memory.save());
  for (const ContactRecord& r : rows)
    CHECK(other.recall(r, 0.5, 0.004, FrictionLaw::disc) ==
          memory.recall(r, 0.5, 0.004, FrictionLaw::disc));
  CHECK_THROWS_AS(other.restore(std::vector<double>(7, 1.0)), Error);
}
