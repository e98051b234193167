"""Frictional contact of rigid bodies, cloth and soft solids by complementarity.

    import tact
    sim = tact.Simulation("falling-cloth")      # a built-in scene, a JSON file, or a dict
    while sim.time < 1.0:
        report = sim.step()
    sim.positions("cloth")                      # numpy, (n, 3), no copy

    tact.solve("peg-in-hole.json").residual     # a stored contact problem, by any solver
    tact.ccd("vertex-face", start, end)         # exact, for arrays of queries
    tact.Recording("out/falling-cloth")[-1]     # what `tact run` recorded

All quantities are in SI units. What is wrong with an input is told by tact.Error, in the words of
the command. docs/python.md has a tour.
"""

from ._tact import (
    Error,
    Frame,
    Problem,
    Scene,
    Simulation,
    Solution,
    StepError,
    StepReport,
    __version__,
    ccd,
    distance,
    friction,
    intersections,
    lcp,
    read_problem,
    scenes,
    set_threads,
    solve,
    solvers,
    triangles_intersect,
)
from .frames import FrameArray, Recording

__all__ = [
    "Error",
    "Frame",
    "FrameArray",
    "Problem",
    "Recording",
    "Scene",
    "Simulation",
    "Solution",
    "StepError",
    "StepReport",
    "ccd",
    "distance",
    "friction",
    "intersections",
    "lcp",
    "read_problem",
    "scenes",
    "set_threads",
    "solve",
    "solvers",
    "triangles_intersect",
]

for _name in __all__:  # they are told as tact.Simulation, not as tact._tact.Simulation
    globals()[_name].__module__ = "tact"
del _name
