"""Tests that no output depends on hidden information: it is the same byte for byte in two possible worlds.

Checked are pages, events, logs, replays, hints, previews, notifications, API responses and errors, for every game,
every seat and a spectator, along a random match. The other world has another random generator. The slow tests try 2,000
worlds.
"""

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import NamedTuple

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import get_server, make_client
from tests.server.locked_tables import make_move, rewrite_row
from tests.server.owner_browsers import make_owner
from tests.slow import mark_slow_except, slow
from tests.web.browser import PlainBrowser
from triclinium import Rng, list_games, load_game
from triclinium.bots import Budget, explanations
from triclinium.bots.analysis import rate_options
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, Option, Seat
from triclinium.engine.match import Match
from triclinium.server import server_time
from triclinium.server.notifications.messages import build_line
from triclinium.server.outbox.kinds import KINDS, TURN
from triclinium.server.tables import event_stream
from triclinium.server.tables.broadcast import make_snapshot_event
from triclinium.server.tables.table import Table
from triclinium.web.pages import table_page


@pytest.fixture(autouse=True)
def _without_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the random token of forms constant, so that bytes can be compared."""
    monkeypatch.setattr(table_page, "make_form_key", lambda: "mark")
    monkeypatch.setattr(explanations, "WORLDS", 2)  # more worlds would only take longer
    monkeypatch.setattr(event_stream, "clock", lambda: 0.0)  # nobody grows more absent while two answers are compared


LOOKS = 10  # moves between two searches for the seed
SEATS = 3
HINTED = 4  # number of search iterations for a hint
PREVIEWED = 3  # options, and the last one


OF_NO_TABLE = ("digest", "confirm", "return", "try")
ONLY_IF = ("chat", "digest")  # these need a chat message or a waiting table


class Row(NamedTuple):
    """A notification in the outbox."""

    kind: str
    table: str
    person: int
    names: str = '["Anna"]'


class Visitors:
    """A table with a person on each seat, and a spectator."""

    def __init__(self, client: TestClient, id: str, seats: int, **variants: str) -> None:
        self.client = client
        self.server = get_server(client)
        self.browsers: dict[Seat, PlainBrowser] = {0: PlainBrowser(client)}
        host = self.browsers[0]
        host.get("/")
        kinds = {f"kind{i}": "me" if i == 0 else "invite" for i in range(seats)}
        chosen = {f"variant-{name}": value for name, value in variants.items()}
        host.post("/new", game=id, seats=str(seats), player="Anna", **kinds, **chosen)
        path = host.table
        watch = re.search(r"/watch/\w+/[0-9a-f]{32}", host.page)
        assert watch is not None
        for link in sorted(set(re.findall(r"/invitations/\w+/\d/[0-9a-f]{32}", host.page))):
            guest = PlainBrowser(client)
            guest.get(link)
            guest.post(link, name=f"Guest {link.split('/')[3]}")
            self.browsers[int(link.split("/")[3])] = guest
        self.browsers[NOBODY] = PlainBrowser(client)
        self.browsers[NOBODY].get(watch[0])
        self.path = path
        assert client.portal is not None
        self.portal = client.portal
        self.table: Table = self.portal.call(self.server.tables.get_table, path.removeprefix("/tables/"))
        assert self.table.status == "playing"

    async def load_snapshot_event(self, mine: tuple[Seat, ...]) -> bytes:
        """Return the first event of a stream that these seats open."""
        async with self.server.tables.locked(self.table) as table:
            return make_snapshot_event(table, mine)

    def play(self, chance: random.Random) -> None:
        """Play one random move of the asked player."""
        self.play_option(chance.choice(self.table.current_match.state.legal))

    def play_option(self, option: Option) -> None:
        table = self.table
        self.portal.call(make_move, self.server, table, table.who, table.game.format_option(option), table.version)

    def gets(self, viewer: Seat, past: int) -> dict[str, bytes]:
        """Return everything that this viewer can request."""
        browser = self.browsers[viewer]
        client = browser.client
        id = self.table.id
        api = f"/api/v1/tables/{id}"
        pages = [
            self.path,
            f"{self.path}?log=all",
            f"{self.path}/positions/{past}",
            f"{self.path}/wall",
            *([] if viewer == NOBODY else [f"{self.path}/hand"]),
            f"{self.path}/record",
            f"{self.path}/shuffle?seal=00000000",
            f"{self.path}/review",
            f"{api}/review",
            api,
            f"{api}?language=fr",
            f"{api}/view",
            f"{api}/view?move={past}",
            f"{api}/options",
            f"{api}/log",
            f"{api}/chat",
            f"{api}/record",
        ]
        found = {page: client.get(page).content for page in pages}
        csrf = re.search(r'name="csrf" value="([^"]+)"', found[self.path].decode())
        assert csrf is not None
        form = {"csrf": csrf[1], "version": str(self.table.version), "seat": str(max(viewer, 0))}
        wrong = {"stale": {**form, "version": "0", "option": "x"}, "senseless": {**form, "option": "sing loudly"}}
        state = self.table.current_match.state
        if viewer == state.who:
            refused = [o for o in state.candidates() if o not in state.legal]
            for o in refused[:3]:
                wrong[f"refused {o}"] = {**form, "option": self.table.game.format_option(o)}
        else:
            wrong["not asked"] = {
                **form,
                "option": self.table.game.format_option(self.table.game.notation.all_options()[0]),
            }
        for name, data in wrong.items():
            answer = client.post(f"{self.path}/move", data=data)
            assert answer.status_code in (400, 403, 409), (name, answer.status_code)
            found[name] = answer.content
        if viewer == state.who:
            for o in state.legal[:PREVIEWED] + state.legal[-1:]:
                preview = f"{self.path}/preview/{self.table.game.format_option(o)}"
                answer = client.get(preview)
                assert answer.status_code in (200, 204), preview  # 204 means that nothing changes yet
                found[preview] = answer.content
            last = self.table.game.format_option(state.legal[-1])
            by_api = client.get(f"{api}/preview", params={"option": last})
            assert by_api.status_code == 200
            found["preview by the API"] = by_api.content
            advice = rate_options(self.table.game, state, Budget(60.0, HINTED), 7, own_option=last)
            found["hint"] = json.dumps([asdict(one) for one in advice]).encode()
        mine = () if viewer == NOBODY else (viewer,)
        found["event"] = self.portal.call(self.load_snapshot_event, mine)
        if not state.over:  # notifications of the asked player, which others might read on a locked screen
            found["told"] = self.portal.call(self.dump_notifications)
        return found

    async def dump_notifications(self) -> bytes:
        """Return every kind of notification in both languages, as the asked player would get it now."""
        person = self.table.occupants[self.table.who].person
        assert person is not None
        lines = {}
        for kind in KINDS:
            row = Row(kind, "" if kind in OF_NO_TABLE else self.table.id, person)
            for language in ("en", "fr"):
                line = await build_line(self.server, row, language)  # type: ignore[arg-type]  # what it reads of a row
                assert line is not None or kind in ONLY_IF, kind
                assert line is None or line.sentence or KINDS[kind].group != TURN
                lines[f"{kind} {language}"] = line and asdict(line)
        return json.dumps(lines).encode()


def scramble_events(events: list[list[Event]], viewer: Seat, chance: random.Random) -> list[list[Event]]:
    """Return the same events with other hidden values where this viewer may not read them."""
    return [[one if _reads(one, viewer) else _other(one, chance) for one in several] for several in events]


def _reads(one: Event, viewer: Seat) -> bool:
    return not one.secrets or (viewer >= 0 and bool(one.readers >> viewer & 1))


def _other(one: Event, chance: random.Random) -> Event:
    secrets = tuple(chance.choice(one.secrets) + 1 for _ in one.secrets)
    return Event(one.type, one.seat, one.facts, one.rule, secrets, one.readers)


@contextmanager
def another_world(table: Table, viewer: Seat, past: int, seed: int) -> Iterator[None]:
    """Replace the table's state by another possible world of this viewer until the end of the block."""
    match = table.current_match
    chance = random.Random(seed)
    kept = (match.state, match.events, match.record.seed, table.seed, table.salt)
    earlier = Match.resume(match.record.truncate(past), table.game)
    match.state = match.state.resample(viewer, Rng(seed))
    match.events = scramble_events(match.events, viewer, chance)
    match.record.seed = chance.randrange(1 << 59)
    rewrite_row(table, seed=match.record.seed, salt="another")
    _forget(table)
    if past < table.moves:
        earlier.state = earlier.state.resample(viewer, Rng(seed + 1))
        earlier.events = scramble_events(earlier.events, viewer, chance)
        table.caches.positions[past] = earlier
    try:
        yield
    finally:
        match.state, match.events, match.record.seed, seed, salt = kept
        rewrite_row(table, seed=seed, salt=salt)
        _forget(table)


def _forget(table: Table) -> None:
    table.caches.logs.clear()
    table.caches.points.clear()
    table.caches.positions.clear()


@pytest.mark.parametrize(("worlds", "each"), [(8, 2), slow(400, 5)])
@pytest.mark.parametrize("id", list_games())
def test_pages_of_a_viewer_are_equal_in_another_world(client: TestClient, id: str, worlds: int, each: int) -> None:
    """``each`` is the number of worlds compared with the true one."""
    company = Visitors(client, id, SEATS)
    chance = random.Random(11)
    table = company.table
    tried = differed = 0
    while tried < worlds:
        for _ in range(chance.randrange(4, 30)):
            if table.status == "playing":
                company.play(chance)
        if table.status != "playing":  # the match was short, so play another one
            company = Visitors(client, id, SEATS)
            table = company.table
            continue
        past = chance.randrange(table.moves)
        for viewer in (*range(SEATS), NOBODY):
            truth = company.gets(viewer, past)
            before = table.current_match.state.state_key()
            for _ in range(each):
                tried += 1
                with another_world(table, viewer, past, chance.randrange(1 << 40)):
                    differed += table.current_match.state.state_key() != before
                    other = company.gets(viewer, past)
                for name, content in truth.items():
                    assert content == other[name], f"{id}: {name} tells viewer {viewer} after move {table.moves}"
    assert (differed > tried // 2) == load_game(id).has_secrets  # Otherwise the test would compare equal worlds only.


@pytest.mark.parametrize("id", list_games())
def test_the_large_screen_is_equal_in_another_world(client: TestClient, id: str) -> None:
    """A wall tells nothing secret, even if the browser of a player shows it."""
    company = Visitors(client, id, SEATS)
    table = company.table
    chance = random.Random(3)
    for _ in range(4):
        for _ in range(chance.randrange(4, 30)):
            if table.status == "playing":
                company.play(chance)
        if table.status != "playing":
            break
        for browser in company.browsers.values():
            truth = browser.client.get(f"{company.path}/wall").text
            with another_world(table, NOBODY, table.moves, chance.randrange(1 << 40)):
                assert browser.client.get(f"{company.path}/wall").text == truth


def test_the_owners_pages_are_equal_in_another_world(own_client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner of the server sees that a match is played, not its cards."""
    now = server_time.now()
    monkeypatch.setattr(server_time, "now", lambda: now)  # the pages say how long ago the last move was
    owner = make_owner(make_client(own_client))
    for id in list_games():
        company = Visitors(own_client, id, SEATS)
        table = company.table
        company.play(random.Random(3))
        pages = ["/server/tables", f"/server/tables/{table.id}/close", f"/server/tables/{table.id}/delete"]
        truth = [owner.get(page).text for page in pages]
        assert all(table.id in text for text in truth)
        with another_world(table, NOBODY, table.moves, 5):
            assert [owner.get(page).text for page in pages] == truth


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "evangelists", "testoftime"))
def test_the_seed_is_revealed_only_at_the_end(client: TestClient, id: str) -> None:
    company = Visitors(client, id, load_game(id).seats[0])
    table = company.table
    chance = random.Random(2)
    secrets = [str(table.seed), table.salt, table.make_opening_record().format_seed()]
    for step in range(40):
        if step % LOOKS == 0:
            for viewer in company.browsers:
                for name, content in company.gets(viewer, 0).items():
                    for secret in secrets:
                        assert secret.encode() not in content, name
        if table.status == "playing":
            company.play(chance)
    while table.status == "playing":
        company.play(chance)
    page = company.browsers[NOBODY].get(company.path)
    assert table.make_opening_record().format_seed() in page
    assert table.salt in page
    assert "The shuffle is the one that was fixed before the first move" in company.browsers[NOBODY].get(
        f"{company.path}/shuffle"
    )
