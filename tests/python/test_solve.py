"""Problems of arrays, of files and of steps."""
import os
from pathlib import Path

import numpy as np
import pytest

import tact
from scenes import pile

DATA = Path(os.environ.get("TACT_DATA", Path(os.environ["TACT_ROOT"]) / "../shared/data"))


def test_an_lcp_of_two_is_solved_as_by_hand():
    problem = tact.lcp([[2, 1], [1, 2]], [-5, -6])
    assert (problem.kind, problem.size, problem.contacts) == ("lcp", 2, 0)
    answer = tact.solve(problem)
    assert answer.ok and answer.status == "converged"
    assert answer.z == pytest.approx([4 / 3, 7 / 3])
    assert answer.w == pytest.approx([0, 0], abs=1e-12)
    assert answer.impulses is None and answer.residuals is None


def test_bounds_and_equations():
    free = tact.lcp(np.eye(2), [1, -3], lower=[-np.inf, 0], upper=[np.inf, 2])
    assert free.kind == "blcp" or free.kind == "mlcp"
    assert tact.solve(free).z == pytest.approx([-1, 2])


@pytest.mark.parametrize("push, expected", [(0.3, -0.3), (2.0, -0.5)])
def test_a_contact_sticks_within_its_cone_and_slides_at_its_border(push, expected):
    answer = tact.solve(tact.friction(np.eye(3), [-1, push, 0], [0.5]))
    assert answer.ok
    assert answer.impulses == pytest.approx([1, expected, 0], abs=1e-6)
    assert answer.u == pytest.approx([0, push + expected, 0], abs=1e-6)
    assert answer.residuals["rel_q"] <= 1e-8


def test_sparse_matrices_of_scipy_are_taken():
    sparse = pytest.importorskip("scipy.sparse")
    W, q, mu = np.diag([1.0, 1, 1, 2, 2, 2]), [-1, 0.3, 0, -1, 2, 0], [0.5, 0.5]
    answers = [tact.solve(tact.friction(kind(W), q, mu)).impulses
               for kind in (np.asarray, sparse.csc_matrix, sparse.csr_matrix, sparse.coo_matrix)]
    for answer in answers[1:]:
        assert np.array_equal(answer, answers[0])


def test_what_is_wrong_is_told():
    with pytest.raises(tact.Error, match=r"M: found an array of shape \(3,\)"):
        tact.lcp([1, 2, 3], [1])
    with pytest.raises(tact.Error):
        tact.lcp(np.eye(2), [1, np.nan])
    with pytest.raises(tact.Error):
        tact.friction(np.eye(3), [1, 2, 3], [-0.1])
    problem = tact.lcp(np.eye(2), [1, -1])
    with pytest.raises(tact.Error, match="did you mean"):
        tact.solve(problem, solver="lemkee")
    with pytest.raises(tact.Error, match="tolerance"):
        tact.solve(problem, tolerance=-1)
    with pytest.raises(tact.Error, match="missing.json"):
        tact.read_problem("missing.json")


def test_what_a_solver_does_not_take_is_told_not_raised():
    answer = tact.solve(tact.lcp(np.eye(2), [1, -1]), solver="nsgs")
    assert answer.status == "unsupported" and not answer.ok and answer.note


def test_the_problem_of_a_step_is_solved_anew():
    sim = tact.Simulation(pile())
    assert sim.problem is None
    sim.step(steps=40)
    problem = sim.problem
    assert problem.kind == "contact" and problem.contacts > 0
    loose, tight = (tact.solve(problem, tolerance=t) for t in (1e-3, 1e-7))
    assert loose.ok and tight.ok
    assert tight.residual <= 1e-7
    measured = tight.residuals
    assert max(measured["natural"], measured["momentum"]) == pytest.approx(tight.residual)
    assert tight.v.size % 3 == 0 and tight.impulses.size == 3 * problem.contacts


@pytest.mark.skipif(not DATA.is_dir(), reason="the data set is absent")
def test_stored_problems_are_solved():
    files = sorted((DATA / "fclib").rglob("*.hdf5"))[:3]
    assert files
    for file in files:
        problem = tact.read_problem(file)
        answer = tact.solve(problem)
        assert answer.ok and answer.residuals["rel_q"] <= 1e-8
        assert np.array_equal(tact.solve(str(file)).impulses, answer.impulses)
