// How bodies would move in a step without contact. The stepper asks one of these for A, b and v*,
// and adds contact: the same way for all of them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/sim/dynamics_solver.hpp>
#include <tact/sim/linear_dynamics.hpp>

namespace tact {

enum class IntegratorKind {
  implicit_euler,  // A = M - h dF/dv - h^2 (dF/dq) G; stable at any dt       [Otaduy09] eq. (3)
  semi_implicit_euler,  // A = M, lumped; stable up to a dt that substeps keep to  [Lazarevych10]
};

struct ExplicitOptions {
  double share = 0.8;  // of the longest stable step that a substep may take
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  // Into how many steps one of length dt has to be cut.
  virtual int substeps(double dt) const = 0;

  // problem.A, problem.v_star and b with A v* = b, at the given state for a step of length dt (s).
  // All keep their memory from call to call.
  virtual DynamicsReport find_free_motion(const State& state, double dt, ContactProblem& problem,
                                          VectorXd& b) = 0;

  // The same, where contacts are expected to exert the impulses f (N s, three a node): v_star may
  // be what that comes to, to `speed` (m/s), and problem.rest is b - A v_star then. Contact takes
  // these from there, so that large meshes are solved once and not twice.
  virtual DynamicsReport find_expected_motion(const State& state, double dt, const VectorXd& /*f*/,
                                              double /*speed*/, ContactProblem& problem,
                                              VectorXd& b)
  {
    problem.rest.resize(0);
    return find_free_motion(state, dt, problem, b);
  }

  // A spring beside those of the world, from now on or until it is nullopt: someone pulls at a
  // body. Its end a is a point of a body that can move, its end b a place in the world.
  virtual void pull(const std::optional<Spring>& spring) = 0;

  // How joints under load resist what turns their arms, from the next step on until it is told
  // anew: see JointLoad.
  virtual void carry(std::span<const JointLoad> loads) = 0;

  // Of the last A, one a component, null where there is none; or nothing at all.
  virtual std::span<const BlockCholesky* const> factors() const { return {}; }
};

std::unique_ptr<Integrator> make_implicit_integrator(const World& world,
                                                     const DynamicsOptions& options);

// Throws Error for a world with pins that only implicit steps can hold. The world must outlive it.
std::unique_ptr<Integrator> make_explicit_integrator(const World& world,
                                                     const ExplicitOptions& options);

}  // namespace tact
