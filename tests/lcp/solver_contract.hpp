// What every LCP solver of the table has to keep, whatever its method.
#pragma once

#include <string_view>

namespace tact {

// Known answers; the shared residual measured from outside; w = M z + q; a solution found again
// from itself; order of rows and units of rows and variables without influence; the same bits
// again; limits obeyed and reported; wrong input refused. On problems that every solver takes:
// positive definite ones with plain, one-sided, boxed, free and fixed variables.
void check_solver_contract(std::string_view solver);

}  // namespace tact
