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
    lineariser_.linearise(state, dt, problem.A, b);
    // The uniform fall is the slowest mode of conjugate gradients, so they start from it.
    VectorXd& v_star = problem.v_star;
    v_star = state.v;
    for (int node = 0; node < world_.node_count(); ++node)
      v_star.segment<3>(3 * node) += dt * world_.gravity();
    return solver_.solve(problem.A, b, v_star);
  }

  void pull(const std::optional<Spring>& spring) override { lineariser_.pull(spring); }

  std::span<const BlockCholesky* const> factors() const override { return solver_.factors(); }

 private:
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
