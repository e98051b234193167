// Graphs and matrices for the tests of block-sparse algebra.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <tact/core/random.hpp>
#include <tact/linalg/block_matrix.hpp>

namespace tact {

using Couples = std::vector<std::array<int, 2>>;
using SharedPattern = std::shared_ptr<const BlockPattern>;

SharedPattern pattern_of(int rows, const Couples& couples);

SharedPattern path(int rows);
SharedPattern star(int rows);  // all coupled with row 0
SharedPattern random_tree(int rows, Random& random);
SharedPattern grid(int width, int height);   // cloth: edges and one diagonal
SharedPattern tet_box(int x, int y, int z);  // cells of five tetrahedra
SharedPattern complete(int rows);            // dense
SharedPattern random_graph(int rows, int couples, Random& random);
SharedPattern apart(int copies, int rows);  // paths that do not touch

struct NamedPattern {
  std::string name;
  SharedPattern pattern;
};
// One or two of each, the smallest ones included: no row, one row.
std::vector<NamedPattern> all_patterns(Random& random);

// A = shift I + sum over couples of G G' with random G over the two rows: positive definite, and
// its blocks neither symmetric nor small beside the diagonal. |A| is about 10; shift sets the
// condition.
BlockMatrix random_spd(SharedPattern pattern, Random& random, double shift = 0.1);

VectorXd random_vector(int size, Random& random);

}  // namespace tact
