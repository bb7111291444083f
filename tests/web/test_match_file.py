"""Tests of match files: their contents, the right to download them, hidden information, and checks of an upload."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from fastapi.testclient import TestClient
from starlette.requests import Request

from tests.matches import SHORT
from tests.server.api_client import get_server, make_client
from tests.shell import Shell
from tests.slow import mark_slow_except
from tests.web.browser import PlainBrowser
from tests.web.test_secrets import Visitors, scramble_events
from triclinium import list_games, load_game
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY
from triclinium.engine.match import Match
from triclinium.engine.match_file import compute_checksum, list_digests, read_match_file
from triclinium.server.presenter.log import build_spectator_log
from triclinium.web.page_context import PageContext
from triclinium.web.pages.match_file import render_positions
from triclinium.web.position_store import compute_difference

SIGNATURE = re.compile(r'"signature":"[0-9a-f]+"')


class FinishedMatch(NamedTuple):
    """A match of random moves that is over, and its match file as a spectator downloads it."""

    company: Visitors
    page: str


@pytest.fixture
def finish(shared_client: TestClient, finished: dict[str, FinishedMatch]) -> Callable[[str], FinishedMatch]:
    """Return a function that plays a match of a game with the fewest seats to its end. Tests share its match."""

    def play(id: str) -> FinishedMatch:
        if id not in finished:
            company = Visitors(make_client(shared_client), id, load_game(id).seats[0], **SHORT.get(id, {}))
            company.browsers[0].post(f"{company.path}/chat", text="what a secret plan")
            chance = random.Random(3)
            while company.table.status == "playing":
                company.play(chance)
            finished[id] = FinishedMatch(company, company.browsers[NOBODY].get(f"{company.path}/file"))
        return finished[id]

    return play


@pytest.fixture(scope="module")
def finished() -> dict[str, FinishedMatch]:
    return {}


Finish = Callable[[str], FinishedMatch]


def read_blocks(page: str) -> dict[str, object]:
    found = re.findall(r'<script type="application/json" id="match-(\w+)">(.*?)</script>', page, re.DOTALL)
    return {name: json.loads(text) for name, text in found}


def restore(stored: dict[str, list[object]]) -> list[str]:
    """Return the positions of a file, as its script restores them."""
    pages: list[str] = []
    before: list[int] = []
    for numbers in stored["positions"]:
        assert isinstance(numbers, list)
        now: list[int] = []
        rest = iter(numbers)
        for number in rest:
            now += before[-1 - number : -1 - number + next(rest)] if number < 0 else [number]
        pages.append("".join(str(stored["pieces"][n]) for n in now))
        before = now
    return pages


def forge(page: str, change: Callable[[str], str]) -> str:
    """Change the data of a file, and make its checksum right again."""
    blocks = dict(re.findall(r'<script type="application/json" id="match-(\w+)">(.*?)</script>', page, re.DOTALL))
    forged = change(blocks["data"])
    assert forged != blocks["data"]
    checksum = compute_checksum(forged, blocks["positions"])
    return page.replace(blocks["data"], forged).replace(blocks["checksum"], f'"{checksum}"')


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "portals"))
def test_a_file_contains_every_position_and_needs_nothing_else(client: TestClient, finish: Finish, id: str) -> None:
    company, page = finish(id)
    table, blocks = company.table, read_blocks(page)
    stored = blocks["positions"]
    assert isinstance(stored, dict)
    positions = restore(stored)
    assert len(positions) == table.moves + 1
    assert len(set(positions)) > table.moves // 3
    assert all('id="board"' in position for position in positions)
    assert len(page) / max(table.moves, 300) < 1_500_000 / 300
    html = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL) + "".join(positions)
    assert re.findall(r' (?:src|href|action|formaction)="(?!#)[^"]*"|url\((?!#|data:)[^)]*', html) == []
    assert "/static/" not in page
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; style-src 'unsafe-inline'; font-src data:; script-src 'sha256-")
    ids = set(re.findall(r' id="([^"]+)"', html))
    assert {id for id in re.findall(r'<use href="#([^"]+[.]svg-[^"]+)"', html) if id not in ids} == set()
    file = read_match_file(page)
    assert file.is_undamaged
    assert file.record.dumps() == table.current_match.record.dumps()
    assert list(file.digests) == list_digests(file.record, table.game)
    assert get_server(client).key.is_own_record(file.signature, file.record.dumps())
    assert "<form" not in html.replace('<form method="dialog">', "")


def test_a_running_match_has_no_file(client: TestClient) -> None:
    company = Visitors(client, "portals", 2)
    company.browsers[0].get(f"{company.path}/file")
    assert company.browsers[0].status == 409
    stranger = PlainBrowser(client)
    stranger.get(f"{company.path}/file")
    assert stranger.status == 404


def test_a_file_has_no_chat_and_the_names_of_its_reader(client: TestClient, finish: Finish) -> None:
    """The file of a table names its players; that of a shared match only those who allow it."""
    company, page = finish("portals")
    host = company.browsers[0]
    assert "secret plan" not in page
    assert "Guest 1" in page
    host.post(f"{company.path}/share", operation="create", named0="on")
    link = host.client.get(f"/api/v1/tables/{company.table.id}/share").json()["path"]
    shared = PlainBrowser(client).get(f"{link}/file")
    assert "Anna" in shared
    assert "Guest 1" not in shared
    assert company.table.id not in shared
    former = PlainBrowser(client)
    former.get(f"{link}/print")
    assert former.url.endswith(f"{link}/file")


def test_a_file_is_in_the_readers_language(finish: Finish) -> None:
    company, _ = finish("portals")
    browser = company.browsers[0]
    browser.client.cookies.set("language", "fr")
    page = browser.get(f"{company.path}/file")
    assert '<html lang="fr">' in page
    assert "À propos de ce fichier" in page
    assert "About this file" not in page
    browser.client.cookies.delete("language")


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "portals"))
def test_earlier_positions_and_the_log_are_those_of_spectators(client: TestClient, finish: Finish, id: str) -> None:
    """They are the same in another world that spectators could not distinguish from the real one at that time."""
    company, _ = finish(id)
    table, chance = company.table, random.Random(5)
    context = PageContext(make_request(client))

    def read_log(n: int) -> list[str]:
        return [line.text for line in build_spectator_log(table, "en") if line.n <= n]

    for n in sorted(chance.sample(range(table.moves), 8)):
        (truth,), lines = render_positions(context, table, [n]), read_log(n)
        match, earlier = table.current_match, Match.resume(table.current_match.record.truncate(n), table.game)
        earlier.state = earlier.state.resample(NOBODY, Rng(chance.randrange(1 << 40)))
        table.caches.positions.clear()
        table.caches.positions[n] = earlier
        assert list(render_positions(context, table, [n])) == [truth], f"{id}: the position after move {n}"
        table.caches.positions.clear()
        kept, match.events = match.events, scramble_events(match.events, NOBODY, chance)
        try:
            assert read_log(n) == lines, f"{id}: the log until move {n}"
        finally:
            match.events = kept


def make_request(client: TestClient) -> Request:
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [(b"host", b"testserver")]}
    return Request({**scope, "app": client.app, "scheme": "http", "server": ("testserver", 80)})


def test_positions_are_stored_as_differences() -> None:
    chance = random.Random(4)
    before: list[int] = []
    for _ in range(200):
        now = list(before)
        for _ in range(chance.randrange(4)):
            at = chance.randrange(len(now) + 1)
            now[at : at + chance.randrange(6)] = [chance.randrange(9) for _ in range(chance.randrange(6))]
        difference = compute_difference(before, now)
        pieces: dict[str, list[object]] = {
            "pieces": list(range(9)),
            "positions": [compute_difference([], before), difference],
        }
        assert restore(pieces)[1] == "".join(map(str, now))
        before = now


# -- forgeries --------------------------------------------------------------------------------------------------------


def replacing(before: str, after: str) -> Callable[[str], str]:
    return lambda data: data.replace(before, after)


def change_a_move(page: str) -> tuple[str, int, str]:
    """Return a file in which one move is another legal one, the number of the move, and the player's name."""
    file = read_match_file(page)
    game = file.record.find_game()
    s = file.record.deal(game)
    for n, text in enumerate(file.record.options, start=1):
        others = [game.format_option(o) for o in s.legal if game.format_option(o) != text]
        if n > 10 and others:
            before, after = f"\\n{n} {text}\\n", f"\\n{n} {others[0]}\\n"
            return forge(page, replacing(before, after)), n, file.names[s.who]
        s.play(game.read(text))
    raise AssertionError("the match has no choice")


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "portals"))
def test_the_command_names_a_forged_move(finish: Finish, shell: Shell, tmp_path: Path, id: str) -> None:
    company, page = finish(id)
    path = tmp_path / "match.html"
    path.write_text(page, encoding="utf-8")
    shell.run("verify", str(path), "--seal", company.table.seal[:16])
    assert shell.code == 0
    assert "The match follows the rules from its first card to its result." in shell.out
    forged, n, name = change_a_move(page)
    path.write_text(forged, encoding="utf-8")
    shell.run("verify", str(path))
    assert shell.code == 1
    assert f"NO: Move {n} by {name} was changed: " in shell.out
    assert "yes: The file is not damaged" in shell.out
    assert "This file does not contain the match as it was played." in shell.out
    illegal = forge(page, lambda data: re.sub(r"\\n12 [^\\]+", r"\\n12 sing loudly", data))
    path.write_text(illegal, encoding="utf-8")
    assert "was changed: “sing loudly” is not a move of this game." in shell.run("verify", str(path)).out


def change_the_key(data: str) -> str:
    return re.sub(r"\\nseed ([0-9a-f])", lambda found: f"\\nseed {int(found[1], 16) ^ 1:x}", data)


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (lambda data: re.sub(r"result 1:(\d+)", r"result 1:1\1", data), "The result was changed: the moves lead to"),
        (
            lambda data: re.sub(r"(seed [0-9a-f]{31})[0-9a-f]", r"\1x", data).replace("x", "0", 1),
            "The cards at the start",
        ),
        (lambda data: re.sub(r'("digests":"[0-9a-f]{80})', r"\g<1>", data) + " ", ""),
    ],
)
def test_a_changed_result_and_a_changed_key_are_found(
    finish: Finish, shell: Shell, tmp_path: Path, change: Callable[[str], str], finding: str
) -> None:
    page = finish("portals").page
    path = tmp_path / "match.html"
    path.write_text(forge(page, change), encoding="utf-8")
    shell.run("verify", str(path))
    assert finding in shell.out


def test_damage_is_found(finish: Finish, shell: Shell, tmp_path: Path) -> None:
    page = finish("portals").page
    path = tmp_path / "match.html"
    path.write_text(page.replace('"pieces":["', '"pieces":["x', 1))
    shell.run("verify", str(path))
    assert shell.code == 1
    assert "NO: The file is not damaged: its checksum is right." in shell.out
    path.write_text(page[: page.index('id="match-positions"')])
    assert "is not a match file, or a part of it is missing" in shell.refused("verify", str(path))


def upload(browser: PlainBrowser, text: str) -> str:
    browser.get("/tables")
    csrf = re.search(r'name="csrf" value="([^"]+)"', browser.page)
    assert csrf is not None
    answer = browser.client.post("/records", data={"csrf": csrf[1]}, files={"record": ("match.html", text.encode())})
    browser.status = answer.status_code
    return answer.text


def test_an_upload_is_checked_and_never_served_back(client: TestClient, finish: Finish) -> None:
    """The page names a forged move by its seat; a genuine file becomes a table. The server uses only the record."""
    page = finish("portals").page
    browser = PlainBrowser(client)
    browser.get("/")
    own = upload(browser, page)
    assert "This server wrote this record, and nobody has changed it." in own
    assert re.search(r'href="/tables/\w+">', own)
    assert "Guest 1" not in own
    assert 'id="position"' not in own
    strange = upload(
        browser, SIGNATURE.sub('"signature":"00"', forge(page, lambda data: SIGNATURE.sub('"signature":"00"', data)))
    )
    assert "this server did not write the file" in strange
    forged, n, _ = change_a_move(page)
    found = upload(browser, forged)
    assert re.search(rf"Move {n} by Seat \d was changed: ", found)
    assert "Open the match" not in found
    api = client.post("/api/v1/records", content=forged.encode())
    assert api.status_code == 400
    assert f"Move {n} by Seat" in api.json()["message"]
    assert client.post("/api/v1/records", content=page.encode()).status_code == 201
    assert "is not a match file" in upload(browser, "<!doctype html><p>hello")
    assert browser.status == 400


def test_the_signature_survives_a_key_rotation(client: TestClient) -> None:
    key = get_server(client).key
    text = "triclinium record"
    assert key.is_own_record(key.sign_record(text), text)
    assert not key.is_own_record(key.sign_record(text), f"{text}.")
    assert not key.is_own_record("", text)
