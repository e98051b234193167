// Coupled problems in a time that is linear in the number of contacts: by Newton's method in the
// velocities of rigid bodies where no node has two contacts, else by sweeps with the collective
// correction after each where it pays. docs/coupling.md.
#pragma once

#include <memory>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/solvers/coupling/body_newton.hpp>
#include <tact/solvers/coupling/collective_correction.hpp>
#include <tact/solvers/coupling/compact_rows.hpp>
#include <tact/solvers/coupling/condensed_interior.hpp>
#include <tact/solvers/coupling/coupling_kernel.hpp>

namespace tact {

struct CouplingOptions {
  CouplingKernelKind kernel = CouplingKernelKind::low_rank;
  double tolerance = 3e-3;  // m/s, on Residuals::natural
  int max_sweeps = 1000;
  // Corrections after sweeps: from the first on where CollectiveCorrection::pays(), else when some
  // sweeps have not led to an answer. Without them the number of sweeps grows with the number of
  // contacts on a body, and with the weight of bodies that push each other.
  bool correct = true;
  // Newton's method in the velocities of bodies, where BodyNewton::applies(); its sweeps count too.
  bool newton = true;
  // An interior point where that did not reach the tolerance and CondensedSystem::applies(); with
  // the disc alone.
  bool interior = true;
  int chunks = 0;  // of sweeps; 0: chunks_for()
  FrictionLaw law = FrictionLaw::disc;
  bool keep_history = false;
};

struct CouplingReport {
  SolveStatus status = SolveStatus::iteration_limit;
  int sweeps = 0;       // all of them
  int held_sweeps = 0;  // with the bodies held, of Newton's method
  int corrections = 0;
  int interior_steps = 0;
  double natural = 0.0;         // m/s: root mean square of the natural map over active contacts
  std::vector<double> history;  // the same after every sweep
  bool ok() const { return status == SolveStatus::converged; }
};

// How many chunks sweeps are cut into. By the problem alone: several bodies are not held up by it,
// a light body with all the contacts is, and gets one.
[[nodiscard]] int chunks_for(const CoupledProblem& problem);

class CouplingSolver {
 public:
  explicit CouplingSolver(const CouplingOptions& options = {}) : options_(options) {}

  // lambda is the warm start, three entries a contact in the order of the coupled problem, where
  // its size fits; w = P^-1 J' lambda goes with the answer.
  CouplingReport solve(const CoupledProblem& problem, VectorXd& lambda, VectorXd& w);

 private:
  struct Best {
    double natural;  // m/s
    VectorXd lambda;
  };

  void run_newton(const CoupledProblem& problem, VectorXd& lambda, VectorXd& w,
                  CouplingReport& report);
  void run_interior(const CoupledProblem& problem, VectorXd& lambda, VectorXd& w,
                    CouplingReport& report);
  void run_sweeps(const CoupledProblem& problem, VectorXd& lambda, VectorXd& w,
                  CouplingReport& report);
  void keep_best(const VectorXd& lambda, CouplingReport& report);
  void look(const CoupledProblem& problem, const VectorXd& lambda, const VectorXd& w);
  void refresh(const CoupledProblem& problem, const VectorXd& lambda, VectorXd& w);

  CouplingOptions options_;
  CompactRows rows_;
  std::unique_ptr<CouplingKernel> kernel_;
  CollectiveCorrection correction_;
  BodyNewton newton_;
  CondensedInterior interior_;
  VectorXd u_, state_;
  Best best_;
  double natural_ = 0.0;
  std::vector<NaturalSum> pieces_;
};

// The same for contact problems whose A is block diagonal by nodes and rigid bodies; `unsupported`
// for others. The velocities of the answer satisfy momentum to round-off.
SolveReport solve_coupling(const ContactProblem& problem, ContactSolution& solution,
                           const CouplingOptions& options = {});

}  // namespace tact
