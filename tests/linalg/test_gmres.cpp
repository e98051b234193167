#include <doctest/doctest.h>

#include <tact/core/random.hpp>
#include <tact/linalg/gmres.hpp>

using namespace tact;

namespace {

VectorXd random_entries(int size, Random& random)
{
  VectorXd x(size);
  for (double& entry : x) entry = random.uniform(-1.0, 1.0);
  return x;
}

// 1 + a sum of `rank` products of random vectors: unsymmetric.
MatrixXd near_identity(int size, int rank, Random& random)
{
  MatrixXd M = MatrixXd::Identity(size, size);
  for (int k = 0; k < rank; ++k)
    M += 0.3 * random_entries(size, random) * random_entries(size, random).transpose();
  return M;
}

}  // namespace

TEST_CASE("GMRES takes one iteration more than the rank of what differs from the identity")
{
  Random random(7);
  for (const int rank : {0, 1, 4}) {
    CAPTURE(rank);
    const MatrixXd M = near_identity(30, rank, random);
    const VectorXd b = random_entries(30, random);
    Gmres gmres;
    VectorXd x;
    CHECK(gmres.solve([&](VectorXd& y) { y = (M * y).eval(); }, b, x, {.tolerance = 1e-12}));
    CHECK(gmres.iterations() <= rank + 1);
    CHECK((M * x - b).norm() <= 1e-11 * b.norm());  // the tolerance, and rounding
  }
}

TEST_CASE("GMRES keeps to its tolerance and says where it does not")
{
  Random random(11);
  const MatrixXd M = near_identity(40, 20, random);
  const VectorXd b = random_entries(40, random);
  const Gmres::Map map = [&](VectorXd& y) { y = (M * y).eval(); };
  Gmres gmres;
  VectorXd x;
  CHECK(gmres.solve(map, b, x, {.max_iterations = 40, .tolerance = 1e-4}));
  CHECK((M * x - b).norm() <= 1.001e-4 * b.norm());
  CHECK_FALSE(gmres.solve(map, b, x, {.max_iterations = 3, .tolerance = 1e-4}));
  CHECK((M * x - b).norm() < b.norm());  // the best of what three iterations span
  CHECK(gmres.solve(map, VectorXd::Zero(40), x, {}));
  CHECK(x.isZero(0.0));
}
