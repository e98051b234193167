#include <tact/solvers/newton/body_lu.hpp>

#include <algorithm>
#include <iterator>

#include <Eigen/LU>

namespace tact {

void BodyLu::begin(int bodies, std::span<const std::array<int, 2>> couples)
{
  fresh_.clear();
  for (const auto& [a, b] : couples) fresh_.push_back({std::min(a, b), std::max(a, b)});
  std::sort(fresh_.begin(), fresh_.end());
  fresh_.erase(std::unique(fresh_.begin(), fresh_.end()), fresh_.end());
  if (bodies == this->bodies() && fresh_ == couples_) return;
  couples_.swap(fresh_);
  analyse(bodies);
}

void BodyLu::analyse(int bodies)
{
  find_neighbours(bodies);
  order_.clear();
  first_.assign(1, 0);
  rows_.clear();
  position_.assign(bodies, -1);
  work_ = 0.0;
  for (int k = 0; k < bodies; ++k) {
    const int body = least_joined(bodies);
    position_[body] = k;
    order_.push_back(body);
    const std::vector<int>& joined = neighbours_[body];
    rows_.insert(rows_.end(), joined.begin(), joined.end());
    first_.push_back(static_cast<int>(rows_.size()));
    const auto height = static_cast<double>(joined.size());
    work_ += (height + 1.0) * (height + 1.0);
    for (const int other : joined) join_neighbours(other, body);
  }
  for (int& row : rows_) row = position_[row];
  for (int k = 0; k < bodies; ++k)
    std::sort(rows_.begin() + first_[k], rows_.begin() + first_[k + 1]);
  values_.resize(bodies + 2 * rows_.size());
}

void BodyLu::find_neighbours(int bodies)
{
  if (neighbours_.size() < static_cast<std::size_t>(bodies)) neighbours_.resize(bodies);
  for (int body = 0; body < bodies; ++body) neighbours_[body].clear();
  for (const auto& [a, b] : couples_) {
    if (a == b) continue;
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  for (int body = 0; body < bodies; ++body)
    std::sort(neighbours_[body].begin(), neighbours_[body].end());
}

// Of those that are not eliminated yet, the one with fewest neighbours.
int BodyLu::least_joined(int bodies) const
{
  int least = -1;
  for (int body = 0; body < bodies; ++body) {
    if (position_[body] >= 0) continue;
    if (least < 0 || neighbours_[body].size() < neighbours_[least].size()) least = body;
  }
  return least;
}

// `gone` is eliminated: its neighbours become those of `body`.
void BodyLu::join_neighbours(int body, int gone)
{
  std::vector<int>& own = neighbours_[body];
  merged_.clear();
  std::set_union(own.begin(), own.end(), neighbours_[gone].begin(), neighbours_[gone].end(),
                 std::back_inserter(merged_));
  own.clear();
  for (const int other : merged_)
    if (other != body && other != gone) own.push_back(other);
}

int BodyLu::place(int row, int column) const
{
  const int r = position_[row], c = position_[column];
  if (r == c) return r;
  const int k = std::min(r, c);
  const auto rows = below(k);
  const auto at = std::lower_bound(rows.begin(), rows.end(), std::max(r, c)) - rows.begin();
  return (r > c ? lower(k) : upper(k)) + static_cast<int>(at);
}

void BodyLu::set_zero()
{
  for (Matrix6d& block : values_) block.setZero();
}

bool BodyLu::factor()
{
  for (int k = 0; k < bodies(); ++k) {
    const Matrix6d inverse = values_[k].partialPivLu().inverse();
    if (!inverse.allFinite()) return false;
    values_[k] = inverse;
    eliminate(k);
  }
  return true;
}

// What column k does to the blocks after it. Rows below k that come after j are rows below j too.
void BodyLu::eliminate(int k)
{
  const auto rows = below(k);
  const auto count = static_cast<int>(rows.size());
  for (int a = 0; a < count; ++a) {
    Matrix6d& L = values_[lower(k) + a];
    L = (L * values_[k]).eval();
  }
  for (int a = 0; a < count; ++a) {
    const int j = rows[a];
    const Matrix6d &L_j = values_[lower(k) + a], &U_j = values_[upper(k) + a];
    values_[j].noalias() -= L_j * U_j;
    const auto of_j = below(j);
    std::size_t at = 0;
    for (int b = a + 1; b < count; ++b, ++at) {
      while (of_j[at] != rows[b]) ++at;
      const auto place = static_cast<int>(at);
      values_[lower(j) + place].noalias() -= values_[lower(k) + b] * U_j;
      values_[upper(j) + place].noalias() -= L_j * values_[upper(k) + b];
    }
  }
}

void BodyLu::solve(std::span<double> x)
{
  using Map6 = Eigen::Map<Vector6d>;
  ordered_.resize(order_.size());
  for (int k = 0; k < bodies(); ++k) ordered_[k] = Map6(x.data() + 6 * order_[k]);
  for (int k = 0; k < bodies(); ++k) {
    const auto rows = below(k);
    const Matrix6d* L = values_.data() + lower(k);
    for (const int row : rows) ordered_[row].noalias() -= *L++ * ordered_[k];
  }
  for (int k = bodies() - 1; k >= 0; --k) {
    const auto rows = below(k);
    const Matrix6d* U = values_.data() + upper(k);
    Vector6d own = ordered_[k];
    for (const int row : rows) own.noalias() -= *U++ * ordered_[row];
    ordered_[k].noalias() = values_[k] * own;
    Map6(x.data() + 6 * order_[k]) = ordered_[k];
  }
}

}  // namespace tact
