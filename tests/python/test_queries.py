"""Exact tests and distances, many at a time."""
import csv
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import tact

DATA = Path(os.environ.get("TACT_DATA", Path(os.environ["TACT_ROOT"]) / "../shared/data")) / "ccd"
TRIANGLE = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])


def test_a_vertex_falls_through_a_face_when_it_is_there():
    start = np.array([[[0.25, 0.25, 1.0], *TRIANGLE], [[2, 2, 1], *TRIANGLE]])
    end = start.copy()
    end[:, 0, 2] = -3
    contact, time = tact.ccd("vertex-face", start, end)
    assert contact.tolist() == [True, False]
    assert 0.25 - 1e-9 <= time[0] <= 0.25 and time[1] == np.inf


def read_queries(file):
    """(n, 8, 3) points and n truths, exact."""
    rows = [row for row in csv.reader(file.open()) if row and row[0].strip("-").isdigit()]
    points = [[int(row[k]) / int(row[k + 1]) for k in (0, 2, 4)] for row in rows]
    truth = [bool(int(row[6])) for row in rows]
    return np.array(points).reshape(-1, 8, 3), np.array(truth[::8])


@pytest.mark.skipif(not DATA.is_dir(), reason="the data set is absent")
def test_the_stored_queries_have_their_truths():
    times = {(row["file"], int(row["query"])): Fraction(row["toi"])
             for row in csv.DictReader((DATA / "toi.csv").open())}
    count = compared = 0
    for kind in ("vertex-face", "edge-edge"):
        for file in sorted(DATA.glob(f"*/{kind}/*.csv")):
            points, truth = read_queries(file)
            contact, time = tact.ccd(kind, points[:, :4], points[:, 4:])
            assert np.array_equal(contact, truth), file
            count += len(truth)
            for query in np.flatnonzero(contact):
                exact = times[str(file.relative_to(DATA)), int(query)]
                assert exact - Fraction(1, 10**9) <= Fraction(time[query]) <= exact + Fraction(1, 10**24)
                compared += 1
    assert count == 2824 and compared == 325


def test_pairs_of_points_are_the_same_queries():
    random = np.random.default_rng(7)
    start, end = random.normal(size=(2, 60, 3))
    pairs = np.array([random.permutation(60)[:4] for _ in range(5000)])
    for kind in ("vertex-face", "edge-edge"):
        found = tact.ccd(kind, start, end, pairs)
        expected = tact.ccd(kind, start[pairs], end[pairs])
        assert np.array_equal(found[0], expected[0]) and np.array_equal(found[1], expected[1])
        assert 0 < found[0].sum() < 5000
        found = tact.distance(kind, start, pairs)
        expected = tact.distance(kind, start[pairs])
        assert np.array_equal(found[0], expected[0]) and np.array_equal(found[1], expected[1])


def test_distances_are_those_of_the_closest_points():
    distance, weights = tact.distance("vertex-face", [[[0.25, 0.25, 2], *TRIANGLE], [[-3, 0, 4], *TRIANGLE]])
    assert distance == pytest.approx([2, 5])
    assert weights[0] == pytest.approx([1, 0.5, 0.25, 0.25])
    assert weights[1] == pytest.approx([1, 1, 0, 0])
    edges = np.random.default_rng(3).normal(size=(1000, 4, 3))
    distance, weights = tact.distance("edge-edge", edges)
    assert weights.min() >= 0 and weights[:, :2].sum(1) == pytest.approx(np.ones(1000))
    apart = np.einsum("nk,nkd->nd", weights * [1, 1, -1, -1], edges)
    assert np.linalg.norm(apart, axis=1) == pytest.approx(distance, abs=1e-12)
    # No other points of the edges are nearer.
    for s in np.linspace(0, 1, 5):
        for t in np.linspace(0, 1, 5):
            other = np.einsum("k,nkd->nd", [1 - s, s, t - 1, -t], edges)
            assert np.all(np.linalg.norm(other, axis=1) >= distance - 1e-12)


def test_triangles_that_touch_intersect():
    through = TRIANGLE + [0, 0, 0.1]
    through[0, 2] = -0.1
    touching = np.array([[0.25, 0.25, 0], [0.25, 0.25, 1], [0.5, 0.25, 1]])
    above = touching + [0, 0, np.nextafter(0, 1)]
    a = np.array([TRIANGLE] * 3)
    assert tact.triangles_intersect(a, [through, touching, above]).tolist() == [True, True, False]


def test_intersections_are_told_by_surface_and_triangle():
    apart = (TRIANGLE + [0, 0, 1], [[0, 1, 2]])
    crossing = (np.array([[0.2, 0.2, -1], [0.3, 0.2, -1], [0.2, 0.2, 1]]), [[0, 1, 2]])
    flat = (TRIANGLE, [[0, 1, 2]])
    assert tact.intersections(flat, apart).shape == (0, 4)
    assert tact.intersections(flat, apart, crossing).tolist() == [[0, 0, 2, 0], [1, 0, 2, 0]]


def test_what_is_wrong_is_told():
    with pytest.raises(tact.Error, match='kind: found "vertex"'):
        tact.ccd("vertex", np.zeros((1, 4, 3)), np.zeros((1, 4, 3)))
    with pytest.raises(tact.Error, match=r"start: found an array of shape \(4, 3\)"):
        tact.ccd("edge-edge", np.zeros((4, 3)), np.zeros((4, 3)))
    with pytest.raises(tact.Error, match="end: found an array"):
        tact.ccd("edge-edge", np.zeros((1, 4, 3)), np.zeros((2, 4, 3)))
    with pytest.raises(tact.Error, match="points: found nan at place 5"):
        tact.distance("edge-edge", [[[0, 0, 0], [1, 1, np.nan], [0, 0, 0], [0, 0, 0]]])
    with pytest.raises(tact.Error, match="found point 4, expected 0 to 3"):
        tact.distance("edge-edge", np.zeros((4, 3)), [[0, 1, 2, 4]])
    with pytest.raises(tact.Error, match="surface 0"):
        tact.intersections((TRIANGLE, [[0, 1, 3]]))
    assert tact.ccd("edge-edge", np.zeros((0, 4, 3)), np.zeros((0, 4, 3)))[0].shape == (0,)
