#include <doctest/doctest.h>

#include <tact/contact/law.hpp>
#include <tact/core/random.hpp>

using namespace tact;

namespace {

template <int D>
ContactMatrix<D> random_block(Random& random, double skew)
{
  ContactMatrix<D> S, T;
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) {
      S(i, j) = random.uniform(-1.0, 1.0);
      T(i, j) = random.uniform(-1.0, 1.0);
    }
  }
  return S * S.transpose() + 0.2 * ContactMatrix<D>::Identity() + skew * (T - T.transpose());
}

struct Statuses {
  int open = 0, stick = 0, slip = 0;
};

// The largest natural map of many solves, and how often each status came.
template <int D>
double worst_natural_map(Random& random, double skew, Statuses& seen)
{
  double worst = 0.0;
  ContactVector<D> guess = ContactVector<D>::Zero();
  for (int trial = 0; trial < 2000; ++trial) {
    const ContactMatrix<D> w = random_block<D>(random, skew);
    // Above about 0.6 a block can have w_nn < mu |w_nT|: then an answer may not exist.
    const double mu = trial % 10 == 0 ? 0.0 : random.uniform(0.0, 0.5);
    ContactVector<D> q;
    for (int i = 0; i < D; ++i) q[i] = random.uniform(-1.0, 1.0);
    const ContactVector<D> lambda = LocalContact<D>(w, {.mu = mu}).solve(q, guess);
    const ContactVector<D> u = w * lambda + q;
    if (w(0, 0) <= 1.1 * mu * w.template block<1, D - 1>(0, 1).norm()) continue;
    worst = std::max(worst, natural_map<D>(u, lambda, mu, 1.0).norm());
    ++(lambda[0] == 0.0 ? seen.open : u.norm() < 1e-12 ? seen.stick : seen.slip);
    guess = lambda;
  }
  return worst;
}

}  // namespace

TEST_CASE("one contact is solved to round-off, whatever its status")
{
  Random random(7);
  for (const double skew : {0.0, 0.02}) {
    CAPTURE(skew);
    Statuses seen;
    CHECK(worst_natural_map<2>(random, skew, seen) < 1e-12);
    CHECK(worst_natural_map<3>(random, skew, seen) < 1e-12);
    CHECK(std::min({seen.open, seen.stick, seen.slip}) > 100);
  }
}

TEST_CASE("a point mass slides against its motion with mu times what it presses")
{
  const LocalContact<3> contact(0.5 * Matrix3d::Identity(), {.mu = 0.3});  // 2 kg
  const Vector3d lambda = contact.solve({-1.0, 0.3, 0.4}, Vector3d::Zero());
  CHECK((lambda - Vector3d(2.0, -0.36, -0.48)).norm() < 1e-14);
}

TEST_CASE("a contact that answers along one tangent only still gets an answer")
{
  Matrix3d w = Matrix3d::Zero();
  w(0, 0) = w(1, 1) = 1.0;  // singular: nothing moves along the other tangent
  const Vector3d q(-1.0, 0.1, 0.0);
  const Vector3d lambda = LocalContact<3>(w, {.mu = 0.5}).solve(q, Vector3d::Zero());
  CHECK(lambda.allFinite());
  CHECK(lambda[0] == doctest::Approx(1.0));
}
