// Projected iterations on contact problems, one detached region after the other or several at a
// time.
//
//   u = q + W lambda,   W = J A^-1 J',   contact law (u, lambda)
//
//   pcg-pgs   a sweep, projected conjugate gradients, sweeps               [Lazarevych10] Sec. 4
//   pgs       projected Gauss-Seidel alone
//   nncg      nonlinear conjugate gradients on the increments of its sweeps (Silcowitz et al. 2010)
//   apgd      Nesterov's gradients with restart (Mazhar et al. 2015)
//   mprgp     proportioning with reduced gradient projections (Dostal 2005); without friction only
//
// W is never formed as one matrix: lone nodes and rigid bodies keep their velocity, components of
// several nodes the dense W_b of their own contacts (contact_sweep.hpp). docs/regions.md has
// formulas and figures.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tact/contact/contact_solver.hpp>

namespace tact {

enum class ProjectedMethod { pcg_pgs, pgs, nncg, apgd, mprgp };
enum class ConjugateRule { fletcher_reeves, polak_ribiere };

std::string_view name(ProjectedMethod method);

// When a phase of pcg-pgs ends: the last step was small, or the residual is. In units of the
// tolerance, so m/s: impulses count as the velocities that they lead to, w |lambda|. Both the root
// mean square over contacts and the largest entry have to be below.        [Lazarevych10] eq. (20),
// (21)
struct PhaseThresholds {
  double change = 0.0;
  double residual = 1.0;
  double largest = 1e3;  // of an entry, over what the root mean square may be
};

struct ProjectedOptions {
  ProjectedMethod method = ProjectedMethod::nncg;
  ConjugateRule rule = ConjugateRule::polak_ribiere;
  FrictionLaw law = FrictionLaw::disc;
  double tolerance =
      3e-3;            // m/s, on the natural map of a region: root mean square over its contacts
  double worst = 0.0;  // m/s, on that of its worst contact; 0: only the mean counts
  PhaseThresholds cg = {.change = 0.1};
  PhaseThresholds gs = {.change = 1e-3};
  int max_cg = 0;  // 0: twice the number of unknowns of the region
  // Sweeps before conjugate gradients. Cold, they put an impulse on the first of redundant
  // contacts, and leave the others open; conjugate gradients share it among all, each with a bound
  // of friction of its own, on which sweeps then creep. 0: as printed.
  int first_sweeps = 1;
  int max_sweeps = 4000;  // N_max: sweeps of a region; or iterations of apgd and mprgp
  int min_sweeps = 0;  // made even where the start is within the tolerance, see ContactStepOptions
  // For comparison only: all contacts as one region; W of a region as one dense matrix.
  bool separate = true;
  bool dense = false;
  double audit = 0.0;  // share of regions that are solved exactly as well, 0 to 1
  bool keep_history = false;
};

struct ProjectedReport {
  SolveStatus status = SolveStatus::converged;
  int regions = 0;
  int unconverged = 0;  // of those
  int limited = 0;      // of those: stopped by the limit of iterations
  // Of the region with most of them, and of all regions together.
  int cg_iterations = 0, sweeps = 0;
  long all_iterations = 0;
  long contact_updates = 0;  // iterations of each region times its contacts: what the work is
  double assembly = 0.0;     // s: of the time, to form dense matrices, of all regions together
  Residuals residuals;       // measured on what is returned
  AuditReport audit;
  std::vector<double> history;  // natural map (m/s) of the largest region, by iteration
  std::string note;
  bool ok() const { return status == SolveStatus::converged; }
};

// Keeps its memory, factors, responses and regions between solves. The bits of the answer do not
// depend on the number of threads.
class ProjectedSolver {
 public:
  explicit ProjectedSolver(const ProjectedOptions& options = {});
  ~ProjectedSolver();
  ProjectedSolver(ProjectedSolver&&) noexcept;
  ProjectedSolver& operator=(ProjectedSolver&&) noexcept;

  // As those of NestedSolver. mprgp gives `unsupported` where a contact has friction.
  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors = {});
  ProjectedReport solve(const ContactProblem& problem, ContactSolution& solution);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace tact
