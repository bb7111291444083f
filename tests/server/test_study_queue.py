"""Tests of the queue of studies: one child process, a lease, pauses, stopping, and the same figures as the command."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, select, update

from tests.server.api_client import get_server, make_settings
from tests.server.test_workshop import FOUR, Designer
from tests.shell import Shell
from tests.slow import slow
from triclinium.server import server_time
from triclinium.server.storage.schema import key_values
from triclinium.server.storage.schema_workshop import studies
from triclinium.server.workshop.access import MEMBERS
from triclinium.server.workshop.study_queue import LEASE_KEY, LEASE_SECONDS, StudyQueue
from triclinium.web.app import create_app

PATIENCE = 300.0  # maximum seconds until a study of a test ends, on a busy machine
FEW = {"seats": 2, "bots": "greedy", "matches": 10}


def make_client_for_studies(folder: Path) -> TestClient:
    settings = make_settings(folder)
    settings.workshop = MEMBERS
    return TestClient(create_app(settings))


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.1)


def start_study(designer: Designer, **more: object) -> str:
    id = designer.create("testoftime", "Dearer")
    designer.save(id, {"game.sire_cost": "3"})
    answer = designer.client.post(f"/api/v1/editions/{id}/studies", json={**FEW, **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def read_state(designer: Designer, study: str) -> dict[str, object]:
    found: dict[str, object] = designer.client.get(f"/api/v1/studies/{study}").json()
    return found


@pytest.mark.parametrize("deletes", [True, slow(False)])
def test_page_and_command_give_the_same_figures(tmp_path: Path, shell: Shell, deletes: bool) -> None:
    """The study ends although its edition is deleted meanwhile. Its files make the same summary elsewhere."""
    with make_client_for_studies(tmp_path) as client:
        designer = Designer(client)
        study = start_study(designer, matches=4)
        if deletes:
            edition = str(read_state(designer, study)["edition"])
            assert designer.client.delete(f"/api/v1/editions/{edition}").status_code == 200
        wait_until(lambda: read_state(designer, study)["state"] not in ("waiting", "running"))
        state = read_state(designer, study)
        assert (state["state"], state["problem"]) == ("done", None)
        assert state["deals"] == state["planned"] == 4
        assert set(dict(state["first"])) == {"en", "fr"}  # type: ignore[call-overload]
        summary = designer.client.get(f"/api/v1/studies/{study}/summary.json").text
        plan = designer.client.get(f"/api/v1/studies/{study}/study.toml").text
        report = designer.client.get(f"/workshop/studies/{study}/report.html")
        assert "unsafe-inline" in report.headers["content-security-policy"]
        assert "script" not in report.headers["content-security-policy"]
        assert "<h1" in report.text
        assert not (tmp_path / "studies" / study).exists()
    (tmp_path / "study.toml").write_text(plan, encoding="utf-8")
    shell.run("study", str(tmp_path / "study.toml"), "--to", str(tmp_path / "same"), "--workers", "1")
    assert shell.code == 0
    own = (tmp_path / "same" / "summary.json").read_text(encoding="utf-8")
    assert strip_time(own) == strip_time(summary)


def strip_time(text: str) -> str:
    """Return a summary without the time that it took."""
    return "\n".join(line for line in text.splitlines() if '"seconds"' not in line and '"wall"' not in line)


def test_a_study_is_stopped_and_its_process_ends(tmp_path: Path) -> None:
    """Two studies are played one after the other; stopping the first ends its process."""
    with make_client_for_studies(tmp_path) as client:
        designer = Designer(client)
        first, second = start_study(designer, matches=1000), start_study(designer, matches=1000)
        wait_until(lambda: read_state(designer, first)["state"] == "running" and bool(list_children(tmp_path)))
        assert read_state(designer, second)["state"] == "waiting"
        (child,) = list_children(tmp_path)
        assert os.getpriority(os.PRIO_PROCESS, child) == 19
        assert designer.client.post(f"/api/v1/studies/{first}/stop").json()["state"] == "stopped"
        assert designer.client.post(f"/api/v1/studies/{second}/stop").json()["state"] == "stopped"
        wait_until(lambda: not Path(f"/proc/{child}").exists())
        assert read_state(designer, first)["state"] == "stopped"
        retried = designer.client.post(f"/api/v1/studies/{first}/retry").json()
        assert retried["state"] == "waiting"
        assert designer.client.delete(f"/api/v1/studies/{first}").status_code == 200


def list_children(folder: Path) -> list[int]:
    """Return the processes whose working folder is that of a study in this folder, and that have begun to play."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                inside = os.readlink(entry / "cwd").startswith(str(folder / "studies"))
                if inside and os.getpriority(os.PRIO_PROCESS, int(entry.name)) == 19:
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def test_a_study_pauses_while_a_bot_thinks(tmp_path: Path) -> None:
    with make_client_for_studies(tmp_path) as client:
        designer = Designer(client)
        server = get_server(client)
        study = start_study(designer, matches=1000)
        wait_until(lambda: bool(list_children(tmp_path)))
        (child,) = list_children(tmp_path)
        server.bot_pool._choosing += 1
        wait_until(lambda: read_process_state(child) == "T")
        assert server.studies.paused
        server.bot_pool._choosing -= 1
        wait_until(lambda: read_process_state(child) != "T")
        designer.client.post(f"/api/v1/studies/{study}/stop")


def read_process_state(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def test_a_failed_study_gives_one_message(tmp_path: Path) -> None:
    with make_client_for_studies(tmp_path) as client:
        designer = Designer(client)
        assert client.portal is not None
        store = get_server(client).store
        get_server(client).studies.command = ["/bin/sh", "-c", "echo 'triclinium: No space left on device' >&2; exit 2"]
        study = start_study(designer)
        wait_until(lambda: read_state(designer, study)["state"] == "failed")
        assert read_state(designer, study)["problem"] == "No space left on device"
        page = designer.client.get(f"/workshop/studies/{study}").text
        assert "This study failed." in page
        assert "No space left on device" in page
        assert "/retry" in page

        def job(connection: Connection) -> str:
            return str(connection.execute(select(studies.c.plan).where(studies.c.id == study)).scalar_one())

        assert "sire_cost" in json.loads(client.portal.call(store.write, job))["study.toml"]


def test_only_one_server_plays_studies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lease of another server expires after 60 seconds; a server that ends gives its lease back."""
    with make_client_for_studies(tmp_path) as client:
        assert client.portal is not None
        server = get_server(client)
        first, second = (
            StudyQueue(server.settings, server.runtime, lambda: False),
            StudyQueue(server.settings, server.runtime, lambda: False),
        )

        def take(queue: StudyQueue) -> bool:
            assert client.portal is not None
            return client.portal.call(server.store.write, queue._take_lease)

        assert take(first)
        assert take(first)
        assert not take(second)
        now = server_time.now()
        monkeypatch.setattr(server_time, "now", lambda: now + LEASE_SECONDS + 1)
        assert take(second)
        assert not take(first)
        client.portal.call(second.release_lease)
        assert take(first)

        def expire(connection: Connection) -> int:
            return connection.execute(
                update(key_values).where(key_values.c.name == LEASE_KEY).values(value="x 0")
            ).rowcount

        assert client.portal.call(server.store.write, expire) == 1
        assert take(second)


def test_termination_ends_the_workers_of_the_command(tmp_path: Path) -> None:
    """SIGTERM keeps finished parts, ends the workers and says so in one sentence."""

    async def run() -> tuple[int, str, bool]:
        words = ["study", "testoftime", "--bots", "random", "--also", "", "--matches", "100000", "--seats", "2"]
        child = await asyncio.create_subprocess_exec(
            *[sys.executable, "-m", "triclinium", *words],
            *["--workers", "2", "--to", str(tmp_path / "long")],
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        parts = tmp_path / "long" / "parts"
        until = time.monotonic() + PATIENCE
        while not (parts.is_dir() and any(parts.iterdir())) and time.monotonic() < until:
            await asyncio.sleep(0.1)
        child.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(child.communicate(), PATIENCE)
        while has_group(child.pid) and time.monotonic() < until:
            await asyncio.sleep(0.1)
        return child.returncode or 0, errors.decode(), has_group(child.pid)

    code, errors, is_alive = asyncio.run(run())
    assert code == 130
    assert errors.strip().splitlines()[-1].endswith("finished parts are kept, and the same command continues")
    assert not is_alive


def has_group(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_printed_game_is_not_studied_against_itself(tmp_path: Path) -> None:
    with make_client_for_studies(tmp_path) as client:
        designer = Designer(client)
        id = designer.create()
        refused = designer.client.post(f"/api/v1/editions/{id}/studies", json={})
        assert refused.json()["message"] == "This edition is the printed game. Change a number first."
        designer.save(id, FOUR)
        wrong = designer.client.post(f"/api/v1/editions/{id}/studies", json={"seats": 6})
        assert wrong.json()["message"] == "This game cannot be played with this number of players."
