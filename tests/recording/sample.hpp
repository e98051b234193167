// A small recording with a body of every kind, made of seeded random numbers: whatever is stored
// must come back with the same bits.
#pragma once

#include <cmath>
#include <cstring>

#include <tact/core/random.hpp>
#include <tact/geometry/tri_mesh.hpp>
#include <tact/recording/recording.hpp>

namespace tact {

// A flat grid of n x n vertices and their triangles.
inline std::vector<Triangle> grid_triangles(int n)
{
  std::vector<Triangle> triangles;
  for (int i = 0; i + 1 < n; ++i)
    for (int j = 0; j + 1 < n; ++j) {
      const int a = i * n + j;
      triangles.push_back({a, a + 1, a + n});
      triangles.push_back({a + 1, a + n + 1, a + n});
    }
  return triangles;
}

inline std::vector<Triangle> tetrahedron_triangles()
{
  return {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
}

// A tumbling rigid tetrahedron, a waving cloth of side x side vertices, a breathing soft
// tetrahedron and a ground of two triangles that does not move.
inline RecordingHeader sample_header(int side = 5)
{
  RecordingHeader header{.scene = "sample",
                         .version = "1.2.3",
                         .seed = 0xFEDCBA9876543210ull,
                         .dt = 0.01,
                         .gravity = {0.0, -9.81, 0.0},
                         .contact_distance = 1e-3,
                         .friction = "pyramid",
                         .tolerance = 2e-3,
                         .scene_json = R"({"name": "sample", "note": "größer"})"};
  const auto add = [&header](std::string name, std::string kind, int vertices,
                             std::vector<Triangle> triangles, int q, int v) {
    const int first = header.vertex_count(), q_first = header.q_size(), v_first = header.v_size();
    std::vector<double> masses(static_cast<std::size_t>(v / 3), 0.25);
    if (kind == "rigid") masses = {2.0, 0.0};
    header.bodies.push_back({std::move(name), std::move(kind), first, vertices,
                             std::move(triangles), q_first, q, v_first, v, std::move(masses)});
  };
  add("top", "rigid", 4, tetrahedron_triangles(), 7, 6);
  add("red cloth", "cloth", side * side, grid_triangles(side), 3 * side * side, 3 * side * side);
  add("jelly", "soft", 4, tetrahedron_triangles(), 12, 12);
  add("ground", "obstacle", 4, grid_triangles(2), 0, 0);
  return header;
}

inline void append_tetrahedron(std::vector<Vector3d>& vertices, const Matrix3d& turn,
                               const Vector3d& place, double size)
{
  for (const Vector3d& corner :
       {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, 0, 1)})
    vertices.push_back(place + size * (turn * corner));
}

inline Matrix3d turn_about_y(double angle)
{
  Matrix3d turn;
  turn << std::cos(angle), 0, std::sin(angle), 0, 1, 0, -std::sin(angle), 0, std::cos(angle);
  return turn;
}

inline std::vector<Vector3d> sample_vertices(double t, int side)
{
  std::vector<Vector3d> vertices;
  append_tetrahedron(vertices, turn_about_y(3.0 * t), {2.0, 1.0 + t, 0.0}, 1.0);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      vertices.emplace_back(0.1 * i, 2.0 + 0.1 * std::sin(0.7 * i + 5.0 * t), 0.1 * j / 3.0);
  append_tetrahedron(vertices, Matrix3d::Identity(), {-2.0, 1.0, 0.0}, 1.0 + 0.2 * std::sin(t));
  for (const double x : {-5.0, 5.0})
    for (const double z : {-5.0, 5.0}) vertices.emplace_back(x, 0.0, z);
  return vertices;
}

inline RecordedContact sample_contact(const RecordingHeader& header, bool with_world,
                                      Random& random)
{
  RecordedContact contact{.body_a = random.below(3), .body_b = with_world ? -1 : 3, .mu = 0.5};
  const RecordedBody& a = header.bodies[contact.body_a];
  const RecordedBody& ground = header.bodies[3];
  contact.vertices = {a.first_vertex, ground.first_vertex, ground.first_vertex + 1,
                      ground.first_vertex + 2};
  contact.weights = {1.0, -0.25, -0.25, -0.5};
  contact.gap = random.uniform();
  contact.normal_impulse = random.uniform();
  contact.response = random.uniform();
  for (Vector3d* x : {&contact.point, &contact.normal, &contact.friction_impulse, &contact.tangent,
                      &contact.velocity})
    *x = random.in_cube(1.0);
  return contact;
}

inline Frame sample_frame(const RecordingHeader& header, int k)
{
  const int side = static_cast<int>(std::lround(std::sqrt(header.bodies[1].vertex_count)));
  Random random(static_cast<std::uint64_t>(k) + 1);
  Frame frame{.step = 3 * k, .t = 0.03 * k, .dt = k % 2 == 0 ? 0.01 : 0.005};
  frame.vertices = sample_vertices(frame.t, side);
  frame.q = VectorXd(header.q_size());
  for (double& x : frame.q) x = random.uniform(-1.0, 1.0);
  frame.v = VectorXd(header.v_size());
  for (double& x : frame.v) x = random.uniform(-1e-300, 1e300);
  for (int i = random.below(4); i > 0; --i)
    frame.contacts.push_back(sample_contact(header, i == 1, random));
  for (std::size_t i = 0; i < header.bodies.size(); ++i)
    frame.momentum.push_back(
        {random.in_cube(1.0), random.in_cube(1.0), random.in_cube(1e-9), random.uniform(0.5, 2.0)});
  FrameCertificate& c = frame.certificate;
  for (double* x : {&c.clearance, &c.residual, &c.natural, &c.momentum, &c.natural_max,
                    &c.cone_violation, &c.momentum_error, &c.body_momentum_error})
    *x = random.uniform();
  for (int* x : {&c.passes, &c.halvings, &c.cut, &c.unconverged, &c.contacts, &c.active})
    *x = random.below(1000);
  StepAccount& a = frame.account;
  for (std::int64_t* x : {&a.steps, &a.solves, &a.unconverged, &a.cut_steps, &a.halvings,
                          &a.islands_max, &a.island_contacts_max, &a.first_missed})
    *x = random.below(1000);
  for (double* x : {&a.first_missed_t, &a.missed_residual, &a.momentum_loss_max, &a.energy_gain_max,
                    &a.clearance_min})
    *x = random.uniform();
  return frame;
}

// By bits, so that -0 differs from 0 and NaN equals itself.
inline bool same_bits(const double* a, const double* b, std::size_t count)
{
  return count == 0 || std::memcmp(a, b, count * sizeof(double)) == 0;
}

inline bool same_bits(const VectorXd& a, const VectorXd& b)
{
  return a.size() == b.size() && same_bits(a.data(), b.data(), static_cast<std::size_t>(a.size()));
}

inline bool same_bits(const std::vector<Vector3d>& a, const std::vector<Vector3d>& b)
{
  return a.size() == b.size() &&
         (a.empty() || same_bits(a.front().data(), b.front().data(), 3 * a.size()));
}

inline bool same_bits(const Frame& a, const Frame& b)
{
  return a.step == b.step && same_bits(&a.t, &b.t, 1) && same_bits(a.vertices, b.vertices) &&
         same_bits(a.q, b.q) && same_bits(a.v, b.v) && a.contacts == b.contacts &&
         same_bits(&a.dt, &b.dt, 1) && a.momentum == b.momentum && a.certificate == b.certificate &&
         a.account == b.account;
}

}  // namespace tact
