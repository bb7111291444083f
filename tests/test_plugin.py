"""Tests of ``pytest --game ID`` for external packages, with Figs and the example game."""

import os
import subprocess
import sys
from pathlib import Path

from bench.example import install

ROOT = Path(__file__).resolve().parents[1]
KNOWING = """
from tests import toy_checks
from triclinium.testing import check_game

def pytest_check_game(game):
    scores, derived = toy_checks.slow_scores, toy_checks.DERIVED
    check_game(game, conserved=toy_checks.check_conserved, slow_scores=scores, derived=derived)
    return True
"""


def run_pytest(folder: Path, game: str) -> tuple[int, str]:
    """Return the output of pytest in this folder."""
    path = os.pathsep.join([str(folder), str(ROOT / "src"), str(ROOT), str(ROOT / "examples" / "kuhn")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "triclinium.testing.pytest_plugin", "--game", game]
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_a_game_is_checked_with_the_arguments_of_its_author(tmp_path: Path) -> None:
    install(tmp_path, "figs_game", {"figs": "tests.toy:TOY"})
    code, said = run_pytest(tmp_path, "figs")
    assert code == 1
    assert "the state key forgets no attribute: figs, 2 seats, no variants, seed 0, move 0: values = " in said
    assert "Traceback" not in said
    (tmp_path / "conftest.py").write_text(KNOWING)
    code, said = run_pytest(tmp_path, "figs")
    assert code == 0, said
    assert "1 passed" in said, said


def test_the_example_needs_no_more_than_its_name(tmp_path: Path) -> None:
    install(tmp_path, "kuhn_poker", {"kuhn": "kuhn:GAME"})
    code, said = run_pytest(tmp_path, "kuhn")
    assert code == 0, said
    assert "1 passed" in said, said
