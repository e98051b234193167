"""Ctrl-C."""
import os
import signal
import threading
import time

import pytest

import tact
from scenes import pile


def interrupt_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_ends_a_long_call_and_what_goes_on_has_the_same_bits():
    sim = tact.Simulation(pile())
    interrupt_after(0.3)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sim.step(steps=10**8)
    assert time.monotonic() - start < 60  # not after a hundred million steps
    assert sim.steps > 0
    undisturbed = tact.Simulation(pile())
    undisturbed.step(steps=sim.steps)
    assert undisturbed.hash == sim.hash
    for one in (sim, undisturbed):
        one.step(steps=5)
    assert undisturbed.hash == sim.hash


def test_ctrl_c_leaves_the_state_before_the_step_that_it_ends():
    sim = tact.Simulation("falling-cloth")
    ended = 0
    for delay in (0.05, 0.07, 0.09):
        interrupt_after(delay)
        with pytest.raises(KeyboardInterrupt):
            while True:
                before = sim.steps, sim.hash
                sim.step()
        if sim.steps == before[0]:
            ended += 1
            assert sim.hash == before[1]
    assert ended > 0  # hardly any of the time passes between steps
    undisturbed = tact.Simulation("falling-cloth")
    undisturbed.step(steps=sim.steps)
    for one in (sim, undisturbed):
        one.step(steps=5)
    assert undisturbed.hash == sim.hash


def test_a_handler_that_raises_nothing_stops_nothing():
    heard = []
    former = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        sim = tact.Simulation("falling-cloth")
        timers = [interrupt_after(delay) for delay in (0.05, 0.1, 0.15)]
        sim.step(steps=60)
        for timer in timers:
            timer.join()
    finally:
        signal.signal(signal.SIGINT, former)
    # Signals that come while one is being heard are one.
    assert 1 <= len(heard) <= 3 and sim.steps == 60
    undisturbed = tact.Simulation("falling-cloth")
    undisturbed.step(steps=60)
    assert undisturbed.hash == sim.hash


def test_threads_other_than_the_main_one_go_on():
    main, worker = tact.Simulation(pile()), tact.Simulation("falling-cloth")
    thread = threading.Thread(target=worker.step, kwargs={"steps": 60})
    thread.start()
    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        main.step(steps=10**8)
    thread.join()
    undisturbed = tact.Simulation("falling-cloth")
    undisturbed.step(steps=60)
    assert worker.hash == undisturbed.hash
