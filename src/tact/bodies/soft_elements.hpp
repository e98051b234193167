// The tetrahedra of a soft solid: stiffness, forces and energy of linear co-rotational elements, in
// SIMD groups of one element a lane.
//
// With g_a the gradients of the four shape functions at rest, d_a = x_a - x_0, and R the rotation
// nearest to F = sum d_a g_a', the formulas of Mueller and Gross need no rotated 12 x 12 matrices:
//
//   h_a  = R g_a                                          gradients that turned with the element
//   E    = sym(sum d_a h_a') - 1                          strain in world axes: R (R'F - 1) R'
//   S    = lambda tr(E) 1 + 2 mu E                        stress
//   f_a  = -V S h_a                                       force on node a: -R K_e (R' x - X)
//   K_ab = V (lambda h_a h_b' + mu h_b h_a' + mu (h_a . h_b) 1)     block of R K_e R'
//
// The forces are exactly those of the energy V (mu |E|^2 + lambda tr(E)^2 / 2), since tr(R'F) is
// stationary in R. K leaves out how R changes: it is positive semi-definite always and the exact
// derivative where E = 0.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/geometry/tet_mesh.hpp>
#include <tact/geometry/tri_mesh.hpp>
#include <tact/linalg/block_matrix.hpp>
#include <tact/linalg/lanes.hpp>

namespace tact {

struct LameModuli {
  double lambda = 0.0;  // Pa
  double mu = 0.0;      // Pa
};
LameModuli lame_moduli(double young, double poisson);

// A body of up to 2,000 elements adds its blocks to the matrix one after the other. A larger one
// comes in chunks of fixed size, each summed into a stretch of memory of its own, so that threads
// never meet and the bits do not depend on their number.
class SoftElements {
 public:
  // `stiffening` scales the stiffness of each element; empty: 1. The mesh must be validated and
  // without inverted elements.
  SoftElements(const TetMesh& mesh, const LameModuli& moduli, std::span<const double> stiffening);

  int node_count() const { return node_sources_.size(); }
  const std::vector<Edge>& edges() const
  {
    return edges_;
  }  // each once, smaller node first, sorted

  // Looks up where the blocks stand in matrices of this pattern; nodes are rows from `first_node`
  // on.
  void bind(const BlockPattern& pattern, int first_node);
  int node_slot(int node) const { return node_slot_[node]; }

  // Memory for the sums of each chunk.
  class Sums {
   public:
    explicit Sums(const SoftElements& elements);

   private:
    friend class SoftElements;
    // The nine numbers of a block, column by column: eight of them fill registers, one is left
    // over.
    LaneBuffer eights_;  // blocks of nodes, then of edges
    std::vector<double> ninths_;
    std::vector<double> forces_;  // three a node
  };

  struct Factors {
    double stiffness = 1.0;
    double force = 1.0;
  };
  // A += factors.stiffness K and b += factors.force F at q. q and b have three numbers a node.
  void add_linearised(const double* q, const Factors& factors, Sums& sums, BlockMatrix& A,
                      double* b) const;
  // f += F - damping K v
  void add_forces(const double* q, const double* v, double damping, Sums& sums, double* f) const;

  double energy(const double* q) const;  // J

 private:
  struct alignas(64) Group {
    Lanes gradient[3][3];  // 1/m, of the shape functions 1, 2, 3; that of 0 is minus their sum
    Lanes lambda, mu;      // times the volume: J
    int node[4][lane_width];
    int node_sum[4][lane_width];  // which sums of the chunk the nodes and the pairs of nodes
    int edge_sum[6][lane_width];  // 01 02 03 12 13 23 go to
  };
  struct Range {
    int first = 0, last = 0;  // the latter excluded
  };
  struct Chunk {
    Range groups, node_sums, edge_sums;
  };
  struct Strained;

  void add_chunk(const TetMesh& mesh, std::span<const int> tetrahedra, const LameModuli& moduli,
                 std::span<const double> stiffening);
  static double fill_gradients(Group& group, int lane, const Tetrahedron& nodes,
                               const TetMesh& mesh);

  template <class Work>
  void for_each_chunk(const Work& work) const;
  static Strained strain_at(const Group& group, const double* q);
  static void scatter_forces(const Group& group, const Strained& state, double factor,
                             double* forces);
  template <class Sink>
  static void scatter_blocks(const Group& group, const Strained& state, double factor,
                             const Sink& sink);
  void clear(const Chunk& chunk, Sums& sums) const;
  void clear_forces(const Chunk& chunk, Sums& sums) const;
  void gather_forces(const Sums& sums, double* f) const;
  void gather_blocks(const Sums& sums, BlockMatrix& A) const;

  std::vector<Edge> edges_;
  std::vector<Group, LaneAllocator<Group>> groups_;
  std::vector<Chunk> chunks_;
  std::vector<int> summed_node_, summed_edge_;  // what each sum belongs to
  Incidence node_sources_, edge_sources_;       // the sums that make up a node or an edge
  std::vector<int> node_slot_;
  std::vector<std::array<int, 2>> edge_slots_;  // (smaller, larger) and (larger, smaller) node
};

}  // namespace tact
