// The chain of solvers that takes any friction problem. Each stage hands its best point to the next
// and is left by rules on counted work:
//
//   gs      Gauss-Seidel, until the tolerance or until it would cost more than 25 factorisations
//   admm    from there to 1e-6, or until it stalls
//   prox    proximal point with semismooth Newton: mostly the last stage
//   admm    from zero, longer;   prox   longer
//   ipm     interior point to 1e-6;   prox
//   centre  again and again: interior point with the shift frozen at the best point, then prox
//
// and at the end, where that is cheap, two more digits by prox with a small alpha.
#pragma once

#include <string>
#include <vector>

#include <tact/solvers/cone/search.hpp>

namespace tact {

struct ChainEnd {
  bool no_solution = false;         // proven, infeasibility.hpp
  std::vector<std::string> stages;  // as they were entered
  std::string decided_by;           // the stage that reached the tolerance, or the best point
};

// From `start`, in scaled numbers.
template <int D>
ChainEnd run_chain(Search<D>& search, const VectorXd& start);

extern template ChainEnd run_chain(Search<2>&, const VectorXd&);
extern template ChainEnd run_chain(Search<3>&, const VectorXd&);

}  // namespace tact
