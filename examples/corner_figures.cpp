// corner_figures FOLDER
// Figures 6, 7 and 9 of [Egan03], drawn from what tact computes: which faces near a point are sides
// of which group, how the summation form cuts corners off, and where a point that flies into a
// corner may end by each form.
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/core.h>

#include <tact/collision/corners.hpp>
#include <tact/core/error.hpp>
#include <tact/files/svg_chart.hpp>
#include <tact/files/text_file.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/solvers/unions/union_lcp.hpp>

namespace {

using tact::Chart;
using tact::Series;
using tact::UnionForm;
using tact::Vector2d;
using tact::Vector3d;
using tact::VectorXd;

Vector2d direction(double degrees)
{
  const double angle = degrees * std::numbers::pi / 180.0;
  return {std::cos(angle), std::sin(angle)};
}

// ---- Figure 6: groups and sides ----------------------------------------------------------------

// The faces that form groups for a point, in the plane of a prism's outline.
Chart groups_near(const std::string& title, const tact::Contour& outline, const Vector2d& point,
                  double reach)
{
  Chart chart{.title = title, .x_label = "x, m", .y_label = "y, m", .series = {}};
  Series section{.label = "section", .points = outline, .line_only = true};
  section.points.push_back(outline.front());
  chart.series.push_back(section);
  const tact::TriMesh prism = tact::make_extrusion(std::array{outline}, 4.0);
  const tact::FlatFaces faces(prism);
  int group = 0;
  for (const tact::Corner& corner :
       corners_near(faces, prism.positions, {point.x(), point.y(), 0.0}, {.reach = reach})) {
    ++group;
    for (const tact::CornerSide& side : corner.sides) {
      // Where its plane would go on without the others.
      const Vector3d foot = Vector3d(point.x(), point.y(), 0.0) - side.gap * side.normal;
      const Vector2d along = 0.4 * Vector2d(side.normal.y(), -side.normal.x());
      Series plane{.label = fmt::format("group {}, face {}", group, side.face),
                   .points = {foot.head<2>() - along, foot.head<2>() + along}};
      plane.dashed = plane.line_only = true;
      plane.colour_of = fmt::format("group {}", group);
      chart.series.push_back(std::move(plane));
    }
  }
  Series dot{.label = "point", .points = {point}, .markers_only = true};
  chart.series.push_back(dot);
  return chart;
}

std::string figure_6()
{
  const tact::Contour chamfered = {{0.0, 0.0}, {1.0, 0.0}, {1.0, 0.8}, {0.8, 1.0}, {0.0, 1.0}};
  const tact::Contour two_teeth = {{0.0, 0.0}, {1.6, 0.0}, {1.2, 1.0}, {0.8, 0.4}, {0.4, 1.0}};
  return tact::to_svg({groups_near("one group of three sides", chamfered, {1.0, 1.0}, 0.25),
                       groups_near("two groups of two sides", two_teeth, {0.8, 1.1}, 0.5)},
                      2);
}

// ---- Unions in velocities: a unit mass, a_i = n_i . place - offset_i ----------------------------

struct Sides {
  std::vector<Vector2d> normals;
  std::vector<double> offsets;
};

class PointAtSides {
 public:
  PointAtSides(Sides sides, UnionForm form, double cap)
      : sides_(std::move(sides)), form_(form), constants_{1.0, 100.0, cap}
  {
    std::vector<int> all;
    for (int i = 0; i < size(); ++i) all.push_back(i);
    groups_.add(all);
  }

  int size() const { return static_cast<int>(sides_.normals.size()); }

  // Whether the form takes an end at this place that these impulses lead to.
  bool allows(const Vector2d& place, const VectorXd& impulses, double tolerance = 1e-9) const
  {
    tact::LcpProblem base;
    tact::MatrixXd normals(size(), 2);
    VectorXd a(size());
    for (int i = 0; i < size(); ++i) {
      normals.row(i) = sides_.normals[i].transpose();
      a[i] = sides_.normals[i].dot(place) - sides_.offsets[i];
    }
    base.M = normals * normals.transpose();
    base.q = a - base.M * impulses;
    tact::UnionLcp lcp;
    lcp.load(base, groups_, form_, constants_);
    return residual(lcp.lcp(), lcp.lifted(impulses)) <= tolerance;
  }

  // The first place outwards from one inside that is allowed without impulses.
  Vector2d border(const Vector2d& inside, const Vector2d& outwards) const
  {
    const VectorXd none = VectorXd::Zero(size());
    double low = 0.0, high = 4.0;
    while (high - low > 1e-12) {
      const double middle = 0.5 * (low + high);
      (allows(inside + middle * outwards, none, 1e-12) ? high : low) = middle;
    }
    return inside + high * outwards;
  }

 private:
  Sides sides_;
  UnionForm form_;
  tact::UnionConstants constants_;
  tact::SideGroups groups_;
};

// ---- Figure 7: what the summation form cuts off -------------------------------------------------

// A corner rounded by `count` sides that touch a circle of this radius.
Sides rounded_corner(int count, double radius)
{
  Sides sides;
  for (int i = 0; i < count; ++i) {
    sides.normals.push_back(direction(90.0 * i / (count - 1)));
    sides.offsets.push_back(radius);
  }
  return sides;
}

Chart capped_corner(int count, double radius, double cap)
{
  Chart chart{.title = fmt::format("{} sides, e = {:g} m/s", count, cap),
              .x_label = "a_x, m/s",
              .y_label = "a_y, m/s",
              .series = {}};
  const Vector2d inside(-1.0, -1.0);
  for (const UnionForm form : {UnionForm::max, UnionForm::sum}) {
    const PointAtSides corner(rounded_corner(count, radius), form, cap);
    Series border{.label = form == UnionForm::max ? "max" : "sum", .points = {}};
    border.line_only = true;
    for (double degrees = 5.0; degrees <= 85.0; degrees += 0.5)
      border.points.push_back(corner.border(inside, direction(degrees)));
    chart.series.push_back(std::move(border));
  }
  return chart;
}

std::string figure_7()
{
  return tact::to_svg({capped_corner(2, 0.0, 0.1), capped_corner(3, 0.05, 0.1),
                       capped_corner(5, 0.05, 0.1), capped_corner(9, 0.05, 0.1)},
                      2);
}

// ---- Figure 9: where a point that flies into a corner may end -----------------------------------

// From (1, 1) with (-2, -1) m/s, 2 s: without a corner it ends at (-3, -1).
Chart possible_ends(UnionForm form)
{
  constexpr double h = 2.0, epsilon = 0.02;  // s, m
  const Vector2d free(-2.0, -1.0);
  const PointAtSides corner({{direction(0.0), direction(90.0)}, {0.0, 0.0}}, form, epsilon / h);
  Series path{.label = "without contact", .points = {{1.0, 1.0}, {-3.0, -1.0}}};
  path.dashed = true;
  Series border{.label = "border", .points = {{-3.5, 0.0}, {0.0, 0.0}, {0.0, -1.5}}};
  border.line_only = true;
  Series ends{.label = "possible ends", .points = {}, .markers_only = true};
  std::vector<Vector2d> places = {{-1.5, 0.0}, {0.0, 0.0}, {0.0, -0.5}};  // over h; exact
  for (int i = 0; i < 720; ++i)
    places.push_back(corner.border({-2.0, -2.0}, direction((i + 0.5) / 8.0)));
  for (const Vector2d& place : places) {
    const Vector2d impulse = place - Vector2d(1.0 / h, 1.0 / h) - free;
    if (impulse.minCoeff() >= 0.0 && corner.allows(place, impulse))
      ends.points.push_back(h * place);
  }
  fmt::print("fig. 9, {}: of {} places at the border {} are ends\n",
             form == UnionForm::max ? "max" : "sum", places.size(), ends.points.size());
  return {.title = form == UnionForm::max ? "max" : "sum, e h = 0.02 m",
          .x_label = "x, m",
          .y_label = "y, m",
          .series = {border, path, ends}};
}

std::string figure_9()
{
  return tact::to_svg({possible_ends(UnionForm::max), possible_ends(UnionForm::sum)}, 2);
}

}  // namespace

int main(int argc, char** argv)
{
  if (argc != 2) {
    fmt::print(stderr, "usage: corner_figures FOLDER\n");
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    tact::write_text(folder / "corner-groups.svg", figure_6());
    tact::write_text(folder / "corner-capped.svg", figure_7());
    tact::write_text(folder / "corner-ends.svg", figure_9());
    return 0;
  } catch (const tact::Error& error) {
    fmt::print(stderr, "corner_figures: {}\n", error.what());
    return 2;
  }
}
