#!/usr/bin/env python3
"""A pusher learns to shove a box to a goal, by trying: copies of one simulation are the trials.

A rigid paddle slides over the ground and hits a box; friction stops it. What is searched is how the
paddle moves: its velocity along x and z when it starts. Each trial is a copy of the settled
scene, so that it costs nothing to begin with.

    PYTHONPATH=build/release/python python3 examples/python/random_search.py
"""
import numpy as np

import tact

GOAL = np.array([0.35, 0.02])  # m: x and z of the box
SCENE = {
    "dt": 0.01,
    "mu": 0.4,
    "bodies": [
        {"name": "ground", "type": "obstacle", "ground": 4},
        {"name": "box", "type": "rigid", "box": [0.1, 0.1, 0.1], "mass": 0.3,
         "position": [0.1, 0.051, 0]},
        {"name": "paddle", "type": "rigid", "box": [0.02, 0.1, 0.2], "mass": 1.5,
         "position": [0, 0.051, 0]},
    ],
}


def trial(start, action, seconds=1.0):
    """How far from the goal the box ends, m, when the paddle starts with this velocity, m/s."""
    sim = start.copy()
    sim.set_velocities("paddle", [[action[0], 0, action[1]]])
    sim.step(steps=round(seconds / SCENE["dt"]))
    return np.linalg.norm(sim.positions("box")[0, [0, 2]] - GOAL)


def main():
    random = np.random.default_rng(1)
    start = tact.Simulation(SCENE)
    start.step(steps=20)  # the bodies come to rest on the ground
    best, spread = np.array([1.0, 0.0]), np.array([0.6, 0.3])
    first = error = trial(start, best)
    for generation in range(12):
        for action in best + spread * random.normal(size=(6, 2)):
            found = trial(start, action)
            if found < error:
                best, error = action, found
        spread *= 0.7
        print(f"generation {generation + 1}: {best[0]:.3f} and {best[1]:.3f} m/s, "
              f"{1e3 * error:.1f} mm from the goal")
    print(f"the box ended from {first:.4f} m to {error:.4f} m away from its goal")


if __name__ == "__main__":
    main()
