// The rows of a coupled problem as sweeps read them: in single precision, small, and in order.
//
// A contact of a rigid body with a node takes 170 bytes, its impulse and the node's velocity and
// response included; every other node 6 more. Impulses, velocities and friction coefficients stay
// in double precision, and so does all arithmetic: rounded are the rows alone. What that costs is
// taken back by rebase().
//
// Contacts are cut into chunks, which can be swept at the same time. What several chunks act on has
// a copy, called a slot, in each of them, which answers as if it had only its share of the mass;
// the mean of the copies then answers as the whole ([Miguel11] has one chunk; splitting masses is
// due to Tonge, Benevolenski and Voroshilov 2012). The number of chunks belongs to the problem,
// never to the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tact/contact/law.hpp>
#include <tact/solvers/coupling/compact_indices.hpp>
#include <tact/solvers/coupling/coupled_problem.hpp>

namespace tact {

struct CompactContact {
  float normal[3], tangent[3];          // the second tangent is their product
  float per_normal;                     // 1 / W_nn
  float per_tangent;                    // 1 / |W_TT| of the disc, 1 / W_11 of the pyramid
  float normal_tangent[2];              // W_n1, W_n2: what the normal impulse does to the tangents
  std::int32_t first_body, first_node;  // the next contact's are the ends
};

// What only pyramids need, whose tangents are relaxed one after the other.
struct CompactTangents {
  float per_second;  // 1 / W_22
  float across;      // W_12
};

struct CompactBody {
  float arm[3];
  float weight;
};

// P^-1 of a node: xx, yy, zz, xy, xz, yz.
struct CompactResponse {
  float entry[6];
};

// The same, written out.
Matrix3d frame_of(const CompactContact& contact);
Matrix36d rows_of(const CompactBody& body, const Matrix3d& frame);
Matrix3d full_response(const CompactResponse& response);

struct RowRange {
  int first = 0, last = 0;
};

// Consecutive contacts of a chunk. Slot >= 0: each acts on one body, which is in that slot.
struct ContactRun {
  int first = 0, last = 0;
  int slot = -1;
};

struct ContactChunk {
  RowRange contacts, runs;
};

class CompactRows {
 public:
  std::vector<CompactContact> contacts;   // and one more, for the ends of the last
  std::vector<CompactTangents> tangents;  // of pyramids; else empty
  std::vector<Vector3d> q;
  std::vector<double> frictions;  // the coefficients that there are, each once
  CompactIndices friction_of;     // contacts
  std::vector<CompactBody> bodies;
  std::vector<float> node_weights;
  CompactIndices body_slots, node_slots;  // one an entry of these
  std::vector<Matrix6d> body_responses;   // one a slot, times the number of its copies
  std::vector<CompactResponse> node_responses;
  std::vector<ContactChunk> chunks;
  std::vector<ContactRun> runs;  // all contacts, in order
  FrictionLaw law = FrictionLaw::disc;

  void load(const CoupledProblem& problem, FrictionLaw law, int chunk_count = 1);

  int size() const { return static_cast<int>(contacts.size()) - 1; }
  // The state: six entries a slot of a body, three a slot of a node.
  int body_at(int slot) const { return 6 * slot; }
  int node_at(int slot) const { return static_cast<int>(6 * body_responses.size()) + 3 * slot; }
  int state_size() const { return node_at(static_cast<int>(node_responses.size())); }

  double mu(int contact) const { return frictions[friction_of[contact]]; }

  // From the response of the problem to the state, and back: means over copies.
  void spread(const VectorXd& w, VectorXd& state) const;
  void gather(const VectorXd& state, VectorXd& w) const;
  bool split() const { return chunks.size() > 1; }  // else w is the state

  Vector3d velocity(int contact, const double* state) const;
  void push(int contact, const Vector3d& impulse, double* state) const;
  // What nodes have to do with it, along the axes of the world. Nodes: the part of the state.
  void add_nodes(int contact, const double* nodes_in_state, double* apart) const;
  void push_nodes(int contact, const double* f, double* nodes_in_state) const;
  // q := u - J w with the rows as they are rounded: from here on only changes of w are seen through
  // them, and the answer is not limited by their precision.
  void rebase(int contact, const Vector3d& u, const double* state);

  // The contact law of one contact while the others rest, from its velocity u.
  Vector3d relax(int contact, const Vector3d& u, const Vector3d& lambda) const;
  auto law_of_contacts() const
  {
    return [this](int c, const Vector3d& u, const Vector3d& own) { return relax(c, u, own); };
  }

  // What a sweep reads and writes, impulses included.
  std::size_t bytes() const;

 private:
  void cut(const CoupledProblem& problem, int chunk_count);
  void load_responses(const CoupledProblem& problem);
  void load_contact(const CoupledContact& contact, const Matrix3d& W, int c);
  void load_frictions(const CoupledProblem& problem);
  void find_runs();
  int lone_body(int contact) const;
  Matrix3d split_response(const CoupledProblem& problem, const CoupledContact& contact) const;

  int body_count_ = 0, node_count_ = 0;
  std::vector<int> body_of_slot_, node_of_slot_;
  std::vector<int> copies_of_body_, copies_of_node_;
};

inline constexpr std::size_t bytes_of_mixed_contact =
    sizeof(CompactContact) + sizeof(CompactBody) + sizeof(float) + sizeof(CompactResponse) +
    3 * sizeof(std::uint16_t) +  // which friction, body and node
    3 * sizeof(double) +         // q
    3 * sizeof(double) +         // the impulse
    3 * sizeof(double);          // the velocity of the node
static_assert(bytes_of_mixed_contact == 170);

// Inline: the inner loop of sweeps.

inline void CompactRows::add_nodes(int c, const double* nodes_in_state, double* apart) const
{
  for (int i = contacts[c].first_node; i < contacts[c + 1].first_node; ++i) {
    const double* x = nodes_in_state + 3 * node_slots[i];
    const double weight = node_weights[i];
    for (int k = 0; k < 3; ++k) apart[k] += weight * x[k];
  }
}

inline void CompactRows::push_nodes(int c, const double* f, double* nodes_in_state) const
{
  for (int i = contacts[c].first_node; i < contacts[c + 1].first_node; ++i) {
    const int slot = node_slots[i];
    const float* R = node_responses[slot].entry;
    const double weight = node_weights[i];
    double* x = nodes_in_state + 3 * slot;
    x[0] += weight * (R[0] * f[0] + R[3] * f[1] + R[4] * f[2]);
    x[1] += weight * (R[3] * f[0] + R[1] * f[1] + R[5] * f[2]);
    x[2] += weight * (R[4] * f[0] + R[5] * f[1] + R[2] * f[2]);
  }
}

inline Vector3d CompactRows::velocity(int c, const double* state) const
{
  const CompactContact& contact = contacts[c];
  double apart[3] = {};
  for (int b = contact.first_body; b < contacts[c + 1].first_body; ++b) {
    const CompactBody& body = bodies[b];
    const double* v = state + body_at(body_slots[b]);
    const double *omega = v + 3, weight = body.weight;
    const double r[3] = {body.arm[0], body.arm[1], body.arm[2]};
    apart[0] += weight * (v[0] + omega[1] * r[2] - omega[2] * r[1]);
    apart[1] += weight * (v[1] + omega[2] * r[0] - omega[0] * r[2]);
    apart[2] += weight * (v[2] + omega[0] * r[1] - omega[1] * r[0]);
  }
  add_nodes(c, state + node_at(0), apart);
  const double n[3] = {contact.normal[0], contact.normal[1], contact.normal[2]};
  const double t[3] = {contact.tangent[0], contact.tangent[1], contact.tangent[2]};
  const double s[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                       n[0] * t[1] - n[1] * t[0]};
  return {q[c][0] + n[0] * apart[0] + n[1] * apart[1] + n[2] * apart[2],
          q[c][1] + t[0] * apart[0] + t[1] * apart[1] + t[2] * apart[2],
          q[c][2] + s[0] * apart[0] + s[1] * apart[1] + s[2] * apart[2]};
}

inline void CompactRows::push(int c, const Vector3d& impulse, double* state) const
{
  const CompactContact& contact = contacts[c];
  const double n[3] = {contact.normal[0], contact.normal[1], contact.normal[2]};
  const double t[3] = {contact.tangent[0], contact.tangent[1], contact.tangent[2]};
  const double s[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                       n[0] * t[1] - n[1] * t[0]};
  double f[3];
  for (int k = 0; k < 3; ++k) f[k] = n[k] * impulse[0] + t[k] * impulse[1] + s[k] * impulse[2];
  for (int b = contact.first_body; b < contacts[c + 1].first_body; ++b) {
    const CompactBody& body = bodies[b];
    const double weight = body.weight;
    const double r[3] = {body.arm[0], body.arm[1], body.arm[2]};
    Vector6d force;
    force << f[0], f[1], f[2], r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2],
        r[0] * f[1] - r[1] * f[0];
    Eigen::Map<Vector6d>(state + body_at(body_slots[b])).noalias() +=
        body_responses[body_slots[b]] * (weight * force);
  }
  push_nodes(c, f, state + node_at(0));
}

// Written so that a contact waits little for the one before: u comes late, the rest is there.
inline Vector3d CompactRows::relax(int c, const Vector3d& u, const Vector3d& lambda) const
{
  const CompactContact& contact = contacts[c];
  const double n = std::max(0.0, lambda[0] - u[0] * contact.per_normal), mu_c = mu(c);
  if (mu_c == 0.0) return {n, 0.0, 0.0};
  const double change = n - lambda[0], bound = mu_c * n, per = contact.per_tangent;
  double t_1 = (lambda[1] - u[1] * per) - (per * contact.normal_tangent[0]) * change;
  if (law == FrictionLaw::disc) {
    double t_2 = (lambda[2] - u[2] * per) - (per * contact.normal_tangent[1]) * change;
    const double squared = t_1 * t_1 + t_2 * t_2;
    if (squared > bound * bound) {
      const double scale =
          std::sqrt(squared) * (bound / squared);  // root and quotient side by side
      t_1 *= scale;
      t_2 *= scale;
    }
    return {n, t_1, t_2};
  }
  t_1 = std::clamp(t_1, -bound, bound);
  const double u_2 =
      u[2] + contact.normal_tangent[1] * change + tangents[c].across * (t_1 - lambda[1]);
  return {n, t_1, std::clamp(lambda[2] - u_2 * tangents[c].per_second, -bound, bound)};
}

}  // namespace tact
