#include <tact/solvers/coupling/compact_rows.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <Eigen/Geometry>

namespace tact {
namespace {

CompactResponse compact(const Matrix3d& R)
{
  CompactResponse response{};
  const double entries[6] = {R(0, 0), R(1, 1), R(2, 2), R(0, 1), R(0, 2), R(1, 2)};
  std::copy_n(entries, 6, response.entry);
  return response;
}

float inverse_or_zero(double w)
{
  return w > 0.0 ? static_cast<float>(1.0 / w) : 0.0F;  // what moves nothing keeps no impulse
}

}  // namespace

Matrix3d frame_of(const CompactContact& contact)
{
  const Vector3d n(contact.normal[0], contact.normal[1], contact.normal[2]);
  const Vector3d t(contact.tangent[0], contact.tangent[1], contact.tangent[2]);
  Matrix3d frame;
  frame << n.transpose(), t.transpose(), n.cross(t).transpose();
  return frame;
}

Matrix36d rows_of(const CompactBody& body, const Matrix3d& frame)
{
  const BodySupport support{
      .body = 0, .weight = body.weight, .arm = {body.arm[0], body.arm[1], body.arm[2]}};
  return support.rows(frame);
}

Matrix3d full_response(const CompactResponse& response)
{
  const float* R = response.entry;
  Matrix3d matrix;
  matrix << R[0], R[3], R[4], R[3], R[1], R[5], R[4], R[5], R[2];
  return matrix;
}

void CompactRows::load(const CoupledProblem& problem, FrictionLaw law_now, int chunk_count)
{
  law = law_now;
  body_count_ = problem.body_count();
  node_count_ = static_cast<int>(problem.nodes.size());
  cut(problem, std::max(1, chunk_count));
  load_responses(problem);
  q.resize(problem.size());
  tangents.resize(law == FrictionLaw::pyramid ? problem.size() : 0);
  for (int c = 0; c < problem.size(); ++c) {
    const CoupledContact& contact = problem.contacts[c];
    load_contact(contact, split() ? split_response(problem, contact) : contact.W, c);
  }
  load_frictions(problem);
  find_runs();
}

void CompactRows::load_contact(const CoupledContact& contact, const Matrix3d& W, int c)
{
  CompactContact& to = contacts[c];
  for (int k = 0; k < 3; ++k) {
    to.normal[k] = static_cast<float>(contact.frame(0, k));
    to.tangent[k] = static_cast<float>(contact.frame(1, k));
  }
  q[c] = contact.q;
  to.per_normal = inverse_or_zero(W(0, 0));
  for (int k = 0; k < 2; ++k) to.normal_tangent[k] = static_cast<float>(W(k + 1, 0));
  if (law == FrictionLaw::disc) {
    to.per_tangent = inverse_or_zero(largest_tangent_response(W));
  } else {
    to.per_tangent = inverse_or_zero(W(1, 1));
    tangents[c] = {.per_second = inverse_or_zero(W(2, 2)), .across = static_cast<float>(W(2, 1))};
  }
}

// Contacts of one pair of bodies are neighbours and have one coefficient: few are looked up.
void CompactRows::load_frictions(const CoupledProblem& problem)
{
  frictions.clear();
  friction_of.clear();
  std::unordered_map<double, int> places;
  int place = -1;
  for (int c = 0; c < problem.size(); ++c) {
    const double mu_c = problem.contacts[c].mu;
    if (place < 0 || frictions[place] != mu_c) {
      const auto [entry, fresh] = places.try_emplace(mu_c, static_cast<int>(frictions.size()));
      if (fresh) frictions.push_back(mu_c);
      place = entry->second;
    }
    friction_of.push_back(place);
  }
}

// Chunks of about equal size, and a slot for everything that one acts on. With one chunk slots are
// the bodies and nodes themselves.
void CompactRows::cut(const CoupledProblem& problem, int chunk_count)
{
  chunks.clear();
  contacts.assign(problem.size() + 1, {});
  bodies.clear();
  node_weights.clear();
  body_slots.clear();
  node_slots.clear();
  body_of_slot_.clear();
  node_of_slot_.clear();
  copies_of_body_.assign(problem.bodies.size(), 0);
  copies_of_node_.assign(problem.nodes.size(), 0);
  std::vector<int> body_slot(problem.bodies.size()), node_slot(problem.nodes.size());
  const bool whole = chunk_count == 1;
  const auto slot_of = [&](int thing, std::vector<int>& slot, std::vector<int>& of_slot,
                           std::vector<int>& copies) {
    if (slot[thing] < 0) {
      slot[thing] = static_cast<int>(of_slot.size());
      of_slot.push_back(thing);
      ++copies[thing];
    }
    return slot[thing];
  };
  for (int k = 0; k < chunk_count; ++k) {
    const auto cut_at = [&](int i) {
      return static_cast<int>(static_cast<std::int64_t>(i) * problem.size() / chunk_count);
    };
    std::fill(body_slot.begin(), body_slot.end(), -1);
    std::fill(node_slot.begin(), node_slot.end(), -1);
    if (whole) {
      for (int b = 0; b < body_count_; ++b) slot_of(b, body_slot, body_of_slot_, copies_of_body_);
      for (int i = 0; i < node_count_; ++i) slot_of(i, node_slot, node_of_slot_, copies_of_node_);
    }
    chunks.push_back({.contacts = {cut_at(k), cut_at(k + 1)}, .runs = {}});
    for (int c = chunks.back().contacts.first; c < chunks.back().contacts.last; ++c) {
      contacts[c].first_body = static_cast<int>(bodies.size());
      contacts[c].first_node = static_cast<int>(node_weights.size());
      for (const BodySupport& support : problem.bodies_of(problem.contacts[c])) {
        CompactBody& body = bodies.emplace_back();
        for (int i = 0; i < 3; ++i) body.arm[i] = static_cast<float>(support.arm[i]);
        body.weight = static_cast<float>(support.weight);
        body_slots.push_back(slot_of(support.body, body_slot, body_of_slot_, copies_of_body_));
      }
      for (const NodeSupport& support : problem.nodes_of(problem.contacts[c])) {
        node_weights.push_back(static_cast<float>(support.weight));
        node_slots.push_back(slot_of(support.node, node_slot, node_of_slot_, copies_of_node_));
      }
    }
  }
  contacts.back().first_body = static_cast<int>(bodies.size());
  contacts.back().first_node = static_cast<int>(node_weights.size());
}

// What is split answers as often as it was copied.
void CompactRows::load_responses(const CoupledProblem& problem)
{
  body_responses.resize(body_of_slot_.size());
  for (std::size_t s = 0; s < body_of_slot_.size(); ++s) {
    const int body = body_of_slot_[s];
    body_responses[s] = copies_of_body_[body] * problem.bodies[body].inverse;
  }
  node_responses.resize(node_of_slot_.size());
  for (std::size_t s = 0; s < node_of_slot_.size(); ++s) {
    const int node = node_of_slot_[s];
    node_responses[s] = compact(copies_of_node_[node] * problem.nodes[node].inverse);
  }
}

// The slot of the only body that a contact acts on; -1 where there are more, or none.
int CompactRows::lone_body(int contact) const
{
  const int body = contacts[contact].first_body;
  return contacts[contact + 1].first_body == body + 1 ? body_slots[body] : -1;
}

void CompactRows::find_runs()
{
  constexpr int least_run = 4;  // contacts; shorter ones gain nothing
  runs.clear();
  for (ContactChunk& chunk : chunks) {
    chunk.runs.first = static_cast<int>(runs.size());
    const auto is_others = [&] {
      return static_cast<int>(runs.size()) > chunk.runs.first && runs.back().slot < 0;
    };
    for (int c = chunk.contacts.first; c < chunk.contacts.last;) {
      const int slot = lone_body(c), first = c;
      while (c < chunk.contacts.last && lone_body(c) == slot) ++c;
      const bool run = slot >= 0 && c - first >= least_run;
      if (!run && is_others()) {
        runs.back().last = c;
      } else {
        runs.push_back({.first = first, .last = c, .slot = run ? slot : -1});
      }
    }
    chunk.runs.last = static_cast<int>(runs.size());
  }
}

// W of a contact whose bodies and nodes are split.
Matrix3d CompactRows::split_response(const CoupledProblem& problem,
                                     const CoupledContact& contact) const
{
  Matrix3d W = Matrix3d::Zero();
  for (const NodeSupport& support : problem.nodes_of(contact)) {
    W += support.weight * support.weight * copies_of_node_[support.node] *
         problem.nodes[support.node].inverse;
  }
  W = contact.frame * W * contact.frame.transpose();
  for (const BodySupport& support : problem.bodies_of(contact)) {
    const Matrix36d J = support.rows(contact.frame);
    W += copies_of_body_[support.body] * J * problem.bodies[support.body].inverse * J.transpose();
  }
  return W;
}

void CompactRows::spread(const VectorXd& w, VectorXd& state) const
{
  state.resize(state_size());
  for (std::size_t s = 0; s < body_of_slot_.size(); ++s) {
    state.segment<6>(body_at(static_cast<int>(s))) = w.segment<6>(6 * body_of_slot_[s]);
  }
  for (std::size_t s = 0; s < node_of_slot_.size(); ++s) {
    state.segment<3>(node_at(static_cast<int>(s))) =
        w.segment<3>(6 * body_count_ + 3 * node_of_slot_[s]);
  }
}

// Copies are added in the order of slots, which is that of chunks.
void CompactRows::gather(const VectorXd& state, VectorXd& w) const
{
  w.setZero(6 * body_count_ + 3 * node_count_);
  for (std::size_t s = 0; s < body_of_slot_.size(); ++s) {
    const int body = body_of_slot_[s];
    w.segment<6>(6 * body) +=
        state.segment<6>(body_at(static_cast<int>(s))) / copies_of_body_[body];
  }
  for (std::size_t s = 0; s < node_of_slot_.size(); ++s) {
    const int node = node_of_slot_[s];
    w.segment<3>(6 * body_count_ + 3 * node) +=
        state.segment<3>(node_at(static_cast<int>(s))) / copies_of_node_[node];
  }
}

void CompactRows::rebase(int contact, const Vector3d& u, const double* state)
{
  q[contact] += u - velocity(contact, state);
}

std::size_t CompactRows::bytes() const
{
  return contacts.size() * (sizeof(CompactContact) + 3 * sizeof(double)) +
         tangents.size() * sizeof(CompactTangents) + q.size() * sizeof(Vector3d) +
         frictions.size() * sizeof(double) + runs.size() * sizeof(ContactRun) +
         bodies.size() * sizeof(CompactBody) + node_weights.size() * sizeof(float) +
         body_slots.bytes() + node_slots.bytes() + friction_of.bytes() +
         body_responses.size() * (sizeof(Matrix6d) + sizeof(Vector6d)) +
         node_responses.size() * (sizeof(CompactResponse) + sizeof(Vector3d));
}

}  // namespace tact
