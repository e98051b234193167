"""The examples end in what they are there to find."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(os.environ["TACT_ROOT"]) / "examples/python"


def run(name, *arguments):
    done = subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)],
                          capture_output=True, text=True, check=True)
    return done.stdout


def test_the_stiffness_of_a_cloth_is_found_again():
    pytest.importorskip("scipy")
    told = run("cloth_stiffness.py", 60)
    found, asked = map(float, re.search(r"found ([0-9.]+) N/m, asked for ([0-9.]+)", told).groups())
    assert asked == 60 and abs(found - asked) < 0.02 * asked


def test_a_random_search_learns_to_push_a_box_to_its_goal():
    told = run("random_search.py")
    start, end = map(float, re.search(r"from ([0-9.]+) m to ([0-9.]+) m", told).groups())
    assert end < 0.02 < start
