"""A server of every earlier release opens under this one, and its matches go on.

Each folder holds a database as SQL, and what its clients held: tokens, the views of every seat, the record of a
finished match, and the server's key. `first/` was dealt by the old generator. `second/` is sealed and knows components
by the hash of the whole file; beside it lie whole records of that release.
"""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from tests.server.api_client import server_of, settings
from triclinium import titles
from triclinium.engine.record import Record
from triclinium.engine.registry import find_game
from triclinium.server.storage.db import Store
from triclinium.server.storage.schema import tables
from triclinium.server.tables.options import TableOptions, stored_options
from triclinium.web.app import create

SERVERS = {
    name: json.loads((Path(__file__).parent / name / "house.json").read_text(encoding="utf-8"))
    for name in ("first", "second")
}


@pytest.fixture
def name() -> str:
    """Which server; tests of both are given each."""
    return "first"


def leave(folder: Path, name: str) -> None:
    """Put a server into a folder as it was left."""
    with closing(sqlite3.connect(folder / "house.db")) as database:
        database.executescript((Path(__file__).parent / name / "house.sql").read_text(encoding="utf-8"))
    (folder / "house.key").write_bytes(bytes.fromhex(SERVERS[name]["key"]))


@cache
def upgraded(name: str) -> bytes:
    """Its database brought up to date, for all tests that begin where this server has opened it."""
    with TemporaryDirectory() as folder:
        leave(Path(folder), name)
        store = Store(f"sqlite:///{folder}/house.db")
        store.migrate()
        store.close()
        return Path(folder, "house.db").read_bytes()


@pytest.fixture
def folder(tmp_path: Path, name: str) -> Path:
    """A server as it was left."""
    leave(tmp_path, name)
    return tmp_path


@pytest.fixture
def client(tmp_path: Path, name: str) -> Iterator[TestClient]:
    """The same, opened."""
    (tmp_path / "house.db").write_bytes(upgraded(name))
    (tmp_path / "house.key").write_bytes(bytes.fromhex(SERVERS[name]["key"]))
    with TestClient(create(settings(tmp_path)), follow_redirects=True) as running:
        yield running


def auth(kept: dict[str, dict[str, str]], seat: int) -> dict[str, str]:
    return {"authorization": f"Bearer {kept['tokens'][str(seat)]}"}


def without_scores(id: str, view: dict[str, object]) -> dict[str, object]:
    """Running scores were guessed from samples then and are told as bounds now; a game of ranks tells no points."""
    changed = ("standing",) if find_game(id).has_points else ("standing", "scores")
    return {name: value for name, value in view.items() if name not in changed}


def told_then(now: object, then: object) -> object:
    """What is told now, without what was not told then."""
    if isinstance(now, dict) and isinstance(then, dict):
        return {name: told_then(value, then[name]) for name, value in now.items() if name in then}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [told_then(one, other) for one, other in zip(now, then, strict=True)]
    return now


def played(client: TestClient, kept: dict[str, dict[str, str]], url: str, moves: int) -> None:
    """Some moves by whoever is asked."""
    chance = random.Random(1)
    facts = client.get(url, headers=auth(kept, 0)).json()
    for _ in range(moves):
        who = facts["who"]
        told = client.get(f"{url}/options", headers=auth(kept, who)).json()
        option = chance.choice(told["decision"]["options"])["option"]
        post = {"option": option, "version": facts["version"]}
        moved = client.post(f"{url}/move", headers=auth(kept, who), json=post)
        assert moved.status_code == 200, moved.text
        facts = moved.json()


@pytest.mark.parametrize("name", SERVERS)
@pytest.mark.parametrize("id", titles())
def test_a_running_match_goes_on(client: TestClient, name: str, id: str) -> None:
    """Every seat sees what it saw then; the moves that follow are stored, and so is how the match stands."""
    kept = SERVERS[name][id]
    url = f"/api/v1/tables/{kept['table']}"
    for seat in kept["tokens"]:
        view = client.get(f"{url}/view", headers=auth(kept, int(seat))).json()
        before = without_scores(id, kept["views"][seat])
        assert told_then(view, before) == before  # a later release may tell more
    before = client.get(url, headers=auth(kept, 0)).json()
    assert (before["status"], "stranded" in before) == ("playing", False)
    played(client, kept, url, 6)
    with server_of(client).store.reading() as connection:
        stored = connection.exec_driver_sql("SELECT count(*), min(moves) FROM snapshots").one()
    assert stored[0] == 1
    assert stored[1] > 0
    record = Record.loads(client.get(f"{url}/record", headers=auth(kept, 0)).text)
    assert record.version == 1
    assert find_game(id).released(record.components) is not None  # and not by what a later release brought


@pytest.mark.parametrize("name", SERVERS)
def test_questions_of_a_running_match_can_be_answered_unasked(client: TestClient, name: str) -> None:
    """What was decided before such answers came was decided by hand."""
    kept = SERVERS[name]["testoftime"]
    url = f"/api/v1/tables/{kept['table']}"
    who = client.get(url, headers=auth(kept, 0)).json()["who"]
    while (told := client.get(f"{url}/answers", headers=auth(kept, who)).json())["offered"] is None:
        played(client, kept, url, 1)
        who = client.get(url, headers=auth(kept, 0)).json()["who"]
    wish = {"until": "round", "version": told["version"]}
    done = client.post(f"{url}/answers", headers=auth(kept, who), json=wish)
    assert [one["step"] for one in done.json()["answers"]] == [told["offered"]["step"]]
    with server_of(client).store.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM history WHERE automatic").scalar() == 0
        assert connection.exec_driver_sql("SELECT count(*) FROM wishes").scalar() == 1


@pytest.mark.parametrize("id", titles())
def test_what_the_old_generator_dealt_is_never_called_sealed(client: TestClient, id: str) -> None:
    kept = SERVERS["first"][id]
    url = f"/api/v1/tables/{kept['table']}"
    facts = client.get(url, headers=auth(kept, 0)).json()
    assert (facts["format"], facts["sealed"], facts["seal"]) == (1, False, "")
    played(client, kept, url, 1)
    record = client.get(f"{url}/record", headers=auth(kept, 0)).text
    assert record.startswith("triclinium record 1\n")
    assert "\nseed hidden\nresult " in record
    page = client.get(f"/w/{kept['table']}/{kept['watch']}").text
    assert "Dealt by the old generator" in page
    assert "Shuffle sealed" not in page
    assert client.get(f"/t/{kept['table']}/seal").status_code == 404


@pytest.mark.parametrize("name", SERVERS)
def test_a_finished_match_is_there_as_it_was(client: TestClient, name: str) -> None:
    kept = SERVERS[name]["over"]
    url = f"/api/v1/tables/{kept['table']}"
    assert client.get(f"{url}/record", headers=auth(kept, 0)).text == kept["record"]
    facts = client.get(url, headers=auth(kept, 0)).json()
    record = Record.loads(kept["record"])
    assert (facts["status"], facts["salt"]) == ("over", record.salt)
    assert facts["seed"] == record.to_json()["seed"]
    assert record.replay().over


@pytest.mark.parametrize("name", SERVERS)
def test_what_a_table_was_agreed_to_be_is_gathered(folder: Path) -> None:
    """Each option had a column of its own; those columns stay."""
    with closing(sqlite3.connect(folder / "house.db")) as database:
        [(id,)] = database.execute("SELECT min(id) FROM tables").fetchall()
        agreed = "shown = 'watched', undo = 0, shuffle = 1, remind = 60, takeover = 600, variants = ?"
        database.execute(f"UPDATE tables SET {agreed} WHERE id = ?", ['{"team": "on"}', id])
        database.commit()
        before = database.execute("SELECT variants, shown, undo, remind FROM tables ORDER BY id").fetchall()
    store = Store(f"sqlite:///{folder}/house.db")
    store.migrate()
    with store.reading() as connection:
        rows = {row.id: row for row in connection.execute(select(tables).order_by(tables.c.id))}
    store.close()
    assert [(row.variants, row.shown, row.undo, row.remind) for row in rows.values()] == before
    expected = TableOptions({"team": "on"}, "watched", undo=False, shuffle=True, remind=60, takeover=600)
    assert stored_options(rows.pop(id).options) == expected
    for row in rows.values():
        assert stored_options(row.options) == TableOptions(json.loads(row.variants))


def test_a_new_table_of_an_old_house_is_sealed(client: TestClient) -> None:
    seats = [{"kind": "me"}, {"kind": "invite"}]
    opened = client.post("/api/v1/tables", json={"title": "evangelists", "player": "Anna", "seats": seats}).json()
    assert (opened["table"]["format"], opened["table"]["sealed"], len(opened["table"]["seal"])) == (2, True, 64)
