// Exact frictional contact between rigid bodies by pivoting on the faces of friction pyramids.
//
// The same LCP as [Lloyd05] eq. (6), but the path goes from face to face of each contact's pyramid
// instead of from row to row: a sliding contact is one state, not d + 2 pairs. The kernel has at
// most 6 m + 2 rows, the number of pivots hardly depends on the number of contacts, and the
// degeneracy of d directions in a plane is gone. docs/lemke-cone.md has the tables and the reasons.
#pragma once

#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/solvers/pivoting/cone_path.hpp>
#include <tact/solvers/pivoting/cone_warm_start.hpp>

namespace tact {

struct ConeOptions {
  int directions = 8;       // sides of the friction pyramid
  int max_pivots = 5000;    // per try
  bool warm_start = false;  // begin at the states of the previous solve when the sizes agree
  int first_cover = 0;      // where in the fixed table of random covering vectors to begin
};

struct ConeReport {
  SolveStatus status = SolveStatus::iteration_limit;  // converged: the certificate holds
  int pivots = 0;                                     // all tries together
  int restarts = 0;                                   // tries after the first
  int corrections = 0;
  int refactors = 0;
  int backward = 0;  // pivots on which z0 grew
  int largest_kernel = 0;
  bool warm = false;         // a warm start led to the answer
  double certificate = 0.0;  // worst violation on the unperturbed data, relative
};

// Keeps its memory and the states of its last answer: after the first solve of a size there is no
// allocation. Not thread safe; one object a thread.
class ConeLemke {
 public:
  explicit ConeLemke(const ConeOptions& options = {});

  ConeReport solve(const ContactProblem& problem, ContactSolution& solution);

  // States and impulses (three a contact) to warm-start from when contacts came or went: the caller
  // matches them with those of the last answer, and leaves new contacts inactive with no impulse.
  void set_warm_start(const std::vector<ConeState>& states, const VectorXd& lambda);
  const std::vector<ConeState>& states() const { return path_.states(); }

 private:
  SolveStatus try_cold(int attempt);
  bool try_warm(ConeReport& report);
  void choose_cover(int offset);
  bool certified(ConeReport& report);
  void write(ContactSolution& solution);
  void count(ConeReport& report) const;

  ConeOptions options_;
  FrictionPyramid pyramid_;
  WhitenedProblem whitened_;
  ConePath path_;
  std::vector<double> cover_;  // three a contact, then one a bilateral row
  ConeWarmStart warm_;
  VectorXd beta_;  // of the independent bilateral rows
};

ConeReport solve_lemke_cone(const ContactProblem& problem, ContactSolution& solution,
                            const ConeOptions& options = {});

}  // namespace tact
