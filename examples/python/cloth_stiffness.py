#!/usr/bin/env python3
"""How stiff is this cloth? Found from its shape as it hangs.

A square of cloth hangs by two corners. Its shape is the measurement; here it is simulated with a
stretch stiffness that the search does not know. scipy looks for the stiffness whose hanging shape
is nearest to the measured one.

    PYTHONPATH=build/release/python python3 examples/python/cloth_stiffness.py [N/m]
"""
import sys

import numpy as np
from scipy.optimize import minimize_scalar

import tact


def hanging(stiffness):
    """A sheet of 0.4 m and 9 x 9 vertices, held at two corners; damped, so that it comes to rest."""
    return {
        "dt": 0.02,
        "bodies": [{
            "name": "sheet", "type": "cloth",
            "grid": {"size": [0.4, 0.4], "vertices": [9, 9]},
            "density": 0.2, "stretch": stiffness, "mass_damping": 3,
        }],
        "pins": [{"body": "sheet", "vertices": [0, 8]}],
    }


def shape(stiffness):
    """Where its vertices come to rest, m."""
    sim = tact.Simulation(hanging(stiffness))
    places = sim.positions("sheet")  # a view: it follows the simulation
    for _ in range(40):
        before = places.copy()
        sim.step(steps=10)
        if np.abs(places - before).max() < 1e-5:
            break
    return places.copy()


def main():
    asked = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    measured = shape(asked)
    trials = []

    def misfit(exponent):
        difference = shape(10.0**exponent) - measured
        trials.append(exponent)
        return 1e6 * np.mean(difference**2)  # mm^2

    # Stiffnesses from 10 to 1000 N/m, searched by their magnitude.
    best = minimize_scalar(misfit, bounds=(1, 3), method="bounded", options={"xatol": 1e-3})
    print(f"found {10**best.x:.2f} N/m, asked for {asked:.2f}, in {len(trials)} hangings; "
          f"the shapes are {np.sqrt(best.fun):.3f} mm apart")


if __name__ == "__main__":
    main()
