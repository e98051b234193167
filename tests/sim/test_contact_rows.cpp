#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <tact/core/random.hpp>
#include <tact/sim/contact_rows.hpp>
#include <tact/sim/stepper.hpp>

#include "worlds.hpp"

using namespace tact;
using namespace tact::test;

namespace {

// A contact between any two vertices and an edge or face, as if they were near.
KeyedContact contact_between(const std::vector<std::pair<int, double>>& side_a,
                             const std::vector<std::pair<int, double>>& side_b,
                             const Vector3d& normal)
{
  KeyedContact contact;
  contact.normal = normal.normalized();
  contact.key.first_side = static_cast<int>(side_a.size());
  int k = 0;
  for (const auto& [vertex, weight] : side_a) {
    contact.key.vertices[k] = vertex;
    contact.weights[k++] = weight;
  }
  for (const auto& [vertex, weight] : side_b) {
    contact.key.vertices[k] = vertex;
    contact.weights[k++] = -weight;
  }
  return contact;
}

struct Fixture {
  World world;
  WorldSurfaces surfaces;
  State state;
  std::vector<Vector3d> x0, x1;
  double dt = 0.01;

  explicit Fixture(World w) : world(std::move(w)), surfaces(surfaces_of(world))
  {
    state = world.start();
    Random random(7);
    for (double& v : state.v) v = random.uniform(-1.0, 1.0);
    place_surfaces(world, state, x0);
    State end = state;
    end.t += dt;
    place_surfaces(world, end, x1);
  }
  int vertex(const char* body, int local) const
  {
    return world.place(world.find(body)).vertex + local;
  }
};

World mixed()
{
  WorldBuilder builder;
  builder.add(box("block", {0.3, 0.2, 0.1}));
  builder.add(sheet("cloth", 4, 0.0));
  builder.add(jelly("jelly", {1.0, 0.3, 0.0}, 1e5));
  builder.add(turntable("table", 3.0));
  return builder.build();
}

// Contacts of every mix of bodies.
std::vector<KeyedContact> contacts_of(const Fixture& f)
{
  const Vector3d n(0.3, 0.9, -0.2);
  const auto v = [&](const char* body, int local) { return f.vertex(body, local); };
  return {
      contact_between({{v("block", 0), 1.0}},
                      {{v("cloth", 0), 0.2}, {v("cloth", 1), 0.5}, {v("cloth", 4), 0.3}}, n),
      contact_between({{v("block", 1), 0.4}, {v("block", 2), 0.6}},
                      {{v("jelly", 3), 0.7}, {v("jelly", 5), 0.3}}, n),
      contact_between({{v("jelly", 2), 1.0}},
                      {{v("table", 0), 0.1}, {v("table", 1), 0.6}, {v("table", 2), 0.3}}, -n),
      contact_between({{v("cloth", 15), 1.0}}, {{v("cloth", 0), 0.5}, {v("cloth", 1), 0.5}}, n),
  };
}

}  // namespace

TEST_CASE("rows are the relative velocity at the point where their impulses act")
{
  Fixture f(mixed());
  const VectorXd v_star = f.state.v;
  ContactRowBuilder builder(f.world, f.surfaces);
  // delta so small that the gap rate is that of the points themselves, up to its own sign rules.
  builder.begin({.start = &f.state, .x0 = f.x0, .x1 = f.x1, .v_star = &v_star, .dt = f.dt}, {});
  ContactProblem problem;
  problem.v_star = v_star;
  std::vector<ContactRecord> records;
  for (const KeyedContact& contact : contacts_of(f))
    REQUIRE(builder.append(contact, problem, records));

  // Velocities that take the state a little way; points then move by h u to first order.
  const double h = 1e-6;
  State end;
  advance(f.world, f.state, f.state.v, h, end);
  std::vector<Vector3d> x;
  place_surfaces(f.world, end, x);
  for (int c = 0; c < problem.size(); ++c) {
    CAPTURE(c);
    const KeyedContact& contact = records[c].contact;
    Vector3d moved = Vector3d::Zero();
    for (int k = 0; k < 4 && contact.key.vertices[k] >= 0; ++k) {
      const int i = contact.key.vertices[k];
      const int body = f.surfaces.body_of[i];
      const bool scripted = body == f.world.find("table");
      // Scripted vertices count with their mean velocity over the whole step; what keeps its shape
      // moves at the common point as its centre does and turns about that.
      Vector3d velocity = scripted ? Vector3d((f.x1[i] - f.x0[i]) / f.dt) : (x[i] - f.x0[i]) / h;
      if (f.world.body(body).kind() == BodyKind::rigid) {
        const Vector3d spin = f.world.v(f.state, body).tail<3>();
        velocity += spin.cross(records[c].point - f.x0[i]);
      }
      moved += contact.weights[k] * velocity;
    }
    Vector3d u = problem.contacts[c].bias;
    u[0] = 0.0;  // compared below
    for (int k = 0; k < problem.contacts[c].count; ++k) {
      const RowBlock& block = problem.blocks[problem.contacts[c].first + k];
      u += block.J * f.state.v.segment<3>(3 * block.node);
    }
    const Vector3d expected = records[c].frame.transpose() * moved;
    CHECK(u[1] == doctest::Approx(expected[1]).epsilon(1e-4));
    CHECK(u[2] == doctest::Approx(expected[2]).epsilon(1e-4));
    const bool on_table = records[c].body_b == f.world.find("table");
    if (!on_table) CHECK(u[0] == doctest::Approx(expected[0]).epsilon(1e-4));
  }
}

TEST_CASE("impulses between bodies change neither their momentum nor their angular momentum")
{
  Fixture f(mixed());
  const VectorXd v_star = f.state.v;
  ContactRowBuilder builder(f.world, f.surfaces);
  builder.begin({.start = &f.state, .x0 = f.x0, .x1 = f.x1, .v_star = &v_star, .dt = f.dt}, {});
  ContactProblem problem;
  problem.v_star = v_star;
  std::vector<ContactRecord> records;
  std::vector<KeyedContact> contacts = contacts_of(f);
  for (KeyedContact& contact : contacts) {
    // For a torque-free pair the impulse must act along the line between the points.
    Vector3d apart = Vector3d::Zero();
    for (int k = 0; k < 4 && contact.key.vertices[k] >= 0; ++k)
      apart += contact.weights[k] * f.x0[contact.key.vertices[k]];
    contact.normal = apart.normalized();
    REQUIRE(builder.append(contact, problem, records));
  }
  for (const int c : {0, 1, 3}) {  // not the one with the table, which is not free
    CAPTURE(c);
    VectorXd lambda = VectorXd::Zero(3 * problem.size());
    lambda[3 * c] = 2.0;
    const VectorXd impulse = generalised_impulse(problem, lambda);
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
    for (int i = 0; i < f.world.body_count(); ++i) {
      const BodyPlace& place = f.world.place(i);
      if (f.world.body(i).kind() == BodyKind::rigid) {
        const Vector3d p = impulse.segment<3>(3 * place.node);
        linear += p;
        angular +=
            f.world.q(f.state, i).head<3>().cross(p) + impulse.segment<3>(3 * place.node + 3);
        continue;
      }
      for (int k = 0; k < f.world.body(i).node_count(); ++k) {
        const Vector3d p = impulse.segment<3>(3 * (place.node + k));
        const Vector3d x = f.world.q(f.state, i).segment<3>(3 * k);
        linear += p;
        angular += x.cross(p);
      }
    }
    CHECK(linear.norm() < 1e-14);
    CHECK(angular.norm() < 1e-14);
  }
}

TEST_CASE("a contact of scripted vertices alone has no rows")
{
  Fixture f(mixed());
  ContactRowBuilder builder(f.world, f.surfaces);
  builder.begin({.start = &f.state, .x0 = f.x0, .x1 = f.x1, .v_star = &f.state.v, .dt = f.dt}, {});
  ContactProblem problem;
  std::vector<ContactRecord> records;
  const int first = f.vertex("table", 0);
  CHECK_FALSE(builder.append(
      contact_between({{first, 1.0}}, {{first + 1, 0.5}, {first + 2, 0.5}}, Vector3d::UnitY()),
      problem, records));
  CHECK(problem.blocks.empty());
  CHECK(records.empty());
}

TEST_CASE("the same features give the same key and row from either side")
{
  Contact contact;
  contact.kind = CcdKind::edge_edge;
  contact.vertices = {7, 3, 1, 9};
  contact.weights = {0.25, 0.75, 0.5, 0.5};
  contact.normal = Vector3d::UnitZ();
  Contact mirrored = contact;
  mirrored.vertices = {1, 9, 7, 3};
  mirrored.weights = {0.5, 0.5, 0.25, 0.75};
  mirrored.normal = -contact.normal;
  const KeyedContact a = keyed(contact), b = keyed(mirrored);
  CHECK(a.key == b.key);
  CHECK(a.weights == b.weights);
  CHECK(a.normal == b.normal);
  CHECK(a.key.vertices == std::array<int, 4>{1, 9, 3, 7});
}

TEST_CASE("a vertex near the side of a face and edges that meet at an end have one key")
{
  Contact face;  // vertex 5 above the side (1, 2) of the face (1, 2, 3)
  face.kind = CcdKind::vertex_face;
  face.vertices = {5, 1, 2, 3};
  face.weights = {1.0, 0.4, 0.6, 0.0};
  face.normal = Vector3d::UnitY();
  Contact edges;  // edges (1, 2) and (5, 6), closest at the end 5
  edges.kind = CcdKind::edge_edge;
  edges.vertices = {1, 2, 5, 6};
  edges.weights = {0.4, 0.6, 1.0, 0.0};
  edges.normal = -Vector3d::UnitY();
  CHECK(keyed(face).key == keyed(edges).key);
  CHECK(keyed(face).normal == keyed(edges).normal);
}

TEST_CASE("contact frames are rotations with the normal first")
{
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    Vector3d n = random.in_cube(1.0);
    if (n.norm() < 0.1) continue;
    n.normalize();
    const Matrix3d frame = contact_frame(n);
    CHECK((frame.transpose() * frame - Matrix3d::Identity()).norm() < 1e-14);
    CHECK(frame.determinant() > 0.0);
    CHECK(frame.col(0) == n);
  }
}
