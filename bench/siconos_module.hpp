// What `tact bench solvers` asks of Siconos (Apache 2.0), in plain C: the module that answers is
// loaded by that bench alone, so that nothing else of tact depends on the library.
#pragma once

struct SiconosTask {
  const char* solver;  // nsgs, nsn-ac, admm or prox
  int dimension;       // 2: nsgs only
  int contacts;
  const int* row_starts;  // W by rows
  const int* columns;
  const double* entries;
  const double* q;
  const double* mu;
  double tolerance;
  int max_iterations;

  double* lambda;  // on return the impulses
  int iterations;
  double seconds;  // processor time of the solver alone
};

// False where there is no such solver for this dimension.
extern "C" bool tact_solve_by_siconos(SiconosTask* task);
