// The contact law: its derivative, the solutions of one contact, and the loop over many.
#include <doctest/doctest.h>

#include <tact/contact/delassus.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/random.hpp>

using namespace tact;

namespace {

Matrix3d random_response(Random& random)
{
  Matrix3d G;
  for (int i = 0; i < 9; ++i) G(i / 3, i % 3) = random.uniform(-0.5, 0.5);
  return 0.3 * Matrix3d::Identity() + G * G.transpose();
}

struct RandomDelassus {
  MatrixXd W;
  VectorXd q;
  std::vector<OwnResponse> own;
};

RandomDelassus random_delassus(Random& random, int contacts)
{
  const int n = 3 * contacts;
  MatrixXd G(n, n);
  for (int i = 0; i < n * n; ++i) G(i / n, i % n) = random.uniform(-0.5, 0.5);
  RandomDelassus all{0.3 * MatrixXd::Identity(n, n) + G * G.transpose() / n, VectorXd(n), {}};
  for (int i = 0; i < n; ++i) all.q[i] = random.uniform(-1.0, 0.6);
  for (int c = 0; c < contacts; ++c) all.own.emplace_back(all.W.block<3, 3>(3 * c, 3 * c));
  return all;
}

// Reads rows of W, where ColumnsDelassus adds columns.
struct RowsDelassus {
  const RandomDelassus& all;
  const VectorXd& lambda;

  Vector3d velocity(int c) const
  {
    return all.q.segment<3>(3 * c) + all.W.middleRows<3>(3 * c) * lambda;
  }
  static void push(int, const Vector3d&) {}
};

}  // namespace

TEST_CASE("the derivative of the clamp is that of differences, in every branch")
{
  constexpr double step = 1e-6;
  Random random(3);
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (int trial = 0; trial < 200; ++trial) {
      const double mu = trial % 5 == 0 ? 0.0 : random.uniform(0.1, 1.0);
      const Vector3d y = random.in_cube(1.0) + Vector3d(1.2, 0.0, 0.0);
      const Matrix3d C = clamp_derivative(y, mu, law);
      for (int k = 0; k < 3; ++k) {
        const Vector3d e = step * Vector3d::Unit(k);
        const Vector3d slope =
            (clamp_to_cone(y + e, mu, law) - clamp_to_cone(y - e, mu, law)) / (2.0 * step);
        CHECK((slope - C.col(k)).norm() < 1e-7);  // curvature times the step
      }
    }
  }
}

TEST_CASE("relaxation of one contact ends where the exact solve stands, and the law holds there")
{
  Random random(4);
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (int trial = 0; trial < 500; ++trial) {
      const Matrix3d w = random_response(random);
      const double mu = trial % 5 == 0 ? 0.0 : random.uniform(0.05, 0.6);
      const Vector3d u_0 = random.in_cube(1.0) - Vector3d(0.4, 0.0, 0.0);
      const OwnResponse own(w);
      Vector3d lambda = Vector3d::Zero();
      for (int k = 0; k < 10; ++k) lambda = solve_locally(u_0, own, lambda, mu, law);
      CHECK(natural_map<3>(u_0 + w * lambda, lambda, mu, w.trace() / 3.0, law).norm() < 1e-11);
      if (law == FrictionLaw::pyramid) continue;
      const Vector3d exact = LocalContact<3>(w, {.mu = mu}).solve(u_0, Vector3d::Zero());
      CHECK((lambda - exact).norm() < 1e-10);
    }
  }
}

TEST_CASE("one loop over any form of W: the same iterates, to an answer that the law holds for")
{
  Random random(5);
  constexpr int contacts = 12;
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    const RandomDelassus all = random_delassus(random, contacts);
    const double mu = 0.3;
    const auto relaxed = [&](int c, const Vector3d& u, const Vector3d& lambda) {
      return relax(all.own[c], {.mu = mu}, law, u, lambda);
    };
    VectorXd by_columns = VectorXd::Zero(3 * contacts), by_rows = by_columns;
    ColumnsDelassus columns{all.W, all.q};
    const RowsDelassus rows{all, by_rows};
    for (int k = 0; k < 400; ++k) {
      sweep<3>(columns, ContactNumbers(0, contacts), relaxed, by_columns.data());
      sweep<3>(rows, ContactNumbers(0, contacts), relaxed, by_rows.data());
      CHECK((by_columns - by_rows).lpNorm<Eigen::Infinity>() <= 1e-11);  // round-off of 400 sums
    }
    NaturalSum sum;
    for (int c = 0; c < contacts; ++c)
      sum.add(rows.velocity(c), by_rows.segment<3>(3 * c), mu, 1.0, law);
    CHECK(sum.active > 2);
    CHECK(sum.worst < 1e-9);
    CHECK(sum.rms() <= sum.worst);
  }
}
