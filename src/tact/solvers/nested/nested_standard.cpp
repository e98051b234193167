// The standard kernel of NestedSolver: sweeps that read rows of B = J P^-1 J', which is built in full,
// as [Miguel11] has it for comparison. The iterates are those of ContactSweep to round-off.
#include <algorithm>

#include <tact/solvers/nested/nested_work.hpp>

namespace tact {
namespace {

// The contacts of an island that act on each place of the state: a node, or a component as a whole
// where that is exact. In ascending order.
class ContactsByPlace {
 public:
  ContactsByPlace(const ContactSweep& sweep, const IslandPlace& island)
      : sweep_(sweep), first_(island.first), lists_(island.last - island.first)
  {
    for (int c = island.contacts.first; c < island.contacts.last; ++c) {
      for_places(c, [&](std::vector<int>& list) { list.push_back(c); });
    }
  }

  void find_neighbours(int c, std::vector<int>& found)
  {
    found.clear();
    for_places(c, [&](const std::vector<int>& list) {
      found.insert(found.end(), list.begin(), list.end());
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }

 private:
  template <class Work>
  void for_places(int c, const Work& work)
  {
    const SweepContact& contact = sweep_.contacts[c];
    for (int s = contact.first_side; s < contact.first_side + contact.sides; ++s) {
      const SweepSide& side = sweep_.sides[s];
      if (side.W != nullptr) work(lists_[side.first - first_]);
      for (int b = side.first_block; b < side.first_block + side.blocks; ++b) {
        work(lists_[sweep_.blocks[b].at - first_]);
      }
    }
  }

  const ContactSweep& sweep_;
  int first_;
  std::vector<std::vector<int>> lists_;
};

}  // namespace

// Rows and columns count from the first contact of the island.
void NestedSolver::Workspace::build_full(const IslandPlace& island)
{
  FullRows& B = full[island.number];
  B.begin(island.contacts.last - island.contacts.first);
  ContactsByPlace by_place(sweep, island);
  std::vector<int> neighbours;
  for (int c = island.contacts.first; c < island.contacts.last; ++c) {
    by_place.find_neighbours(c, neighbours);
    for (int& d : neighbours) d -= island.contacts.first;
    double* entry = B.add_row(neighbours);
    const std::size_t stride = 3 * neighbours.size();
    for (const int d : neighbours) {
      const Matrix3d block = sweep.coupling(c, island.contacts.first + d);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) entry[i * stride + j] = block(i, j);
      }
      entry += 3;
    }
  }
}

// u_c = velocity at the start + B_c (lambda - lambda at the start); the state follows in the end.
void NestedSolver::Workspace::make_full_sweeps(const IslandPlace& island, int count)
{
  const FullRows& B = full[island.number];
  const int first = island.contacts.first, size = island.contacts.last - first;
  std::vector<Vector3d> start(size);
  VectorXd change = VectorXd::Zero(3 * size);
  for (int k = 0; k < size; ++k) {
    start[k] = sweep.velocity(sweep.contacts[first + k], state.data());
  }
  std::vector<char> awake_now(size, 0);
  for (int number = 0; number < count; ++number) {
    for (int k = 0; k < size; ++k) {
      if (number > 0 && awake_now[k] == 0) continue;
      Eigen::Map<Vector3d> lambda_c(lambda.data() + 3 * (first + k));
      const Vector3d u = start[k] + B.times(k, change.data());
      if (number == 0 && lambda_c[0] == 0.0 && u[0] >= 0.0) continue;
      awake_now[k] = 1;
      const Vector3d before = lambda_c;
      const Vector3d after =
          sweep.relax(sweep.contacts[first + k], u, before, options.visits_per_contact);
      lambda_c = after;
      change.segment<3>(3 * k) += after - before;
    }
  }
  for (int k = 0; k < size; ++k) {
    const Vector3d change_c = change.segment<3>(3 * k);
    if (!change_c.isZero(0.0)) sweep.push(sweep.contacts[first + k], change_c, state.data());
  }
}

}  // namespace tact
