#include <tact/solvers/coupling/condensed_system.hpp>

#include <algorithm>
#include <array>

#include <Eigen/LU>

#include <tact/linalg/parallel.hpp>

namespace tact {
namespace {

constexpr int contacts_a_term_piece = 2048;
constexpr int most_term_pieces = 16;

}  // namespace

double cone_scale(const CoupledContact& contact)
{
  return contact.mu > 0.0 ? contact.mu : 1.0;
}

bool CondensedSystem::applies(const CoupledProblem& problem)
{
  return problem.body_count() > 0 &&
         std::all_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const CoupledContact& contact) { return contact.W(0, 0) > 0.0; }) &&
         std::all_of(problem.nodes.begin(), problem.nodes.end(),
                     [](const CoupledNode& node) { return node.contacts == 1; });
}

void CondensedSystem::load(const CoupledProblem& problem, double proximal)
{
  problem_ = &problem;
  S_.clear();
  for (const CoupledContact& contact : problem.contacts) {
    Matrix3d S = contact.nodal;
    S.diagonal().array() += proximal * contact.W.trace() / 3.0;
    S.row(0) /= cone_scale(contact);
    S.col(0) /= cone_scale(contact);
    S_.push_back(S);
  }
  inverse_.resize(S_.size());
  const int size = 6 * problem.body_count();
  dw_.resize(size);
  find_places();
  const int count = std::clamp(problem.size() / contacts_a_term_piece, 1, most_term_pieces);
  pieces_.resize(count);
  for (int k = 0; k < count; ++k) {
    pieces_[k].first = static_cast<int>(static_cast<long>(k) * problem.size() / count);
    pieces_[k].last = static_cast<int>((k + 1L) * problem.size() / count);
    pieces_[k].K.resize(lu_.blocks());
    pieces_[k].force.resize(size);
  }
}

void CondensedSystem::find_places()
{
  std::vector<std::array<int, 2>> couples;
  for (const CoupledContact& contact : problem_->contacts)
    for (const BodySupport& a : problem_->bodies_of(contact))
      for (const BodySupport& b : problem_->bodies_of(contact)) couples.push_back({a.body, b.body});
  lu_.begin(problem_->body_count(), couples);
  place_.clear();
  first_place_.clear();
  for (const CoupledContact& contact : problem_->contacts) {
    first_place_.push_back(static_cast<int>(place_.size()));
    for (const BodySupport& a : problem_->bodies_of(contact))
      for (const BodySupport& b : problem_->bodies_of(contact))
        place_.push_back(lu_.place(a.body, b.body));
  }
}

Matrix36d CondensedSystem::rows(const CoupledContact& contact, const BodySupport& support) const
{
  Matrix36d J = support.rows(contact.frame);
  J.row(0) /= cone_scale(contact);
  return J;
}

bool CondensedSystem::factor(const std::vector<Term>& terms)
{
  for_pieces(pieces_, [&](Piece& piece) {
    for (Matrix6d& block : piece.K) block.setZero();
    for (int c = piece.first; c < piece.last; ++c) {
      const CoupledContact& contact = problem_->contacts[c];
      inverse_[c] = (Matrix3d::Identity() + terms[c].T * S_[c]).inverse();
      const Matrix3d H = inverse_[c] * terms[c].T;
      const int* place = place_.data() + first_place_[c];
      for (const BodySupport& a : problem_->bodies_of(contact)) {
        const Eigen::Matrix<double, 6, 3> JH = rows(contact, a).transpose() * H;
        for (const BodySupport& b : problem_->bodies_of(contact))
          piece.K[*place++] += JH * rows(contact, b);
      }
    }
  });
  lu_.set_zero();
  for (const Piece& piece : pieces_)
    for (int k = 0; k < lu_.blocks(); ++k) lu_[k] += piece.K[k];
  for (int b = 0; b < problem_->body_count(); ++b) lu_[lu_.place(b, b)] += problem_->bodies[b].mass;
  return lu_.factor();
}

void CondensedSystem::solve(const std::vector<Term>& terms, VectorXd& dz)
{
  dz.resize(3 * problem_->size());
  for_pieces(pieces_, [&](Piece& piece) {
    piece.force.setZero();
    for (int c = piece.first; c < piece.last; ++c) {
      const CoupledContact& contact = problem_->contacts[c];
      const Vector3d held = inverse_[c] * (terms[c].r_c - terms[c].T * terms[c].r);
      dz.segment<3>(3 * c) = held;
      for (const BodySupport& a : problem_->bodies_of(contact))
        piece.force.segment<6>(6 * a.body) += rows(contact, a).transpose() * held;
    }
  });
  dw_.setZero();
  for (const Piece& piece : pieces_) dw_ += piece.force;
  lu_.solve({dw_.data(), static_cast<std::size_t>(dw_.size())});
  for_pieces(pieces_, [&](Piece& piece) {
    for (int c = piece.first; c < piece.last; ++c) {
      const CoupledContact& contact = problem_->contacts[c];
      Vector3d moved = Vector3d::Zero();
      for (const BodySupport& a : problem_->bodies_of(contact))
        moved += rows(contact, a) * dw_.segment<6>(6 * a.body);
      dz.segment<3>(3 * c) -= inverse_[c] * (terms[c].T * moved);
    }
  });
}

Vector3d CondensedSystem::velocity(int c, const VectorXd& dz) const
{
  const CoupledContact& contact = problem_->contacts[c];
  Vector3d sum = S_[c] * dz.segment<3>(3 * c);
  for (const BodySupport& a : problem_->bodies_of(contact))
    sum += rows(contact, a) * dw_.segment<6>(6 * a.body);
  return sum;
}

}  // namespace tact
