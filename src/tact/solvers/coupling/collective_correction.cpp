#include <tact/solvers/coupling/collective_correction.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <tact/linalg/parallel.hpp>

namespace tact {
namespace {

constexpr int least_corrected_contacts = 40;  // on a body, for corrections to pay
constexpr double least_load = 0.25;           // of a body: see see_whether_it_pays()
constexpr int most_bodies = 64;               // in K, which is dense
constexpr double rigid_softness = 0.05;       // of the response, for contacts without a node
constexpr double node_softness = 0.05;  // of the diagonal, for contacts whose node is eliminated
constexpr int contacts_a_correction_piece = 2048;
constexpr int most_correction_pieces = 8;
constexpr int most_split_correction_bodies = 16;  // each piece has a K of its own

// d lambda = misfit - H J_B dw of one contact while bodies move by dw; 0 where it is open.
LocalDerivative step_of(const CoupledContact& contact, const Vector3d& u, const Vector3d& lambda,
                        FrictionLaw law)
{
  if (!(contact.W(0, 0) > 0.0)) return {};
  const bool rigid = contact.set() == ConstraintSet::rigid;
  const Matrix3d S = rigid
                         ? Matrix3d(rigid_softness * contact.W.trace() / 3.0 * Matrix3d::Identity())
                         : contact.nodal;
  return differentiate_locally(u, S, OwnResponse(S).steps(), lambda, contact.mu, law);
}

}  // namespace

void CollectiveCorrection::load(const CoupledProblem& problem, FrictionLaw law)
{
  law_ = law;
  choose_bodies(problem);
  see_whether_it_pays(problem);
  find_runs(problem);
  list_contacts_of_nodes(problem);
  cut_pieces(problem);
  local_.resize(problem.size());
  d_.resize(3 * problem.size());
  p_.resize(problem.response_size());
}

void CollectiveCorrection::choose_bodies(const CoupledProblem& problem)
{
  corrected_bodies_.resize(problem.body_count());
  std::iota(corrected_bodies_.begin(), corrected_bodies_.end(), 0);
  std::stable_sort(corrected_bodies_.begin(), corrected_bodies_.end(), [&](int a, int b) {
    return problem.bodies[a].contacts > problem.bodies[b].contacts;
  });
  corrected_ = std::min(problem.body_count(), most_bodies);
  corrected_bodies_.resize(corrected_);
  place_.assign(problem.body_count(), -1);
  for (int k = 0; k < corrected_; ++k) place_[corrected_bodies_[k]] = k;
}

// Loads: how much more its contacts together move a body than one of them moves its nodes. The
// number of sweeps grows with it.
void CollectiveCorrection::see_whether_it_pays(const CoupledProblem& problem)
{
  std::vector<double> load(problem.body_count(), 0.0);
  for (const CoupledContact& contact : problem.contacts) {
    for (const BodySupport& support : problem.bodies_of(contact)) {
      if (contact.nodal(0, 0) <= 0.0) continue;
      load[support.body] += (contact.W(0, 0) - contact.nodal(0, 0)) / contact.nodal(0, 0);
    }
  }
  pays_ = false;
  for (int b = 0; b < problem.body_count(); ++b) {
    pays_ =
        pays_ || (problem.bodies[b].contacts > least_corrected_contacts && load[b] > least_load);
  }
}

void CollectiveCorrection::find_runs(const CoupledProblem& problem)
{
  runs_.clear();
  run_of_contact_.assign(problem.size(), -1);
  const auto lone_node = [&](int c) {
    const auto nodes = problem.nodes_of(problem.contacts[c]);
    return nodes.size() == 1 ? nodes.front().node : -1;
  };
  for (int c = 0; c < problem.size();) {
    const int node = lone_node(c), first = c;
    for (++c; c < problem.size() && node >= 0 && lone_node(c) == node;) ++c;
    if (node < 0 || c - first < 2) continue;
    std::fill(run_of_contact_.begin() + first, run_of_contact_.begin() + c,
              static_cast<int>(runs_.size()));
    runs_.push_back({.first = first, .last = c, .node = node, .inverse = {}, .answer = {}});
  }
}

void CollectiveCorrection::list_contacts_of_nodes(const CoupledProblem& problem)
{
  first_of_node_.assign(problem.nodes.size() + 1, 0);
  for (std::size_t i = 0; i < problem.nodes.size(); ++i) {
    first_of_node_[i + 1] = first_of_node_[i] + problem.nodes[i].contacts;
  }
  pushes_.resize(problem.node_supports.size());
  std::vector<int> next(first_of_node_.begin(), first_of_node_.end() - 1);
  for (int c = 0; c < problem.size(); ++c) {
    for (const NodeSupport& support : problem.nodes_of(problem.contacts[c])) {
      pushes_[next[support.node]++] = {.contact = c, .weight = support.weight};
    }
  }
}

// By the problem alone. Runs are not cut.
void CollectiveCorrection::cut_pieces(const CoupledProblem& problem)
{
  const int wanted =
      std::clamp(problem.size() / contacts_a_correction_piece, 1, most_correction_pieces);
  const int count = corrected_ <= most_split_correction_bodies ? wanted : 1;
  const auto nodes = static_cast<long>(problem.nodes.size());
  pieces_.resize(count);
  int contact = 0, run = 0;
  for (int k = 0; k < count; ++k) {
    Piece& piece = pieces_[k];
    piece.first = contact;
    piece.first_run = run;
    contact = static_cast<int>((k + 1L) * problem.size() / count);
    const int cut_run = contact < problem.size() ? run_of_contact_[contact] : -1;
    if (cut_run >= 0) contact = std::max(piece.first, runs_[cut_run].first);
    while (run < static_cast<int>(runs_.size()) && runs_[run].first < contact) ++run;
    piece.last = contact;
    piece.last_run = run;
    piece.first_node = static_cast<int>(k * nodes / count);
    piece.last_node = static_cast<int>((k + 1) * nodes / count);
    piece.K.resize(6L * corrected_, 6L * corrected_);
    piece.right.resize(6L * corrected_);
    piece.force.resize(6L * problem.body_count());
  }
}

bool CollectiveCorrection::find(const CoupledProblem& problem, const VectorXd& u,
                                const VectorXd& lambda)
{
  for_pieces(pieces_, [&](Piece& piece) { assemble(problem, u, lambda, piece); });
  if (!solve_bodies(problem)) return false;
  for_pieces(pieces_, [&](Piece& piece) { find_direction(problem, u, lambda, piece); });
  for_pieces(pieces_, [&](Piece& piece) { answer_of_nodes(problem, piece); });
  answer_of_bodies(problem);
  double slope = 0.0, curvature = 0.0;
  for (const Piece& piece : pieces_) {
    slope += piece.slope;
    curvature += piece.curvature;
  }
  for (int b = 0; b < problem.body_count(); ++b) {
    const auto p = p_.segment<6>(problem.body_at(b));
    curvature += p.dot(problem.bodies[b].mass * p);
  }
  if (!(slope < 0.0) || !(curvature > 0.0)) return false;
  length_ = std::min(1.0, -slope / curvature);
  return true;
}

void CollectiveCorrection::assemble(const CoupledProblem& problem, const VectorXd& u,
                                    const VectorXd& lambda, Piece& piece)
{
  piece.K.setZero();
  piece.right.setZero();
  for (int c = piece.first; c < piece.last; ++c) {
    const CoupledContact& contact = problem.contacts[c];
    LocalDerivative& local = local_[c];
    local = step_of(contact, u.segment<3>(3 * c), lambda.segment<3>(3 * c), law_);
    if (local.H(0, 0) == 0.0) continue;
    if (run_of_contact_[c] >= 0) {
      local.H *= 1.0 / node_softness;
      local.misfit *= 1.0 / node_softness;
    }
    for (const BodySupport& support : problem.bodies_of(contact)) {
      const int row = 6 * place_[support.body];
      if (row < 0) continue;
      const Eigen::Matrix<double, 6, 3> Jt = support.rows(contact.frame).transpose();
      const Eigen::Matrix<double, 6, 3> JH = Jt * local.H;
      piece.right.segment<6>(row) += Jt * local.misfit;
      for (const BodySupport& other : problem.bodies_of(contact)) {
        const int column = 6 * place_[other.body];
        if (column < 0) continue;
        piece.K.block<6, 6>(row, column) += JH * other.rows(contact.frame);
      }
    }
  }
  for (int r = piece.first_run; r < piece.last_run; ++r) eliminate(problem, runs_[r], piece);
}

// The node's own motion z, from (D + G' H G) z + G' H J_B dw = G' misfit with G = weight F.
void CollectiveCorrection::eliminate(const CoupledProblem& problem, Run& run, Piece& piece)
{
  const auto G_of = [&](int c) {
    const CoupledContact& contact = problem.contacts[c];
    return Matrix3d(problem.node_supports[contact.first_node].weight * contact.frame);
  };
  Matrix3d mass = problem.nodes[run.node].inverse.inverse();
  Vector3d right = Vector3d::Zero();
  for (int c = run.first; c < run.last; ++c) {
    const Matrix3d G = G_of(c), GH = G.transpose() * local_[c].H;
    mass += GH * G;
    right += G.transpose() * local_[c].misfit;
  }
  run.inverse = mass.inverse();
  run.answer = run.inverse * right;
  for (int c = run.first; c < run.last; ++c) {
    const CoupledContact& contact = problem.contacts[c];
    const Matrix3d HG = local_[c].H * G_of(c);
    for (const BodySupport& support : problem.bodies_of(contact)) {
      const int row = 6 * place_[support.body];
      if (row < 0) continue;
      const Eigen::Matrix<double, 6, 3> down = support.rows(contact.frame).transpose() * HG;
      piece.right.segment<6>(row) -= down * run.answer;
      for (int e = run.first; e < run.last; ++e) {
        const CoupledContact& other = problem.contacts[e];
        const Matrix3d GH = G_of(e).transpose() * local_[e].H;
        for (const BodySupport& beside : problem.bodies_of(other)) {
          const int column = 6 * place_[beside.body];
          if (column < 0) continue;
          piece.K.block<6, 6>(row, column) -= down * run.inverse * GH * beside.rows(other.frame);
        }
      }
    }
  }
}

bool CollectiveCorrection::solve_bodies(const CoupledProblem& problem)
{
  if (corrected_ == 0) return false;
  const int size = 6 * corrected_;
  dw_.setZero(size);
  K_.begin(size);
  for (int i = 0; i < size; ++i) {
    const CoupledBody& body = problem.bodies[corrected_bodies_[i / 6]];
    for (int j = 0; j < size; ++j) {
      double sum = i / 6 == j / 6 ? body.mass(i % 6, j % 6) : 0.0;
      for (const Piece& piece : pieces_) sum += piece.K(i, j);
      K_(i, j) = sum;
    }
    for (const Piece& piece : pieces_) dw_[i] += piece.right[i];
  }
  if (!K_.factor()) return false;
  K_.solve(dw_.data());
  return dw_.allFinite();
}

Vector3d CollectiveCorrection::motion_of_bodies(const CoupledProblem& problem,
                                                const CoupledContact& contact) const
{
  Vector3d apart = Vector3d::Zero();
  for (const BodySupport& support : problem.bodies_of(contact)) {
    if (place_[support.body] < 0) continue;
    const double* x = dw_.data() + 6 * place_[support.body];
    const Eigen::Map<const Vector3d> v(x), omega(x + 3);
    apart += support.weight * (v + omega.cross(support.arm));
  }
  return contact.frame * apart;
}

void CollectiveCorrection::find_direction(const CoupledProblem& problem, const VectorXd& u,
                                          const VectorXd& lambda, Piece& piece)
{
  for (int r = piece.first_run; r < piece.last_run; ++r) {
    Run& run = runs_[r];
    Vector3d force = Vector3d::Zero();
    for (int c = run.first; c < run.last; ++c) {
      const CoupledContact& contact = problem.contacts[c];
      force += problem.node_supports[contact.first_node].weight * contact.frame.transpose() *
               (local_[c].H * motion_of_bodies(problem, contact));
    }
    run.answer -= run.inverse * force;
  }
  piece.slope = 0.0;
  piece.force.setZero();
  for (int c = piece.first; c < piece.last; ++c) {
    auto d = d_.segment<3>(3 * c);
    if (local_[c].H(0, 0) == 0.0) {
      d.setZero();
      continue;
    }
    const CoupledContact& contact = problem.contacts[c];
    const Vector3d u_c = u.segment<3>(3 * c), lambda_c = lambda.segment<3>(3 * c);
    Vector3d wanted = -motion_of_bodies(problem, contact);
    if (run_of_contact_[c] >= 0) {
      wanted -= problem.node_supports[contact.first_node].weight * contact.frame *
                runs_[run_of_contact_[c]].answer;
    }
    d = clamp_to_cone(lambda_c + local_[c].misfit + local_[c].H * wanted, contact.mu, law_) -
        lambda_c;
    piece.slope += u_c.dot(d) + de_saxce_shift<3>(u_c, contact.mu, law_) * d[0];
    const Vector3d force = contact.frame.transpose() * d;
    for (const BodySupport& support : problem.bodies_of(contact)) {
      const Vector3d f = support.weight * force;
      piece.force.segment<3>(6 * support.body) += f;
      piece.force.segment<3>(6 * support.body + 3) += support.arm.cross(f);
    }
  }
}

// p = P^-1 J' d of nodes, and their share of d' B d.
void CollectiveCorrection::answer_of_nodes(const CoupledProblem& problem, Piece& piece)
{
  piece.curvature = 0.0;
  for (int i = piece.first_node; i < piece.last_node; ++i) {
    Vector3d force = Vector3d::Zero();
    for (int k = first_of_node_[i]; k < first_of_node_[i + 1]; ++k) {
      const int c = pushes_[k].contact;
      force += pushes_[k].weight * (problem.contacts[c].frame.transpose() * d_.segment<3>(3 * c));
    }
    auto p = p_.segment<3>(problem.node_at(i));
    p = problem.nodes[i].inverse * force;
    piece.curvature += p.dot(force);
  }
}

void CollectiveCorrection::answer_of_bodies(const CoupledProblem& problem)
{
  for (int b = 0; b < problem.body_count(); ++b) {
    Vector6d force = Vector6d::Zero();
    for (const Piece& piece : pieces_) force += piece.force.segment<6>(6 * b);
    p_.segment<6>(problem.body_at(b)) = problem.bodies[b].inverse * force;
  }
}

}  // namespace tact
