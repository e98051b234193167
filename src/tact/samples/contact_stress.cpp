// The stress set of samples/contact_families.hpp: what makes pivoting methods fail.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <tact/samples/contact_families.hpp>
#include <tact/samples/rigid_contacts.hpp>

namespace tact {
namespace {

constexpr double gravity_per_step = 9.81 * 0.1;  // m/s: g x a step of 0.1 s
constexpr double block_height = 0.5;             // m

enum class Push { none, top, all };

struct StackSpec {
  int bodies = 5;
  double offset = 0.0;  // m: blocks are shifted by up to this
  int contacts_per_corner = 1;
  MuRange mu = {0.25, 0.25};
  double mass_ratio = 1.0;  // mass of the top block over that of the lowest
  Push push = Push::top;
};

// Axis-aligned blocks; contacts at the corners of the overlap and on the way to its centre.
ContactProblem aligned_stack(const StackSpec& spec, Random& random)
{
  RigidContactBuilder builder;
  Vector2d below = Vector2d::Zero();
  for (int k = 0; k < spec.bodies; ++k) {
    const double mass = std::pow(spec.mass_ratio, k / std::max(1.0, spec.bodies - 1.0));
    const Vector2d centre(random.uniform(-spec.offset, spec.offset),
                          random.uniform(-spec.offset, spec.offset));
    Vector3d impulse(0.0, 0.0, -mass * gravity_per_step), angular_impulse = Vector3d::Zero();
    const bool pushed = spec.push == Push::all || (spec.push == Push::top && k == spec.bodies - 1);
    if (pushed) {
      const double share = spec.push == Push::all ? 0.4 : 1.0;
      impulse += mass * random.in_cube(share * 0.5 * gravity_per_step);
      angular_impulse = mass * random.in_cube(share * 0.15 * gravity_per_step);
    }
    const int body = builder.add_body({.mass = mass,
                                       .inertia = box_inertia(mass, {1.0, 1.0, block_height}),
                                       .centre = {centre.x(), centre.y(), block_height * (k + 0.5)},
                                       .impulse = impulse,
                                       .angular_impulse = angular_impulse});
    for (int i = 0; i < 4 * spec.contacts_per_corner; ++i) {
      const int ring = i / 4;
      const double inward = 1.0 - 0.2 * ring;
      Vector2d p =
          centre + 0.5 * inward * Vector2d(i % 2 == 0 ? -1.0 : 1.0, i % 4 < 2 ? -1.0 : 1.0);
      if (k > 0) p = p.cwiseMax(below - Vector2d(0.5, 0.5)).cwiseMin(below + Vector2d(0.5, 0.5));
      builder.add_contact({.body_a = body,
                           .body_b = body - 1,
                           .point = {p.x(), p.y(), block_height * k},
                           .mu = spec.mu.draw(random)});
    }
    below = centre;
  }
  return builder.build();
}

// Bricks 1 x 0.5 x 0.5 m in a triangular wall: every brick rests on two, and touches its
// neighbours.
ContactProblem brick_pyramid(int rows, MuRange mu, Random& random)
{
  RigidContactBuilder builder;
  const auto touch = [&](int a, int b, const Vector3d& point, const Vector3d& normal) {
    builder.add_contact(
        {.body_a = a, .body_b = b, .point = point, .normal = normal, .mu = mu.draw(random)});
  };
  int below_first = fixed_body;  // first brick of the row below
  for (int r = 0; r < rows; ++r) {
    int first = 0;
    for (int c = 0; c < rows - r; ++c) {
      const double x = c + 0.5 * r, z = block_height * r;
      const int brick =
          builder.add_body({.inertia = box_inertia(1.0, {1.0, 0.5, block_height}),
                            .centre = {x, 0.0, z + 0.5 * block_height},
                            .impulse = random.in_cube(0.05) - Vector3d(0.0, 0.0, gravity_per_step),
                            .angular_impulse = random.in_cube(0.02)});
      if (c == 0) first = brick;
      for (const double y : {-0.25, 0.25}) {
        const int left = r == 0 ? fixed_body : below_first + c,
                  right = r == 0 ? fixed_body : left + 1;
        touch(brick, left, {x - 0.5, y, z}, Vector3d::UnitZ());
        if (r > 0) {
          touch(brick, left, {x, y, z}, Vector3d::UnitZ());
          touch(brick, right, {x, y, z}, Vector3d::UnitZ());
        }
        touch(brick, right, {x + 0.5, y, z}, Vector3d::UnitZ());
        for (const double up : {0.0, block_height}) {
          if (c > 0) touch(brick, brick - 1, {x - 0.5, y, z + up}, Vector3d::UnitX());
        }
      }
    }
    below_first = first;
  }
  return builder.build();
}

ContactProblem with_gaps(ContactProblem problem, double largest_rate, Random& random)
{
  for (ContactRows& contact : problem.contacts) contact.bias[0] = random.uniform(0.0, largest_rate);
  return problem;
}

// Collects the batches.
class Set {
 public:
  void add(std::string name, int directions, int instances,
           std::function<ContactProblem(Random&)> make)
  {
    batches_.push_back({"stress", std::move(name), directions, instances, false, std::move(make)});
  }
  void add_stack(std::string name, int instances, const StackSpec& spec, int directions = 8)
  {
    add(std::move(name), directions, instances,
        [spec](Random& random) { return aligned_stack(spec, random); });
  }
  std::vector<ContactBatch> take() { return std::move(batches_); }

 private:
  std::vector<ContactBatch> batches_;
};

void add_pegs(Set& set)
{
  for (const double mu : {0.0, 0.05, 0.25, 0.7, 1.2}) {
    for (const int n : {8, 16, 32, 64, 128, 256}) {
      set.add(fmt::format("peg n={} mu={}", n, mu), 8, n > 64 ? 40 : 200, [n, mu](Random& random) {
        return peg_in_hole(n, random, {mu, mu});
      });
    }
  }
  for (const int d : {4, 6, 10, 16, 32, 64}) {
    set.add(fmt::format("peg n=32 d={}", d), d, 200, [](Random& random) {
      return peg_in_hole(32, random, {0.25, 0.25});
    });
  }
  for (const int n : {16, 64}) {
    set.add(fmt::format("peg n={} with gaps", n), 8, 200, [n](Random& random) {
      return with_gaps(peg_in_hole(n, random, {0.25, 0.25}), 0.2, random);
    });
  }
}

void add_stacks(Set& set)
{
  for (const int m : {1, 2, 3, 4, 5, 7, 10, 15, 20}) {
    for (const double offset : {0.0, 0.04}) {
      for (const Push push : {Push::none, Push::top, Push::all}) {
        const char* word = push == Push::none ? "no push" : push == Push::top ? "top" : "all";
        set.add_stack(fmt::format("stack m={} offset={} push={}", m, offset, word),
                      m > 10 ? 10 : 20, {.bodies = m, .offset = offset, .push = push});
      }
    }
  }
  for (const int d : {4, 6, 16, 32, 64}) {
    set.add_stack(fmt::format("stack m=5 d={}", d), 40, {.bodies = 5}, d);
  }
  for (const int m : {2, 5, 10}) {
    for (const int corner : {2, 4}) {
      set.add_stack(fmt::format("stack m={} {} contacts a face", m, 4 * corner), 20,
                    {.bodies = m, .contacts_per_corner = corner});
    }
  }
  for (const double ratio : {1e-6, 1e-3, 1e3}) {
    for (const int m : {3, 5, 10}) {
      set.add_stack(fmt::format("stack m={} top/bottom mass {}", m, ratio), 20,
                    {.bodies = m, .mass_ratio = ratio});
    }
  }
  for (const double mu : {0.0, 0.5, 1.0}) {
    set.add_stack(fmt::format("stack m=5 mu={}", mu), 20, {.bodies = 5, .mu = {mu, mu}});
  }
  set.add("stack m=5 with gaps", 8, 40, [](Random& random) {
    return with_gaps(aligned_stack({.bodies = 5}, random), 0.05, random);
  });
}

}  // namespace

std::vector<ContactBatch> stress_batches()
{
  Set set;
  add_pegs(set);
  add_stacks(set);
  for (const int rows : {2, 3, 4, 5, 6}) {
    for (const MuRange mu : {MuRange{0.3, 0.5}, MuRange{0.4, 0.4}}) {
      set.add(fmt::format("brick pyramid rows={} mu={}..{}", rows, mu.low, mu.high), 8,
              rows > 4 ? 5 : 20,
              [rows, mu](Random& random) { return brick_pyramid(rows, mu, random); });
    }
  }
  return set.take();
}

}  // namespace tact
