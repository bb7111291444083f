"""Tests of shared deals: the same cards at several tables, and nothing that tells one table about another."""

import json
import random
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from sqlalchemy import select

from tests.server.api_client import get_server
from tests.server.locked_tables import make_move
from tests.web.browser import PlainBrowser
from triclinium.bots.time_slices import run_to_end
from triclinium.engine.commitment import check_seal, compute_seal
from triclinium.engine.record import Record, build_result
from triclinium.engine.registry import load_game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.bots import worker
from triclinium.server.errors import Conflict, NotAllowed
from triclinium.server.http.auth import SESSION_COOKIE
from triclinium.server.services import Services
from triclinium.server.storage.schema_results import results
from triclinium.server.tables import deals
from triclinium.server.tables.create import open_table_on_deal
from triclinium.server.tables.options import SeatOptions, TableOptions
from triclinium.server.tables.seats import identify_viewer
from triclinium.server.tables.table import Table

ME, FREE = SeatOptions("me"), SeatOptions("invite")


class Company:
    """The people with browsers, and the tables of one deal with two seats each."""

    def __init__(self, client: TestClient, game: str = "portals") -> None:
        assert client.portal is not None
        self.client, self.portal = client, client.portal
        self.server: Services = get_server(client)
        self.chance = random.Random(4)
        self.deal = self.portal.call(deals.create_deal, self.server, load_game(game), 2, {})

    def come(self, name: str) -> PlainBrowser:
        browser = PlainBrowser(self.client)
        browser.get("/")
        browser.post("/me", name=name)
        return browser

    def identify(self, browser: PlainBrowser) -> Person:
        person = self.server.people.find_by_cookie(browser.client.cookies[SESSION_COOKIE])
        assert person is not None
        return person

    def open_table(self, host: PlainBrowser, guest: PlainBrowser, **fields: str) -> Table:
        """Open a table on the deal by the page, and let the guest take the other seat."""
        page = host.get(f"/new?deal={self.deal.id}")
        assert 'name="variant-' not in page
        kinds = {"kind0": "me", "kind1": "invite"}
        host.post("/new", game=self.deal.game_id, deal=self.deal.id, seats="2", **kinds, **fields)
        link = re.search(r"/invitations/\w+/\d/[0-9a-f]{32}", host.page)
        assert link is not None, host.page
        guest.get(link[0])
        guest.post(link[0], name="")
        return self.find_table(host)

    def find_table(self, browser: PlainBrowser) -> Table:
        table: Table = self.portal.call(self.server.tables.get_table, browser.table.removeprefix("/tables/"))
        return table

    def play(self, table: Table, moves: int = 10_000, seed: int = 0) -> list[str]:
        """Play random moves, at most to the end, and return them."""
        chance = random.Random(seed)
        played: list[str] = []
        while table.status == "playing" and len(played) < moves:
            option = table.game.format_option(chance.choice(table.current_match.state.legal))
            self.portal.call(make_move, self.server, table, table.who, option, table.version)
            played.append(option)
        return played

    def follow(self, table: Table, moves: list[str]) -> None:
        for option in moves:
            self.portal.call(make_move, self.server, table, table.who, option, table.version)

    def close(self) -> None:
        self.portal.call(deals.close_finished_deals, self.server)

    def is_open(self, table: Table) -> bool:
        return table.is_deal_open

    def list_results(self, table: Table) -> list[int]:
        with self.server.store.read_connection() as connection:
            return list(connection.execute(select(results.c.rank).where(results.c.table == table.id)).scalars())


def read_view(browser: PlainBrowser, table: Table) -> str:
    """Return everything at a table that does not name it, its people or the time."""
    view = browser.client.get(f"/api/v1/tables/{table.id}/view")
    log = browser.client.get(f"/api/v1/tables/{table.id}/log")
    assert (view.status_code, log.status_code) == (200, 200)
    return view.text + re.sub(r"(Anna|Ben|Clara|David)( \d)?", "A player", log.text)


def test_two_tables_with_the_same_moves_are_equal(client: TestClient) -> None:
    company = Company(client)
    anna, ben, clara, david = (company.come(name) for name in ("Anna", "Ben", "Clara", "David"))
    one, other = company.open_table(anna, ben), company.open_table(clara, david)
    assert (one.deal, one.seal, one.seed) == (company.deal.id, company.deal.seal, other.seed)
    moves = company.play(one, 60)
    company.follow(other, moves)
    assert read_view(anna, one) == read_view(clara, other)
    assert read_view(ben, one) == read_view(david, other)


def test_nobody_has_two_seats_of_a_deal(client: TestClient) -> None:
    company = Company(client)
    anna, ben, clara = (company.come(name) for name in ("Anna", "Ben", "Clara"))
    company.open_table(anna, ben)
    anna.post("/new", game="portals", deal=company.deal.id, seats="2", kind0="me", kind1="bot", bot1="novice")
    assert anna.status == 409
    assert "You already have a seat at another table of this deal." in anna.page
    clara.post("/new", game="portals", deal=company.deal.id, seats="2", kind0="me", kind1="invite")
    link = re.search(r"/invitations/\w+/\d/[0-9a-f]{32}", clara.page)
    assert link is not None
    ben.post(link[0], name="")
    assert ben.status == 409
    assert company.find_table(clara).status == "waiting"


def test_a_deal_of_another_game_or_number_of_players_is_refused(client: TestClient) -> None:
    company = Company(client)
    anna = company.come("Anna")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "novice"}]
    body = {"game": "portals", "deal": company.deal.id, "seats": [*seats, seats[1]]}
    answer = anna.client.post("/api/v1/tables", json=body)
    assert (answer.status_code, answer.json()["message"]) == (400, "This deal is for 2 players.")
    answer = anna.client.post("/api/v1/tables", json={**body, "game": "evangelists", "seats": seats})
    assert (answer.status_code, answer.json()["message"]) == (400, "This deal belongs to another game.")
    answer = anna.client.post("/api/v1/deals", json={"game": "testoftime", "players": 3})
    assert answer.status_code == 400
    assert "no cards to share" in answer.json()["message"]
    assert anna.client.post("/api/v1/deals", json={"game": "portals", "players": 2, "hours": 169}).status_code == 400
    assert anna.client.get("/api/v1/deals/nothing").status_code == 404


def fill_path(path: str, values: dict[str, str], id: str) -> str:
    def replace(found: re.Match[str]) -> str:
        return values.get(found[1], id)

    return re.sub(r"{(\w+)(:path)?}", replace, path)


def list_pages(client: TestClient, table: Table, deal: deals.Deal, person: int) -> list[str]:
    """Return the address of every route that a browser can read, for this table, deal and person."""
    values = {
        "n": "1",
        "option": "end",
        "seat": "0",
        "token": "x" * 32,
        "sign": "x",
        "what": "turn",
        "name": "base.css",
    }
    values |= {"code": table.code, "game": table.game_id, "rule": "PP-6.1", "table_id": table.id, "form": "moves"}
    paths: list[str] = []
    for route in client.app.routes:  # type: ignore[attr-defined]
        if isinstance(route, APIRoute) and "GET" in (route.methods or ()) and not route.path.startswith("/static"):
            id = table.id if "/tables" in route.path or "/watch" in route.path or "/invitations" in route.path else ""
            id = deal.id if "/deals/" in route.path else id or (str(person) if "/players" in route.path else "portals")
            paths.append(fill_path(route.path, values, id))
    assert len(paths) > 80
    return [path for path in paths if not path.endswith(("/events", "/stream"))]


def test_an_open_deal_reveals_nothing_of_its_finished_tables(client: TestClient) -> None:
    """Every page and answer is read by a player, a player's second browser, a spectator, a host and another player."""
    company = Company(client)
    names = ("Anna", "Ben", "Clara", "David", "Eva")
    anna, ben, clara, david, eva = (company.come(name) for name in names)
    one = company.open_table(anna, ben, visibility="watched")
    other = company.open_table(clara, david)
    company.play(one)
    assert one.status == "over"
    assert one.is_deal_open
    person = one.occupants[0].person
    assert person is not None
    second = company.come("Anna again")  # the same person with another cookie
    opener = company.come("Host")
    company.portal.call(
        open_table_on_deal,
        company.server,
        company.identify(opener),
        company.deal,
        [FREE, FREE],
        TableOptions(shown="watched"),
    )
    keys = (one.make_opening_record().format_seed(), one.salt)
    result = json.dumps(build_result(one.game.scores(one.current_match.state)))
    for reader in (anna, ben, clara, second, eva, opener):
        plays_here = reader in (anna, ben)
        for path in list_pages(client, one, company.deal, person):
            answer = reader.client.get(path)
            assert answer.status_code != 500, path
            for secret in keys:
                assert secret not in answer.text, f"{path} shows the key"
            if not plays_here:
                assert result not in answer.text or "/games" in path, f"{path} shows the result"
                if one.id in path and "/tables/" in path:
                    assert answer.status_code in (303, 400, 403, 404, 405, 409, 422), f"{path} opens a table"
        for address in ("record", "review"):
            for prefix in ("", "/api/v1"):
                answer = reader.client.get(f"{prefix}/tables/{one.id}/{address}")
                assert answer.status_code == (409 if plays_here else 403), f"{prefix} {address}"
        if not plays_here:
            assert reader.client.get(f"/api/v1/tables/{one.id}/events").status_code == 403
        assert reader.client.get(f"/api/v1/deals/{company.deal.id}/records").status_code == 409
    anna.post(f"/tables/{one.id}/continue", move="1", seat="0")
    assert "this opens when the deal closes" in anna.page
    shared = anna.client.post(f"/api/v1/tables/{one.id}/share", json={"show_name": False})
    assert (shared.status_code, shared.json()["error"]) == (409, "conflict")
    assert "won" not in anna.get("/tables")
    assert company.list_results(one) == []
    deal = clara.client.get(f"/api/v1/deals/{company.deal.id}").json()
    assert (deal["open"], deal["finished_tables"], len(deal["finished"])) == (True, 1, 2)
    assert "seed" not in deal
    assert other.status == "playing"


def test_only_people_who_finished_an_open_deal_can_watch_it(client: TestClient) -> None:
    company = Company(client)
    anna, ben, clara, david = (company.come(name) for name in ("Anna", "Ben", "Clara", "David"))
    one = company.open_table(anna, ben, visibility="watched")
    other = company.open_table(clara, david, visibility="watched")
    viewers = [company.identify(browser) for browser in (anna, clara)]
    with pytest.raises(NotAllowed, match="after you have played the same deal"):
        identify_viewer(company.server, other, viewers[0])
    company.play(one)
    viewer = identify_viewer(company.server, other, viewers[0])
    assert viewer.own_seats == ()
    assert other.find_seats_for_listener(viewer.make_listener()) == ()
    stranger = identify_viewer(company.server, one, viewers[0]).make_listener()
    stranger.has_finished_deal, stranger.person = False, None
    assert other.find_seats_for_listener(stranger) is None
    with pytest.raises(NotAllowed):
        identify_viewer(company.server, one, viewers[1])
    assert other.id not in anna.get("/tables?which=running")


def test_a_deal_closes_when_all_tables_have_ended(client: TestClient) -> None:
    company = Company(client)
    anna, ben, clara, david = (company.come(name) for name in ("Anna", "Ben", "Clara", "David"))
    one = company.open_table(anna, ben)
    company.play(one, seed=1)
    company.close()
    assert company.is_open(one), "a deal that one table has played stays open"
    other = company.open_table(clara, david)
    company.play(other, seed=2)
    company.close()
    assert not company.is_open(one)
    assert sorted(company.list_results(one)) in ([1, 1], [1, 2])
    page = anna.get(f"/deals/{company.deal.id}")
    assert "In this game the deal decides about 2% of a result" in page
    assert "2 tables have played these cards." in page
    assert company.deal.seed in page
    assert "First difference between two tables" in page
    assert "Decision 1<" in page
    frame = re.search(r'src="(/deals/\w+/tables/\w+/positions/\d+)"', page)
    assert frame is not None
    assert anna.client.get(frame[1]).headers["content-security-policy"].endswith("frame-ancestors 'self'")
    assert company.come("Eva").client.get(frame[1]).status_code == 404
    records = anna.client.get(f"/api/v1/deals/{company.deal.id}/records").json()
    assert [check.holds for text in records for check in check_seal(Record.loads(text["record"]))] == [True, True] * 2
    facts = anna.client.get(f"/api/v1/deals/{company.deal.id}").json()
    assert compute_seal(facts["seed"], facts["salt"]) == facts["seal"]
    assert [len(seat["results"]) for seat in facts["seats"]] == [2, 2]
    guest, closed = company.identify(company.come("Eva")), deals.find_deal(company.server.store, company.deal.id)
    with pytest.raises(Conflict, match="This deal is closed"):
        company.portal.call(open_table_on_deal, company.server, guest, closed, [ME, FREE])


def test_a_deal_closes_at_its_deadline(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    company = Company(client)
    one = company.open_table(company.come("Anna"), company.come("Ben"))
    company.play(one)
    assert company.list_results(one) == []
    later = company.deal.until + 1
    monkeypatch.setattr(server_time, "now", lambda: later)
    company.close()
    assert one.is_revealed
    assert len(company.list_results(one)) == 2
    company.close()
    assert len(company.list_results(one)) == 2


def test_everyone_gets_the_same_deal_of_the_day_once(client: TestClient) -> None:
    company = Company(client)
    anna, ben = company.come("Anna"), company.come("Ben")
    today = deals.get_today()
    page = anna.get("/deals")
    deal = company.portal.call(deals.load_daily_deal, company.server, load_game("portals"))
    assert deal.seal in page
    assert "testoftime" not in re.findall(r'class="panel block" data-game="(\w+)"', page)
    assert deal.id == f"portals-{today}"
    assert deal.until == datetime.combine(today + timedelta(days=1), datetime.min.time(), UTC).timestamp()
    key, salt = deals.derive_daily_secrets(company.server.key, "portals", today)
    assert (int(deal.seed, 16), deal.salt) == (key, salt)
    other_days = {deals.derive_daily_secrets(company.server.key, "portals", date(2030, 1, n)) for n in range(1, 30)}
    assert len(other_days) == 29
    anna.post("/deals/daily/portals")
    first = anna.url
    anna.post("/deals/daily/portals")
    assert anna.url == first
    ben.post("/deals/daily/portals")
    assert ben.url != first
    one, other = company.find_table(anna), company.find_table(ben)
    assert one.seed == other.seed == key
    assert [occupant.bot for occupant in one.occupants] == ["", "steady", "steady"]


def test_bots_at_tables_of_a_deal_choose_by_key_seat_and_decision(client: TestClient) -> None:
    company = Company(client)
    one = company.open_table(company.come("Anna"), company.come("Ben"))
    company.play(one, 12)
    seeds = {deals.make_bot_seed(one, seat) for seat in range(2)}
    assert len(seeds) == 2
    case = worker.MatchInput(one.current_match.record.dumps())
    for name in ("steady", "strong@20x"):
        chosen = {run_to_end(worker.choose_repeatably(case, name, 5)).option for _ in range(2)}
        assert len(chosen) == 1, name
