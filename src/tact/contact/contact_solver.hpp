// What every method for contact problems is to its users. Which there are is told by
// solvers/solvers.hpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/judge.hpp>
#include <tact/contact/law.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/linalg/block_cholesky.hpp>

namespace tact {

struct ContactOptions {
  double tolerance = 3e-3;  // m/s, on Residuals::worst(). Below 1e-12 round-off decides
  int max_iterations = 0;   // 0: each solver has its own limit
  FrictionLaw law = FrictionLaw::disc;
  // What a solve does even where the warm start is within the tolerance. Else errors as large as
  // that would stay from step to step, and piles would not come to rest.
  int min_passes = 0;
  int min_sweeps = 0;
  // Who asks has another way where an answer is missed, as steps have, which are halved: no method
  // of last resort need take long.
  bool can_retry = false;
  double audit = 0.0;  // share of detached regions that are solved exactly as well; of regions/
  bool keep_history = false;
};

// What regions that were solved twice tell.
struct AuditReport {
  long regions = 0;
  long unsolved = 0;        // of those: the exact solvers gave up
  long ambiguous = 0;       // of those: two exact answers were found, more than 1e-6 m/s apart
  double difference = 0.0;  // m/s: largest of a contact's velocity from the exact answer nearby
  double residual = 0.0;    // m/s: natural map of the exact answers, of the worst contact
  double spread = 0.0;      // m/s: largest difference of two exact answers

  AuditReport& operator+=(const AuditReport& other);
};

// How a solve of a step went.
struct ContactReport {
  SolveStatus status = SolveStatus::converged;
  Residuals residuals;  // measured on what is returned
  int iterations = 0;
  int inexact = 0;       // islands of rigid bodies above 1e-8 m/s: rigid-islands.md
  int trials = 0;        // convex problems, where there are groups of sides
  bool by_form = false;  // sides are those of Lemke's answer to a form of the union
  // Islands that the method does not take, so that `auto` solved them, and why it does not take the
  // first of them: number of a contact in it, and a sentence.
  int refused = 0;
  int refused_contact = -1;
  std::string refusal;
  std::string note;             // one sentence where there is more to say
  std::vector<double> history;  // worst residual (m/s), iteration by iteration, where it is kept
  AuditReport audit;

  bool ok() const { return status == SolveStatus::converged; }
};

// Keeps its memory, and what it knows of A, between solves.
class ContactSolver {
 public:
  virtual ~ContactSolver() = default;

  // To be called when A has changed. Ready factors may be handed in, one a component, null where
  // there is none; they must outlive the solves.
  virtual void begin(const ContactProblem& problem,
                     std::span<const BlockCholesky* const> factors = {}) = 0;

  // Since begin() contacts may only have been appended; biases, mu and v* may have changed. The
  // solution is the warm start. The problem may be changed on the way, and is as it was in the end.
  virtual ContactReport solve(ContactProblem& problem, ContactSolution& solution) = 0;
};

// One problem in one call, which is not changed. `unsupported` with the note that says why.
SolveReport solve_once(ContactSolver& solver, const ContactProblem& problem,
                       ContactSolution& solution);

}  // namespace tact
