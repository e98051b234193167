// Nodal components as a whole. To a pass of D^-1 a heavy body is as slow to move as it is stiff:
// what contacts exert on all of it would take hundreds of passes to be answered by a motion of all
// of it. So the shift Z of all nodes by one velocity is a freedom of its own in the passes,
//   P^-1 = (om D)^-1 + Z (Z' A Z)^-1 Z'
// which leaves their fixed point as it is. Sweeps treat it like a rigid body, [Miguel11] Sec. 4.
#include <tact/solvers/nested/nested_island.hpp>

namespace tact {

// Many contacts on one light whole are slow to agree in sweeps: on a cloth that lies on the ground
// passes take four times as long with wholes, and they are left for when nothing else helps. A
// sheet that is held by a few of its nodes creeps without.
bool NestedIsland::has_few_contacts() const
{
  int nodes = 0;
  for_parts([&](int, const Part& part, int) {
    if (part.treatment == Treatment::nodal) nodes += part.nodes;
  });
  return 3 * size() <= nodes;
}

void NestedIsland::share_wholes()
{
  for_parts([&](int, const Part& part, int at) {
    if (part.treatment != Treatment::nodal) return;
    Eigen::Map<Vector3d> whole(state.data() + at + whole_at(part));
    for (int i = 0; i < part.nodes; ++i)
      if (!all->D.turns(part.first_node + i))
        Eigen::Map<Vector3d>(state.data() + at + 3 * i) += whole;
    whole.setZero();
  });
}

// (Z' A Z)^-1 Z' residual
Vector3d NestedIsland::whole_response(const Part& part, int at) const
{
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < part.nodes; ++i)
    if (!all->D.turns(part.first_node + i))
      sum += Eigen::Map<const Vector3d>(residual.data() + at + 3 * i);
  return part.per_whole * sum;
}

// x += Z (Z' A Z)^-1 Z' residual, and the residual with it.
void NestedIsland::balance_wholes()
{
  for_parts([&](int, const Part& part, int at) {
    if (part.treatment != Treatment::nodal) return;
    const Vector3d shift = whole_response(part, at);
    for (int i = 0; i < part.nodes; ++i) {
      const int k = at + 3 * i;
      if (!all->D.turns(part.first_node + i)) Eigen::Map<Vector3d>(state.data() + k) += shift;
      Eigen::Map<Vector3d>(residual.data() + k) -= part.AZ[i] * shift;
    }
  });
}

}  // namespace tact
