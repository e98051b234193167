// Degenerate motions one by one. Contact times are exact doubles, found by hand.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <tact/collision/ccd.hpp>
#include <tact/collision/ccd_exact.hpp>
#include <tact/core/error.hpp>

#include "queries.hpp"

namespace tact {
namespace {

// Every stage that may decide owes the same answer: the whole chain and the exact stage alone.
void check_contact_at(const CcdQuery& query, double expected)
{
  CAPTURE(expected);
  const ContactTime answer = contact(query);
  REQUIRE(answer.contact);
  CHECK(answer.time <= expected);
  CHECK(answer.time >= expected - 1e-9);
  const std::optional<double> exact = exact_contact(query);
  REQUIRE(exact);
  CHECK(*exact <= expected);
  CHECK(*exact >= expected - 0x1p-46);
}

void check_no_contact(const CcdQuery& query)
{
  CHECK_FALSE(contact(query).contact);
  CHECK_FALSE(exact_contact(query));
}

TEST_CASE("A vertex falling through a face meets it when its height is zero")
{
  const Vector3d v0(0.25, 0.25, 3), v1(0.25, 0.25, -1);
  check_contact_at(vertex_face({v0, origin, x_axis, y_axis}, {v1, origin, x_axis, y_axis}), 0.75);
}

TEST_CASE("A vertex that passes a face beside its corner misses, on the corner it hits")
{
  for (const double x : {1.0, 1.0 + 0x1p-52}) {
    const CcdQuery query = vertex_face({Vector3d(x, 0, 1), origin, x_axis, y_axis},
                                       {Vector3d(x, 0, -1), origin, x_axis, y_axis});
    if (x == 1.0)
      check_contact_at(query, 0.5);
    else
      check_no_contact(query);
  }
}

TEST_CASE("Crossing edges meet when one passes through the other")
{
  const Vector3d up(0, 0, 1);
  check_contact_at(edge_edge({-x_axis, x_axis, -y_axis + up, y_axis + up},
                             {-x_axis, x_axis, -y_axis - 3 * up, y_axis - 3 * up}),
                   0.25);
}

TEST_CASE("Collinear edges meet head on")
{
  const Vector3d shift(4, 0, 0);
  check_contact_at(edge_edge({origin, x_axis, 3 * x_axis, 4 * x_axis},
                             {shift, x_axis + shift, 3 * x_axis, 4 * x_axis}),
                   0.5);
  // Moving apart along the same line.
  check_no_contact(edge_edge({origin, x_axis, 3 * x_axis, 4 * x_axis},
                             {-shift, x_axis - shift, 3 * x_axis, 4 * x_axis}));
}

TEST_CASE("Parallel edges that slide past each other touch only if their ends line up")
{
  const Vector3d above(0, 1, 0);
  for (const double gap : {0.0, 0x1p-50}) {
    const Vector3d left(-1 - gap, 0, 0), right(-gap, 0, 0);
    const CcdQuery query = edge_edge({left + above, right + above, origin, x_axis},
                                     {left - above, right - above, origin, x_axis});
    if (gap == 0.0)
      check_contact_at(query, 0.5);
    else
      check_no_contact(query);
  }
}

TEST_CASE("A face that collapses to a segment is hit on the segment only")
{
  for (const double x : {0.25, 1.25}) {
    const CcdQuery query = vertex_face({Vector3d(x, 0, 1), origin, x_axis, Vector3d(0.5, 1, 0)},
                                       {Vector3d(x, 0, -1), origin, x_axis, Vector3d(0.5, -1, 0)});
    if (x < 1.0)
      check_contact_at(query, 0.5);
    else
      check_no_contact(query);
  }
}

TEST_CASE("A face that collapses to a point is hit at the point only")
{
  const FourPoints corners = {Vector3d(0, 0, 1), Vector3d(1, 0, 0), Vector3d(-1, 2, 0),
                              Vector3d(-1, -1, 0)};
  const auto mirrored = [](FourPoints points) {
    for (Vector3d& x : points) x = -x;
    return points;
  };
  check_contact_at(vertex_face(corners, mirrored(corners)), 0.5);
  FourPoints start = corners, end = mirrored(corners);
  start[0].x() += 3;  // passes outside the triangle while that is not yet a point
  end[0].x() += 3;
  check_no_contact(vertex_face(start, end));
}

TEST_CASE("An edge that collapses to a point is hit at the point only")
{
  const auto query = [](double x) {
    return edge_edge({Vector3d(x - 1, 0, 1), Vector3d(x + 1, 0, 1), -y_axis, y_axis},
                     {Vector3d(x + 1, 0, -1), Vector3d(x - 1, 0, -1), -y_axis, y_axis});
  };
  check_contact_at(query(0.0), 0.5);
  check_no_contact(query(1.5));
}

TEST_CASE("A vertex travelling in the plane of a face along an edge touches where the edge begins")
{
  check_contact_at(
      vertex_face({-x_axis, origin, x_axis, y_axis}, {3 * x_axis, origin, x_axis, y_axis}), 0.25);
  // Beside the edge, in the plane, away from the face.
  const Vector3d beside(0, -0x1p-40, 0);
  check_no_contact(vertex_face({-x_axis + beside, origin, x_axis, y_axis},
                               {3 * x_axis + beside, origin, x_axis, y_axis}));
}

TEST_CASE("Without motion contact is that of the start")
{
  const Vector3d inside(0.25, 0.25, 0), above(0.25, 0.25, 0x1p-60), outside(0.75, 0.75, 0);
  check_contact_at(at_rest(CcdKind::vertex_face, {inside, origin, x_axis, y_axis}), 0.0);
  check_no_contact(at_rest(CcdKind::vertex_face, {above, origin, x_axis, y_axis}));
  check_no_contact(at_rest(CcdKind::vertex_face, {outside, origin, x_axis, y_axis}));
  check_contact_at(at_rest(CcdKind::edge_edge, {origin, x_axis, x_axis, y_axis}), 0.0);
  check_no_contact(at_rest(CcdKind::edge_edge, {origin, x_axis, y_axis, y_axis + x_axis}));
  check_contact_at(at_rest(CcdKind::edge_edge, {origin, origin, origin, origin}), 0.0);
}

TEST_CASE("Motion in one plane may end in contact, at t = 1 and not before")
{
  const Vector3d v0(-1, 0.25, 0), v1(0, 0.25, 0);
  check_contact_at(vertex_face({v0, origin, x_axis, y_axis}, {v1, origin, x_axis, y_axis}), 1.0);
  const Vector3d shift(0, 2, 0), up(0, 0, 1);  // the plane itself moves along up
  check_contact_at(edge_edge({origin, x_axis, shift, x_axis + shift},
                             {origin + up, x_axis + up, up, x_axis + up}),
                   1.0);
}

TEST_CASE("Contact at the first and at the last instant counts")
{
  const Vector3d v(0.25, 0.25, 0), above(0.25, 0.25, 1);
  check_contact_at(vertex_face({v, origin, x_axis, y_axis}, {above, origin, x_axis, y_axis}), 0.0);
  check_contact_at(vertex_face({above, origin, x_axis, y_axis}, {v, origin, x_axis, y_axis}), 1.0);
}

// The plane z = (1 - 2 t) x turns through the horizontal while the vertex crosses its axis: its
// height over the plane is z - (1 - 2 t)^2, a parabola that a lift of any size moves off or through
// zero.
CcdQuery grazing(double z)
{
  return vertex_face(
      {Vector3d(1, 0, z), Vector3d(-4, -4, -4), Vector3d(4, -4, 4), Vector3d(0, 8, 0)},
      {Vector3d(-1, 0, z), Vector3d(-4, -4, 4), Vector3d(4, -4, -4), Vector3d(0, 8, 0)});
}

TEST_CASE("A tangent motion touches once, any margin decides")
{
  check_contact_at(grazing(0.0), 0.5);
  check_no_contact(grazing(-0x1p-80));
  check_contact_at(grazing(0x1p-30), 0.5 * (1.0 - 0x1p-15));  // (1 - 2 t)^2 = 2^-30
  check_contact_at(grazing(0x1p-80), 0.5 * (1.0 - 0x1p-40));
}

TEST_CASE("A coordinate that is not finite is refused")
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity}) {
    CcdQuery query = at_rest(CcdKind::vertex_face, {origin, origin, x_axis, y_axis});
    query.end[1].z() = bad;
    CHECK_THROWS_AS(static_cast<void>(exact_contact(query)), Error);
  }
}

TEST_CASE("Each stage answers the question that it is there for")
{
  const Vector3d up(0, 0, 1);
  const auto falling = [&](double x, double from, double to) {
    return vertex_face({Vector3d(x, 0.25, from), origin, x_axis, y_axis},
                       {Vector3d(x, 0.25, to), origin, x_axis, y_axis});
  };
  CHECK(contact(falling(0.25, 2, 1)).stage == CcdStage::box);
  CHECK(contact(falling(0.25, 1, -1)).stage == CcdStage::subdivision);
  CHECK(contact(falling(0.9, 1, -1)).stage == CcdStage::subdivision);
  CHECK(contact(falling(0.25, 1, 0)).stage == CcdStage::exact);
  const Vector3d tilt(0.5, 0, 0.5);
  CHECK(contact(vertex_face({Vector3d(0.3, 0.3, 0.4), origin, x_axis + up, y_axis},
                            {Vector3d(0.3, 0.3, 0.5), origin, x_axis + up, y_axis}))
            .stage == CcdStage::cubic);
  // Parallel edges side by side in a plane that moves.
  CHECK(
      contact(edge_edge({origin, x_axis + y_axis, 0.5 * x_axis, 1.5 * x_axis + y_axis},
                        {up, x_axis + y_axis + up, 0.5 * x_axis + up, 1.5 * x_axis + y_axis + up}))
          .stage == CcdStage::slab);
}

}  // namespace
}  // namespace tact
