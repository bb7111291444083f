"""A house of the first edition opens under this one, and its matches go on.

`first/` holds its database as SQL, and what its clients held: tokens, the views of every seat, the record of a finished
match, and the house's key. Its matches were dealt by the old generator.
"""

import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.desk import settings
from triclinium import titles
from triclinium.engine.record import Record
from triclinium.web.app import create

FIRST = Path(__file__).parent / "first"
KEPT = json.loads((FIRST / "house.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A house as it was left."""
    database = sqlite3.connect(tmp_path / "house.db")
    database.executescript((FIRST / "house.sql").read_text(encoding="utf-8"))
    database.close()
    (tmp_path / "house.key").write_bytes(bytes.fromhex(KEPT["key"]))
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    with TestClient(create(settings(folder)), follow_redirects=True) as running:
        yield running


def auth(kept: dict[str, dict[str, str]], seat: int) -> dict[str, str]:
    return {"authorization": f"Bearer {kept['tokens'][str(seat)]}"}


def without_scores(view: dict[str, object]) -> dict[str, object]:
    """Running scores were guessed from samples then; they are told as bounds now."""
    return {name: value for name, value in view.items() if name != "standing"}


@pytest.mark.parametrize("id", titles())
def test_a_running_match_goes_on_and_is_never_called_sealed(folder: Path, client: TestClient, id: str) -> None:
    kept = KEPT[id]
    url = f"/api/v1/tables/{kept['table']}"
    for seat in kept["tokens"]:
        view = client.get(f"{url}/view", headers=auth(kept, int(seat))).json()
        assert without_scores(view) == without_scores(kept["views"][seat])
    chance = random.Random(1)
    facts = client.get(url, headers=auth(kept, 0)).json()
    assert (facts["status"], facts["format"], facts["sealed"], facts["seal"]) == ("playing", 1, False, "")
    for _ in range(6):
        who = facts["who"]
        told = client.get(f"{url}/options", headers=auth(kept, who)).json()
        option = chance.choice(told["decision"]["options"])["option"]
        moved = client.post(
            f"{url}/move", headers=auth(kept, who), json={"option": option, "version": facts["version"]}
        )
        assert moved.status_code == 200, moved.text
        facts = moved.json()
    record = client.get(f"{url}/record", headers=auth(kept, 0)).text
    assert record.startswith("triclinium record 1\n")
    assert "\nseed hidden\nresult " in record
    page = client.get(f"/w/{kept['table']}/{kept['watch']}").text
    assert "Dealt by the old generator" in page
    assert "Shuffle sealed" not in page
    assert client.get(f"/t/{kept['table']}/seal").status_code == 404


def test_a_finished_match_is_there_as_it_was(client: TestClient) -> None:
    kept = KEPT["over"]
    url = f"/api/v1/tables/{kept['table']}"
    assert client.get(f"{url}/record", headers=auth(kept, 0)).text == kept["record"]
    facts = client.get(url, headers=auth(kept, 0)).json()
    record = Record.loads(kept["record"])
    assert (facts["status"], facts["seed"], facts["salt"]) == ("over", record.seed, "")
    assert record.replay().over


def test_a_new_table_of_an_old_house_is_sealed(client: TestClient) -> None:
    seats = [{"kind": "me"}, {"kind": "invite"}]
    opened = client.post("/api/v1/tables", json={"title": "evangelists", "player": "Anna", "seats": seats}).json()
    assert (opened["table"]["format"], opened["table"]["sealed"], len(opened["table"]["seal"])) == (2, True, 64)
