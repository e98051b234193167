#include <tact/solvers/pivoting/cover_table.hpp>

#include <array>

#include <tact/core/random.hpp>

namespace tact {
namespace {

constexpr int table_size = 1024;
constexpr double largest_tangential = 0.3;

std::array<double, 3 * table_size> make_table()
{
  std::array<double, 3 * table_size> table{};
  Random random(12345);
  for (int i = 0; i < table_size; ++i) {
    double c_1 = 1.0, c_2 = 1.0;
    while (c_1 * c_1 + c_2 * c_2 > 1.0) {  // uniform in the unit disc
      c_1 = random.uniform(-1.0, 1.0);
      c_2 = random.uniform(-1.0, 1.0);
    }
    table[3 * i] = random.uniform(1.0, 2.0);
    table[3 * i + 1] = largest_tangential * c_1;
    table[3 * i + 2] = largest_tangential * c_2;
  }
  return table;
}

}  // namespace

const double* cover_vector(int index)
{
  static const std::array<double, 3 * table_size> table = make_table();
  return &table[3 * (index % table_size)];
}

}  // namespace tact
