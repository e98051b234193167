#include <tact/sim/integrator.hpp>
#include <tact/sim/linear_dynamics.hpp>

namespace tact {
namespace {

class ImplicitIntegrator final : public Integrator {
 public:
  ImplicitIntegrator(const World& world, const DynamicsOptions& options)
      : world_(world), lineariser_(world), solver_(world, options)
  {
  }

  int substeps(double) const override { return 1; }

  DynamicsReport find_free_motion(const State& state, double dt, ContactProblem& problem,
                                  VectorXd& b) override
  {
    linearise(state, dt, problem, b);
    problem.rest.resize(0);
    return solver_.solve(problem.A, b, problem.v_star);
  }

  DynamicsReport find_expected_motion(const State& state, double dt, const VectorXd& f,
                                      double speed, ContactProblem& problem, VectorXd& b) override
  {
    linearise(state, dt, problem, b);
    return solver_.come_near(problem.A, b, f, speed, problem.v_star, problem.rest);
  }

  void pull(const std::optional<Spring>& spring) override { lineariser_.pull(spring); }

  void carry(std::span<const JointLoad> loads) override { lineariser_.carry(loads); }

  std::span<const BlockCholesky* const> factors() const override { return solver_.factors(); }

 private:
  // The uniform fall is the slowest mode of conjugate gradients, so they start from it.
  void linearise(const State& state, double dt, ContactProblem& problem, VectorXd& b)
  {
    lineariser_.linearise(state, dt, problem.A, b);
    problem.v_star = state.v;
    for (int node = 0; node < world_.node_count(); ++node)
      problem.v_star.segment<3>(3 * node) += dt * world_.gravity();
  }

  const World& world_;
  Lineariser lineariser_;
  DynamicsSolver solver_;
};

}  // namespace

std::unique_ptr<Integrator> make_implicit_integrator(const World& world,
                                                     const DynamicsOptions& options)
{
  return std::make_unique<ImplicitIntegrator>(world, options);
}

}  // namespace tact
