"""Tests of playtests: the lot, the answers, and pages that do not reveal the edition to players."""

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Iterator
from functools import partial

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from sqlalchemy import select

from tests.fixed_chance import fix_chance
from tests.server.api_client import get_server, make_settings
from tests.server.locked_tables import make_move
from tests.web.browser import PlainBrowser
from triclinium.engine.commitment import compute_seal
from triclinium.engine.registry import load_game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.http.auth import SESSION_COOKIE
from triclinium.server.personal_data.deletion import delete_account
from triclinium.server.personal_data.export import export_person
from triclinium.server.services import Services
from triclinium.server.storage.schema_results import results
from triclinium.server.storage.schema_workshop import playtest_answers, playtest_tables
from triclinium.server.tables import create
from triclinium.server.tables.table import Table
from triclinium.server.workshop import editions, playtests
from triclinium.server.workshop.access import MEMBERS
from triclinium.server.workshop.playtest_results import PlaytestResults, load_results
from triclinium.server.workshop.playtests import PlayerAnswers, Playtest, draw_edition
from triclinium.web.app import create_app

NAME = "Forty rounds at last"
PATH, PRINTED, EDITED = "limits.round_limit", 30, 40  # a number that nobody sees before the thirtieth round
AGREED = {"enjoyed": "5", "mattered": "4", "fair": "3", "length": "2"}
WAITING_SECONDS = 3 * 86400.0


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = make_settings(tmp_path_factory.mktemp("playtests"))
    settings.workshop = MEMBERS
    with TestClient(create_app(settings), follow_redirects=True) as running:
        yield running


class Company:
    """The owner of a playtest and its players, with browsers."""

    def __init__(self, client: TestClient) -> None:
        assert client.portal is not None
        self.client, self.portal = client, client.portal
        self.server: Services = get_server(client)
        self.owner = self.come("Miriam")
        self.anna, self.ben = self.come("Anna"), self.come("Ben")
        game = load_game("portals")
        text = game.file.with_changes({PATH: EDITED}).to_toml_text()
        me = self.identify(self.owner)
        self.edition = self.portal.call(editions.create_edition, self.server.store, me, game, NAME, text)
        self.playtest: Playtest = self.portal.call(
            playtests.create_playtest, self.server, me, self.edition, None, "enjoyed", "Are forty rounds more fun?"
        )

    def come(self, name: str) -> PlainBrowser:
        browser = PlainBrowser(self.client)
        browser.get("/")
        browser.post("/me", name=name)
        return browser

    def identify(self, browser: PlainBrowser) -> Person:
        person = self.server.people.find_by_cookie(browser.client.cookies[SESSION_COOKIE])
        assert person is not None
        return person

    def open_table(self, **fields: str) -> Table:
        """Open a table of the playtest by its page, as Anna."""
        self.anna.get(self.playtest.invitation_path)
        self.anna.get(f"/new?playtest={self.playtest.id}")
        fix_chance()  # every table has the same cards
        fields = {"kind0": "me", "kind1": "invite", "name": "Roma", "visibility": "watched", **fields}
        self.anna.post("/new", game="portals", playtest=self.playtest.id, seats="2", undo="on", **fields)
        table: Table = self.portal.call(self.server.tables.get_table, self.anna.table.removeprefix("/tables/"))
        return table

    def join(self, table: Table) -> None:
        self.anna.get(f"/tables/{table.id}")
        link = re.search(r"/invitations/\w+/\d/[0-9a-f]{32}", self.anna.page)
        assert link is not None, self.anna.page
        self.ben.get(link[0])
        self.ben.post(link[0], name="")
        assert table.status == "playing"

    def play(self, table: Table, moves: int = 10_000) -> None:
        """Play random moves, the same at every table, at most to the end."""
        chance = random.Random(f"{table.moves} {moves}")
        for _ in range(moves):
            if table.status != "playing":
                return
            option = table.game.format_option(chance.choice(table.current_match.state.legal))
            self.portal.call(make_move, self.server, table, table.who, option, table.version)

    def play_table(self) -> Table:
        table = self.open_table()
        self.join(table)
        self.play(table)
        assert table.status == "over"
        return table

    def answer(self, browser: PlainBrowser, table: Table, **fields: str) -> None:
        seat = str(table.list_seats_of(self.identify(browser).id)[0])
        browser.post(f"/tables/{table.id}/answers", seat=seat, **{**AGREED, **fields})

    def load_results(self) -> PlaytestResults:
        with self.server.store.read_connection() as connection:
            return load_results(connection, playtests.load_playtest(connection, self.playtest.id))

    def find_edition(self, table: Table) -> str:
        """Return the name of a table's edition."""
        with self.server.store.read_connection() as connection:
            placed = playtests.find_table_edition(connection, table)
        assert placed is not None
        return placed.edition.name


def fill_parameter(values: dict[str, str], id: str, found: re.Match[str]) -> str:
    return values.get(found[1], id)


def list_paths(client: TestClient, table: Table, playtest: str, person: int) -> list[str]:
    """Return the address of every route that a browser can read, for this table and playtest."""
    values = {"n": "3", "option": "end", "seat": "0", "token": "x" * 32, "sign": "x", "what": "turn"}
    values |= {"code": table.code, "game": "portals", "number": "PP-R19", "table_id": table.id, "name": "base.css"}
    paths: list[str] = []
    for route in client.app.routes:  # type: ignore[attr-defined]
        if isinstance(route, APIRoute) and "GET" in (route.methods or ()) and not route.path.startswith("/static"):
            id = table.id if re.search(r"/(tables|watch|invitations)/", route.path) else "portals"
            id = playtest if "/playtests/" in route.path else str(person) if "/players" in route.path else id
            path = re.sub(r"{(\w+)(:path)?}", partial(fill_parameter, values, id), route.path)
            paths.append(path)
            if path.startswith(("/rules/", "/guide/")):
                paths.append(f"{path}?back=/tables/{table.id}")
    assert len(paths) > 80
    return [path for path in paths if not path.endswith(("/events", "/stream", "/next-table", "/answers.csv"))]


def normalize(text: str, tables: tuple[Table, ...]) -> str:
    """Return a response without the data that differ between any two tables, and without the number of rounds."""
    for table in tables:
        for code in (table.code, " ".join(table.code), f"{table.code[:3]} {table.code[3:]}"):
            text = text.replace(code, "CODE")
        text = text.replace(table.id, "ID")
    text = re.sub(r'(name="key" value=)"[^"]*"', r"\1", text)
    text = re.sub(r'("id":|data-(?:chat|last|upto|message)=")\d+', r"\1", text)
    text = re.sub(r'(class="qrline"[^>]* d=)"[^"]*"', r"\1", text)
    text = re.sub(r"[0-9a-f]{4}(?:[ ·…-]?[0-9a-f]{4})+", "HEX", text)
    text = re.sub(r"[\w-]{32,}|[\w+/=]{24,}={0,2}", "TOKEN", text)
    text = re.sub(r"\d{9,}(\.\d+)?|\d+\.\d{3,}|\d\d:\d\d(:\d\d)?", "TIME", text)
    text = re.sub(r'("(?:absent_for|substitute_vote_in|removal_vote_in)":)\d+', r"\1", text)
    text = re.sub(r"\d+ (second|minute)(e?s)?( ago)?|il y a \d+ (seconde|minute)s?", "some time", text)
    return re.sub(r"\b(30|40|thirty|forty|trente|quarante)\b", "N", text)


def check_two_worlds(company: Company, tables: tuple[Table, Table], whole: bool) -> None:
    """Check that both tables give the same responses: all pages to all readers, or only the table's pages to Anna."""
    person = company.identify(company.anna).id
    readers = (company.anna, company.ben, company.come("Eva")) if whole else (company.anna,)
    for reader in readers:
        for language in ("en", "fr") if whole else ("en",):
            reader.client.cookies.set("language", language)
            pages = [list_paths(company.client, table, company.playtest.id, person) for table in tables]
            for paths in zip(*pages, strict=True):
                if paths[0] == paths[1] and (not whole or reader is not company.anna or language == "fr"):
                    continue
                answers = [reader.client.get(path) for path in dict.fromkeys(paths)]
                for answer in answers:
                    assert NAME not in answer.text, paths
                    assert "more fun" not in answer.text, paths
                    for table in tables:
                        assert table.game.hash not in answer.text or "/games" in paths[0], paths
                        assert not table.file or table.file not in answer.text, paths
                if len(answers) == 2:
                    texts = [normalize(answer.text, tables) for answer in answers]
                    assert answers[0].status_code == answers[1].status_code, paths
                    parts = [re.split(r"(?<=[>,])", text) for text in texts]
                    assert parts[0] == parts[1], paths
        reader.client.cookies.set("language", "en")


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_pages_are_the_same_for_both_editions_until_players_have_answered(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    """Two worlds: in the waiting room, during the match and after it, all readers see the same at both tables."""
    company = Company(client)
    monkeypatch.setattr(create, "make_match_key", lambda: 20261119)  # the same cards at both tables
    tables = company.open_table(), company.open_table()
    assert {company.find_edition(table) for table in tables} == {"", NAME}
    check_two_worlds(company, tables, whole)
    for table in tables:
        company.join(table)
        company.play(table, 12)
    check_two_worlds(company, tables, whole)
    assert "Playtest edition" in company.anna.get(f"/tables/{tables[0].id}")
    for table in tables:
        assert "<mark" not in company.anna.get(f"/rules/portals?back=/tables/{table.id}")
        rule = company.anna.get(f"/rules/portals/rule/PP-R19?part=on&back=/tables/{table.id}")
        assert ("40" in rule, "30" in rule) == (bool(table.file), not table.file)
    for table in tables:
        company.play(table)
        assert table.status == "over"
    check_two_worlds(company, tables, whole)
    for table in tables:
        for path in ("record", "review"):
            for prefix in ("", "/api/v1"):
                assert company.anna.client.get(f"{prefix}/tables/{table.id}/{path}").status_code == 409
        assert company.anna.client.post(f"/api/v1/tables/{table.id}/share", json={}).status_code == 409
        for action in ("continue", "rematch"):
            body = {"move": 1} if action == "continue" else {}
            refused = company.anna.client.post(f"/api/v1/tables/{table.id}/{action}", json=body)
            assert refused.status_code == 409, refused.text
        with zipfile.ZipFile(io.BytesIO(export_person(company.server.tables, company.identify(company.anna)))) as file:
            assert f"records/{table.id}.txt" not in file.namelist()


def test_a_player_learns_the_edition_by_answering_and_others_after_all_answers(client: TestClient) -> None:
    company = Company(client)
    tables = company.play_table(), company.play_table()
    table = next(table for table in tables if table.file)
    page = company.anna.get(f"/tables/{table.id}")
    assert "I enjoyed it." in page
    assert "Playtest edition" in page
    company.answer(company.anna, table, remark="  Quick\u202e fun \n")
    assert company.anna.status == 200
    assert NAME in company.anna.page
    assert "I enjoyed it." not in company.anna.page
    assert NAME not in company.ben.get(f"/tables/{table.id}")
    assert company.anna.client.get(f"/tables/{table.id}/record").status_code == 409
    company.answer(company.anna, table)
    assert "You have answered already." in company.anna.page
    seat = table.list_seats_of(company.identify(company.ben).id)[0]
    answers = {name: int(step) for name, step in AGREED.items()}
    given = company.ben.client.post(f"/api/v1/tables/{table.id}/answers", json={**answers, "seat": seat})
    assert (given.status_code, given.json()["edition"]) == (201, NAME)
    record = company.anna.client.get(f"/tables/{table.id}/record")
    assert (record.status_code, table.game.hash in record.text) == (200, True)
    assert NAME in company.come("Eva").get(f"/tables/{table.id}")
    with company.server.store.read_connection() as connection:
        wanted = select(playtest_answers).where(playtest_answers.c.entry == table.id, playtest_answers.c.remark != "")
        row = connection.execute(wanted).one()
        unrated = set(connection.execute(select(results.c.unrated).where(results.c.table == table.id)).scalars())
    assert (row.remark, row.enjoyed, row.length) == ("Quick fun", 5, 2)
    assert unrated == {"playtest"}


def test_the_random_assignment_is_committed_and_gives_each_pair_both_editions(client: TestClient) -> None:
    """The seal is public from the beginning, the key at the end, and both prove the edition of every table."""
    company = Company(client)
    tables = [company.open_table() for _ in range(4)]
    page = company.anna.get(company.playtest.invitation_path)
    assert company.playtest.seal in page
    assert company.playtest.key not in page
    public = company.anna.client.get(f"/api/v1/playtests/{company.playtest.id}").json()
    assert set(public) == {"id", "game", "open", "seal"}
    drawn = [bool(table.file) for table in tables]
    assert drawn == [draw_edition(company.playtest.key, place) == 1 for place in range(4)]
    assert drawn[0] != drawn[1]
    assert drawn[2] != drawn[3]
    company.owner.get(company.playtest.path)
    company.owner.post(f"/playtests/{company.playtest.id}/end", confirmed="on")
    ended = company.anna.client.get(f"/api/v1/playtests/{company.playtest.id}").json()
    assert compute_seal(ended["key"], ended["salt"]) == company.playtest.seal
    assert ended["editions"] == [None, NAME]
    assert NAME in company.anna.get(company.playtest.invitation_path)
    assert all(table.row.revealed for table in tables)
    company.anna.post("/new", game="portals", playtest=company.playtest.id, seats="2", kind0="me", kind1="bot")
    assert "This playtest has ended" in company.anna.page


def test_both_editions_are_drawn_first_equally_often() -> None:
    firsts = [draw_edition(f"{key:032x}", 2 * pair) for key in range(20) for pair in range(50)]
    assert 430 < sum(firsts) < 570


def test_a_closed_table_gives_its_place_and_edition_to_the_next(client: TestClient) -> None:
    """Nobody can get a preferred edition by closing tables."""
    company = Company(client)
    first = company.open_table()
    assert company.anna.client.delete(f"/api/v1/tables/{first.id}").status_code == 200
    second = company.open_table()
    assert (second.file, second.components) == (first.file, first.components)
    with company.server.store.read_connection() as connection:
        here = playtest_tables.c.playtest == company.playtest.id
        rows = connection.execute(select(playtest_tables.c.place, playtest_tables.c.entry).where(here)).all()
    assert [tuple(row) for row in rows] == [(0, second.id)]


def test_a_refusal_does_not_depend_on_the_random_assignment(client: TestClient) -> None:
    company = Company(client)
    deal = {"game": "portals", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "novice"}]}
    wrong = company.anna.client.post(
        "/api/v1/tables", json={**deal, "game": "evangelists", "playtest": company.playtest.id}
    )
    assert (wrong.status_code, wrong.json()["message"]) == (409, "This playtest is of another game.")
    both = {**deal, "playtest": company.playtest.id, "edition": company.edition.id}
    refused = company.owner.client.post("/api/v1/tables", json=both)
    assert (refused.status_code, "at random" in refused.json()["message"]) == (400, True)
    missing = company.anna.client.post("/api/v1/tables", json={**deal, "playtest": "nothing"})
    assert missing.status_code == 404
    opened = company.anna.client.post("/api/v1/tables", json={**deal, "playtest": company.playtest.id})
    assert (opened.status_code, opened.json()["table"]["unrated"]) == (201, ["playtest"])


def test_the_owner_sees_tables_that_count_and_nothing_else(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    company = Company(client)
    tables = company.play_table(), company.play_table()
    for table, step in zip(tables, ("1", "5"), strict=True):
        company.answer(company.anna, table, enjoyed=step, remark="=A1")
    found = company.load_results()
    assert (len(found.tables), found.waiting) == (0, 2)
    assert "=A1" not in company.owner.get(company.playtest.path)
    company.answer(company.ben, tables[0], enjoyed="1")
    assert len(company.load_results().tables) == 1
    now = server_time.now()
    monkeypatch.setattr(server_time, "now", lambda: now + WAITING_SECONDS)
    found = company.load_results()
    assert (len(found.tables), found.waiting) == (2, 0)
    sign = 1 if tables[1].file else -1
    assert found.differences == (sign * 1.0,)
    counted = [found.count_answers("fair", edition) for edition in (0, 1)]
    assert sorted(counted) == [[0, 0, 1, 0, 0], [0, 0, 2, 0, 0]]
    page = company.owner.get(company.playtest.path)
    assert "No clear difference yet" in page
    assert NAME in page
    lines = list(
        csv.reader(io.StringIO(company.owner.client.get(f"/api/v1/playtests/{company.playtest.id}/answers.csv").text))
    )
    assert len(lines) == 4
    assert {line[-1] for line in lines[1:]} == {"'=A1", ""}
    answers = company.owner.client.get(f"/api/v1/playtests/{company.playtest.id}/results").json()
    assert (answers["tables"], answers["pairs"], answers["difference"]["mean"]) == (2, 1, sign * 4.0)
    assert set(answers["figures"][0]) == {"minutes", "decisions", "winner", "margin"}
    company.answer(company.ben, tables[1])
    assert "Answers are accepted for three days" in company.ben.page
    for path in (f"{company.playtest.path}", f"/api/v1/playtests/{company.playtest.id}/results"):
        assert company.anna.client.get(path).status_code == 404


def test_answers_stay_without_a_name_when_an_account_is_deleted(client: TestClient) -> None:
    company = Company(client)
    table = company.play_table()
    company.answer(company.anna, table, remark="I am Anna")
    anna = company.identify(company.anna)
    with zipfile.ZipFile(io.BytesIO(export_person(company.server.tables, anna))) as file:
        exported = json.loads(file.read("me.json"))["playtest_answers"]
    assert [(row["remark"], row["enjoyed"]) for row in exported] == [("I am Anna", 5)]
    company.portal.call(delete_account, company.server, anna)
    with company.server.store.read_connection() as connection:
        own = select(playtest_answers).where(playtest_answers.c.entry == table.id)
        row = connection.execute(own).one()
    assert (row.person, row.remark, row.enjoyed) == (None, "", 5)
    company.portal.call(delete_account, company.server, company.identify(company.owner))
    with company.server.store.read_connection() as connection:
        assert connection.execute(own).all() == []
    assert company.ben.client.get(f"/tables/{table.id}").status_code == 200


def test_only_players_answer_once_after_the_match(client: TestClient) -> None:
    company = Company(client)
    table = company.open_table()
    company.join(table)
    early = PlayerAnswers(dict.fromkeys(playtests.QUESTIONS, 3))
    body = {**early.steps, "remark": ""}
    refused = company.anna.client.post(f"/api/v1/tables/{table.id}/answers", json=body)
    assert (refused.status_code, refused.json()["message"]) == (
        409,
        "Questions are answered after the last move of a playtest.",
    )
    company.play(table)
    wrong = company.anna.client.post(f"/api/v1/tables/{table.id}/answers", json={**body, "fair": 6})
    assert wrong.status_code == 400
    stranger = company.come("Eva")
    assert stranger.client.post(f"/api/v1/tables/{table.id}/answers", json=body).status_code == 403
    assert company.anna.client.post(f"/api/v1/tables/{table.id}/answers", json=body).status_code == 201


def test_a_playtest_needs_two_different_playable_editions(client: TestClient) -> None:
    company = Company(client)
    path = f"/api/v1/editions/{company.edition.id}/playtests"
    same = company.owner.client.post(path, json={"against": company.edition.id})
    assert (same.status_code, same.json()["message"]) == (
        409,
        "The two editions are the same. Change a number first.",
    )
    assert company.owner.client.post(path, json={"question": "price"}).status_code == 400
    made = company.owner.client.post(path, json={"question": "fair", "name": "Fair?"})
    assert made.status_code == 201
    listed = company.owner.client.get("/api/v1/playtests").json()["playtests"]
    assert {each["id"] for each in listed} == {made.json()["id"], company.playtest.id}
    assert "Fair?" in company.owner.get("/workshop")
    company.owner.post(f"/playtests/{made.json()['id']}/delete", confirmed="on")
    assert company.owner.client.get(f"/playtests/{made.json()['id']}").status_code == 404
