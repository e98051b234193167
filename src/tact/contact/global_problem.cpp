#include <tact/contact/global_problem.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/core.h>
#include <Eigen/LU>
#include <Eigen/SparseLU>

#include <tact/core/error.hpp>
#include <tact/core/union_find.hpp>

namespace tact {
namespace {

using Triplet = Eigen::Triplet<double>;

void require_global(bool holds, const std::string& complaint)
{
  if (!holds) throw Error("global friction problem: " + complaint);
}

void require_finite(const SparseRows& matrix, const char* name)
{
  for (int row = 0; row < matrix.rows(); ++row)
    for (SparseRows::InnerIterator it(matrix, row); it; ++it)
      require_global(std::isfinite(it.value()),
                     fmt::format("{}({}, {}) is {}, expected a finite number", name, row, it.col(),
                                 it.value()));
}

void require_vector(const VectorXd& vector, const char* name, Eigen::Index size)
{
  require_global(vector.size() == size,
                 fmt::format("found {} entries in {}, expected {}", vector.size(), name, size));
  require_global(vector.allFinite(), fmt::format("{} has an entry that is not finite", name));
}

// K = [M, -G; G', 0] by rows.
SparseRows saddle_matrix(const GlobalFrictionProblem& problem)
{
  const int n = static_cast<int>(problem.M.rows());
  std::vector<Triplet> entries;
  for (int row = 0; row < n; ++row) {
    for (SparseRows::InnerIterator it(problem.M, row); it; ++it)
      entries.emplace_back(row, static_cast<int>(it.col()), it.value());
    if (problem.G.cols() == 0) continue;
    for (SparseRows::InnerIterator it(problem.G, row); it; ++it) {
      const int joint = n + static_cast<int>(it.col());
      entries.emplace_back(row, joint, -it.value());
      entries.emplace_back(joint, row, it.value());
    }
  }
  const auto size = n + problem.G.cols();
  SparseRows K(size, size);
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

// Which unknowns hang together by K: a label each, numbered by first appearance.
struct Bodies {
  std::vector<int> of_row;                 // body of an unknown
  std::vector<int> place;                  // its number within the body
  std::vector<std::vector<int>> unknowns;  // of each body, ascending
};

Bodies find_bodies(const SparseRows& K)
{
  const int n = static_cast<int>(K.rows());
  UnionFind sets(n);
  for (int row = 0; row < n; ++row)
    for (SparseRows::InnerIterator it(K, row); it; ++it)
      if (it.value() != 0.0) sets.merge(row, static_cast<int>(it.col()));
  Bodies bodies{std::vector<int>(n), std::vector<int>(n), {}};
  std::vector<int> label(n, -1);
  for (int row = 0; row < n; ++row) {
    int& body = label[sets.root(row)];
    if (body < 0) {
      body = static_cast<int>(bodies.unknowns.size());
      bodies.unknowns.emplace_back();
    }
    bodies.of_row[row] = body;
    bodies.place[row] = static_cast<int>(bodies.unknowns[body].size());
    bodies.unknowns[body].push_back(row);
  }
  return bodies;
}

// K^-1 of one body applied to many right sides; small bodies are dense.
MatrixXd solve_body(const SparseRows& K, const Bodies& bodies, int body, const MatrixXd& right)
{
  constexpr int largest_dense = 60;
  const std::vector<int>& unknowns = bodies.unknowns[body];
  const int n = static_cast<int>(unknowns.size());
  std::vector<Triplet> entries;
  for (int i = 0; i < n; ++i)
    for (SparseRows::InnerIterator it(K, unknowns[i]); it; ++it)
      if (it.value() != 0.0) entries.emplace_back(i, bodies.place[it.col()], it.value());
  MatrixXd x;
  if (n <= largest_dense) {
    MatrixXd dense = MatrixXd::Zero(n, n);
    for (const Triplet& entry : entries) dense(entry.row(), entry.col()) += entry.value();
    x = dense.partialPivLu().solve(right);
  } else {
    Eigen::SparseMatrix<double> sparse(n, n);
    sparse.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(sparse);
    if (lu.info() == Eigen::Success) x = lu.solve(right);
  }
  require_global(x.rows() == n && x.allFinite(),
                 fmt::format("M is singular: no velocity for the body of unknown {}", unknowns[0]));
  return x;
}

// The part of H that acts on one body: its columns that are not zero there.
struct BodyColumns {
  std::vector<int> columns;  // ascending
  MatrixXd H;                // unknowns of the body x columns
};

// `seen` and `slot` have an entry for each column of H; `seen` says for which body the slot holds.
BodyColumns columns_of_body(const GlobalFrictionProblem& problem, const std::vector<int>& unknowns,
                            int body, std::vector<int>& seen, std::vector<int>& slot)
{
  BodyColumns part;
  const int n = static_cast<int>(problem.M.rows());
  const auto each_entry = [&](auto visit) {
    for (std::size_t i = 0; i < unknowns.size() && unknowns[i] < n; ++i)
      for (SparseRows::InnerIterator it(problem.H, unknowns[i]); it; ++it)
        if (it.value() != 0.0) visit(static_cast<int>(i), static_cast<int>(it.col()), it.value());
  };
  each_entry([&](int, int column, double) {
    if (seen[column] == body) return;
    seen[column] = body;
    part.columns.push_back(column);
  });
  std::sort(part.columns.begin(), part.columns.end());
  for (std::size_t k = 0; k < part.columns.size(); ++k) slot[part.columns[k]] = static_cast<int>(k);
  part.H = MatrixXd::Zero(static_cast<Eigen::Index>(unknowns.size()),
                          static_cast<Eigen::Index>(part.columns.size()));
  each_entry([&](int row, int column, double value) { part.H(row, slot[column]) += value; });
  return part;
}

}  // namespace

void validate(const GlobalFrictionProblem& problem)
{
  const int d = problem.dimension;
  require_global(d == 2 || d == 3, fmt::format("found dimension {}, expected 2 or 3", d));
  const auto n = problem.M.rows();
  const int m = problem.size();
  require_global(problem.M.cols() == n,
                 fmt::format("found M of {} x {}, expected it square", n, problem.M.cols()));
  require_global(problem.H.rows() == n && problem.H.cols() == m,
                 fmt::format("found H of {} x {}, expected {} x {} for {} contacts",
                             problem.H.rows(), problem.H.cols(), n, m, problem.contacts()));
  const auto joints = problem.G.cols();
  require_global(joints == 0 || problem.G.rows() == n,
                 fmt::format("found G of {} rows, expected {}", problem.G.rows(), n));
  require_finite(problem.M, "M");
  require_finite(problem.H, "H");
  require_finite(problem.G, "G");
  require_vector(problem.f, "f", n);
  require_vector(problem.w, "w", m);
  require_vector(problem.b, "b", joints);
  for (int c = 0; c < problem.contacts(); ++c)
    require_global(std::isfinite(problem.mu[c]) && problem.mu[c] >= 0.0,
                   fmt::format("mu[{}] is {}, expected a number >= 0", c, problem.mu[c]));
}

FrictionProblem condensed(const GlobalFrictionProblem& problem)
{
  const SparseRows K = saddle_matrix(problem);
  const Bodies bodies = find_bodies(K);
  VectorXd load(K.rows());
  load << problem.f, -problem.b;
  FrictionProblem local{problem.dimension, {}, problem.w, problem.mu};
  std::vector<Triplet> entries;
  std::vector<int> seen(problem.size(), -1);
  std::vector<int> slot(problem.size());
  for (int body = 0; body < static_cast<int>(bodies.unknowns.size()); ++body) {
    const std::vector<int>& unknowns = bodies.unknowns[body];
    const BodyColumns part = columns_of_body(problem, unknowns, body, seen, slot);
    if (part.columns.empty()) continue;  // no contact touches it
    MatrixXd right(part.H.rows(), part.H.cols() + 1);
    right << part.H, load(unknowns);
    const MatrixXd answer = part.H.transpose() * solve_body(K, bodies, body, right);
    const auto count = static_cast<Eigen::Index>(part.columns.size());
    for (Eigen::Index i = 0; i < count; ++i) {
      local.q[part.columns[i]] += answer(i, count);
      for (Eigen::Index j = 0; j < count; ++j)
        if (answer(i, j) != 0.0)
          entries.emplace_back(part.columns[i], part.columns[j], answer(i, j));
    }
  }
  local.W.resize(problem.size(), problem.size());
  local.W.setFromTriplets(entries.begin(), entries.end());
  return local;
}

VectorXd body_velocities(const GlobalFrictionProblem& problem, const VectorXd& lambda)
{
  const SparseRows K = saddle_matrix(problem);
  const Bodies bodies = find_bodies(K);
  VectorXd load(K.rows());
  load << problem.f + problem.H * lambda, -problem.b;
  VectorXd v(problem.M.rows());
  for (int body = 0; body < static_cast<int>(bodies.unknowns.size()); ++body) {
    const std::vector<int>& unknowns = bodies.unknowns[body];
    const MatrixXd x = solve_body(K, bodies, body, load(unknowns));
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      if (unknowns[i] < v.size()) v[unknowns[i]] = x(static_cast<Eigen::Index>(i), 0);
  }
  return v;
}

}  // namespace tact
