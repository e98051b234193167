"""Scenes, steps, and the arrays of the state."""
import copy
import gc
import json
import os
import resource
import subprocess

import numpy as np
import pytest

import tact
from scenes import GROUND, box, free_box, pile, slope

COMMAND = os.environ["TACT_COMMAND"]


def address(array):
    return array.__array_interface__["data"][0]


def test_steps_have_the_bits_of_the_command(tmp_path):
    scene = tmp_path / "pile.json"
    scene.write_text("// with a comment\n" + json.dumps(pile()))
    folder = tmp_path / "run"
    subprocess.run([COMMAND, "run", scene, "--steps", "60", "-o", folder, "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    report = json.loads((folder / "report.json").read_text())
    for source in (scene, str(scene), tact.Scene(scene), pile()):
        sim = tact.Simulation(source)
        sim.step(steps=60)
        assert sim.hash == report["state_hash"]
    assert report["contacts_max"] > 0


def test_a_dict_may_hold_numpy():
    scene = pile()
    scene["mu"] = np.float64(0.5)
    scene["bodies"][1]["position"] = np.array([0, 0.051, 0])
    sims = [tact.Simulation(scene), tact.Simulation(pile())]
    for sim in sims:
        sim.step(steps=20)
    assert sims[0].hash == sims[1].hash


def test_changes_are_those_of_set():
    scene = tact.Scene("block-on-slope", changes={"/mu": 0.25, "/dt": 0.002})
    assert scene.dt == 0.002
    assert json.loads(scene.json)["mu"] == 0.25


def test_what_is_wrong_is_told_in_the_words_of_the_command(tmp_path):
    wrong = pile()
    wrong["bodies"][1]["desnity"] = 3
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(wrong))
    told = subprocess.run([COMMAND, "check", file], capture_output=True, text=True)
    with pytest.raises(tact.Error) as error:
        tact.Scene(file)
    message = str(error.value)
    assert message in told.stdout + told.stderr
    assert "/bodies/1/desnity" in message and 'did you mean "density"?' in message
    assert isinstance(error.value, ValueError)
    with pytest.raises(tact.Error, match="falling-cloth"):
        tact.Scene("faling-cloth")
    with pytest.raises(tact.Error, match="scene: /bodies/1/mass: found nan"):
        tact.Scene({"bodies": [GROUND, box(mass=float("nan"))]})
    with pytest.raises(TypeError, match="/bodies: found <class 'object'>"):
        tact.Scene({"bodies": object()})
    with pytest.raises(tact.Error, match='did you mean "box"'):
        tact.Simulation(pile()).positions("boks")


def test_positions_are_not_copied():
    sim = tact.Simulation(pile())
    views = {(name, what): getattr(sim, what)(name)
             for name in ("box", "sheet") for what in ("positions", "velocities")}
    assert views["sheet", "positions"].shape == (81, 3)
    assert views["box", "positions"].shape == (1, 3)
    before = {key: (address(view), view.copy()) for key, view in views.items()}
    sim.step(steps=10)
    state = sim.save()
    sim.step()
    sim.load(state)
    for (name, what), view in views.items():
        assert address(view) == before[name, what][0] == address(getattr(sim, what)(name))
        assert not np.array_equal(view, before[name, what][1])
        assert not view.flags.writeable and not view.flags.owndata
    # A uniform fall before contact, by the implicit rule: y = y0 - g h^2 n (n + 1) / 2.
    assert views["box", "positions"][0, 0] == pytest.approx(0, abs=1e-9)


def test_a_fall_is_that_of_the_implicit_rule():
    sim = tact.Simulation({"dt": 0.01, "bodies": [box(position=[0, 1, 0])]})
    y = sim.positions("box")[:, 1]
    sim.step(steps=10)
    assert y[0] == pytest.approx(1 - 9.81 * 0.01**2 * 10 * 11 / 2, abs=1e-12)
    assert sim.time == pytest.approx(0.1) and sim.steps == 10
    sim.step(dt=0.005)
    assert sim.time == pytest.approx(0.105)
    with pytest.raises(tact.Error, match="dt"):
        sim.step(dt=-1.0)


def test_views_outlive_the_simulation():
    sim = tact.Simulation(pile())
    sim.step(steps=30)
    places, contacts = sim.positions("sheet"), sim.contacts
    expected = places.copy(), contacts.copy()
    del sim
    gc.collect()
    np.empty(10**6).fill(1)
    assert np.array_equal(places, expected[0]) and np.array_equal(contacts, expected[1])


def test_velocities_that_are_set_are_those_of_a_free_flight():
    sim = tact.Simulation(free_box())
    start = sim.positions("box").copy()
    sim.set_velocities("box", [[1, -2, 3]], angular=[0, 0, 2])
    sim.step(steps=50)
    moved = sim.positions("box") - start
    assert moved[0] == pytest.approx(0.5 * np.array([1, -2, 3]), abs=1e-12)
    assert sim.angular_velocity("box") == pytest.approx([0, 0, 2], abs=1e-9)
    # A cube turns as it did: by 1 rad about z in half a second.
    assert sim.orientation("box") == pytest.approx([0, 0, np.sin(0.5), np.cos(0.5)], abs=1e-9)
    pose = sim.pose("box")
    assert pose[:3, 3] == pytest.approx(sim.positions("box")[0], abs=1e-15)
    assert pose[:2, :2] == pytest.approx(np.array([[np.cos(1), -np.sin(1)],
                                                   [np.sin(1), np.cos(1)]]), abs=1e-9)
    with pytest.raises(tact.Error, match="finite"):
        sim.set_velocities("box", [[np.inf, 0, 0]])
    with pytest.raises(tact.Error, match=r"\(1, 3\)"):
        sim.set_velocities("box", [1, 2, 3])
    ground = tact.Simulation(pile())
    with pytest.raises(tact.Error, match="obstacle"):
        ground.set_velocities("ground", np.zeros((1, 3)))


def test_contacts_carry_the_weight():
    sim = tact.Simulation(slope(20, 0.5))
    sim.step(steps=100)
    weight = 0.5 * 9.81
    contacts = sim.contacts
    assert len(contacts) >= 3
    names = sim.scene.bodies
    assert {names[b] for c in contacts for b in (c["body_a"], c["body_b"])} == {"box", "ground"}
    # Impulses are of one step of 5 ms; b is pushed the other way.
    sign = np.where(contacts["body_a"] == names.index("box"), 1, -1)
    pushed = (sign * contacts["normal_impulse"] @ contacts["normal"]
              + sign @ contacts["friction_impulse"]) / 0.005
    angle = np.radians(20)
    expected = weight * np.array([-np.sin(angle), np.cos(angle), 0])
    tolerance = 0.5 * 1e-3 / 0.005  # N: the box's mass by the tolerance of the solve, in a step
    assert pushed == pytest.approx(expected, abs=tolerance)
    on_box = [row for row in sim.forces if names[row["body"]] == "box"]
    assert len(on_box) == 1 and names[on_box[0]["partner"]] == "ground"
    assert on_box[0]["force"] == pytest.approx(pushed, abs=1e-12)
    assert not contacts.flags.writeable and not contacts.flags.owndata
    kept = contacts.copy()
    sim.step(steps=10)
    assert np.array_equal(contacts, kept)  # of the step in which they were asked for


def test_joints_tell_what_they_carry():
    hung = {"dt": 0.01, "bodies": [box(position=[0, 0, 0])],
            "joints": [{"name": "hook", "type": "ball", "a": {"body": "box", "point": [0, 0.05, 0]}}]}
    sim = tact.Simulation(hung)
    assert sim.joint_names == ["hook"] and len(sim.joints) == 0
    sim.step(steps=5)
    row = sim.joints[0]
    assert row["point"] == pytest.approx([0, 0.05, 0], abs=1e-9)
    # On b, the world; 1e-8 m/s is what such solves are held to.
    assert abs(row["force"][1]) == pytest.approx(0.5 * 9.81, abs=1e-4)
    assert row["gap"] < 1e-9


def test_a_state_that_is_loaded_goes_on_with_the_same_bits():
    sim = tact.Simulation(pile())
    sim.step(steps=25)
    state = sim.save()
    sim.step(steps=25)
    other = tact.Simulation(pile())
    other.load(state)
    assert other.steps == 25 and len(other.contacts) == 0
    other.step(steps=25)
    assert other.hash == sim.hash
    sim.load(state)
    sim.step(steps=25)
    assert other.hash == sim.hash
    sim.reset()
    assert sim.time == 0 and sim.hash == tact.Simulation(pile()).hash


def test_states_that_are_damaged_or_of_another_scene_are_refused():
    sim = tact.Simulation(pile())
    sim.step(steps=25)
    state, hash_before = sim.save(), sim.hash
    for at in range(0, len(state), max(1, len(state) // 50)):
        damaged = bytearray(state)
        damaged[at] ^= 0x10
        with pytest.raises(tact.Error, match="load"):
            sim.load(bytes(damaged))
    for wrong in (b"", state[:-1], state + b"x"):
        with pytest.raises(tact.Error, match="load"):
            sim.load(wrong)
    with pytest.raises(tact.Error, match="another scene"):
        tact.Simulation(free_box()).load(state)
    assert sim.hash == hash_before


@pytest.mark.parametrize("clone", [lambda sim: sim.copy(), copy.copy, copy.deepcopy])
def test_a_copy_goes_on_as_the_other_does_and_alone(clone):
    sim = tact.Simulation(pile())
    sim.step(steps=25)
    twin = clone(sim)
    assert np.array_equal(twin.contacts, sim.contacts) and len(sim.contacts) > 0
    before = sim.hash
    twin.step(steps=10)
    assert sim.hash == before
    sim.step(steps=10)
    assert twin.hash == sim.hash
    twin.set_velocities("box", [[0.5, 0, 0]])
    twin.step()
    sim.step()
    assert twin.hash != sim.hash


def test_rollouts_do_not_grow():
    start = tact.Simulation({"dt": 0.01, "bodies": [GROUND, box()]})

    def rollouts(count):
        for k in range(count):
            trial = start.copy()
            trial.set_velocities("box", [[0.1 * (k % 7), 0, 0]])
            trial.step(steps=2)
            assert trial.contacts is not None and trial.save()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    warm = rollouts(300)
    # A leak of the least that a trial has, its arrays of some 5 kB, would show as 5 MB.
    assert rollouts(1000) - warm < 2500  # kB


def test_a_step_that_cannot_be_computed_is_told_and_leaves_the_state():
    # Walls that close on a rigid box until there is no room for it.
    walls = [{"name": side, "type": "obstacle", "box": [0.1, 0.3, 0.3],
              "motion": [{"t": 0, "position": [x, 0, 0]}, {"t": 0.5, "position": [0.3 * x, 0, 0]}]}
             for side, x in (("left", -0.12), ("right", 0.12))]
    sim = tact.Simulation({"dt": 0.01, "gravity": [0, 0, 0],
                           "bodies": [box(position=[0, 0, 0])] + walls})
    with pytest.raises(tact.StepError) as error:
        sim.step(steps=60)
    assert "box" in str(error.value)
    before = sim.hash
    with pytest.raises(tact.StepError):
        sim.step()
    assert sim.hash == before and len(sim.contacts) == 0 and sim.problem is None
