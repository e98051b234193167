// Deals the supernodes of a factor out to tasks; see elimination.hpp.
#pragma once

#include <tact/linalg/elimination.hpp>

namespace tact {

// Rough time to factor a supernode and to solve with it, in products of 3 x 3 blocks. Besides the
// products there is an overhead for each supernode, for each column (square roots wait for each
// other) and for each block that is sent to other panels.
double supernode_work(int width, int below);

// Writes tasks, fetches and what supernodes know of them, and parallel_work. Updates must be there.
void find_tasks(Elimination& e);

}  // namespace tact
