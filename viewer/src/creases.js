// Vertices doubled where a surface has a crease, so that normals can be means over smooth parts only.

// triangles: three corners each; positions: three numbers a vertex, of the shape that tells the
// creases. Returns the triangles' new corners, and of each new vertex the one that it is a copy of.
export function splitCreases(triangles, positions, vertexCount, creaseAngle) {
  const faceNormals = findFaceNormals(triangles, positions);
  const corners = cornersOfVertices(triangles, vertexCount);
  const limit = Math.cos(creaseAngle * Math.PI / 180);
  const index = new Uint32Array(triangles.length);
  const source = [];
  for (let v = 0; v < vertexCount; ++v) {
    const around = corners.list.subarray(corners.first[v], corners.first[v + 1]);
    for (const group of smoothGroups(around, triangles, faceNormals, limit)) {
      for (const corner of group) index[corner] = source.length;
      source.push(v);
    }
  }
  return {index, source: Uint32Array.from(source)};
}

function findFaceNormals(triangles, x) {
  const normals = new Float32Array(triangles.length);
  for (let f = 0; f < triangles.length; f += 3) {
    const n = areaNormal(x, 3 * triangles[f], 3 * triangles[f + 1], 3 * triangles[f + 2]);
    const length = Math.hypot(n[0], n[1], n[2]) || 1;
    for (let k = 0; k < 3; ++k) normals[f + k] = n[k] / length;
  }
  return normals;
}

function areaNormal(x, a, b, c) {
  const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
  const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

function cornersOfVertices(triangles, vertexCount) {
  const first = new Uint32Array(vertexCount + 1);
  for (const v of triangles) ++first[v + 1];
  for (let v = 0; v < vertexCount; ++v) first[v + 1] += first[v];
  const at = first.slice(), list = new Uint32Array(triangles.length);
  triangles.forEach((v, corner) => { list[at[v]++] = corner; });
  return {first, list};
}

// Corners of one vertex whose triangles meet in an edge without a crease belong together.
function smoothGroups(corners, triangles, normals, limit) {
  const groups = [];
  const left = new Set(corners);
  for (const start of corners) {
    if (!left.delete(start)) continue;
    const group = [start];
    for (const corner of group)
      for (const other of left)
        if (meetSmoothly(corner, other, triangles, normals, limit)) {
          left.delete(other);
          group.push(other);
        }
    groups.push(group);
  }
  return groups;
}

function meetSmoothly(a, b, triangles, normals, limit) {
  const f = 3 * Math.floor(a / 3), g = 3 * Math.floor(b / 3);
  const dot = normals[f] * normals[g] + normals[f + 1] * normals[g + 1] + normals[f + 2] * normals[g + 2];
  if (dot < limit) return false;
  let shared = 0;
  for (let i = 0; i < 3; ++i)
    for (let j = 0; j < 3; ++j) shared += triangles[f + i] === triangles[g + j];
  return shared >= 2;
}

// Normals of an indexed mesh, weighted by area; all arrays have three numbers an entry.
export function findNormals(index, positions, normals) {
  normals.fill(0);
  for (let f = 0; f < index.length; f += 3) {
    const a = 3 * index[f], b = 3 * index[f + 1], c = 3 * index[f + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    normals[a] += nx; normals[a + 1] += ny; normals[a + 2] += nz;
    normals[b] += nx; normals[b + 1] += ny; normals[b + 2] += nz;
    normals[c] += nx; normals[c + 1] += ny; normals[c + 2] += nz;
  }
  for (let k = 0; k < normals.length; k += 3) {
    const length = Math.hypot(normals[k], normals[k + 1], normals[k + 2]) || 1;
    normals[k] /= length; normals[k + 1] /= length; normals[k + 2] /= length;
  }
}
