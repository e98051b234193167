#include <tact/solvers/table.hpp>

#include <optional>
#include <string_view>

#include <tact/solvers/adapters/adapted_solvers.hpp>
#include <tact/solvers/automatic.hpp>
#include <tact/solvers/cone/exact_cone.hpp>
#include <tact/solvers/coupling/coupling_solver.hpp>
#include <tact/solvers/pivoting/contact_pivoting.hpp>
#include <tact/solvers/reproduction/full_anticipation.hpp>
#include <tact/solvers/unions/union_contact_solver.hpp>

namespace tact {
namespace {

MakeContactSolver nested(NestedOptions (*way)())
{
  return [way](const ContactOptions& options) {
    return std::make_unique<NestedContactSolver>(way(), options);
  };
}

std::unique_ptr<ContactSolver> ica(const ContactOptions& options)
{
  return std::make_unique<IcaContactSolver>(IcaOptions(), options);
}

MakeContactSolver regions(ProjectedMethod method)
{
  return [method](const ContactOptions& options) {
    return std::make_unique<RegionsContactSolver>(method, options);
  };
}

MakeContactSolver unions(NonconvexMethod method)
{
  return [method](const ContactOptions& options) {
    const UnionContactOptions union_options{
        .tolerance = options.tolerance, .law = options.law, .method = method};
    return std::make_unique<UnionSolver>(make_automatic(options), union_options);
  };
}

SolveInOneCall pivoting(std::string_view name)
{
  return [name](const ContactProblem& problem, ContactSolution& solution,
                const ContactOptions& options) {
    return solve_by_pivoting(problem, solution, name, options);
  };
}

SolveInOneCall cone(std::string_view name)
{
  return [name](const ContactProblem& problem, ContactSolution& solution,
                const ContactOptions& options) {
    return solve_exact_cone(problem, solution, name, options);
  };
}

// In one call: it refuses problems with friction.
SolveReport proportioning(const ContactProblem& problem, ContactSolution& solution,
                          const ContactOptions& options)
{
  RegionsContactSolver solver(ProjectedMethod::mprgp, options);
  return solve_once(solver, problem, solution);
}

SolveReport coupling(const ContactProblem& problem, ContactSolution& solution,
                     const ContactOptions& options)
{
  CouplingOptions coupling;
  coupling.tolerance = options.tolerance;
  coupling.law = options.law;
  if (options.max_iterations > 0) coupling.max_sweeps = options.max_iterations;
  return solve_coupling(problem, solution, coupling);
}

SolveReport full(const ContactProblem& problem, ContactSolution& solution,
                 const ContactOptions& options)
{
  FullAnticipationOptions full;
  full.tolerance = options.tolerance;
  full.law = options.law;
  if (options.max_iterations > 0) full.max_sweeps = options.max_iterations;
  return solve_full_anticipation(problem, solution, full);
}

// Costs: n unknowns or rows, m contacts, D rows per contact. Needs: bilateral rows are added by the
// column that says which are taken.
std::vector<ContactMethod> iterative_methods()
{
  return {
      {.name = "anticipation",
       .guide = {"exact factors and responses of every component, sweeps with NNCG", "iterative",
                 "both", "factors of every component",
                 "a factorisation a component, then all pairs of contacts on one body a sweep",
                 "small components, high accuracy"},
       .make = nested(anticipation_options)},
      {.name = "nested",
       .guide = {"accelerated passes on the velocities of nodes; for large meshes", "iterative",
                 "both", "A by blocks", "the entries of A and J a pass", "large meshes"},
       .make = nested(accelerated_options)},
      {.name = "ica",
       .guide = {"iterative constraint anticipation as printed, [Otaduy09] Sec. 5", "iterative",
                 "both", "A by blocks", "the entries of A and J a pass",
                 "to compare with [Otaduy09]"},
       .make = ica},
      {.name = "pcg-pgs",
       .guide = {"regions apart: projected conjugate gradients, then sweeps [Lazarevych10]",
                 "iterative", "both", "factors of every component",
                 "a product with W an iteration, region by region",
                 "many detached regions, explicit steps"},
       .make = regions(ProjectedMethod::pcg_pgs)},
      {.name = "pgs",
       .guide = {"regions apart: projected Gauss-Seidel", "iterative", "both",
                 "factors of every component", "the entries of W a sweep, region by region",
                 "low accuracy, small mass ratios"},
       .make = regions(ProjectedMethod::pgs)},
      {.name = "nncg",
       .guide = {"regions apart: Gauss-Seidel with conjugate directions", "iterative", "both",
                 "factors of every component", "the entries of W a sweep, region by region",
                 "stacks where pgs is slow"},
       .make = regions(ProjectedMethod::nncg)},
      {.name = "apgd",
       .guide = {"regions apart: Nesterov's projected gradients", "iterative", "both",
                 "factors of every component", "a product with W an iteration, region by region",
                 "many contacts, moderate accuracy"},
       .make = regions(ProjectedMethod::apgd)},
      {.name = "mprgp",
       .guide = {"regions apart, without friction only: proportioning, finite", "iterative", "none",
                 "mu = 0", "a product with W an iteration", "large problems without friction"},
       .solve = proportioning},
      {.name = "coupling",
       .guide =
           {"rigid bodies and lone nodes only: linear in the contacts, after [Miguel11] Sec. 5",
            "iterative", "both", "rigid bodies and lone nodes", "linear in the contacts a sweep",
            "thousands of contacts on few rigid bodies"},
       .solve = coupling,
       .takes = Takes::rigid_bodies_and_nodes},
      {.name = "full",
       .guide = {"full constraint anticipation: one dense matrix of all contacts; for comparison",
                 "iterative", "both", "a dense matrix of all contacts",
                 "m^2 a sweep, once m solves with A",
                 "to compare with what the other methods save"},
       .solve = full},
  };
}

std::vector<ContactMethod> pivoting_methods()
{
  return {
      {.name = "lemke-cone",
       .guide = {"rigid bodies only: exact, pivots on the faces of friction pyramids", "exact",
                 "both", "rigid bodies",
                 "n a pivot, one factorisation of the held contacts now and then",
                 "rigid bodies with many-sided pyramids"},
       .solve = pivoting("lemke-cone"),
       .takes = Takes::rigid_bodies,
       .rows = Rows::equations},
      {.name = "lemke-reduced",
       .guide = {"rigid bodies only: exact, [Lloyd05] Sec. VI", "exact", "both", "rigid bodies",
                 "n a pivot", "rigid bodies, many contacts on few bodies"},
       .solve = pivoting("lemke-reduced"),
       .takes = Takes::rigid_bodies,
       .rows = Rows::equations},
      {.name = "lemke-structural",
       .guide = {"rigid bodies only: exact, [Lloyd05] Sec. V", "exact", "both", "rigid bodies",
                 "n^2 a pivot", "to compare with [Lloyd05] Sec. V"},
       .solve = pivoting("lemke-structural"),
       .takes = Takes::rigid_bodies,
       .rows = Rows::equations},
      {.name = "lemke-standard",
       .guide = {"rigid bodies only: exact, dense Lemke", "exact", "both", "rigid bodies",
                 "n^2 a pivot of a full tableau", "small problems, and as a reference"},
       .solve = pivoting("lemke-standard"),
       .takes = Takes::rigid_bodies,
       .rows = Rows::limited},
      {.name = "block-pivoting",
       .guide = {"rigid bodies without friction only: exact", "exact", "none",
                 "rigid bodies and mu = 0", "one factorisation an exchange",
                 "rigid bodies without friction"},
       .solve = pivoting("block-pivoting"),
       .takes = Takes::rigid_bodies,
       .rows = Rows::equations},
  };
}

std::vector<ContactMethod> union_methods()
{
  return {
      {.name = "side-selection",
       .guide = {"unions of half-spaces: one side a group, the one of least work", "exact", "both",
                 "groups of sides", "a convex solve for each choice of sides that is tried",
                 "sharp corners, the default there"},
       .make = unions(NonconvexMethod::selection),
       .unions = Unions::needed,
       .rows = Rows::limited},
      {.name = "union-max",
       .guide = {"unions of half-spaces: sides by Lemke on the max form, [Egan03] Sec. IV", "exact",
                 "both", "groups of sides, rigid bodies", "n^2 a pivot of a full tableau",
                 "to compare with [Egan03] Sec. IV"},
       .make = unions(NonconvexMethod::max_form),
       .unions = Unions::needed},
      {.name = "union-sum",
       .guide = {"unions of half-spaces: sides by Lemke on the summation form, [Egan03] Sec. V",
                 "exact", "both", "groups of sides, rigid bodies", "n^2 a pivot of a full tableau",
                 "to compare with [Egan03] Sec. V"},
       .make = unions(NonconvexMethod::sum_form),
       .unions = Unions::needed},
  };
}

std::vector<ContactMethod> cone_methods()
{
  return {
      {.name = "nsgs",
       .guide = {"exact cone: Gauss-Seidel with exact local solves and NNCG; cheap, slow on piles",
                 "iterative", "cone", "W", "2 D^2 a block of W and sweep",
                 "loose contact, few contacts a body"},
       .solve = cone("nsgs"),
       .rows = Rows::limited,
       .takes_matrices = true},
      {.name = "admm",
       .guide = {"exact cone: alternating directions, one factorisation; to 1e-4, mostly to 1e-6",
                 "iterative", "cone", "W", "1 to 3 factorisations, a solve an iteration",
                 "1e-4 to 1e-6 quickly, badly scaled data"},
       .solve = cone("admm"),
       .rows = Rows::limited,
       .takes_matrices = true},
      {.name = "newton",
       .guide = {"exact cone: semismooth Newton with a watchdog; fast where W is regular",
                 "iterative", "cone", "W, nearly regular",
                 "a factorisation of the acting contacts a step, 5 to 60 steps",
                 "regular problems; the fastest where it works"},
       .solve = cone("newton"),
       .rows = Rows::limited,
       .takes_matrices = true},
      {.name = "prox",
       .guide = {"exact cone: proximal point with semismooth Newton; high accuracy, singular W",
                 "iterative", "cone", "W, singular or not",
                 "a factorisation of the acting contacts a step, 10 to 90 steps",
                 "high accuracy, more contacts than motions"},
       .solve = cone("prox"),
       .rows = Rows::limited,
       .takes_matrices = true},
      {.name = "ipm",
       .guide =
           {"exact cone: interior point with NT scaling, ended by prox; 10 to 60 factorisations",
            "iterative", "cone", "W, singular or not", "12 to 60 factorisations of all contacts",
            "a cost known beforehand, stiff pinches"},
       .solve = cone("ipm"),
       .takes_matrices = true},
  };
}

// What `needs` says of bilateral rows.
std::string needs_of_rows(Rows rows)
{
  switch (rows) {
    case Rows::refused: return "; no bilateral rows";
    case Rows::equations: return "; no limits of bilateral rows";
    case Rows::limited: break;
  }
  return {};
}

}  // namespace

std::vector<ContactMethod> built_in_methods()
{
  std::vector<ContactMethod> all;
  for (const auto& methods :
       {iterative_methods(), pivoting_methods(), union_methods(), cone_methods()})
    all.insert(all.end(), methods.begin(), methods.end());
  for (ContactMethod& method : all) method.guide.needs += needs_of_rows(method.rows);
  return all;
}

}  // namespace tact
