// The balance of momentum of a frame, from what is recorded alone.
#include <tact/recording/recording.hpp>

namespace tact {
namespace {

// What contacts did to a body.
struct ContactImpulse {
  Vector3d sum = Vector3d::Zero();  // N s
  double lengths = 0.0;             // N s, of all of them
};

std::vector<ContactImpulse> contact_impulses(const RecordingHeader& header, const Frame& frame)
{
  const int bodies = static_cast<int>(header.bodies.size());
  std::vector<ContactImpulse> impulses(header.bodies.size());
  const auto add = [&](int body, const Vector3d& impulse) {
    if (body < 0 || body >= bodies) return;
    impulses[body].sum += impulse;
    impulses[body].lengths += impulse.norm();
  };
  for (const RecordedContact& contact : frame.contacts) {
    const Vector3d impulse = contact.impulse();
    add(contact.body_a, impulse);
    add(contact.body_b, -impulse);
  }
  return impulses;
}

// N s: of each mass for itself.
double moving_mass(std::span<const double> masses, const Eigen::Ref<const VectorXd>& v)
{
  double sum = 0.0;
  Eigen::Index first = 0;
  for (const double mass : masses) {
    sum += mass * v.segment<3>(first).norm();
    first += 3;
  }
  return sum;
}

}  // namespace

Vector3d linear_momentum(std::span<const double> masses, const Eigen::Ref<const VectorXd>& v)
{
  Vector3d sum = Vector3d::Zero();
  Eigen::Index first = 0;
  for (const double mass : masses) {
    sum += mass * v.segment<3>(first);
    first += 3;
  }
  return sum;
}

// m/s. Bodies at rest on which nothing acts have round-off for momentum: they are not out of
// balance.
constexpr double still = 1e-9;

std::vector<MomentumCheck> check_momentum(const RecordingHeader& header, const Frame& frame)
{
  std::vector<MomentumCheck> checks(header.bodies.size());
  if (frame.momentum.size() != header.bodies.size()) return checks;
  const std::vector<ContactImpulse> contacts = contact_impulses(header, frame);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const RecordedBody& body = header.bodies[i];
    if (body.masses.empty()) continue;  // an obstacle takes any impulse
    const MomentumBalance& balance = frame.momentum[i];
    const Vector3d after = linear_momentum(body.masses, frame.v.segment(body.v_first, body.v_size));
    const Vector3d weight = frame.dt * body.mass() * header.gravity;
    checks[i] = {.left = after - balance.before - weight - contacts[i].sum - balance.other,
                 .scale = moving_mass(body.masses, frame.v.segment(body.v_first, body.v_size)) +
                          balance.before.norm() + weight.norm() + contacts[i].lengths +
                          balance.other.norm() + still * body.mass()};
  }
  return checks;
}

}  // namespace tact
