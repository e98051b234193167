// All real roots in [0, 1] of an integer polynomial.
#pragma once

#include <array>
#include <utility>

#include <tact/collision/ccd_exact_polynomial.hpp>
#include <tact/collision/ccd_exact_root.hpp>

namespace tact {

// All distinct roots in [0, 1], ascending.
class UnitRoots {
 public:
  using Bernstein = std::array<Integer, 4>;

  explicit UnitRoots(const IntegerPolynomial& f);  // f is not the zero polynomial
  UnitRoots(const UnitRoots&) = delete;            // the roots point at rest_
  UnitRoots& operator=(const UnitRoots&) = delete;

  UnitRoot* begin() { return roots_.data(); }
  UnitRoot* end() { return roots_.data() + count_; }

 private:
  void add(UnitRoot root) { roots_[count_++] = std::move(root); }
  void add_fraction(Integer num, Integer den);  // if within [0, 1]
  void add_inner_roots();
  bool add_if_repeated();
  void isolate(const Bernstein& b, const Integer& m, int k);

  IntegerPolynomial rest_;  // f without its factors t and t - 1
  std::array<UnitRoot, 3> roots_;
  int count_ = 0;
};

}  // namespace tact
