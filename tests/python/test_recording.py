"""What `tact run` recorded."""
import json
import os
import subprocess

import numpy as np
import pytest

import tact
from scenes import pile

COMMAND = os.environ["TACT_COMMAND"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("recording")
    scene = place / "pile.json"
    scene.write_text(json.dumps(pile()))
    subprocess.run([COMMAND, "run", scene, "--steps", "40", "--every", "5", "-o", place / "run",
                    "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return place / "run"


def test_frames_are_those_of_a_simulation(folder):
    recording = tact.Recording(folder)
    assert len(recording) == 9 and recording.finished and recording.scene == "pile"
    assert recording.steps.tolist() == list(range(0, 41, 5))
    assert recording.times == pytest.approx(0.005 * recording.steps)
    sim = tact.Simulation(pile())
    for k, frame in enumerate(recording):
        if k > 0:
            sim.step(steps=5)
        assert frame.step == sim.steps and frame.time == sim.time
        assert np.array_equal(frame.vertices("sheet"), sim.vertices("sheet"))
        assert np.array_equal(frame.contacts, sim.contacts)
        assert np.array_equal(frame.forces, sim.forces)
    assert frame.certificate["contacts"] == sim.report.contacts
    assert np.array_equal(recording.triangles("box"), sim.triangles("box"))
    assert recording.bodies == sim.scene.bodies
    again = tact.Simulation(json.loads(recording.scene_json))
    again.step(steps=40)
    assert again.hash == sim.hash


def test_arrays_over_frames_are_read_when_they_are_looked_at(folder, monkeypatch):
    recording = tact.Recording(folder)
    sheet = recording.vertices("sheet")
    assert sheet.shape == (9, 81, 3) and len(sheet) == 9
    read = []
    original = tact.Recording._read_vertices
    monkeypatch.setattr(tact.Recording, "_read_vertices",
                        lambda self, k, body: read.append(k) or original(self, k, body))
    assert np.array_equal(sheet[-1], recording[8].vertices("sheet"))
    assert read == [-1]
    heights = sheet[2:5, :, 1]
    assert read == [-1, 2, 3, 4] and heights.shape == (3, 81)
    whole = np.asarray(sheet)
    assert whole.shape == sheet.shape and np.array_equal(whole[2:5, :, 1], heights)
    assert np.array_equal(sheet[3, 7], whole[3, 7])


def test_what_is_wrong_is_told(folder, tmp_path):
    with pytest.raises(tact.Error, match="recording"):
        tact.Recording(tmp_path)
    recording = tact.Recording(folder)
    with pytest.raises(IndexError, match="9"):
        recording[9]
    with pytest.raises(tact.Error, match='did you mean "sheet"'):
        recording.vertices("shet")
    damaged = tmp_path / "recording.h5"
    data = bytearray((folder / "recording.h5").read_bytes())
    damaged.write_bytes(data[:len(data) // 2])
    with pytest.raises(tact.Error, match="recording.h5"):
        tact.Recording(damaged)
