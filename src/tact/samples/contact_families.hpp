// The problem families of [Lloyd05] Sec. VII, with fixed seeds, and a harder set of our own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/core/random.hpp>

namespace tact {

// Friction coefficients: uniform in the range, or all equal where low = high.
struct MuRange {
  double low = 0.2;
  double high = 0.3;

  double draw(Random& random) const { return low == high ? low : random.uniform(low, high); }
};

// A peg (radius 0.5 m, length 2 m, 1 kg) in a hole, contacts in two rings, a random wrench at its
// centre: fig. 3. `contacts` is even and at least 4.
ContactProblem peg_in_hole(int contacts, Random& random, MuRange mu = {});

// Ten situations of one body, with 1, 2, 3, 4, 4, 6, 8, 10, 12, 16 contacts, a random wrench at its
// centre: figs. 1, 6.
inline constexpr int single_body_situations = 10;
std::string single_body_name(int situation);
ContactProblem single_body(int situation, Random& random, MuRange mu = {});

// Blocks 1 x 1 x 0.5 m, 1 kg, in a stack under gravity with a random wrench on the top one: fig. 8.
// An upper block that is turned touches the one below in 8 points, else in 4.
ContactProblem block_stack(int bodies, int contacts, Random& random, MuRange mu = {});

// One batch of problems: a name for tables, and a generator for each seed.
struct ContactBatch {
  std::string family;  // peg-in-hole, single-body, block-stack, stress
  std::string name;
  int directions = 8;  // sides of the friction pyramid
  int instances = 20;
  bool in_paper = false;  // a size that the paper measured
  std::function<ContactProblem(Random&)> make;

  ContactProblem instance(int index) const;  // same index, same problem
};

// The paper's three families: peg n = 8..32 and on to 256, ten single bodies, stacks m = 1..5 and
// on to 20.
std::vector<ContactBatch> lloyd_batches(int directions = 8);

// What breaks pivoting methods: exact symmetry, equal mu, no friction, fine and coarse pyramids,
// gaps, mass ratios from 1e-6 to 1e3, many contacts a face, brick pyramids.
std::vector<ContactBatch> stress_batches();

}  // namespace tact
