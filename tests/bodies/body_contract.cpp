#include "body_contract.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <doctest/doctest.h>

#include <tact/core/random.hpp>

#include "one_body.hpp"

namespace tact {
namespace {

constexpr double t_somewhere = 0.37;  // s; bodies that move by themselves do not look at it

VectorXd random_vector(Random& random, Eigen::Index size)
{
  VectorXd x(size);
  for (double& x_i : x) x_i = random.uniform(-1.0, 1.0);
  return x;
}

// One node a point of matter, in contrast to a rigid body.
bool is_nodal(const Body& body)
{
  return body.q_size() == body.v_size();
}

// q after moving for a moment: how a body's own degrees of freedom are varied.
VectorXd moved(const OneBody& one, const VectorXd& q, const VectorXd& v, double seconds)
{
  const VectorXd at_rest = VectorXd::Zero(one.body().v_size());
  return one.advance({.dt = seconds}, {q, at_rest}, v).q;
}

void check_surface(const OneBody& one, const VectorXd& q)
{
  const Body& body = one.body();
  std::vector<Vector3d> vertices(body.vertex_count());
  body.place_surface(t_somewhere, q, vertices);
  int different = 0;
  for (int i = 0; i < body.vertex_count(); ++i)
    if (body.position(t_somewhere, q, {.vertex = i}) != vertices[i]) ++different;
  CHECK(different == 0);
  for (const Triangle& triangle : body.triangles())
    for (const int corner : triangle) REQUIRE((corner >= 0 && corner < body.vertex_count()));
}

void check_maps(const OneBody& one, const VectorXd& q)
{
  const Body& body = one.body();
  Random random(1);
  const VectorXd v = random_vector(random, body.v_size());
  const double moment = 1e-6;  // s: errors of 1e-12 by curvature and 1e-10 by rounding
  const VectorXd before = moved(one, q, -v, moment), after = moved(one, q, v, moment);
  for (int k = 0; k < std::min(20, body.vertex_count()); ++k) {
    const BodyPoint point{.vertex = random.below(body.vertex_count())};
    const PointMap map = body.map(q, point);
    Vector3d velocity = Vector3d::Zero();
    for (int n = 0; n < map.count; ++n) velocity += map.block[n] * v.segment<3>(3 * map.node[n]);
    const Vector3d difference =
        (body.position(0.0, after, point) - body.position(0.0, before, point)) / (2.0 * moment);
    CHECK((velocity - difference).norm() <= 1e-8 * (1.0 + velocity.norm()));
  }
}

// The body's nodes amid others, in a matrix and a vector that are full already.
void check_that_linearise_adds(const BodyContract& contract, const OneBody& one,
                               const BodyState& state, const StepInput& input)
{
  const DenseStep alone = one.linearise(input, state);
  const std::unique_ptr<Body> body = contract.make();
  const int first = 2, nodes = body->node_count(), rows = nodes + 3;
  std::vector<std::array<int, 2>> couples = {{0, 1}, {1, rows - 1}};
  body->add_couples(first, couples);
  const auto pattern = std::make_shared<const BlockPattern>(rows, couples);
  body->bind(*pattern, first);

  BlockMatrix A = zero_matrix(pattern);
  for (Matrix3d& block : A.blocks) block.setConstant(8.0);
  VectorXd b = VectorXd::Constant(3 * rows, 8.0);
  const MatrixXd A_before = to_dense(A);
  const std::unique_ptr<BodyWorkspace> workspace = body->make_workspace();
  body->linearise(input, state.q, state.v, workspace.get(), A, b.segment(3 * first, 3 * nodes));

  // 8 + x - 8 rounds at the scale of the larger of the two.
  MatrixXd added = to_dense(A) - A_before;
  const double rounding = 1e-14 * (8.0 + alone.A.lpNorm<Eigen::Infinity>());
  CHECK((added.block(3 * first, 3 * first, 3 * nodes, 3 * nodes) - alone.A)
            .lpNorm<Eigen::Infinity>() <= rounding);
  added.block(3 * first, 3 * first, 3 * nodes, 3 * nodes).setZero();
  CHECK(added.isZero(0.0));
  const VectorXd expected_b = alone.b.array() + 8.0;
  CHECK((b.segment(3 * first, 3 * nodes) - expected_b).lpNorm<Eigen::Infinity>() <=
        1e-14 * (8.0 + alone.b.lpNorm<Eigen::Infinity>()));
  CHECK((b.head(3 * first).array() == 8.0).all());
  CHECK((b.tail(3 * (rows - first - nodes)).array() == 8.0).all());
}

void check_same_bits(const OneBody& one, const BodyState& state, const StepInput& input)
{
  const DenseStep once = one.linearise(input, state), again = one.linearise(input, state);
  CHECK(once.A == again.A);
  CHECK(once.b == again.b);
  CHECK(one.forces(input, state) == one.forces(input, state));
}

void check_positive_definite(const OneBody& one, const BodyState& state, const StepInput& input)
{
  const MatrixXd A = one.linearise(input, state).A;
  CHECK((A - A.transpose()).norm() <= 1e-14 * A.norm());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(A, Eigen::EigenvaluesOnly);
  CHECK(spectrum.eigenvalues()[0] > 0.0);
}

// Forces are linear in v, so a difference over 1 m/s is exact.
MatrixXd velocity_derivative(const OneBody& one, const StepInput& input, const VectorXd& q)
{
  const int n = one.body().v_size();
  MatrixXd derivative(n, n);
  const VectorXd f = one.forces(input, {q, VectorXd::Zero(n)});
  for (int k = 0; k < n; ++k) derivative.col(k) = one.forces(input, {q, VectorXd::Unit(n, k)}) - f;
  return derivative;
}

// dF/dq G, at rest.
MatrixXd position_derivative(const OneBody& one, const StepInput& input, const VectorXd& q)
{
  const int n = one.body().v_size();
  const VectorXd at_rest = VectorXd::Zero(n);
  const double moment = 1e-6;  // s at 1 m/s, far below the size of a spring or an element
  MatrixXd derivative(n, n);
  for (int k = 0; k < n; ++k) {
    const VectorXd v = VectorXd::Unit(n, k);
    derivative.col(k) = (one.forces(input, {moved(one, q, v, moment), at_rest}) -
                         one.forces(input, {moved(one, q, -v, moment), at_rest})) /
                        (2.0 * moment);
  }
  return derivative;
}

MatrixXd mass_matrix(const OneBody& one, const VectorXd& q)
{
  return one.linearise({.dt = 0.0}, {q, VectorXd::Zero(one.body().v_size())}).A;
}

void check_exact_derivative(const OneBody& one, const VectorXd& q, const StepInput& input)
{
  const double h = input.dt;
  const VectorXd at_rest = VectorXd::Zero(one.body().v_size());
  const MatrixXd M = mass_matrix(one, q);
  const MatrixXd stiffening = one.linearise(input, {q, at_rest}).A - M;
  const MatrixXd expected =
      -h * velocity_derivative(one, input, q) - h * h * position_derivative(one, input, q);
  CHECK((stiffening - expected).norm() <= 1e-6 * stiffening.norm() + 1e-12 * M.norm());
}

void check_right_side(const OneBody& one, const BodyState& state, const StepInput& input)
{
  const double h = input.dt;
  const VectorXd f = one.forces(input, state);
  const VectorXd Mv = mass_matrix(one, state.q) * state.v;
  const VectorXd damping = h * velocity_derivative(one, input, state.q) * state.v;
  const VectorXd expected = h * f + Mv - damping;
  const double scale = h * f.norm() + Mv.norm() + damping.norm();
  CHECK((one.linearise(input, state).b - expected).norm() <= 1e-12 * scale);
}

Vector3d node_sum(const VectorXd& f)
{
  return f.reshaped(3, f.size() / 3).rowwise().sum();
}

Vector3d turn_sum(const VectorXd& x, const VectorXd& f)
{
  Vector3d sum = Vector3d::Zero();
  for (Eigen::Index i = 0; i < x.size(); i += 3)
    sum += Vector3d(x.segment<3>(i)).cross(Vector3d(f.segment<3>(i)));
  return sum;
}

void check_balance(const OneBody& one, const BodyState& state, const StepInput& input)
{
  const VectorXd damped = one.forces(input, state);
  CHECK(node_sum(damped).norm() <= 1e-12 * damped.lpNorm<1>());
  const VectorXd elastic = one.forces(input, {state.q, VectorXd::Zero(state.v.size())});
  CHECK(turn_sum(state.q, elastic).norm() <=
        1e-12 * elastic.lpNorm<1>() * state.q.lpNorm<Eigen::Infinity>());
}

// N: what it takes to move each node by the size of the body. Forces near zero are small against
// it.
double force_scale(const OneBody& one, const VectorXd& q, const StepInput& input)
{
  const MatrixXd A = one.linearise(input, {q, VectorXd::Zero(one.body().v_size())}).A;
  const double stiffening = (A - mass_matrix(one, q)).lpNorm<Eigen::Infinity>();
  return stiffening / (input.dt * input.dt) * q.lpNorm<Eigen::Infinity>();
}

void check_energy(const OneBody& one, const VectorXd& q, const StepInput& input)
{
  Random random(2);
  const int n = one.body().v_size();
  const VectorXd f = one.forces(input, {q, VectorXd::Zero(n)});
  const double moment = 1e-6;  // s
  // Positions are rounded, and an energy has a third derivative.
  const double unavoidable = 1e-9 * force_scale(one, q, input);
  for (int k = 0; k < 5; ++k) {
    const VectorXd v = random_vector(random, n);
    const double after = one.body().elastic_energy(moved(one, q, v, moment));
    const double before = one.body().elastic_energy(moved(one, q, -v, moment));
    // The difference of two energies loses as many digits as the moment is short.
    CHECK(std::abs((after - before) / (2.0 * moment) + f.dot(v)) <=
          1e-6 * f.norm() * v.norm() + 1e-14 * after / moment + unavoidable);
  }
}

VectorXd turned(const VectorXd& q, const Eigen::Quaterniond& turn, const Vector3d& shift)
{
  VectorXd result(q.size());
  for (Eigen::Index i = 0; i < q.size(); i += 3)
    result.segment<3>(i) = turn * Vector3d(q.segment<3>(i)) + shift;
  return result;
}

void check_no_force_under_rigid_motion(const OneBody& one, const VectorXd& rest,
                                       const StepInput& input)
{
  const VectorXd at_rest = VectorXd::Zero(rest.size());
  const double scale = force_scale(one, rest, input);
  Random random(3);
  CHECK(one.forces(input, {rest, at_rest}).lpNorm<Eigen::Infinity>() <= 1e-9 * scale);
  for (int k = 0; k < 5; ++k) {
    const Eigen::Vector4d parts(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                                random.uniform(-1, 1));
    const VectorXd q = turned(rest, Eigen::Quaterniond(parts.normalized()), random.in_cube(1.0));
    CHECK(one.forces(input, {q, at_rest}).lpNorm<Eigen::Infinity>() <= 1e-9 * scale);
  }
}

VectorXd rigid_velocity(const Body& body, const VectorXd& q, const Vector3d& linear,
                        const Vector3d& angular)
{
  VectorXd v(body.v_size());
  if (!is_nodal(body)) {
    v << linear, angular;
    return v;
  }
  for (Eigen::Index i = 0; i < q.size(); i += 3)
    v.segment<3>(i) = linear + angular.cross(Vector3d(q.segment<3>(i)));
  return v;
}

void check_momentum(const OneBody& one, const BodyState& state, double dt, bool with_angular)
{
  const Body& body = one.body();
  const BodyState end = one.step({.dt = dt}, state);
  const Momentum before = body.momentum(state.q, state.v), after = body.momentum(end.q, end.v);
  const double scale = body.mass() * state.v.lpNorm<Eigen::Infinity>();
  // The dense solver loses as many digits as A has in its condition, some 1e4 here.
  CHECK((after.linear - before.linear).norm() <= 1e-11 * scale);
  if (with_angular)
    CHECK((after.angular - before.angular).norm() <= 1e-11 * (scale + before.angular.norm()));
}

void check_state(const BodyContract& contract, const OneBody& one, const VectorXd& q)
{
  Random random(4);
  const BodyState state{q, random_vector(random, one.body().v_size())};
  const StepInput free{.dt = contract.dt};
  const StepInput pulled{.dt = contract.dt, .gravity = {0.1, -9.81, 0.3}};
  check_surface(one, q);
  check_maps(one, q);
  check_same_bits(one, state, pulled);
  check_that_linearise_adds(contract, one, state, pulled);
  check_positive_definite(one, state, pulled);
  check_right_side(one, state, pulled);
  check_energy(one, q, free);
  check_momentum(one, state, contract.dt, !is_nodal(one.body()));
  if (is_nodal(one.body())) check_balance(one, state, free);
}

}  // namespace

void check_body_contract(const BodyContract& contract)
{
  const OneBody one(contract.make());
  const BodyState start = one.start();
  const StepInput free{.dt = contract.dt};
  check_state(contract, one, start.q);
  for (const VectorXd& q : contract.exact) check_state(contract, one, q);
  for (const VectorXd& q : contract.deformed) check_state(contract, one, q);
  for (const VectorXd& q : contract.exact) check_exact_derivative(one, q, free);

  if (is_nodal(one.body())) check_no_force_under_rigid_motion(one, start.q, free);
  const VectorXd v = rigid_velocity(one.body(), start.q, {0.3, -0.2, 0.5}, {1.0, 2.0, -0.7});
  check_momentum(one, {start.q, v}, contract.dt, true);
}

}  // namespace tact
