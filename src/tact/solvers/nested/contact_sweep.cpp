#include <tact/solvers/nested/contact_sweep.hpp>

#include <tact/linalg/lanes.hpp>

namespace tact {
namespace {

using Map3 = Eigen::Map<Vector3d>;
using ConstMap3 = Eigen::Map<const Vector3d>;

// state += W_b d, a combination of three of its rows. Both start on 64-byte boundaries.
void add_rows(const SweepSide& side, const Vector3d& d, double* state)
{
  Lanes* u = as_lanes(state + side.first);
  const Lanes* row_0 = as_lanes(side.W);
  const Lanes* row_1 = as_lanes(side.W + side.stride);
  const Lanes* row_2 = as_lanes(side.W + 2 * side.stride);
  for (int k = 0; k < side.length / lane_width; ++k) {
    u[k] += d[0] * row_0[k] + d[1] * row_1[k] + d[2] * row_2[k];
  }
}

}  // namespace

Matrix3d ContactSweep::coupling(int c, int d) const
{
  Matrix3d w = Matrix3d::Zero();
  const auto of = [&](int contact) {
    return std::span(sides).subspan(contacts[contact].first_side, contacts[contact].sides);
  };
  for (const SweepSide& to : of(c)) {
    for (const SweepSide& from : of(d)) {
      if (to.component == from.component) w += coupling(to, from);
    }
  }
  return w;
}

Matrix3d ContactSweep::coupling(const SweepSide& to, const SweepSide& from) const
{
  Matrix3d w = Matrix3d::Zero();
  if (to.W != nullptr) {
    for (int i = 0; i < 3; ++i) {
      w.row(i) = ConstMap3(to.W + i * to.stride + from.at - from.first).transpose();
    }
  }
  for (const SweepBlock& block : std::span(blocks).subspan(to.first_block, to.blocks)) {
    for (const SweepBlock& other : std::span(blocks).subspan(from.first_block, from.blocks)) {
      if (block.at == other.at) w += block.J * other.R;
    }
  }
  return w;
}

void ContactSweep::form_delassus(ContactRange range, double* W) const
{
  const int n = range.last - range.first;
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> all(W, 3 * n,
                                                                                         3 * n);
  for (int c = 0; c < n; ++c)
    for (int d = 0; d < n; ++d)
      all.block<3, 3>(3 * c, 3 * d) = coupling(range.first + c, range.first + d);
}

void ContactSweep::finish_contact(int c)
{
  static_cast<OwnResponse&>(contacts[c]) = OwnResponse(coupling(c, c));
}

Vector3d ContactSweep::velocity(const SweepContact& contact, const double* state) const
{
  Vector3d u = contact.q;
  for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s) {
    const SweepSide& side = sides[s];
    for (int b = side.first_block; b < side.first_block + side.blocks; ++b) {
      u += blocks[b].J * ConstMap3(state + blocks[b].at);
    }
    if (side.W != nullptr) u += ConstMap3(state + side.at);
  }
  return u;
}

void ContactSweep::push(const SweepContact& contact, const Vector3d& impulse, double* state) const
{
  for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s) {
    const SweepSide& side = sides[s];
    for (int b = side.first_block; b < side.first_block + side.blocks; ++b) {
      Map3(state + blocks[b].at) += blocks[b].R * impulse;
    }
    if (side.W != nullptr) add_rows(side, impulse, state);
  }
}

void ContactSweep::push_exact(const SweepContact& contact, const Vector3d& impulse,
                              double* state) const
{
  for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s) {
    if (sides[s].W != nullptr) add_rows(sides[s], impulse, state);
  }
}

bool ContactSweep::open(int c, const double* lambda, const double* state) const
{
  if (lambda[3 * c] != 0.0) return false;
  const SweepContact& contact = contacts[c];
  double u_n = contact.q[0];
  for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s) {
    const SweepSide& side = sides[s];
    for (int b = side.first_block; b < side.first_block + side.blocks; ++b) {
      const NormalBlock& block = normals[b];
      const double* x = state + block.at;
      u_n += block.n[0] * x[0] + block.n[1] * x[1] + block.n[2] * x[2];
    }
    if (side.W != nullptr) u_n += state[side.at];
  }
  return u_n >= 0.0;
}

namespace {

// The Delassus operator of contacts by the state of their island, which is linear in lambda.
struct StateDelassus {
  const ContactSweep& contacts;
  double* state;

  Vector3d velocity(int c) const { return contacts.velocity(contacts.contacts[c], state); }
  void push(int c, const Vector3d& change) const
  {
    if (!change.isZero(0.0)) contacts.push(contacts.contacts[c], change, state);
  }
};

// One whose open contacts are told from their normals.
struct NormalsDelassus : StateDelassus {
  const double* lambda;

  bool open(int c) const { return contacts.open(c, lambda, state); }
};

}  // namespace

int ContactSweep::sweep(ContactRange range, int visits, double* lambda, double* state,
                        int* awake) const
{
  int count = 0;
  const NormalsDelassus W{{*this, state}, lambda};
  tact::sweep<3>(W, ContactNumbers(range.first, range.last), law_of(visits), lambda,
                 [&](int c) { awake[count++] = c; });
  return count;
}

void ContactSweep::sweep(std::span<const int> awake, int visits, double* lambda,
                         double* state) const
{
  const StateDelassus W{*this, state};
  tact::sweep<3>(W, awake, law_of(visits), lambda);
}

void ContactSweep::hold_bounds(ContactRange range, const double* lambda, double share)
{
  for (int c = range.first; c < range.last; ++c) {
    SweepContact& contact = contacts[c];
    const double due = contact.mu * lambda[3 * c];
    contact.bound = contact.bound < 0.0 ? due : contact.bound + share * (due - contact.bound);
  }
}

void ContactSweep::release_bounds(ContactRange range)
{
  for (int c = range.first; c < range.last; ++c) contacts[c].bound = SweepContact::follows;
}

void ContactSweep::add_impulses(ContactRange range, const double* lambda, double* force) const
{
  for (int c = range.first; c < range.last; ++c) {
    const ConstMap3 lambda_c(lambda + 3 * c);
    if (lambda_c[0] == 0.0) continue;  // then its tangents are 0 too
    const SweepContact& contact = contacts[c];
    for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s) {
      const SweepSide& side = sides[s];
      for (int b = side.first_block; b < side.first_block + side.blocks; ++b) {
        Map3(force + blocks[b].at) += blocks[b].J.transpose() * lambda_c;
      }
      if (side.W != nullptr) Map3(force + side.at) = lambda_c;
    }
  }
}

NaturalSum ContactSweep::look(ContactRange range, const double* lambda, const double* state) const
{
  NaturalSum found;
  for (int c = range.first; c < range.last; ++c) {
    if (open(c, lambda, state)) continue;
    const SweepContact& contact = contacts[c];
    // Bounds that are held may lag behind; answers are cut to the cone in the end.
    const Vector3d lambda_c = clamp_to_cone(ConstMap3(lambda + 3 * c), contact.mu, law);
    found.add(velocity(contact, state), lambda_c, contact.mu, contact.scale, law);
  }
  return found;
}

}  // namespace tact
