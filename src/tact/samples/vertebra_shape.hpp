// A lumbar vertebra and the disk below it, made by rule, with the numbers of triangles of
// [Miguel11] fig. 3. Lengths in m; x points to the side, y up, z to the front. The origin is on the
// axis of the disk: of the vertebra at half its height, of the disk in its middle.
#pragma once

#include <tact/geometry/tri_mesh.hpp>

namespace tact {

// A ring around the hole of the spinal cord: the body of the vertebra in front, two transverse
// processes and the spinous one behind. Both end plates are hollow, as a disk's are bulging. Of
// 64 x 46 squares: 5,888 triangles, closed, of the kind of a torus.
TriMesh make_vertebra();

// Half the height of its body, at the rim of the end plates.
inline constexpr double vertebra_half_height = 0.0135;

// A superellipsoid over the end plate, of 8 x 4^5 = 8,192 triangles.
TriMesh make_disk();

// How far above the disk's middle that of a vertebra is, with hollow and bulge `gap` apart.
double vertebra_above_disk(const TriMesh& vertebra, double gap);

}  // namespace tact
