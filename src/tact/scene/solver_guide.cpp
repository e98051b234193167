#include <tact/scene/solver_guide.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

// n: unknowns or rows, m: contacts.
constexpr SolverGuide guides[] = {
    {"lcp", "lemke", "exact", "none", "any matrix", "n^2 a pivot, about n pivots",
     "up to a thousand unknowns, free variables and boxes"},
    {"lcp", "block-pivoting", "exact", "none", "a P-matrix or a semidefinite one",
     "one factorisation of the free part an exchange, mostly 3 to 8",
     "large symmetric positive definite problems"},
    {"lcp", "pgs", "iterative", "none", "a positive diagonal", "the entries of M a sweep",
     "low accuracy, or a good warm start"},
    {"lcp", "enumeration", "exact", "none", "at most 16 pairs", "2^n factorisations",
     "tiny problems where nothing else finds the answer"},
    {"contact", "anticipation", "iterative", "both", "factors of every component",
     "a factorisation a component, then all pairs of contacts on one body a sweep",
     "small components, high accuracy"},
    {"contact", "nested", "iterative", "both", "A by blocks", "the entries of A and J a pass",
     "large meshes; what runs use"},
    {"contact", "ica", "iterative", "both", "A by blocks", "the entries of A and J a pass",
     "to compare with [Otaduy09]"},
    {"contact", "pcg-pgs", "iterative", "both", "factors of every component",
     "a product with W an iteration, region by region", "many detached regions, explicit steps"},
    {"contact", "pgs", "iterative", "both", "factors of every component",
     "the entries of W a sweep, region by region", "low accuracy, small mass ratios"},
    {"contact", "nncg", "iterative", "both", "factors of every component",
     "the entries of W a sweep, region by region", "stacks where pgs is slow"},
    {"contact", "apgd", "iterative", "both", "factors of every component",
     "a product with W an iteration, region by region", "many contacts, moderate accuracy"},
    {"contact", "mprgp", "iterative", "none", "mu = 0", "a product with W an iteration",
     "large problems without friction"},
    {"contact", "coupling", "iterative", "both", "rigid bodies and lone nodes",
     "linear in the contacts a sweep", "thousands of contacts on few rigid bodies"},
    {"contact", "full", "iterative", "both", "a dense matrix of all contacts",
     "m^2 a sweep, once m solves with A", "to compare with what the other methods save"},
    {"contact", "lemke-cone", "exact", "pyramid", "rigid bodies",
     "n a pivot, one factorisation of the held contacts now and then",
     "rigid bodies with many-sided pyramids"},
    {"contact", "lemke-reduced", "exact", "pyramid", "rigid bodies", "n a pivot",
     "rigid bodies, many contacts on few bodies"},
    {"contact", "lemke-structural", "exact", "pyramid", "rigid bodies", "n^2 a pivot",
     "to compare with [Lloyd05] Sec. V"},
    {"contact", "lemke-standard", "exact", "pyramid", "rigid bodies",
     "n^2 a pivot of a full tableau", "small problems, and as a reference"},
    {"contact", "block-pivoting", "exact", "none", "rigid bodies and mu = 0",
     "one factorisation an exchange", "rigid bodies without friction"},
    {"contact", "side-selection", "exact", "both", "groups of sides",
     "a convex solve for each choice of sides that is tried", "sharp corners, the default there"},
    {"contact", "union-max", "exact", "both", "groups of sides, rigid bodies",
     "n^2 a pivot of a full tableau", "to compare with [Egan03] Sec. IV"},
    {"contact", "union-sum", "exact", "both", "groups of sides, rigid bodies",
     "n^2 a pivot of a full tableau", "to compare with [Egan03] Sec. V"},
    {"friction", "nsgs", "iterative", "cone", "W", "2 D^2 a block of W and sweep",
     "loose contact, few contacts a body"},
    {"friction", "admm", "iterative", "cone", "W", "1 to 3 factorisations, a solve an iteration",
     "1e-4 to 1e-6 quickly, badly scaled data"},
    {"friction", "newton", "iterative", "cone", "W, nearly regular",
     "a factorisation of the acting contacts a step, 5 to 60 steps",
     "regular problems; the fastest where it works"},
    {"friction", "prox", "iterative", "cone", "W, singular or not",
     "a factorisation of the acting contacts a step, 10 to 90 steps",
     "high accuracy, more contacts than motions"},
    {"friction", "ipm", "iterative", "cone", "W, singular or not",
     "12 to 60 factorisations of all contacts", "a cost known beforehand, stiff pinches"},
};

}  // namespace

const SolverGuide& solver_guide(std::string_view kind, std::string_view name)
{
  const auto* it = std::find_if(
      std::begin(guides), std::end(guides),
      [&](const SolverGuide& guide) { return guide.kind == kind && guide.name == name; });
  if (it == std::end(guides)) throw Error(fmt::format("solver {} ({}) has no guide", name, kind));
  return *it;
}

}  // namespace tact
