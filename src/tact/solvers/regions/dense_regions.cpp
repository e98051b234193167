#include <tact/solvers/regions/dense_regions.hpp>

#include <algorithm>
#include <tuple>

namespace tact {

void DenseRegion::assemble(NestedIsland& region)
{
  ContactSweep& sweep = region.sweep;
  const int rows = 3 * region.size(), stride = round_up_8(rows);
  W_.assign(static_cast<std::size_t>(rows) * stride, 0.0);

  shares_.clear();
  for (int c = 0; c < region.size(); ++c) {
    const SweepContact& contact = sweep.contacts[c];
    for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s)
      shares_.push_back({.component = sweep.sides[s].component, .contact = c, .side = s});
  }
  std::sort(shares_.begin(), shares_.end(), [](const Share& a, const Share& b) {
    return std::tie(a.component, a.side) < std::tie(b.component, b.side);
  });
  for (auto begin = shares_.begin(); begin != shares_.end();) {
    const auto end = std::find_if(begin, shares_.end(), [&](const Share& share) {
      return share.component != begin->component;
    });
    for (auto to = begin; to != end; ++to) {
      double* block_row = W_.data() + 3 * static_cast<std::size_t>(to->contact) * stride;
      for (auto other = begin; other != end; ++other) {
        const Matrix3d w = sweep.coupling(sweep.sides[to->side], sweep.sides[other->side]);
        for (int i = 0; i < 3; ++i)
          Eigen::Map<Vector3d>(block_row + i * stride + 3 * other->contact) += w.row(i).transpose();
      }
    }
    begin = end;
  }

  const std::vector<double> start(region.lambda.begin(), region.lambda.end());
  region.allot(stride);
  std::copy(start.begin(), start.end(), region.lambda.begin());
  region.colours.clear();  // contacts of one colour would write to the same state
  const auto first_side = static_cast<int>(sweep.sides.size());
  for (int c = 0; c < region.size(); ++c) {
    sweep.contacts[c].first_side = first_side + c;
    sweep.contacts[c].sides = 1;
    SweepSide& side = sweep.sides.emplace_back();
    side.component = -1;  // of no component: all contacts of the region share it
    side.W = W_.data() + 3 * static_cast<std::size_t>(c) * stride;
    side.stride = side.length = stride;
    side.at = 3 * c;
  }
}

}  // namespace tact
