// The lanes against a plain loop over contacts.
#include <doctest/doctest.h>

#include <limits>

#include <contact/rigid_problems.hpp>
#include <tact/solvers/pivoting/normal_lanes.hpp>

using namespace tact;

namespace {

std::vector<Twist> random_velocities(int bodies, Random& random)
{
  std::vector<Twist> y(bodies + 1);
  for (int b = 0; b < bodies; ++b) {
    for (int k = 0; k < 6; ++k) y[b].set(k, random.uniform(-1.0, 1.0));
  }
  return y;
}

double normal_velocity(const WhitenedContact& c, const std::vector<Twist>& y)
{
  return relative_velocity(c.rows[0][0], c.rows[1][0], c.body, y);
}

}  // namespace

TEST_CASE("the first inactive contact to close is the one that a loop finds")
{
  Random random(7);
  NormalLanes lanes;
  for (int trial = 0; trial < 60; ++trial) {
    ContactProblem problem = small_problem(trial, random);
    for (ContactRows& contact : problem.contacts) contact.bias[0] = random.uniform(0.0, 0.5);
    if (trial % 2 == 0)
      std::reverse(problem.contacts.begin(), problem.contacts.end());  // not by pair
    WhitenedProblem whitened;
    whitened.load(problem);
    std::vector<double> cover(3 * problem.size(), 0.0);
    for (int c = 0; c < problem.size(); ++c) cover[3 * c] = random.uniform(1.0, 2.0);
    lanes.load(whitened);
    lanes.set_cover(cover.data());
    std::vector<bool> active(problem.size());
    for (int c = 0; c < problem.size(); ++c) {
      active[c] = random.below(4) == 0;
      lanes.set_active(c, active[c]);
    }
    const auto y = random_velocities(problem.components(), random);
    const auto dy = random_velocities(problem.components(), random);
    const double z0 = random.uniform(0.0, 3.0), dz0 = random.uniform(-1.0, 1.0);

    int first = -1;
    double t = std::numeric_limits<double>::infinity(), approach = 0.0;
    for (int c = 0; c < problem.size(); ++c) {
      if (active[c]) continue;
      const WhitenedContact& contact = whitened.contacts()[c];
      const double u = normal_velocity(contact, y) + contact.bias[0];
      approach = std::max(approach, -u);
      const double slope = normal_velocity(contact, dy) + cover[3 * c] * dz0;
      if (slope >= -1e-12) continue;
      const double reached = std::max(0.0, u + cover[3 * c] * z0) / -slope;
      if (reached < t) {
        t = reached;
        first = c;
      }
    }
    const NormalLanes::Hit hit = lanes.first_to_close(y, dy, z0, dz0, 1e-12);
    CAPTURE(trial);
    if (t > 0.0) CHECK(hit.contact == first);  // several may be closed already, at t = 0
    CHECK((hit.t == t || hit.t == doctest::Approx(t).epsilon(1e-12)));  // both may be infinite
    CHECK(lanes.worst_approach(y) == doctest::Approx(approach).epsilon(1e-12));
  }
}

TEST_CASE("nothing closes when nothing approaches")
{
  const ContactProblem problem = block_on_ground({0, 0, 1.0}, 0.3);
  WhitenedProblem whitened;
  whitened.load(problem);
  NormalLanes lanes;
  lanes.load(whitened);
  CHECK(lanes.deepest(whitened.k()).contact == -1);
  CHECK(lanes.first_to_close(whitened.k(), whitened.k(), 0.0, 0.0, 1e-12).contact == -1);
}
