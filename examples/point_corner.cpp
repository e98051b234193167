// point_corner FOLDER
// The point-mass examples of [Egan03] fig. 3: a unit mass before a corner, x < 0 and y < 0
// forbidden, by side selection and by Lemke on both formulations. The LCPs go to FOLDER for `tact
// solve`.
#include <filesystem>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/files/lcp_io.hpp>
#include <tact/samples/rigid_contacts.hpp>
#include <tact/solvers/pivoting/pyramid_lcp.hpp>
#include <tact/solvers/unions/nonconvex_solvers.hpp>

namespace {

constexpr double h = 2.0;  // s
constexpr tact::UnionConstants printed = {.velocity_scale = 1.0, .gamma = 100.0, .cap = 0.02 / h};

tact::ContactProblem point_at_1_1(const tact::Vector3d& velocity)
{
  tact::RigidContactBuilder builder;
  const int point = builder.add_body({.mass = 1.0, .velocity = velocity});
  builder.add_contact({.body_a = point, .normal = tact::Vector3d::UnitX(), .gap_rate = 1.0 / h});
  builder.add_contact({.body_a = point, .normal = tact::Vector3d::UnitY(), .gap_rate = 1.0 / h});
  tact::ContactProblem problem = builder.build();
  problem.groups.add({0, 1});
  return problem;
}

void write_form(const std::filesystem::path& file, const tact::ContactProblem& problem,
                tact::UnionForm form)
{
  tact::WhitenedProblem whitened;
  whitened.load(problem);
  const tact::FrictionPyramid pyramid;
  tact::PyramidLcp base;
  base.load(whitened, pyramid);
  tact::UnionLcp unions;
  unions.load(base.lcp(), problem.groups, form, printed);
  write_lcp(file, unions.lcp());
}

}  // namespace

int main(int argc, char** argv)
{
  if (argc != 2) {
    fmt::print(stderr, "usage: point_corner FOLDER\n");
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    bool all_solved = true;
    for (const char* const figure : {"a", "b"}) {
      const bool into_the_corner = figure[0] == 'b';
      const auto problem = point_at_1_1({-2.0, into_the_corner ? -1.0 : 0.0, 0.0});
      using Method = tact::NonconvexMethod;
      for (const Method method : {Method::selection, Method::max_form, Method::sum_form}) {
        tact::ContactSolution solution;
        const tact::NonconvexReport report =
            solve_rigid_unions(problem, solution, {.method = method, .constants = printed});
        all_solved = all_solved && report.solve.ok();
        const tact::Vector3d end = tact::Vector3d(1.0, 1.0, 0.0) + h * solution.v.head<3>();
        fmt::print("fig. 3({}) {:<9} ends at ({:5.2f}, {:5.2f}), impulses {:.2f} and {:.2f}\n",
                   figure, name(method), end.x(), end.y(), solution.lambda[0], solution.lambda[3]);
      }
      write_form(folder / fmt::format("point-corner-{}-max.json", figure), problem,
                 tact::UnionForm::max);
      write_form(folder / fmt::format("point-corner-{}-sum.json", figure), problem,
                 tact::UnionForm::sum);
    }
    return all_solved ? 0 : 3;
  } catch (const tact::Error& error) {
    fmt::print(stderr, "point_corner: {}\n", error.what());
    return 2;
  }
}
