// Which parts of a surface keep clear of themselves during a step, and need no self test.
//
// The criterion of Volino and Magnenat-Thalmann (1994), made rigorous for motion and for a distance
// to keep. A disc is seen along a direction d; primes are for what is seen, heights h' of
// triangles, points p'. At some time t let
//
//   (1) all triangles show the same side, n . d > 0, and
//   (2) no two edges of the outline meet in the picture but neighbours, and these at their corner.
//
// Then the picture is one to one. For a point off the outline's picture is covered as often as the
// outline winds about it, since every layer counts +1, and a loop that does not meet itself winds
// once or not at all. So nothing touches. Further, let
//
//   (3) edges of the outline that are no neighbours be more than `tolerance` apart in the picture,
//   (4) h' > detour * tolerance for all triangles, where detour = 1 / sin(theta / 2) belongs to the
//       sharpest angle theta by which the outline turns inwards, and is sqrt(2) if none is acute.
//
// Then two features that share no vertex are more than the tolerance apart. Let psi be 1 at the
// vertices of the one, 0 at all others and linear on triangles: 1 on the one, 0 on the other, with
// slopes of 1/h' at most. Were points p and q of the two within the tolerance, p'q' would be too.
// Where the segment p'q' is in the picture, psi changes by |p'q'| / h' at most. Where it leaves the
// picture and comes back, it does so on one edge of the outline or on two neighbours (3). These
// turn inwards: at an outward corner the segment between its edges is in the picture, for nothing
// else of the outline comes that near (3). The way around by their corner is longer by `detour` at
// most. So psi would change by less than 1.
//
// For all t in [0, 1]: n(t) of a triangle with linear motion is a Bezier curve of three control
// vectors, so bounds that hold for these hold always. A cone about an axis, with the smallest
// |control vector| / longest edge, is kept for each patch; (1) and (4) for any other d follow from
// angles. (2) and (3) are shown by moving boxes of the edges along three directions 60 degrees
// apart. The motion that a patch has in common is in none of this. Every vertex may be off its line
// by `slack`, and by rounding, at any time: normals change by 4 slack (edge + slack) at most.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tact/collision/disc_patches.hpp>
#include <tact/collision/moving_box.hpp>

namespace tact {

class FlatPatches {
 public:
  explicit FlatPatches(DiscPatches discs);

  // Looks at all patches and at all pairs of neighbours. `slack`, in metres, has one for each
  // vertex or is empty.
  void update(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices, double tolerance,
              std::span<const double> slack = {});

  // For each triangle of the set, or DiscPatches::none.
  std::span<const int> patch_of() const { return discs_.patch_of; }

  // Whether all features of two patches, or of one, that share no vertex stay more than the
  // tolerance apart. False for what is not known.
  bool keep_apart(int patch_a, int patch_b) const
  {
    if (patch_a == DiscPatches::none || patch_b == DiscPatches::none) return false;
    if (patch_a == patch_b) return patch_flat_[patch_a] != 0;
    for (int i = neighbours_start_[patch_a]; i < neighbours_start_[patch_a + 1]; ++i)
      if (neighbours_[i].patch == patch_b) return union_flat_[neighbours_[i].joint] != 0;
    return false;
  }

  const DiscPatches& discs() const { return discs_; }

 private:
  // How one patch looks during the step.
  struct Shape {
    Vector3d axis = Vector3d::Zero();  // of all normals, unit
    double cosine = 0.0;               // of the largest angle between a normal and the axis
    double height = 0.0;               // of its triangles at least, m
    double error = 0.0;                // of positions: slack and rounding, m
  };
  struct Neighbour {
    int patch = 0;
    int joint = 0;  // the union with it
  };
  struct Scratch;

  Shape shape_of(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                 std::span<const double> slack, const DiscPatch& patch, Scratch& scratch) const;
  static double seen_height(const Shape& shape, const Vector3d& direction);
  static double see(std::span<const int> outline, std::span<const MovingVertex> vertices,
                    const Vector3d& direction, double error, Scratch& scratch);
  static bool is_simple(double error, double tolerance, double height, Scratch& scratch);

  DiscPatches discs_;
  std::vector<int> neighbours_start_;
  std::vector<Neighbour> neighbours_;
  std::vector<Shape> shapes_;
  std::vector<std::uint8_t> patch_flat_, union_flat_;
};

}  // namespace tact
