// Disjoint sets of the integers 0 to n - 1 (Tarjan 1975), with path halving.
#pragma once

#include <numeric>
#include <vector>

namespace tact {

class UnionFind {
 public:
  explicit UnionFind(int n = 0) { reset(n); }

  // All apart. Allocates only when n is larger than ever before.
  void reset(int n)
  {
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  // Takes i out of its set. Good only where all other members are taken out as well before the next
  // call of another function.
  void set_apart(int i) { parent_[i] = i; }

  int root(int i)
  {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  // False when they were in one set already. The smaller root stays, so that the sets and their
  // roots do not depend on the order of the calls.
  bool merge(int i, int j)
  {
    i = root(i);
    j = root(j);
    if (i == j) return false;
    parent_[i < j ? j : i] = i < j ? i : j;
    return true;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace tact
