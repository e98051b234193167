#include <bench/nonconvex.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <bench/cpu_timer.hpp>
#include <bench/statistics.hpp>
#include <tact/core/random.hpp>
#include <tact/files/text_file.hpp>
#include <tact/samples/rigid_contacts.hpp>
#include <tact/solvers/pivoting/pyramid_lcp.hpp>
#include <tact/solvers/pivoting/rigid_solvers.hpp>
#include <tact/solvers/unions/nonconvex_solvers.hpp>

namespace tact {
namespace {

struct CornerShape {
  const char* name;
  std::vector<double> angles;  // of the outward normals of its sides, degrees
};

const std::vector<CornerShape> corner_shapes = {
    {"right angle", {0.0, 90.0}},
    {"sharp, 30 degrees", {-30.0, 120.0}},
    {"three sides", {0.0, 45.0, 90.0}},
};

// A unit mass at the origin: a_i = n_i . place, all sides through one point.
RegionRow measure_region(const CornerShape& shape, UnionForm form, double cap, int cells)
{
  const int n = static_cast<int>(shape.angles.size());
  MatrixXd normals(n, 2);
  SideGroups groups;
  std::vector<int> sides;
  for (int i = 0; i < n; ++i) {
    const double angle = shape.angles[i] * std::numbers::pi / 180.0;
    normals.row(i) << std::cos(angle), std::sin(angle);
    sides.push_back(i);
  }
  groups.add(sides);
  const UnionConstants constants = {.velocity_scale = 1.0, .gamma = 4.0, .cap = cap};
  LcpProblem base{
      .M = normals * normals.transpose(), .q = VectorXd::Zero(n), .lower = {}, .upper = {}};
  RegionRow row{.form = form == UnionForm::max ? "max" : "sum", .corner = shape.name, .sides = n};
  row.cap = form == UnionForm::max ? 0.0 : cap;

  UnionLcp unions;
  const double low = -1.0, high = 0.25, step = (high - low) / cells;
  const VectorXd at_rest = VectorXd::Zero(n);
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      base.q = normals * Vector2d(low + (i + 0.5) * step, low + (j + 0.5) * step);
      const double depth = -base.q.maxCoeff();
      unions.load(base, groups, form, constants);
      const bool accepted = residual(unions.lcp(), unions.lifted(at_rest)) <= 1e-12;
      if (depth <= 0.0 && !accepted) ++row.rejected;
      if (depth <= 1e-12 || !accepted) continue;
      row.max_error = std::max(row.max_error, depth);
      row.area += step * step;
    }
  }
  const ConstraintCount count = {.sides = n, .groups = 1};
  // The table counts a friction slack a side, which problems without friction do not have.
  row.constraints_formula = (form == UnionForm::max ? count.max() : count.sum()) - count.friction();
  row.constraints_built = unions.lcp().size();
  return row;
}

// Bodies in a row, each pushed by the next, sliding towards a corner of three sides.
ContactProblem bodies_before_corners(int bodies, Random& random)
{
  constexpr double mu = 0.3;
  SideGroups groups;
  RigidContactBuilder builder;
  const auto direction_near = [&](const Vector3d& axis) {
    return Vector3d(axis + random.in_cube(0.6)).normalized();
  };
  for (int b = 0; b < bodies; ++b) {
    const Vector3d centre(2.0 * b, 0.0, 0.0);
    builder.add_body({.mass = random.uniform(0.5, 2.0),
                      .inertia = box_inertia(1.0, {1.0, 1.0, 1.0}),
                      .centre = centre,
                      .velocity = Vector3d(0.0, -1.0, 0.0) + random.in_cube(0.5),
                      .angular_velocity = random.in_cube(0.5)});
    std::vector<int> sides;
    for (int s = 0; s < 3; ++s) {
      sides.push_back(4 * b + s);
      builder.add_contact({.body_a = b,
                           .point = centre + Vector3d(0.2, -1.0, 0.1),
                           .normal = direction_near(Vector3d::UnitY()),
                           .mu = mu,
                           .gap_rate = random.uniform(-0.1, 0.5)});
    }
    groups.add(sides);
    builder.add_contact({.body_a = b,
                         .body_b = b == 0 ? fixed_body : b - 1,
                         .point = centre - Vector3d(1.0, 0.0, 0.0),
                         .normal = direction_near(Vector3d::UnitX()),
                         .mu = mu,
                         .gap_rate = random.uniform(0.0, 0.2)});
  }
  ContactProblem made = builder.build();
  made.groups = groups;
  return made;
}

// The problem with one side of every group, or with none.
ContactProblem convex_part(const ContactProblem& made, bool with_first_sides)
{
  std::vector<char> present(made.size(), 1);
  for (const int side : made.groups.all_sides()) present[side] = 0;
  for (int g = 0; g < made.groups.size(); ++g) present[made.groups[g][0]] = with_first_sides;
  ContactProblem convex = made;
  convex.groups.clear();
  convex.contacts.clear();
  for (int c = 0; c < made.size(); ++c)
    if (present[c]) convex.contacts.push_back(made.contacts[c]);
  return convex;
}

int rows_without_groups(const ContactProblem& problem, int directions)
{
  WhitenedProblem whitened;
  whitened.load(problem);
  const FrictionPyramid pyramid(directions);
  PyramidLcp lcp;
  lcp.load(whitened, pyramid);
  return lcp.lcp().size();
}

SolveRow measure_stewart(const std::vector<ContactProblem>& problems, int directions)
{
  SolveRow row{.form = "stewart", .groups = 0, .sides = 0, .directions = directions};
  std::vector<double> times;
  for (const ContactProblem& made : problems) {
    const ContactProblem convex = convex_part(made, false);
    ContactSolution solution;
    const CpuTimer timer;
    const SolveReport report =
        solve_rigid_contact(convex, solution, "lemke-standard", {.directions = directions});
    times.push_back(1e6 * timer.seconds());
    ++row.problems;
    row.solved += report.ok() ? 1 : 0;
    row.convex = convex.size();
    row.constraints_built = rows_without_groups(convex, directions);
  }
  row.constraints_formula =
      ConstraintCount{.convex = row.convex, .directions = directions}.stewart();
  row.median_us = median(std::move(times));
  return row;
}

SolveRow measure_method(const std::vector<ContactProblem>& problems, NonconvexMethod method,
                        int directions)
{
  SolveRow row{.form = std::string(name(method)), .directions = directions};
  std::vector<double> times;
  for (const ContactProblem& made : problems) {
    ContactSolution solution;
    const CpuTimer timer;
    const NonconvexReport report =
        solve_rigid_unions(made, solution, {.method = method, .directions = directions});
    times.push_back(1e6 * timer.seconds());
    ++row.problems;
    row.constraints_built = report.constraints;
    if (!report.solve.ok()) continue;
    ++row.solved;
    // What the sum form lets pass by design is its cap.
    const double by_design = method == NonconvexMethod::sum_form ? report.constants.cap : 0.0;
    row.max_error = std::max(row.max_error, report.forbidden - by_design);
  }
  const ContactProblem& first = problems.front();
  row.groups = first.groups.size();
  row.sides = first.groups.sides();
  row.convex = first.size() - row.sides;
  const ConstraintCount count = {
      .convex = row.convex, .sides = row.sides, .groups = row.groups, .directions = directions};
  row.constraints_formula = method == NonconvexMethod::max_form ? count.max() : count.sum();
  if (method == NonconvexMethod::selection) {
    row.constraints_formula =
        ConstraintCount{.convex = row.convex + row.groups, .directions = directions}.stewart();
    row.constraints_built = rows_without_groups(convex_part(first, true), directions);
  }
  row.median_us = median(std::move(times));
  return row;
}

void measure_solves(const BenchOptions& options, std::vector<SolveRow>& rows)
{
  const int instances = options.quick ? 5 : 40;
  for (const int groups :
       options.quick ? std::vector{1, 2, 4} : std::vector{1, 2, 3, 4, 6, 8, 12}) {
    if (!options.quiet) fmt::print(stderr, "bench nonconvex: {} groups\n", groups);
    Random random(static_cast<std::uint64_t>(groups));
    std::vector<ContactProblem> problems;
    for (int i = 0; i < instances; ++i) problems.push_back(bodies_before_corners(groups, random));
    rows.push_back(measure_stewart(problems, options.directions));
    for (const NonconvexMethod method :
         {NonconvexMethod::max_form, NonconvexMethod::sum_form, NonconvexMethod::selection})
      rows.push_back(measure_method(problems, method, options.directions));
  }
}

}  // namespace

NonconvexRows measure_nonconvex(const BenchOptions& options)
{
  NonconvexRows rows;
  const int cells = options.quick ? 200 : 500;
  for (const CornerShape& shape : corner_shapes) {
    if (!options.quiet) fmt::print(stderr, "bench nonconvex: region, {}\n", shape.name);
    rows.regions.push_back(measure_region(shape, UnionForm::max, 0.1, cells));
    for (const double cap : {0.05, 0.1, 0.2})
      rows.regions.push_back(measure_region(shape, UnionForm::sum, cap, cells));
  }
  measure_solves(options, rows.solves);
  return rows;
}

int run_nonconvex_bench(const BenchOptions& options)
{
  const NonconvexRows rows = measure_nonconvex(options);
  if (!options.json_file.empty()) write_text(options.json_file, nonconvex_json(rows));
  if (!options.plot_file.empty()) write_text(options.plot_file, nonconvex_plot(rows));
  fmt::print("{}", nonconvex_table(rows, options.quick));
  return exit_code(nonconvex_claims(rows), options.quick);
}

}  // namespace tact
