#include <tact/samples/contact_families.hpp>

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/samples/rigid_contacts.hpp>

namespace tact {
namespace {

using std::numbers::pi;

// --- One body against the world -----------------------------------------------------------------

struct Touch {
  Vector3d point;
  Vector3d normal;  // towards the body
};

// Corners of a face of the box [-a, a] x [-b, b] x [-c, c]: the one where coordinate `axis` is
// `side` times its half size.
std::vector<Touch> box_face(const Vector3d& half, int axis, double side)
{
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::vector<Touch> touches;
  for (const double su : {-1.0, 1.0}) {
    for (const double sv : {-1.0, 1.0}) {
      Vector3d point;
      point[axis] = side * half[axis];
      point[u] = su * half[u];
      point[v] = sv * half[v];
      touches.push_back({point, -side * Vector3d::Unit(axis)});
    }
  }
  return touches;
}

// `count` contacts on a ball of radius 1 where a horizontal ring at depth `z` carries it.
std::vector<Touch> ring_under_ball(int count, double z)
{
  std::vector<Touch> touches;
  const double radius = std::sqrt(1.0 - z * z);
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * pi * i / count;
    const Vector3d point(radius * std::cos(angle), radius * std::sin(angle), z);
    touches.push_back({point, -point});
  }
  return touches;
}

std::vector<Touch> polygon_face(int count)
{
  std::vector<Touch> touches;
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * pi * i / count;
    touches.push_back({{0.5 * std::cos(angle), 0.5 * std::sin(angle), -0.25}, Vector3d::UnitZ()});
  }
  return touches;
}

std::vector<Touch> join(std::initializer_list<std::vector<Touch>> parts)
{
  std::vector<Touch> all;
  for (const std::vector<Touch>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// A block leaning with its lower edge on the floor and its upper edge against a wall.
std::vector<Touch> ladder()
{
  std::vector<Touch> touches;
  for (const double y : {-0.5, 0.5}) {
    touches.push_back({{-0.6, y, -0.8}, Vector3d::UnitZ()});
    touches.push_back({{0.6, y, 0.8}, -Vector3d::UnitX()});
  }
  return touches;
}

const Vector3d block_half(0.5, 0.4, 0.3);

struct Situation {
  const char* name;
  bool ball;
  std::vector<Touch> touches;
};

Situation situation_of(int index)
{
  switch (index) {
    case 0: return {"ball on a plane", true, {{{0, 0, -1}, Vector3d::UnitZ()}}};
    case 1: return {"ball in a groove", true, ring_under_ball(2, -0.6)};
    case 2: return {"ball on three points", true, ring_under_ball(3, -0.7)};
    case 3: return {"face on a surface", false, box_face(block_half, 2, -1.0)};
    case 4: return {"block leaning on a wall", false, ladder()};
    case 5: return {"hexagonal face", false, polygon_face(6)};
    case 6:
      return {"block in a groove", false,
              join({box_face(block_half, 2, -1.0), box_face(block_half, 0, -1.0)})};
    case 7: return {"ball in the rim of a hole", true, ring_under_ball(10, -0.5)};
    case 8:
      return {"block in a corner", false,
              join({box_face(block_half, 0, -1.0), box_face(block_half, 1, -1.0),
                    box_face(block_half, 2, -1.0)})};
    case 9:
      return {"block in a closed channel", false,
              join({box_face(block_half, 2, -1.0), box_face(block_half, 1, -1.0),
                    box_face(block_half, 1, 1.0), box_face(block_half, 0, -1.0)})};
    default: throw Error(fmt::format("single body: situation {}, expected 0 to 9", index));
  }
}

}  // namespace

ContactProblem peg_in_hole(int contacts, Random& random, MuRange mu)
{
  if (contacts < 4 || contacts % 2 != 0) {
    throw Error(fmt::format("peg in hole: {} contacts, expected an even number >= 4", contacts));
  }
  const double radius = 0.5, length = 2.0, ring_height = 0.5;
  RigidContactBuilder builder;
  builder.add_body({.inertia = cylinder_inertia(1.0, radius, length),
                    .impulse = random.in_cube(1.0),
                    .angular_impulse = random.in_cube(1.0)});
  for (const double z : {ring_height, -ring_height}) {
    for (int i = 0; i < contacts / 2; ++i) {
      const double angle = 4.0 * pi * i / contacts;
      const Vector3d outward(std::cos(angle), std::sin(angle), 0.0);
      builder.add_contact({.point = radius * outward + Vector3d(0.0, 0.0, z),
                           .normal = -outward,
                           .mu = mu.draw(random)});
    }
  }
  return builder.build();
}

std::string single_body_name(int situation)
{
  return situation_of(situation).name;
}

ContactProblem single_body(int situation, Random& random, MuRange mu)
{
  const Situation s = situation_of(situation);
  RigidContactBuilder builder;
  builder.add_body({.inertia = s.ball ? ball_inertia(1.0, 1.0) : box_inertia(1.0, 2.0 * block_half),
                    .impulse = random.in_cube(1.0),
                    .angular_impulse = random.in_cube(1.0)});
  for (const Touch& touch : s.touches) {
    builder.add_contact({.point = touch.point, .normal = touch.normal, .mu = mu.draw(random)});
  }
  return builder.build();
}

ContactProblem ContactBatch::instance(int index) const
{
  // The name is part of the seed: batches of one family do not share their wrenches.
  std::uint64_t seed = 1469598103934665603ull;  // FNV-1a
  for (const char letter : name)
    seed = (seed ^ static_cast<unsigned char>(letter)) * 1099511628211ull;
  Random random(seed + static_cast<std::uint64_t>(index));
  return make(random);
}

std::vector<ContactBatch> lloyd_batches(int directions)
{
  std::vector<ContactBatch> batches;
  for (const int n : {8, 12, 16, 20, 24, 28, 32, 48, 64, 128, 256}) {
    batches.push_back({"peg-in-hole", fmt::format("peg-in-hole n={}", n), directions, 20, n <= 32,
                       [n](Random& random) { return peg_in_hole(n, random); }});
  }
  for (int s = 0; s < single_body_situations; ++s) {
    batches.push_back({"single-body", single_body_name(s), directions, 20, true,
                       [s](Random& random) { return single_body(s, random); }});
  }
  constexpr std::array<std::array<int, 2>, 14> stacks = {{{1, 4},
                                                          {2, 8},
                                                          {2, 12},
                                                          {3, 12},
                                                          {3, 16},
                                                          {3, 20},
                                                          {4, 16},
                                                          {4, 24},
                                                          {5, 20},
                                                          {5, 32},
                                                          {10, 40},
                                                          {10, 76},
                                                          {20, 80},
                                                          {20, 156}}};
  for (const auto [m, n] : stacks) {
    batches.push_back({"block-stack", fmt::format("block-stack m={} n={}", m, n), directions, 20,
                       m <= 5,
                       [m = m, n = n](Random& random) { return block_stack(m, n, random); }});
  }
  return batches;
}

}  // namespace tact
