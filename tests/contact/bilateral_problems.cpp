#include <contact/bilateral_problems.hpp>

#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <contact/problem_builder.hpp>

namespace tact {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

struct Piece {
  bool rigid = true;
  int first = 0, nodes = 0;
};

// The velocity of a point in a direction, as blocks of a row.
void add_point(std::vector<BilateralBlock>& blocks, const Piece& piece, const Vector3d& arm,
               const Vector3d& direction, int node, double sign)
{
  blocks.push_back({piece.first + (piece.rigid ? 0 : node), sign * direction.transpose()});
  if (piece.rigid) blocks.push_back({piece.first + 1, sign * arm.cross(direction).transpose()});
}

void add_row(ContactProblem& problem, std::span<const BilateralBlock> blocks, BilateralRow row)
{
  row.first = static_cast<int>(problem.bilateral_blocks.size());
  row.count = static_cast<int>(blocks.size());
  problem.bilateral_blocks.insert(problem.bilateral_blocks.end(), blocks.begin(), blocks.end());
  problem.bilateral.push_back(row);
}

Vector3d random_direction(Random& random)
{
  for (;;) {
    const Vector3d d = random.in_cube(1.0);
    if (d.norm() > 0.1 && d.norm() < 1.0) return d.normalized();
  }
}

class JointedProblem {
 public:
  JointedProblem(Random& random, RandomBodies bodies) : random_(random)
  {
    const int count = 2 + random.below(6);
    for (int b = 0; b < count; ++b)
      add_piece(bodies == RandomBodies::mixed && random.below(3) == 0);
    for (int b = 0; b < count; ++b) {
      add_contacts(b, -1);
      if (b > 0 && random.below(2) == 0) add_contacts(b, b - 1);
    }
    problem_ = builder_.build();
    for (int b = 1; b < count; ++b) join(pieces_[b - 1], pieces_[b]);
    for (int b = 0; b < count; ++b) limit(pieces_[b]);
  }

  ContactProblem take() { return std::move(problem_); }

 private:
  void add_piece(bool soft)
  {
    const Vector3d corner = random_.in_cube(0.5);
    if (soft) {
      const ProblemBuilder::Lattice lattice =
          random_.below(2) == 0 ? net(3, 0.1, corner[2]) : soft_cube(2, 0.1, corner);
      pieces_.push_back({false, builder_.add(lattice), static_cast<int>(lattice.places.size())});
      return;
    }
    const double mass = std::pow(10.0, random_.uniform(-1.0, 1.0));
    pieces_.push_back({true,
                       builder_.add(ProblemBuilder::Box{.mass = mass,
                                                        .centre = corner,
                                                        .velocity = random_.in_cube(1.0),
                                                        .spin = random_.in_cube(2.0)}),
                       2});
  }

  ProblemBuilder::Support support(const Piece& piece, double weight)
  {
    if (piece.rigid)
      return {.node = piece.first, .weight = weight, .rigid = true, .arm = random_.in_cube(0.1)};
    return {.node = piece.first + random_.below(piece.nodes), .weight = weight};
  }

  void add_contacts(int a, int b)
  {
    const int count = 1 + random_.below(5);
    for (int c = 0; c < count; ++c) {
      ProblemBuilder::Contact contact{
          .supports = {support(pieces_[a], 1.0)},
          .normal = b < 0 ? Vector3d(Vector3d::UnitZ()) : random_direction(random_),
          .gap = random_.below(2) * random_.uniform(0.0, 1e-3),
          .mu = random_.below(4) == 0 ? 0.0 : random_.uniform(0.0, 0.8)};
      if (b >= 0) contact.supports.push_back(support(pieces_[b], -1.0));
      builder_.add(contact);
    }
  }

  // A ball joint, or a hinge, that is one and two rows more; one in four is said twice.
  void join(const Piece& a, const Piece& b)
  {
    if (random_.below(3) == 0) return;
    const Vector3d arm_a = random_.in_cube(0.1), arm_b = random_.in_cube(0.1);
    const int node_a = random_.below(a.nodes), node_b = random_.below(b.nodes);
    const bool twice = random_.below(4) == 0;
    for (int again = 0; again < (twice ? 2 : 1); ++again)
      for (int k = 0; k < 3; ++k) {
        std::vector<BilateralBlock> blocks;
        add_point(blocks, a, arm_a, Vector3d::Unit(k), node_a, 1.0);
        add_point(blocks, b, arm_b, Vector3d::Unit(k), node_b, -1.0);
        add_row(problem_, blocks, {});
      }
    if (!a.rigid || !b.rigid || random_.below(2) == 0) return;
    for (int k = 0; k < 2; ++k) {
      const std::vector<BilateralBlock> turns = {{a.first + 1, RowVector3d::Unit(k)},
                                                 {b.first + 1, -RowVector3d::Unit(k)}};
      add_row(problem_, turns, {});
    }
    const std::vector<BilateralBlock> axis = {{a.first + 1, RowVector3d::Unit(2)},
                                              {b.first + 1, -RowVector3d::Unit(2)}};
    add_row(problem_, axis, random_limits());
  }

  // A motor, dry friction, the end of a range from below or from above.
  BilateralRow random_limits()
  {
    const double strength = std::pow(10.0, random_.uniform(-3.0, 0.5));  // N s
    switch (random_.below(4)) {
      case 0: return {.bias = random_.uniform(-3.0, 3.0), .lower = -strength, .upper = strength};
      case 1: return {.lower = -strength, .upper = 0.5 * strength};
      case 2: return {.bias = random_.uniform(0.0, 0.5), .lower = 0.0, .upper = unlimited};
      default: return {.bias = -random_.uniform(0.0, 0.5), .lower = -unlimited, .upper = 0.0};
    }
  }

  void limit(const Piece& piece)
  {
    if (random_.below(2) == 0) return;
    std::vector<BilateralBlock> blocks;
    add_point(blocks, piece, random_.in_cube(0.1), random_direction(random_),
              random_.below(piece.nodes), 1.0);
    add_row(problem_, blocks, random_limits());
  }

  Random& random_;
  ProblemBuilder builder_;
  std::vector<Piece> pieces_;
  ContactProblem problem_;
};

}  // namespace

ContactProblem random_jointed_problem(Random& random, RandomBodies bodies)
{
  return JointedProblem(random, bodies).take();
}

ContactProblem chain_of_links(int links, double mass_ratio, Random& random)
{
  ProblemBuilder builder;
  std::vector<Piece> pieces;
  for (int b = 0; b < links; ++b) {
    const int first = builder.add(ProblemBuilder::Box{.mass = b % 2 == 0 ? 1.0 : mass_ratio,
                                                      .centre = Vector3d(0.24 * b, 0.0, 0.1),
                                                      .velocity = random.in_cube(1.0),
                                                      .spin = random.in_cube(2.0)});
    for (const double x : {-0.1, 0.1})
      for (const double y : {-0.1, 0.1})
        builder.add(ProblemBuilder::Contact{
            .supports = {{.node = first, .rigid = true, .arm = Vector3d(x, y, -0.1)}}});
    pieces.push_back({true, first, 2});
  }
  ContactProblem problem = builder.build();
  for (int b = 1; b < links; ++b) {
    for (int k = 0; k < 3; ++k) {
      std::vector<BilateralBlock> blocks;
      add_point(blocks, pieces[b], Vector3d(-0.12, 0.0, 0.0), Vector3d::Unit(k), 0, 1.0);
      add_point(blocks, pieces[b - 1], Vector3d(0.12, 0.0, 0.0), Vector3d::Unit(k), 0, -1.0);
      add_row(problem, blocks, {});
    }
    const double strength = std::pow(10.0, random.uniform(-3.0, 1.0));  // N m s
    const std::vector<BilateralBlock> turns = {{pieces[b].first + 1, RowVector3d::Unit(2)},
                                               {pieces[b - 1].first + 1, -RowVector3d::Unit(2)}};
    add_row(problem, turns,
            {.bias = random.uniform(-3.0, 3.0), .lower = -strength, .upper = strength});
  }
  return problem;
}

ContactProblem without_limited_rows(const ContactProblem& problem)
{
  ContactProblem equations = problem;
  std::erase_if(equations.bilateral, [](const BilateralRow& row) { return row.limited(); });
  return equations;
}

}  // namespace tact
