// A peg jammed in a hole by a random wrench: build the problem, solve it exactly, store it.
//
//   peg_in_hole FOLDER     writes FOLDER/peg-in-hole.json, for `tact solve`
#include <cstdlib>
#include <filesystem>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/files/rigid_contact_io.hpp>
#include <tact/samples/contact_families.hpp>
#include <tact/solvers/pivoting/rigid_solvers.hpp>

int main(int argc, char** argv)
{
  if (argc != 2) {
    fmt::print(stderr, "usage: peg_in_hole FOLDER\n");
    return 2;
  }
  try {
    tact::Random random(3);
    // 16 contacts, mu 0.2-0.3
    const tact::ContactProblem problem = tact::peg_in_hole(16, random);

    tact::ContactSolution solution;
    const tact::SolveReport report = tact::solve_rigid_contact(problem, solution, "lemke-cone");
    fmt::print("peg in hole: {} contacts, {} after {} pivots, residual {:.1e}\n", problem.size(),
               name(report.status), report.iterations, report.residual);
    for (int c = 0; c < problem.size(); ++c) {
      const tact::Vector3d lambda = solution.lambda.segment<3>(3 * c);  // N s: normal, tangents
      if (lambda[0] > 0.0) {
        fmt::print("  contact {:>2} pushes with {:.4f} N s, friction {:.4f} N s\n", c, lambda[0],
                   lambda.tail<2>().norm());
      }
    }

    std::filesystem::create_directories(argv[1]);
    tact::write_rigid_contact_problem(std::filesystem::path(argv[1]) / "peg-in-hole.json", problem);
    return report.ok() ? 0 : 3;
  } catch (const tact::Error& error) {
    fmt::print(stderr, "peg_in_hole: {}\n", error.what());
    return 2;
  }
}
