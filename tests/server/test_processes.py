"""Tests of ``serve --processes``: several servers behind one port, any of which may die."""

import os
import signal
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.server_process import Process, find_free_port
from tests import postgres
from tests.forked_servers import ForkedProcess, get_fork_server
from tests.shell import Shell
from triclinium.web.prefork import ServerProcesses

SOON = 90.0  # seconds, because a busy machine starts three interpreters


def is_answering(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def list_children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_crashed_process_is_replaced_and_all_stop_together(tmp_path: Path) -> None:
    port, told = find_free_port(), tmp_path / "told"
    words = ["serve", "--no-browser", "--no-limits", "--port", str(port), "--processes", "2"]
    parent = start_forked_server([*words, "--database", postgres.make_database()], told)
    try:
        wait_until(lambda: is_answering(port) and len(list_children(parent.pid)) == 2)
        gone = list_children(parent.pid)[0]
        os.kill(gone, signal.SIGKILL)
        wait_until(lambda: len(list_children(parent.pid)) == 2 and gone not in list_children(parent.pid))
        assert is_answering(port)
    finally:
        parent.send_signal(signal.SIGTERM)
        code = parent.wait(60)
    assert code == 0
    text = told.read_text(encoding="utf-8")
    assert "a new one is started" in text
    assert f"at http://localhost:{port}/" in text


def start_forked_server(words: list[str], told: Path) -> Process:
    """Return a forked server, which starts faster than a new interpreter."""
    return ForkedProcess(get_fork_server(), words, told, said=str(told))


def test_no_timer_is_left_after_all_have_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A leftover alarm would kill a slow interpreter, and the exit code would not be 0."""
    processes = ServerProcesses(1, lambda number: 0)

    def close() -> None:
        processes.running.clear()
        processes._request_shutdown(signal.SIGTERM, None)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0

    monkeypatch.setattr(processes, "_start", lambda which: processes.running.update({-1: which}))
    monkeypatch.setattr(processes, "_wait", close)
    assert processes.run() == 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_several_processes_need_a_database_to_share(shell: Shell, tmp_path: Path) -> None:
    said = shell.refused("serve", "--processes", "2", "--database", f"sqlite:///{tmp_path / 'house.db'}")
    assert "several processes need a shared database" in said
