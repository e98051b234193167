// The weight alpha of a proximal term over the outer steps of proximal point methods. It falls
// while inner problems are easy. After a failure it stays for two successes, and then keeps away
// from where it failed: by a factor of two at first, which each success halves.
#pragma once

#include <algorithm>

namespace tact {

class AlphaSchedule {
 public:
  explicit AlphaSchedule(double alpha, double least = 0.0) : alpha_(alpha), least_(least) {}
  double alpha() const { return alpha_; }
  int failures() const { return failures_; }  // in a row

  // After an inner problem that took so many steps.
  void succeeded(int steps)
  {
    failures_ = 0;
    if (held_ > 0) {
      --held_;
      return;
    }
    const double wanted = alpha_ * (steps <= 6 ? 0.1 : steps <= 12 ? 0.316 : 1.0);
    alpha_ = std::max({wanted, std::min(alpha_, 2.0 * failed_at_), least_});
    failed_at_ *= 0.5;
  }
  void failed()
  {
    ++failures_;
    held_ = 2;
    failed_at_ = alpha_;
    alpha_ = std::min(largest, 5.0 * alpha_);
  }

 private:
  static constexpr double largest = 10.0;

  double alpha_, least_;
  double failed_at_ = 0.0;
  int held_ = 0;
  int failures_ = 0;
};

}  // namespace tact
