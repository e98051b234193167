#include <tact/lcp/ordinary_form.hpp>

#include <algorithm>
#include <cmath>

namespace tact {
namespace {

// In equilibrated data, where the largest entry of every row and column is near 1.
constexpr double zero_constant = 10.0;  // pivots left alone, against max |q|

using Role = OneSidedRow::Role;

}  // namespace

OrdinaryForm::OrdinaryForm(const LcpProblem& problem, double least_pivot)
    : one_sided_(one_sided_form(problem)), least_pivot_(least_pivot)
{
  load();
  while (!equations_.empty() && eliminate_one()) {
  }
  outcome_ = examine_leftovers();
  extract();
}

// Variable i of the tableau is w of row i of the one-sided form, variable size + i is its y.
void OrdinaryForm::load()
{
  const int n = one_sided_.size();
  scale_.fit(one_sided_.M);
  tableau_.reset(n, n);
  for (int i = 0; i < n; ++i) {
    tableau_.constant(i) = scale_.row[i] * one_sided_.q[i];
    largest_q_ = std::max(largest_q_, std::abs(tableau_.constant(i)));
    double* const row = tableau_.row(i);
    for (int j = 0; j < n; ++j) row[j] = scale_.row[i] * one_sided_.M(i, j) * scale_.column[j];
    if (one_sided_.is_equation(i)) {
      equations_.push_back(i);
      free_.push_back(i);
    } else {
      pairs_.push_back(i);
    }
  }
  round_off_.reset(tableau_);
}

bool OrdinaryForm::is_pivot(int r, int c) const
{
  return std::abs(tableau_.row(r)[c]) > least_pivot_ && !round_off_.is_noise(tableau_, r, c);
}

int OrdinaryForm::partner(int variable) const
{
  const int n = one_sided_.size();
  return variable < n ? variable + n : variable - n;
}

bool OrdinaryForm::eliminate_one()
{
  // {row of e, column of c1, row of c1, column of c2, ..., row of ck, column of f}
  const std::vector<int> path = widest_shortest_path();
  if (path.empty()) return false;
  for (std::size_t k = 0; k + 1 < path.size(); k += 2) {
    round_off_.pivot(tableau_, path[k], path[k + 1]);
    tableau_.pivot(path[k], path[k + 1]);
  }
  std::erase(equations_, path.front());
  std::erase(free_, path.back());
  return true;
}

// A place on a path: an equation, or a pair that can go between.
struct OrdinaryForm::Node {
  int row;       // of the equation, or of the basic variable of the pair
  int column;    // of the nonbasic variable of the pair
  double width;  // of the widest path that leads here: its smallest pivot
  int from;      // node before, -1 at an equation
};

// Breadth first from all equations at once. Being shortest, a path has no short cut, so its earlier
// pivots leave the later ones as they are.
std::vector<int> OrdinaryForm::widest_shortest_path() const
{
  std::vector<Node> nodes;
  for (const int e : equations_) nodes.push_back({e, -1, infinity, -1});
  std::vector<int> unvisited = pairs_;
  for (std::size_t level = 0; level < nodes.size();) {
    const std::size_t next_level = nodes.size();
    std::vector<int> path = widest_way_out(nodes, level);
    if (!path.empty()) return path;
    visit_pairs(nodes, level, unvisited);
    level = next_level;
  }
  return {};
}

// From the nodes of the last level to a free variable, and back to where the path began.
std::vector<int> OrdinaryForm::widest_way_out(const std::vector<Node>& nodes,
                                              std::size_t level) const
{
  double widest = 0.0;
  int last = -1;
  int free_column = -1;
  for (std::size_t k = level; k < nodes.size(); ++k)
    for (const int f : free_) {
      const double width = std::min(nodes[k].width, std::abs(tableau_.row(nodes[k].row)[f]));
      if (width <= widest || !is_pivot(nodes[k].row, f)) continue;
      widest = width;
      last = static_cast<int>(k);
      free_column = f;
    }
  if (last < 0) return {};
  std::vector<int> path = {free_column};
  for (int k = last; k >= 0; k = nodes[k].from) {
    path.push_back(nodes[k].row);
    if (nodes[k].from >= 0) path.push_back(nodes[k].column);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

// Adds the unvisited pairs that the last level reaches.
void OrdinaryForm::visit_pairs(std::vector<Node>& nodes, std::size_t level,
                               std::vector<int>& unvisited) const
{
  const std::size_t level_end = nodes.size();
  std::erase_if(unvisited, [&](int pair) {
    const int basic = tableau_.is_basic(pair) ? pair : partner(pair);
    Node node = {tableau_.row_of(basic), tableau_.column_of(partner(basic)), 0.0, -1};
    for (std::size_t k = level; k < level_end; ++k) {
      const double pivot = std::abs(tableau_.row(nodes[k].row)[node.column]);
      const double width = std::min(nodes[k].width, pivot);
      if (width <= node.width || !is_pivot(nodes[k].row, node.column)) continue;
      node.width = width;
      node.from = static_cast<int>(k);
    }
    if (node.from >= 0) nodes.push_back(node);
    return node.from >= 0;
  });
}

OrdinaryForm::Outcome OrdinaryForm::examine_leftovers()
{
  Outcome outcome = Outcome::reduced;
  for (const int e : equations_) {
    for (const int f : free_) left_alone_ = left_alone_ || !round_off_.is_noise(tableau_, e, f);
    for (const int pair : pairs_) {
      const int nonbasic = tableau_.is_basic(pair) ? partner(pair) : pair;
      const int column = tableau_.column_of(nonbasic);
      if (is_pivot(e, column)) return Outcome::stuck;
      left_alone_ = left_alone_ || !round_off_.is_noise(tableau_, e, column);
    }
    if (is_contradiction(e)) outcome = Outcome::inconsistent;
  }
  return outcome;
}

// Of an equation without coefficients.
bool OrdinaryForm::is_contradiction(int equation) const
{
  return std::abs(tableau_.constant(equation)) > zero_constant * least_pivot_ * largest_q_ &&
         !round_off_.is_constant_noise(tableau_, equation);
}

// What elimination leaves of exact zeros is made zero again: Lemke's path would scale it up.
void OrdinaryForm::extract()
{
  const Eigen::Index size = pairs_.size();
  M_.resize(size, size);
  q_.resize(size);
  std::vector<int> columns;
  for (const int pair : pairs_)
    columns.push_back(tableau_.column_of(tableau_.is_basic(pair) ? partner(pair) : pair));
  for (Eigen::Index k = 0; k < size; ++k) {
    const int pair = pairs_[k];
    const int r = tableau_.row_of(tableau_.is_basic(pair) ? pair : partner(pair));
    q_[k] = round_off_.is_constant_noise(tableau_, r) ? 0.0 : tableau_.constant(r);
    for (Eigen::Index l = 0; l < size; ++l) {
      const int c = columns[l];
      M_(k, l) = round_off_.is_noise(tableau_, r, c) ? 0.0 : tableau_.row(r)[c];
    }
  }
}

Basis OrdinaryForm::given_basis(const std::vector<bool>& z_is_basic) const
{
  // Variables without a row are fixed: their two bounds are one.
  Basis basis(one_sided_.reference.size(), BasisSide::lower);
  for (const OneSidedRow& row : one_sided_.rows)
    if (row.role == Role::equation) basis[row.variable] = BasisSide::between;

  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const OneSidedRow& row = one_sided_.at(pairs_[k]);
    const bool exchanged = !tableau_.is_basic(pairs_[k]);  // w of the pair went out, y came in
    const bool y_is_basic = z_is_basic[k] != exchanged;
    BasisSide& side = basis[row.variable];
    switch (row.role) {
      case Role::equation: break;
      case Role::lower: side = y_is_basic ? BasisSide::between : BasisSide::lower; break;
      case Role::mirrored: side = y_is_basic ? BasisSide::between : BasisSide::upper; break;
      case Role::slack:
        if (y_is_basic) side = BasisSide::upper;
        break;  // comes after its lower row
    }
  }
  return basis;
}

VectorXd OrdinaryForm::given_variables(const VectorXd& z) const
{
  const int n = one_sided_.size();
  VectorXd nonbasic = VectorXd::Zero(n);  // by column: slacks of equations and leftovers stay 0
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const int variable = tableau_.is_basic(pairs_[k]) ? partner(pairs_[k]) : pairs_[k];
    nonbasic[tableau_.column_of(variable)] = z[k];
  }
  VectorXd y(n);
  for (int i = 0; i < n; ++i) {
    const int variable = n + i;
    if (tableau_.is_basic(variable)) {
      const int r = tableau_.row_of(variable);
      y[i] = tableau_.constant(r) + Eigen::Map<const VectorXd>(tableau_.row(r), n).dot(nonbasic);
    } else {
      y[i] = nonbasic[tableau_.column_of(variable)];
    }
    y[i] *= scale_.column[i];
  }
  return tact::given_variables(one_sided_, y);
}

}  // namespace tact
