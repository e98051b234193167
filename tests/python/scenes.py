"""Small scenes that several tests step."""
import math

GROUND = {"name": "ground", "type": "obstacle", "ground": 2}


def box(name="box", **keys):
    """A box of 0.1 m and 0.5 kg; by itself it stands 1 mm above the ground."""
    return {"name": name, "type": "rigid", "box": [0.1, 0.1, 0.1], "mass": 0.5,
            "position": [0, 0.051, 0], **keys}


def pile():
    """A box and a cloth that fall onto the ground: contacts of both kinds within 0.2 s."""
    sheet = {"name": "sheet", "type": "cloth", "grid": {"size": [0.3, 0.3], "vertices": [9, 9]},
             "position": [0, 0.13, 0]}
    return {"dt": 0.005, "time": 0.5, "mu": 0.5, "bodies": [GROUND, box(), sheet]}


def free_box(**keys):
    """A box that nothing touches and nothing pulls."""
    return {"dt": 0.01, "time": 1, "gravity": [0, 0, 0], "bodies": [box(**keys)]}


def slope(degrees, mu):
    """A box on the ground, with the slope in the direction of gravity."""
    angle = math.radians(degrees)
    return {"dt": 0.005, "time": 1, "mu": mu,
            "gravity": [9.81 * math.sin(angle), -9.81 * math.cos(angle), 0],
            "bodies": [GROUND, box()]}
