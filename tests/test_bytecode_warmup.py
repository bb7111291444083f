"""Tests that in a fresh clone the first worker compiles and the others wait, and that otherwise no worker waits."""

import sys
import threading
import time
from pathlib import Path

import pytest

from tests.bytecode_warmup import delete_marker, get_marker_path, is_new, tell_the_others, wait_for_the_first

RUN = {"testrunuid": "a run of this test"}
ONE, OTHER = {**RUN, "workerid": "gw0"}, {**RUN, "workerid": "gw1"}


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    folder = tmp_path / "tests"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "test_a.py").touch()
    return folder


def test_others_wait_in_a_fresh_clone_until_the_first_has_compiled_all(clone: Path) -> None:
    assert is_new(clone)
    wait_for_the_first(ONE, clone)  # the first worker does not wait
    waiting = threading.Thread(target=wait_for_the_first, args=(OTHER, clone), daemon=True)
    waiting.start()
    time.sleep(0.05)
    tell_the_others(OTHER)
    assert waiting.is_alive()
    tell_the_others(ONE)
    waiting.join(60.0)
    assert not waiting.is_alive()
    delete_marker(ONE)
    assert not get_marker_path(OTHER).exists()


def test_no_process_waits_when_all_modules_are_compiled(clone: Path) -> None:
    (clone / "__pycache__" / "test_a.cpython-311-pytest-9.1.pyc").touch()
    assert not is_new(clone)
    wait_for_the_first(OTHER, clone)


def test_no_process_waits_for_unwritten_files(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    wait_for_the_first(OTHER, clone)
