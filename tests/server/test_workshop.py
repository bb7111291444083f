"""Tests of the workshop's API: editions, their faults, their tables, and who may use it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.edited_components import get_schema
from tests.server.api_client import get_server, make_client, make_settings
from tests.server.server_driver import ServerDriver
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.numbers import find_changed_numbers
from triclinium.engine.record import Record
from triclinium.engine.registry import load_game
from triclinium.server.errors import NotStored
from triclinium.server.http.auth import SESSION_COOKIE
from triclinium.server.tables.rating_eligibility import list_unrated_reasons
from triclinium.server.workshop.access import MEMBERS, OFF, OWNER_ONLY
from triclinium.server.workshop.editions import MAX_FILE_BYTES
from triclinium.web.app import create_app

FOUR = {"game.octagons_per_turn": "4"}


@pytest.fixture(scope="module")
def app_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = make_settings(tmp_path_factory.mktemp("workshop"))
    settings.workshop = MEMBERS
    with TestClient(create_app(settings)) as running:
        yield running


class Designer:
    """A person with editions."""

    def __init__(self, client: TestClient) -> None:
        self.client = make_client(client)
        driver = ServerDriver(client)
        driver.create_person("Miriam")
        self.client.cookies.set(SESSION_COOKIE, driver.cookies["Miriam"])

    def create(self, game: str = "evangelists", name: str = "", file: str = "") -> str:
        answer = self.client.post("/api/v1/editions", json={"game": game, "name": name, "file": file})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def save(self, id: str, numbers: dict[str, str], **more: object) -> Response:
        return self.client.put(f"/api/v1/editions/{id}", json={"numbers": numbers, **more})

    def open_table(self, id: str, game: str = "evangelists") -> Response:
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "novice"}]
        return self.client.post("/api/v1/tables", json={"game": game, "seats": seats, "edition": id})


@pytest.fixture
def designer(app_client: TestClient) -> Designer:
    return Designer(app_client)


def error_of(answer: Response) -> str:
    return str(answer.json()["message"])


def test_an_edition_is_saved_with_its_changes_and_read_again(designer: Designer) -> None:
    id = designer.create(name="Four octagons")
    saved = designer.save(id, FOUR).json()
    assert saved["changes"] == [{"path": "game.octagons_per_turn", "printed": 3, "value": 4}]
    assert (saved["name"], saved["revision"], saved["faults"]) == ("Four octagons", 1, [])
    assert designer.client.get(f"/api/v1/editions/{id}").json() == saved
    assert designer.client.get("/api/v1/editions").json()["editions"][0] == saved
    file = ComponentsFile(designer.client.get(f"/api/v1/editions/{id}/file").text, "edition.toml")
    assert [number.path for number in find_changed_numbers(load_game("evangelists"), file)] == list(FOUR)
    assert designer.save(id, {"game.octagons_per_turn": "3"}).json()["changes"] == []


def test_a_draft_may_break_constraints_but_cannot_be_played(designer: Designer) -> None:
    """AE-C17  The draft is saved, the fault is listed, and a table or a study is refused in one sentence."""
    id = designer.create()
    draft = {"follow_tokens.each_other_player": "2"}
    checked = designer.client.post(f"/api/v1/editions/{id}/check", json={"numbers": draft}).json()
    assert {fault["constraint"] for fault in checked["faults"]} == {"AE-C17"}
    assert designer.client.get(f"/api/v1/editions/{id}").json()["changes"] == []
    assert designer.save(id, draft).status_code == 200
    refused = designer.open_table(id)
    assert refused.status_code == 409
    assert error_of(refused) == (
        "This edition cannot be played yet: AE-C17 follow_tokens: has 3 tokens with 2 players."
    )
    assert designer.client.post(f"/api/v1/editions/{id}/studies", json={}).status_code == 409


def test_a_check_while_typing_is_a_small_answer_in_json(designer: Designer) -> None:
    """AE-C17  It has the parts of the page that differ: the fault at its field, and rows that may lose their marks."""
    id = designer.create()
    path = f"/workshop/evangelists/{id}"
    page = designer.client.get(path).text
    csrf = page.split('name="csrf" value="', 1)[1].split('"', 1)[0]

    def check(numbers: dict[str, str], marked: str = "") -> dict[str, object]:
        form = {"csrf": csrf, "name": "Mine", "marked": marked, **{f"n:{name}": text for name, text in numbers.items()}}
        answer = designer.client.post(f"{path}/check", data=form)
        assert answer.headers["content-type"] == "application/json"
        assert len(answer.content) < min(10_000, len(page) / 5)
        result: dict[str, object] = answer.json()
        return result

    faulty = check({"follow_tokens.each_other_player": "2"})
    assert faulty["playable"] is False
    row = "n-follow_tokens-each_other_player"
    here = str(faulty["parts"]).split(f'id="{row}"', 1)[1]
    assert "has 3 tokens with 2 players" in here.split('class="num-row', 1)[0]
    assert check({"follow_tokens.each_other_player": "many"})["playable"] is False
    healed = check({"follow_tokens.each_other_player": "1", "game.octagons_per_turn": "4"}, row)
    assert healed["playable"] is True
    assert f'<div class="num-row" id="{row}"' in str(healed["parts"])
    assert "You have four" in re.sub("<[^>]+>", "", str(healed["parts"]))
    assert designer.client.get(f"/api/v1/editions/{id}").json()["changes"] == []


def test_an_edition_without_a_name_gets_a_default_name(designer: Designer, app_client: TestClient) -> None:
    designer.create()
    designer.create("portals")
    french = {"Accept-Language": "fr"}
    page = designer.client.get("/workshop", headers=french).text
    csrf = page.split('name="csrf" value="', 1)[1].split('"', 1)[0]
    designer.client.post("/workshop", data={"csrf": csrf, "game": "portals"}, headers=french)
    names = [edition["name"] for edition in designer.client.get("/api/v1/editions").json()["editions"]]
    assert sorted(names) == ["Mon édition", "My edition", "My edition 2"]


def test_a_study_is_checked_by_another_kind_of_bots(designer: Designer) -> None:
    """Rollout bots share no evaluation with the others, so what both say is worth more."""
    id = designer.create()
    designer.save(id, FOUR)
    answer = designer.client.post(f"/api/v1/editions/{id}/studies", json={"seats": 2, "also": "rollout"})
    assert answer.status_code == 201, answer.text
    study = answer.json()["id"]
    assert 'also = ["rollout"]' in designer.client.get(f"/api/v1/studies/{study}/study.toml").text
    designer.client.post(f"/api/v1/studies/{study}/stop")
    for also, said in (("steady", "Choose another kind of bots to check the result."), ("nobody", "no such bot")):
        refused = designer.client.post(f"/api/v1/editions/{id}/studies", json={"also": also})
        assert refused.status_code == 400
        assert said in error_of(refused)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("nonsense", "The file cannot be read: components.toml is not readable TOML"),
        ("[game]\nrounds = 1", "The file does not fit this game: game.rounds: must be a table, not 1"),
        ("x" * (MAX_FILE_BYTES + 1), "The file is larger than 64 KB."),
    ],
)
def test_a_bad_file_is_refused_and_nothing_is_lost(designer: Designer, file: str, said: str) -> None:
    id = designer.create()
    designer.save(id, FOUR)
    refused = designer.client.put(f"/api/v1/editions/{id}/file", json={"file": file})
    assert refused.status_code == 400
    assert error_of(refused).startswith(said)
    assert "\n" not in error_of(refused)
    assert len(designer.client.get(f"/api/v1/editions/{id}").json()["changes"]) == 1


def test_a_misspelt_key_is_reported_and_a_number_out_of_range_is_a_draft(designer: Designer) -> None:
    printed = load_game("evangelists").file.to_toml_text()
    id = designer.create()
    misspelt = printed.replace("octagons_per_turn", "octagon_per_turn")
    refused = designer.client.put(f"/api/v1/editions/{id}/file", json={"file": misspelt})
    assert "there is no 'octagon_per_turn' here; did you mean 'octagons_per_turn'" in error_of(refused)
    far = printed.replace("octagons_per_turn = 3", "octagons_per_turn = 3000")
    stored = designer.client.put(f"/api/v1/editions/{id}/file", json={"file": far}).json()
    assert stored["faults"][0]["text"] == "AE-2.3: game.octagons_per_turn: must be from 1 to 30, not 3000"
    unread = designer.save(id, {"game.octagons_per_turn": "many"})
    assert unread.status_code == 400
    assert error_of(unread) == "game.octagons_per_turn must be a number, not 'many'."


def test_a_change_in_another_tab_is_noticed(designer: Designer) -> None:
    id = designer.create()
    assert designer.save(id, FOUR, revision=0).status_code == 200
    stale = designer.save(id, {"game.octagons_per_turn": "5"}, revision=0)
    assert stale.status_code == 409
    assert "in another tab" in error_of(stale)
    assert designer.save(id, {"game.octagons_per_turn": "5"}, revision=1).status_code == 200


def test_a_table_plays_the_edition_after_it_was_deleted(designer: Designer) -> None:
    """The record replays on the components that the table keeps, and the match is not rated."""
    id = designer.create(name="Four octagons")
    designer.save(id, FOUR)
    opened = designer.open_table(id)
    assert opened.status_code == 201, opened.text
    assert designer.client.delete(f"/api/v1/editions/{id}").json()["deleted"]
    assert designer.client.get(f"/api/v1/editions/{id}").status_code == 404
    server = get_server(designer.client)
    assert designer.client.portal is not None
    table = designer.client.portal.call(server.tables.get_table, opened.json()["table"]["id"])
    assert table.options.edition == "Four octagons"
    assert "components" in list_unrated_reasons(table)
    assert table.game.file.value_at("game.octagons_per_turn") == 4
    assert "components" in json.dumps(designer.client.get(f"/api/v1/tables/{table.id}").json())
    rules = designer.client.get(f"/rules/evangelists?edition={table.file}").text
    assert "four<span" in rules
    record = Record.create(table.game, 2, 7, table.game.complete_variants({}))
    assert record.replay(game=table.game).who >= 0


def test_an_edition_belongs_to_its_owner_and_is_shared_by_a_link(designer: Designer, app_client: TestClient) -> None:
    id = designer.create()
    other = Designer(app_client)
    other.create()
    assert other.client.get(f"/api/v1/editions/{id}").status_code == 404
    assert other.save(id, FOUR).status_code == 404
    assert other.open_table(id).status_code == 404
    shared = designer.client.put(f"/api/v1/editions/{id}/share", json={"shared": True}).json()["shared"]
    stranger = make_client(app_client)
    page = stranger.get(shared).text
    assert "readonly" in page
    assert '<form class="side" id="edition"' in page
    assert 'name="csrf"' not in page.split("<main", 1)[1]
    assert stranger.get(f"{shared}/file").text == designer.client.get(f"/api/v1/editions/{id}/file").text
    designer.client.put(f"/api/v1/editions/{id}/share", json={"shared": False})
    assert stranger.get(shared).status_code == 404


@pytest.mark.parametrize(("access", "status"), [(OWNER_ONLY, 403), (OFF, 404), (MEMBERS, 201)])
def test_access_to_the_workshop_is_a_setting(tmp_path: Path, access: str, status: int) -> None:
    settings = make_settings(tmp_path)
    settings.workshop = access
    with TestClient(create_app(settings)) as client:
        designer = Designer(client)
        assert designer.client.post("/api/v1/editions", json={"game": "portals"}).status_code == status
        page = client.get("/workshop")
        assert page.status_code == (200 if status == 201 else status)
        assert ('href="/workshop"' in client.get("/").text) == (status == 201)


def test_a_full_disk_gives_one_message_and_keeps_the_input(designer: Designer, monkeypatch: pytest.MonkeyPatch) -> None:
    id = designer.create()
    store = get_server(designer.client).store

    async def fail(*_: object) -> None:
        raise NotStored("The server could not store this.")

    page = designer.client.get(f"/workshop/evangelists/{id}").text
    csrf = page.split('name="csrf" value="', 1)[1].split('"', 1)[0]
    monkeypatch.setattr(store, "write", fail)
    form = {"csrf": csrf, "name": "My edition", "revision": "0", "n:game.octagons_per_turn": "7"}
    answer = designer.client.post(f"/workshop/evangelists/{id}", data=form)
    assert answer.status_code == 503
    assert 'role="alert"' in answer.text
    assert 'value="7"' in answer.text
    assert "My edition" in answer.text


def test_a_study_names_a_missing_extra(designer: Designer, monkeypatch: pytest.MonkeyPatch) -> None:
    id = designer.create()
    designer.save(id, FOUR)
    monkeypatch.setattr("triclinium.server.workshop.studies.find_spec", lambda name: None)
    refused = designer.client.post(f"/api/v1/editions/{id}/studies", json={})
    assert error_of(refused) == "Studies need an extra package on this server: install triclinium[lab]."


def test_an_edition_of_every_game_lists_every_number_once(designer: Designer) -> None:
    for game in ("portals", "missionnaires", "ierusalem", "testoftime"):
        id = designer.create(game)
        page = designer.client.get(f"/workshop/{game}/{id}").text
        shown = [span for span in get_schema(load_game(game)).ranges if not span.hidden]
        assert shown
        paths = [part.split('"', 1)[0] for part in page.split('name="n:')[1:]]
        assert len(paths) == len(set(paths)) >= len(shown)
