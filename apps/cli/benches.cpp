#include <cli/benches.hpp>

#include <bench/cmr.hpp>
#include <bench/collision.hpp>
#include <bench/coupling.hpp>
#include <bench/dynamics.hpp>
#include <bench/growth.hpp>
#include <bench/ica.hpp>
#include <bench/lemke.hpp>
#include <bench/nonconvex.hpp>
#include <bench/pcg_pgs.hpp>
#include <bench/regions.hpp>
#include <bench/rocks.hpp>
#include <bench/scenes.hpp>
#include <bench/solvers.hpp>
#include <bench/truth.hpp>

namespace tact::cli {

const std::vector<Bench>& benches()
{
  static const std::vector<Bench> table = {
      {"lemke", "[Lloyd05] figs. 4-9: growth n^3, n^2, n, and our cone-state method",
       run_lemke_bench},
      {"collision",
       "cost of detection as the scene grows and flies, and a million exact motion queries",
       run_collision_bench},
      {"dynamics", "one implicit step of 164 soft letters without contact, linear in their number",
       run_dynamics_bench},
      {"growth", "processor time and memory of cloth, letters, arches and heaps as they grow",
       run_growth_bench},
      {"ica", "[Otaduy09] fig. 6: iterative against full constraint anticipation", run_ica_bench},
      {"cmr", "[Otaduy09]: passes of constraint manifold refinement a step", run_cmr_bench},
      {"coupling", "[Miguel11] figs. 4, 6: many contacts on few rigid bodies, in linear time",
       run_coupling_bench},
      {"scenes", "wall time over simulated time of every scene, published beside measured",
       run_scenes_bench},
      {"regions", "[Lazarevych10] fig. 1: detached contact regions apart against as one problem",
       run_regions_bench},
      {"pcg-pgs", "[Lazarevych10]: solves that do not converge, and cone against pyramid",
       run_pcg_pgs_bench},
      {"nonconvex",
       "[Egan03]: number of constraints, accepted region and cost of unions of half-spaces",
       run_nonconvex_bench},
      {"solvers", "performance profiles of the solvers of the exact Coulomb cone",
       run_solvers_bench},
      {"rocks", "200 piles of irregular rocks, 40 to 568 redundant contacts, to 1e-8 by `auto`",
       run_rocks_bench},
      {"truth", "residual, creep and time of every solver in six situations with known answers",
       run_truth_bench},
  };
  return table;
}

}  // namespace tact::cli
