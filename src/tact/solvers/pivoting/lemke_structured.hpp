// Lemke's algorithm on the contact LCP by its structure, [Lloyd05] Sec. V and VI.
#pragma once

#include <tact/contact/contact_problem.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/solvers/pivoting/structured_path.hpp>

namespace tact {

struct StructuredOptions {
  bool reduced = false;   // friction rows join when a contact becomes active
  int directions = 8;     // sides of the friction pyramid
  int max_pivots = 5000;  // per try
};

struct StructuredReport {
  SolveStatus status = SolveStatus::iteration_limit;  // converged: the certificate holds
  int pivots = 0;                                     // all tries together
  int restarts = 0;                                   // tries after the first
  bool expanded = false;  // the reduced method failed and was run again with all rows
  int refactors = 0;      // factorisations of the kernel
  int largest_kernel = 0;
  double certificate = 0.0;
};

// Keeps its memory between solves. Not thread safe; one object a thread.
class StructuredLemke {
 public:
  explicit StructuredLemke(const StructuredOptions& options = {});

  StructuredReport solve(const ContactProblem& problem, ContactSolution& solution);

 private:
  bool attempt(const StructuredPath::Options& path, StructuredReport& report);
  void write(ContactSolution& solution) const;

  StructuredOptions options_;
  FrictionPyramid pyramid_;
  WhitenedProblem whitened_;
  StructuredPath path_;
};

}  // namespace tact
