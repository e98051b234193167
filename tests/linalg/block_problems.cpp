#include <linalg/block_problems.hpp>

namespace tact {

SharedPattern pattern_of(int rows, const Couples& couples)
{
  return std::make_shared<const BlockPattern>(rows, couples);
}

SharedPattern path(int rows)
{
  return apart(1, rows);
}

SharedPattern star(int rows)
{
  Couples couples;
  for (int k = 1; k < rows; ++k) couples.push_back({0, k});
  return pattern_of(rows, couples);
}

SharedPattern random_tree(int rows, Random& random)
{
  Couples couples;
  for (int k = 1; k < rows; ++k) couples.push_back({k, random.below(k)});
  return pattern_of(rows, couples);
}

SharedPattern grid(int width, int height)
{
  Couples couples;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int k = y * width + x;
      if (x + 1 < width) couples.push_back({k, k + 1});
      if (y + 1 < height) couples.push_back({k, k + width});
      if (x + 1 < width && y + 1 < height) couples.push_back({k, k + width + 1});
    }
  }
  return pattern_of(width * height, couples);
}

SharedPattern tet_box(int x, int y, int z)
{
  // The central tetrahedron of a cell couples every other corner; neighbours take the others.
  Couples couples;
  const auto node = [&](int i, int j, int k) { return (k * (y + 1) + j) * (x + 1) + i; };
  for (int cell = 0; cell < x * y * z; ++cell) {
    const int i = cell % x, j = cell / x % y, k = cell / x / y;
    const auto corner = [&](int c) { return node(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)); };
    const bool odd = (i + j + k) % 2 == 1;
    for (int a = 0; a < 8; ++a) {
      for (int b = 0; b < a; ++b) {
        const int differ = a ^ b;
        const bool edge = differ == 1 || differ == 2 || differ == 4;
        const bool even_corner = ((a ^ a >> 1 ^ a >> 2) & 1) == 0;
        const bool diagonal = (differ == 3 || differ == 5 || differ == 6) && even_corner != odd;
        if (edge || diagonal) couples.push_back({corner(a), corner(b)});
      }
    }
  }
  return pattern_of((x + 1) * (y + 1) * (z + 1), couples);
}

SharedPattern complete(int rows)
{
  Couples couples;
  for (int a = 0; a < rows; ++a) {
    for (int b = 0; b < a; ++b) couples.push_back({a, b});
  }
  return pattern_of(rows, couples);
}

SharedPattern random_graph(int rows, int couple_count, Random& random)
{
  Couples couples;
  for (int k = 0; k < couple_count; ++k)
    couples.push_back({random.below(rows), random.below(rows)});
  return pattern_of(rows, couples);
}

SharedPattern apart(int copies, int rows)
{
  Couples couples;
  for (int k = 0; k + 1 < copies * rows; ++k) {
    if ((k + 1) % rows != 0) couples.push_back({k, k + 1});
  }
  return pattern_of(copies * rows, couples);
}

std::vector<NamedPattern> all_patterns(Random& random)
{
  return {{"no row", pattern_of(0, {})},
          {"one row", pattern_of(1, {})},
          {"two rows apart", pattern_of(2, {})},
          {"path", path(30)},
          {"star", star(25)},
          {"tree", random_tree(60, random)},
          {"grid", grid(9, 8)},
          {"box", tet_box(2, 2, 8)},
          {"dense", complete(6)},
          {"dense, wider than a supernode", complete(40)},
          {"random", random_graph(50, 120, random)},
          {"random, nearly empty", random_graph(50, 20, random)},
          {"apart", apart(5, 7)}};
}

BlockMatrix random_spd(SharedPattern pattern, Random& random, double shift)
{
  BlockMatrix A = zero_matrix(std::move(pattern));
  const BlockPattern& p = *A.pattern;
  const auto random_block = [&] {
    Matrix3d block;
    for (int j = 0; j < 3; ++j) block.col(j) = random.in_cube(1.0);
    return block;
  };
  for (int row = 0; row < p.rows(); ++row) {
    A.blocks[p.diagonal_slot(row)] += shift * Matrix3d::Identity();
    for (const int column : p.columns(row)) {
      if (column >= row) break;
      const Matrix3d a = random_block(), b = random_block();
      A.blocks[p.diagonal_slot(row)] += a * a.transpose();
      A.blocks[p.diagonal_slot(column)] += b * b.transpose();
      A.blocks[p.slot(row, column)] += a * b.transpose();
      A.blocks[p.slot(column, row)] += b * a.transpose();
    }
  }
  return A;
}

VectorXd random_vector(int size, Random& random)
{
  VectorXd v(size);
  for (int i = 0; i < size; ++i) v[i] = random.uniform(-1.0, 1.0);
  return v;
}

}  // namespace tact
