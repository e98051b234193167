#include <tact/solvers/regions/dense_regions.hpp>

#include <algorithm>
#include <span>
#include <tuple>

namespace tact {

void DenseRegions::lay_out(NestedSolver::Workspace& work)
{
  first_side_ = static_cast<int>(work.sweep.sides.size());
  work.sweep.sides.resize(first_side_ + work.sweep.contacts.size());
  shares_.resize(first_side_);
  std::size_t entries = 0;
  auto at = static_cast<int>(work.state.size());
  for (IslandPlace& place : work.places) {
    if (place.nodal) continue;
    const int rows = 3 * (place.contacts.last - place.contacts.first), stride = round_up_8(rows);
    place.first = at;
    place.last = at += stride;
    entries += static_cast<std::size_t>(rows) * stride;
    work.colours[place.number].clear();  // contacts of one colour would write to the same state
  }
  for (LaneBuffer* vector :
       {&work.state, &work.old_state, &work.best_state, &work.dual, &work.force})
    vector->resize(at, 0.0);
  W_.resize(entries);
  const double* row = W_.data();
  for (const IslandPlace& place : work.places) {
    if (place.nodal) continue;
    const int stride = place.last - place.first;
    for (int c = place.contacts.first; c < place.contacts.last; ++c) {
      SweepSide& side = work.sweep.sides[first_side_ + c];
      side.component = -1 - place.number;  // of no component: all contacts of a region share it
      side.W = row;
      side.stride = side.length = stride;
      side.first = place.first;
      side.at = place.first + 3 * (c - place.contacts.first);
      row += 3 * static_cast<std::size_t>(stride);
    }
  }
}

void DenseRegions::assemble(NestedSolver::Workspace& work, const IslandPlace& place)
{
  ContactSweep& sweep = work.sweep;
  const int stride = place.last - place.first, n = place.contacts.last - place.contacts.first;
  double* W = W_.data() + (sweep.sides[first_side_ + place.contacts.first].W - W_.data());
  std::fill_n(W, 3 * static_cast<std::size_t>(n) * stride, 0.0);

  const SweepContact& last = sweep.contacts[place.contacts.last - 1];
  const int from = sweep.contacts[place.contacts.first].first_side;
  const auto shares = std::span(shares_).subspan(from, last.first_side + last.sides - from);
  for (int c = place.contacts.first; c < place.contacts.last; ++c) {
    SweepContact& contact = sweep.contacts[c];
    for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s)
      shares_[s] = {.component = sweep.sides[s].component, .contact = c, .side = s};
    contact.first_side = first_side_ + c;
    contact.sides = 1;
  }
  std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
    return std::tie(a.component, a.side) < std::tie(b.component, b.side);
  });
  for (auto begin = shares.begin(); begin != shares.end();) {
    const auto end = std::find_if(begin, shares.end(), [&](const Share& share) {
      return share.component != begin->component;
    });
    for (auto to = begin; to != end; ++to) {
      double* rows = W + 3 * static_cast<std::size_t>(to->contact - place.contacts.first) * stride;
      for (auto other = begin; other != end; ++other) {
        const Matrix3d w = sweep.coupling(sweep.sides[to->side], sweep.sides[other->side]);
        const int column = 3 * (other->contact - place.contacts.first);
        for (int i = 0; i < 3; ++i)
          Eigen::Map<Vector3d>(rows + i * stride + column) += w.row(i).transpose();
      }
    }
    begin = end;
  }
}

}  // namespace tact
