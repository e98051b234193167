#!/usr/bin/python3
"""Counts intersecting triangles in OBJ files: obj_intersections.py FILE...

Shares nothing with tact but the files. Coordinates are taken as the exact numbers that are printed (as
doubles); signs that floating point cannot tell are found with fractions. Triangles that share a vertex
are no pair. Prints one line a file, and exits with 1 if any two triangles meet.
"""
import sys
from fractions import Fraction

import numpy as np


def read_obj(path):
    vertices, triangles = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["v"]:
                vertices.append([float(word) for word in words[1:4]])
            elif words[:1] == ["f"]:
                triangles.append([int(word.split("/")[0]) - 1 for word in words[1:4]])
    return np.array(vertices, dtype=float).reshape(-1, 3), np.array(triangles).reshape(-1, 3)


def boxes_that_overlap(low, high):
    """Pairs i < j of boxes that overlap: those that meet in some cell of a grid are looked at."""
    size = 1.5 * np.median((high - low).max(axis=1)) + 1e-12
    first, last = np.floor(low / size).astype(np.int64), np.floor(high / size).astype(np.int64)
    first, last = first - first.min(axis=0), last - first.min(axis=0)
    counts = last - first + 1
    owner = np.repeat(np.arange(len(low)), counts.prod(axis=1))
    index = np.arange(len(owner)) - np.repeat(np.cumsum(counts.prod(axis=1)) - counts.prod(axis=1),
                                              counts.prod(axis=1))
    cell = first[owner].copy()
    for axis in range(3):
        cell[:, axis] += index % counts[owner, axis]
        index //= counts[owner, axis]
    extent = last.max(axis=0) + 1
    key = (cell[:, 0] * extent[1] + cell[:, 1]) * extent[2] + cell[:, 2]
    order = np.argsort(key, kind="stable")
    key, owner = key[order], owner[order]
    found, step = [np.empty(0, dtype=np.int64)], 1
    while True:
        together = np.nonzero(key[step:] == key[:-step])[0]
        if len(together) == 0:
            break
        a, b = owner[together], owner[together + step]
        near = ((low[a] <= high[b]) & (low[b] <= high[a])).all(axis=1) & (a != b)
        a, b = a[near], b[near]
        found.append(np.minimum(a, b) * len(low) + np.maximum(a, b))
        step += 1
    pairs = np.unique(np.concatenate(found))
    return pairs // len(low), pairs % len(low)


def orientation(a, b, c, d):
    """Signs of det(b - a, c - a, d - a), 0 where rounding may have changed it."""
    p, q, r = b - a, c - a, d - a
    minor = np.cross(q, r)
    value = (p * minor).sum(axis=1)
    bound = 1e-14 * (abs(p).sum(axis=1) * abs(q).sum(axis=1) * abs(r).sum(axis=1))
    return np.where(value > bound, 1, np.where(value < -bound, -1, 0))


def certainly_apart(edge, face):
    """Edges that surely miss their face; edge: two arrays of points, face: three."""
    ends = orientation(*face, edge[0]) * orientation(*face, edge[1])
    turns = [orientation(*edge, face[k], face[(k + 1) % 3]) for k in range(3)]
    mixed = (np.max(turns, axis=0) > 0) & (np.min(turns, axis=0) < 0)
    return (ends > 0) | mixed


def exact(point):
    return [Fraction(float(x)) for x in point]


def sign(x):
    return (x > 0) - (x < 0)


def det(a, b, c, d):
    p, q, r = ([x - y for x, y in zip(v, a)] for v in (b, c, d))
    return sign(p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                p[2] * (q[0] * r[1] - q[1] * r[0]))


def area(a, b, c):
    return sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def edge_meets_coplanar_face(edge, face):
    """In whichever plane of axes the face has an area."""
    for drop in range(3):
        flat = [[x for k, x in enumerate(point) if k != drop] for point in edge + face]
        p, q, corners = flat[0], flat[1], flat[2:]
        if area(*corners) == 0:
            continue
        inside = [area(corners[k], corners[(k + 1) % 3], p) * area(*corners) for k in range(3)]
        if min(inside) >= 0:
            return True
        for k in range(3):
            a, b = corners[k], corners[(k + 1) % 3]
            if area(p, q, a) * area(p, q, b) <= 0 and area(a, b, p) * area(a, b, q) <= 0:
                if area(a, b, p) or area(a, b, q):
                    return True
                axis = 0 if a[0] != b[0] else 1  # on one line: do they overlap?
                if max(min(p[axis], q[axis]), min(a[axis], b[axis])) <= \
                        min(max(p[axis], q[axis]), max(a[axis], b[axis])):
                    return True
        return False
    return False


def edge_meets_face(edge, face):
    p, q = (exact(point) for point in edge)
    a, b, c = (exact(point) for point in face)
    above, below = det(a, b, c, p), det(a, b, c, q)
    if above * below > 0:
        return False
    if above == 0 and below == 0:
        return edge_meets_coplanar_face([p, q], [a, b, c])
    turns = [det(p, q, a, b), det(p, q, b, c), det(p, q, c, a)]
    return min(turns) >= 0 or max(turns) <= 0


def intersections(vertices, triangles):
    corners = vertices[triangles]
    a, b = boxes_that_overlap(corners.min(axis=1), corners.max(axis=1))
    strangers = ~(triangles[a][:, :, None] == triangles[b][:, None, :]).any(axis=(1, 2))
    a, b = a[strangers], b[strangers]
    meeting = set()
    for one, other in ((a, b), (b, a)):
        face = [corners[other][:, k] for k in range(3)]
        for k in range(3):
            edge = [corners[one][:, k], corners[one][:, (k + 1) % 3]]
            for i in np.nonzero(~certainly_apart(edge, face))[0]:
                if edge_meets_face([point[i] for point in edge], [point[i] for point in face]):
                    meeting.add((int(a[i]), int(b[i])))
    return meeting


def main():
    total = 0
    for path in sys.argv[1:]:
        vertices, triangles = read_obj(path)
        meeting = intersections(vertices, triangles)
        total += len(meeting)
        print(f"{path}: {len(triangles)} triangles, {len(meeting)} pairs intersect")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
