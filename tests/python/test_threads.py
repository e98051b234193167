"""Several simulations side by side."""
import threading
import time

import pytest

import tact
from scenes import pile


def test_two_simulations_in_two_threads_have_the_bits_of_one_after_the_other():
    def run(scene, results):
        sim = tact.Simulation(scene)
        for _ in range(60):
            sim.step()
        results.append(sim.hash)

    heavy = tact.Scene("falling-cloth", changes={"/dt": 0.008})
    scenes = [pile(), heavy]
    alone = []
    for scene in scenes:
        run(scene, alone)
    together = [[], []]
    threads = [threading.Thread(target=run, args=pair) for pair in zip(scenes, together)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[0] for found in together] == alone


def test_python_goes_on_while_a_step_is_made():
    sim = tact.Simulation("falling-cloth")
    worker = threading.Thread(target=sim.step, kwargs={"steps": 40})
    turns = 0
    worker.start()
    while worker.is_alive():
        turns += 1
        time.sleep(0.001)
    assert turns > 10
    assert sim.steps == 40


def test_a_simulation_that_is_stepped_elsewhere_says_so():
    sim = tact.Simulation("falling-cloth")
    worker = threading.Thread(target=sim.step, kwargs={"steps": 40})
    worker.start()
    time.sleep(0.05)
    with pytest.raises(RuntimeError, match="another thread"):
        while worker.is_alive():
            sim.positions("cloth")
    worker.join()
    assert sim.positions("cloth").shape == (2500, 3)


def test_the_bits_do_not_depend_on_the_number_of_threads():
    hashes = set()
    try:
        for count in (1, 3):
            tact.set_threads(count)
            sim = tact.Simulation("falling-cloth")
            sim.step(steps=10)
            hashes.add(sim.hash)
    finally:
        tact.set_threads(1024)
    assert len(hashes) == 1
    with pytest.raises(tact.Error, match="set_threads"):
        tact.set_threads(0)
