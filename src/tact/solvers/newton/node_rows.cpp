#include <tact/solvers/newton/node_rows.hpp>

namespace tact {

void NodeRows::clear()
{
  first_ = {0};
  blocks_.clear();
}

void NodeRows::scale(std::span<const double> factors)
{
  for (int c = 0; c < contacts(); ++c)
    for (int a = first_[c]; a < first_[c + 1]; ++a) blocks_[a].J *= factors[c];
}

void NodeRows::add_couples(std::vector<std::array<int, 2>>& couples) const
{
  for (int c = 0; c < contacts(); ++c)
    for (int a = first_[c]; a < first_[c + 1]; ++a)
      for (int b = a + 1; b < first_[c + 1]; ++b)
        couples.push_back({blocks_[a].node, blocks_[b].node});
}

void NodeRows::find_slots(const BlockPattern& pattern_of_K)
{
  slots_.clear();
  first_slot_.clear();
  for (int c = 0; c < contacts(); ++c) {
    first_slot_.push_back(static_cast<int>(slots_.size()));
    for (const RowBlock& a : of(c))
      for (const RowBlock& b : of(c)) slots_.push_back(pattern_of_K.slot(a.node, b.node));
  }
}

void NodeRows::add(int contact, const Matrix3d& G, BlockMatrix& K) const
{
  const int* slot = slots_.data() + first_slot_[contact];
  for (const RowBlock& a : of(contact)) {
    const Matrix3d JG = a.J.transpose() * G;
    for (const RowBlock& b : of(contact)) K.blocks[*slot++] += JG * b.J;
  }
}

}  // namespace tact
