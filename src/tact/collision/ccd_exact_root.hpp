// One root in [0, 1] of an integer polynomial, and exact signs of other polynomials there.
#pragma once

#include <tact/collision/ccd_exact_polynomial.hpp>

namespace tact {

// A fraction, or the only root of f in an open cell (m / 2^k, (m + 1) / 2^k), which is
// narrowed as far as a question needs.
class UnitRoot {
 public:
  UnitRoot() = default;                // a place for a root
  UnitRoot(Integer num, Integer den);  // den != 0
  // f outlives the root. The root is simple and `sign_low` is the sign of f just above m / 2^k.
  UnitRoot(const IntegerPolynomial& f, Integer m, int k, int sign_low);

  // The sign of g, of degree at most 2, at the root. Exact: 0 only if g vanishes there.
  int sign_of(const IntegerPolynomial& g);

  // A double that is at most the root and at least the root - 2^-46.
  double lower_bound();

  bool in_unit_interval() const;                // for a fraction
  bool less_than(const UnitRoot& other) const;  // for two fractions

 private:
  enum class Side { below, here, above };

  bool is_fraction() const { return f_ == nullptr; }
  void become_fraction(const Integer& m, int k);
  int sign_on_cell(const IntegerPolynomial& g) const;
  bool is_root_of_factor(const IntegerPolynomial& g) const;
  bool ends_are_roots() const;

  Side narrow_to(const Integer& m, int k);
  void bisect();
  bool jump();
  void refine_quadratically(int& bits);
  double approximate_position() const;

  const IntegerPolynomial* f_ = nullptr;
  Integer num_, den_;  // fraction
  Integer m_;          // cell
  int k_ = 0;
  int sign_low_ = 0;
};

}  // namespace tact
