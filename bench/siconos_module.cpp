#include <bench/siconos_module.hpp>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include <bench/cpu_timer.hpp>

namespace {

struct Deleter {
  void operator()(SolverOptions* options) const { solver_options_delete(options); }
  void operator()(NumericsMatrix* matrix) const { NM_free(matrix); }
};
using Matrix = std::unique_ptr<NumericsMatrix, Deleter>;

constexpr int unknown = -1;

int solver_id(const SiconosTask& task)
{
  const std::string_view name = task.solver;
  if (task.dimension == 2) return name == "nsgs" ? SICONOS_FRICTION_2D_NSGS : unknown;
  if (name == "nsgs") return SICONOS_FRICTION_3D_NSGS;
  if (name == "nsn-ac") return SICONOS_FRICTION_3D_NSN_AC;
  if (name == "admm") return SICONOS_FRICTION_3D_ADMM;
  if (name == "prox") return SICONOS_FRICTION_3D_PROX;
  return unknown;
}

template <class Visit>
void each_entry(const SiconosTask& task, Visit visit)
{
  for (int row = 0; row < task.dimension * task.contacts; ++row)
    for (int k = task.row_starts[row]; k < task.row_starts[row + 1]; ++k)
      visit(row, task.columns[k], task.entries[k]);
}

Matrix sparse_matrix(const SiconosTask& task)
{
  const int n = task.dimension * task.contacts;
  Matrix W(NM_create(NM_SPARSE, n, n));
  NM_triplet_alloc(W.get(), task.row_starts[n]);
  each_entry(task,
             [&](int row, int column, double value) { NM_entry(W.get(), row, column, value); });
  return W;
}

// The form that suits the solver best: blocks for sweeps, dense in the plane, sparse elsewhere.
Matrix suitable_matrix(const SiconosTask& task)
{
  const int n = task.dimension * task.contacts;
  const std::string_view name = task.solver;
  if (task.dimension == 2) {
    Matrix dense(NM_create(NM_DENSE, n, n));
    std::fill_n(dense->matrix0, static_cast<std::size_t>(n) * n, 0.0);
    each_entry(task, [&](int row, int column, double value) {
      dense->matrix0[row + static_cast<std::size_t>(column) * n] = value;
    });
    return dense;
  }
  Matrix sparse = sparse_matrix(task);
  if (name != "nsgs" && name != "prox") return sparse;
  Matrix blocks(NM_create(NM_SPARSE_BLOCK, n, n));
  SBM_from_csparse(task.dimension, NM_csc(sparse.get()), blocks->matrix1);
  return blocks;
}

}  // namespace

bool tact_solve_by_siconos(SiconosTask* task)
{
  const int id = solver_id(*task);
  if (id == unknown) return false;
  const int n = task->dimension * task->contacts;
  std::vector<double> q(task->q, task->q + n);
  std::vector<double> mu(task->mu, task->mu + task->contacts);
  std::vector<double> u(n, 0.0);
  const Matrix W = suitable_matrix(*task);
  FrictionContactProblem problem{};
  problem.dimension = task->dimension;
  problem.numberOfContacts = task->contacts;
  problem.M = W.get();
  problem.q = q.data();
  problem.mu = mu.data();
  const std::unique_ptr<SolverOptions, Deleter> options(solver_options_create(id));
  options->dparam[SICONOS_DPARAM_TOL] = task->tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = task->max_iterations;
  std::fill_n(task->lambda, n, 0.0);
  const tact::CpuTimer timer;
  if (task->dimension == 2)
    fc2d_driver(&problem, task->lambda, u.data(), options.get());
  else
    fc3d_driver(&problem, task->lambda, u.data(), options.get());
  task->seconds = timer.seconds();
  task->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  return true;
}
