// A body alone in the world, stepped with a dense solver: for tests of bodies, which know no
// stepper.
#pragma once

#include <memory>
#include <vector>

#include <tact/bodies/body.hpp>

namespace tact {

struct BodyState {
  VectorXd q, v;
};

// A and b of [Otaduy09] eq. (3), dense.
struct DenseStep {
  MatrixXd A;
  VectorXd b;
};

class OneBody {
 public:
  explicit OneBody(std::unique_ptr<Body> body);

  const Body& body() const { return *body_; }
  BodyState start() const;
  DenseStep linearise(const StepInput& input, const BodyState& state) const;
  VectorXd forces(const StepInput& input, const BodyState& state) const;
  BodyState advance(const StepInput& input, const BodyState& state, const VectorXd& v) const;

  // A v = b, with v = 0 at the pinned nodes; then advance.
  BodyState step(const StepInput& input, const BodyState& state,
                 const std::vector<int>& pinned = {}) const;

  // Where nothing moves under the steady forces: Newton's method on F(q, 0) = 0, as steps of length
  // dt that start at rest. A short dt damps it. Fails the test unless all |F| end below tolerance.
  VectorXd equilibrium(StepInput input, VectorXd q, const std::vector<int>& pinned,
                       double tolerance) const;

 private:
  std::unique_ptr<Body> body_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::unique_ptr<BodyWorkspace> workspace_;
};

}  // namespace tact
