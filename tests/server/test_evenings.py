"""Tests of evenings by the API: guests, rounds, points, refusals, and what other people can see."""

from collections.abc import Iterator
from statistics import fmean
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import update

import triclinium
from tests.server.api_client import get_server, make_app, make_client
from tests.server.server_driver import ServerDriver
from triclinium.server import server_time
from triclinium.server.errors import Conflict
from triclinium.server.evenings.rounds import read_evening
from triclinium.server.personal_data.deletion import delete_account
from triclinium.server.personal_data.merge import merge_accounts
from triclinium.server.sanitize import ANONYMOUS_NAME
from triclinium.server.storage.schema_evenings import evenings
from triclinium.server.tables import consent, retention
from triclinium.server.tables.deals import close_finished_deals
from triclinium.server.tables.table import Table

API = "/api/v1/evenings"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(make_app(tmp_path_factory.mktemp("evenings"))) as started:
        yield started


class Party:
    """A host and guests, each with a client of their own. Guests count from 1."""

    def __init__(self, client: TestClient, people: int, game: str = "portals") -> None:
        self.client = client
        self.server = get_server(client)
        self.driver = ServerDriver(client)
        self.clients: list[TestClient] = []
        self.code = ""
        for _ in range(people):
            self.add_person(game)

    def add_person(self, game: str = "", name: str = "") -> Response:
        one = make_client(self.client)
        sent = {"player": name or f"Guest {len(self.clients) + 1}", **({} if self.code else {"game": game})}
        answer = one.post(f"{API}/{self.code}/guests" if self.code else API, json=sent)
        if answer.status_code == 201:
            one.cookies.set("triclinium", answer.json()["cookie"])
            self.code = answer.json()["code"]
            self.clients.append(one)
        return answer

    def get(self, guest: int = 1) -> dict[str, Any]:
        answer = self.clients[guest - 1].get(f"{API}/{self.code}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def send(self, path: str, sent: object = None, guest: int = 1, method: str = "POST") -> Response:
        answer: Response = self.clients[guest - 1].request(method, f"{API}/{self.code}{path}", json=sent)
        return answer

    def start(self, number: int, **sent: object) -> dict[str, Any]:
        answer = self.send("/rounds", {"round": number, **sent})
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def set_status(self, number: int, status: str, guest: int = 1) -> Response:
        return self.send(f"/guests/{number}", {"status": status}, guest, "PUT")

    def load_table(self, id: str) -> Table:
        assert self.client.portal is not None
        return self.client.portal.call(self.server.tables.get_table, id)

    def play_round(self) -> None:
        for table in self.get()["tables"]:
            if table["status"] == "playing":
                self.driver.play(self.load_table(table["id"]))


def say(answer: Response) -> str:
    return f"{answer.status_code} {answer.json()['message']}"


def list_all_seated(evening: dict[str, Any], number: int) -> list[int]:
    """Return the guests of all tables of a round, ascending."""
    return sorted(guest for table in list_seated(evening, number) for guest in table)


def list_seated(evening: dict[str, Any], number: int) -> list[list[int]]:
    """Return the guests of each table of a round, by seat."""
    return [[seat["guest"] for seat in table["seats"]] for table in evening["tables"] if table["round"] == number]


def find_own(evening: dict[str, Any], guest: int, number: int) -> dict[str, Any]:
    found: dict[str, Any] = next(
        table
        for table in evening["tables"]
        if table["round"] == number and guest in [seat["guest"] for seat in table["seats"]]
    )
    return found


def test_a_round_seats_everyone_and_begins_at_once(client: TestClient) -> None:
    party = Party(client, 7)
    evening = party.start(1)
    assert [table["status"] for table in evening["tables"]] == ["playing", "playing"]
    assert list_all_seated(evening, 1) == list(range(1, 8))
    for guest, one in enumerate(party.clients, start=1):
        own = find_own(evening, guest, 1)
        seat = next(place for place, each in enumerate(own["seats"]) if each["guest"] == guest)
        seen = one.get(f"/api/v1/tables/{own['id']}").json()
        assert seen["seat"] == seat
        assert seen["seats"][seat]["name"] == f"Guest {guest}"
        assert own["seats"][seen["who"]]["first"]  # the guest whom the seating lets go first


@pytest.mark.parametrize("game", ["evangelists", "missionnaires"])
def test_points_are_margins_or_ranks(client: TestClient, game: str) -> None:
    party = Party(client, 5, game)
    party.start(1)
    party.play_round()
    evening = party.get()
    assert all(table["status"] == "over" for table in evening["tables"])
    for table in evening["tables"]:
        totals = [seat["total"] for seat in table["seats"]]
        for seat in table["seats"]:
            line = next(line for line in evening["ranking"] if line["number"] == seat["guest"])
            wanted = (5, 3, 2, 1)[seat["rank"] - 1] if None in totals else round(seat["total"] - fmean(totals))
            assert line["rounds"]["1"] == line["points"] == wanted
            assert line["wins"] == (seat["rank"] == 1)
    points = [line["points"] for line in evening["ranking"]]
    assert points == sorted(points, reverse=True)


def test_late_guests_leavers_and_those_who_pause(client: TestClient) -> None:
    party = Party(client, 5)
    party.start(1)
    party.play_round()
    before = {line["number"]: line["points"] for line in party.get()["ranking"]}
    party.add_person()  # guest 6
    assert party.set_status(2, "left", guest=2).status_code == 200
    assert party.set_status(3, "paused").status_code == 200  # by the host
    evening = party.start(2)
    assert list_all_seated(evening, 2) == [1, 4, 5, 6]
    lines = {line["number"]: line for line in evening["ranking"]}
    lower = sorted(before.values())[:2]
    assert lines[6]["points"] == lines[6]["start"] == round(fmean(lower))
    assert {n: lines[n]["points"] for n in before} == before  # leavers keep their points
    party.play_round()
    after = {line["number"]: line for line in party.get()["ranking"]}
    assert after[2]["points"] == before[2]
    assert after[6]["points"] == after[6]["start"] + after[6]["rounds"]["2"]
    assert party.set_status(3, "here", guest=3).status_code == 200
    assert list_all_seated(party.start(3), 3) == [1, 3, 4, 5, 6]


def test_sitting_out_the_first_round_is_not_arriving_late(client: TestClient) -> None:
    party = Party(client, 3)
    evening = party.start(1, tables=[[1, 2]])
    assert [line["start"] for line in evening["ranking"]] == [0, 0, 0]
    party.play_round()
    assert find_own(party.start(2, tables=[[1, 3]]), 3, 2)["round"] == 2
    assert next(line for line in party.get()["ranking"] if line["number"] == 3)["points"] == 0


def test_leaving_the_evening_leaves_the_match(client: TestClient) -> None:
    party = Party(client, 4)
    evening = party.start(1)
    assert party.set_status(4, "left", guest=4).status_code == 200
    table = party.load_table(evening["tables"][0]["id"])
    seat = list_seated(evening, 1)[0].index(4)
    assert table.occupants[seat].substitute
    assert [occupant.substitute for occupant in table.occupants].count("") == 3
    party.play_round()
    line = next(line for line in party.get()["ranking"] if line["number"] == 4)
    assert line["points"] <= 0
    assert line["wins"] == 0


def test_guests_without_a_device_and_bots(client: TestClient) -> None:
    party = Party(client, 2)
    assert party.send("/others", {"name": "Rufus"}).status_code == 201
    assert party.send("/others", {"bot": "novice"}).status_code == 201
    evening = party.start(1, tables=[[1, 2, 3, 4]])
    order = list_seated(evening, 1)[0]
    seen = party.clients[0].get(f"/api/v1/tables/{evening['tables'][0]['id']}").json()
    kinds = {guest: seen["seats"][seat]["kind"] for seat, guest in enumerate(order)}
    assert kinds == {1: "person", 2: "person", 3: "hot", 4: "bot"}
    table = party.load_table(evening["tables"][0]["id"])
    assert table.occupants[order.index(3)].person == table.occupants[order.index(1)].person  # at the host's device
    party.play_round()
    assert [line["number"] for line in sorted(party.get()["ranking"], key=lambda line: line["number"])] == [1, 2, 3]


def test_rounds_avoid_repeated_meetings_and_share_the_first_turn(client: TestClient) -> None:
    party = Party(client, 6)
    met: dict[frozenset[int], int] = {}
    firsts: list[int] = []
    for number in (1, 2):
        proposed = party.send("/seating?game=ierusalem", guest=1, method="GET").json()
        evening = party.start(number, game="ierusalem")
        assert {frozenset(table) for table in proposed["tables"]} == set(map(frozenset, list_seated(evening, number)))
        firsts += [
            seat["guest"] for t in evening["tables"] if t["round"] == number for seat in t["seats"] if seat["first"]
        ]
        for table in list_seated(evening, number):
            for a in table:
                for b in table:
                    if a < b:
                        met[frozenset((a, b))] = met.get(frozenset((a, b)), 0) + 1
        for each in evening["tables"]:
            if each["status"] == "playing":
                abandon(party, each["id"])
    assert list(met.values()).count(2) == 2  # two of each three must meet again
    assert len(set(firsts)) == 4


def abandon(party: Party, id: str) -> None:
    table = party.load_table(id)

    async def job() -> None:
        async with party.server.tables.locked(table) as locked:
            await consent.abandon_match(party.server.tables, locked, "The players agreed to abandon the match.")

    assert party.client.portal is not None
    party.client.portal.call(job)


def test_tables_with_the_same_deal_show_their_results_when_all_have_ended(client: TestClient) -> None:
    party = Party(client, 5)
    assert say(party.send("/rounds", {"round": 1, "tables": [[1, 2, 3], [4, 5]], "same_deal": True})) == (
        "409 The same deal needs several tables of one size."
    )
    assert say(party.send("/rounds", {"round": 1, "game": "testoftime", "same_deal": True})) == (
        "409 This game has no cards to share. Every match of it starts the same way."
    )
    evening = party.start(1, tables=[[1, 2], [3, 4]], same_deal=True)
    one, other = (party.load_table(table["id"]) for table in evening["tables"])
    assert one.seal == other.seal
    party.driver.play(one)
    evening = party.get()
    assert [table["status"] for table in evening["tables"]] == ["over", "playing"]
    assert all(seat["total"] is None and seat["rank"] is None for seat in evening["tables"][0]["seats"])
    assert all(not line["rounds"] for line in evening["ranking"])
    party.driver.play(other)
    assert party.client.portal is not None
    party.client.portal.call(close_finished_deals, party.server)  # the server does this every 20 seconds
    evening = party.get()
    assert all(seat["rank"] for table in evening["tables"] for seat in table["seats"])
    assert sorted(line["number"] for line in evening["ranking"] if line["rounds"]) == [1, 2, 3, 4]


def test_an_abandoned_match_gives_no_points(client: TestClient) -> None:
    party = Party(client, 3)
    evening = party.start(1)
    abandon(party, evening["tables"][0]["id"])
    after = party.get()
    assert after["tables"][0]["status"] == "over"
    assert [line["rounds"] for line in after["ranking"]] == [{}, {}, {}]


def test_every_refusal_is_a_complete_sentence(client: TestClient) -> None:
    party = Party(client, 5)
    assert say(party.send("/rounds", {"round": 1, "game": "ierusalem"})) == (
        "409 5 people cannot sit at tables of 3 to 4. Add 1 bot, or let 1 person pause."
    )
    assert say(party.send("/rounds", {"round": 2})) == "409 The next round is round 1."
    assert say(party.send("/rounds", {"round": 1}, guest=2)) == "403 Only the host of the evening can do this."
    assert say(party.send("/others", {"name": "Rufus"}, guest=2)) == "403 Only the host of the evening can do this."
    assert say(party.send("", None, 2, "DELETE")) == "403 Only the host of the evening can do this."
    assert say(party.set_status(3, "left", guest=2)) == "403 Only the host can do this for someone else."
    assert say(party.set_status(9, "left")) == "404 This evening has no such guest."
    assert say(party.send("/others", {"name": "guest 3"})) == (
        "409 Someone at this evening is already called guest 3. Choose another name."
    )
    assert say(party.add_person(name="Guest 3")) == (
        "409 Someone at this evening is already called Guest 3. Choose another name."
    )
    assert say(party.send("/others", {"name": " "})) == "409 Type the name of the person."
    assert say(party.send("/others", {"bot": "nobody"})) == "404 There is no such bot."
    assert say(party.send("/rounds", {"round": 1, "tables": [[1, 2], [2, 3]]})) == "409 Seat each person at one table."
    assert say(party.send("/rounds", {"round": 1, "tables": []})) == "409 Seat each person at one table."
    assert say(party.send("/rounds", {"round": 1, "tables": [[1], [2, 3]]})) == (
        "409 Table 1 has 1 person, but this game needs 2 to 5."
    )
    assert say(party.send("/rounds", {"round": 1, "tables": [[1, 99]]})) == (
        "409 The guests have changed in the meantime. Please check the seating and start again."
    )
    for _ in range(2):
        party.send("/others", {"bot": "novice"})
    assert say(party.send("/rounds", {"round": 1, "tables": [[1, 2], [6, 7]]})) == "409 At table 2 there are only bots."
    party.start(1, tables=[[1, 2, 3], [4, 5]])
    assert say(party.send("/rounds", {"round": 1})) == "409 Round 1 has already started."
    assert say(party.send("/rounds", {"round": 2, "tables": [[1, 6]]})) == (
        "409 The guests have changed in the meantime. Please check the seating and start again."
    )
    party.set_status(6, "left")
    party.set_status(7, "left")
    assert say(party.send("/rounds", {"round": 2})) == (
        "409 Nobody can be seated now, because everyone is playing, has paused or has left."
    )
    party.add_person()
    assert say(party.send("/rounds", {"round": 2})) == (
        "409 1 person cannot sit at tables of 2 to 5. Wait for others, or add 1 bot."
    )
    assert party.send("", None, 1, "DELETE").json()["ended_at"]
    assert say(party.add_person(name="Late")) == "409 This evening has ended."
    assert say(party.send("/others", {"name": "Late"})) == "409 This evening has ended."
    assert say(party.send("/rounds", {"round": 2})) == "409 This evening has ended."
    assert party.clients[2].post(f"{API}/{party.code}/guests", json={}).status_code == 201  # guests still see it
    stranger = make_client(client)
    assert say(stranger.get(f"{API}/XXXXXX")) == "404 No evening has this code. Check it and try again."
    assert (
        say(stranger.post(f"{API}/XXXXXX/guests", json={})) == "404 No evening has this code. Check it and try again."
    )


def test_strangers_see_neither_the_evening_nor_its_tables(client: TestClient) -> None:
    party = Party(client, 4)
    evening = party.start(1, tables=[[1, 2], [3, 4]])
    stranger = make_client(client)
    for path in ("", "/seating", "/events"):
        assert stranger.get(f"{API}/{party.code}{path}").status_code == 403
    other = Party(client, 2)
    assert say(other.clients[0].get(f"{API}/{party.code}")) == (
        "403 Only guests of the evening can do this. Join it with its code first."
    )
    assert say(party.send("/seating", None, 2, "GET")) == "403 Only the host of the evening can do this."
    for table in evening["tables"]:  # a table is open to its players and, as a spectator, to the host alone
        for guest, one in enumerate(party.clients, start=1):
            answer = one.get(f"/api/v1/tables/{table['id']}")
            sits = guest in [seat["guest"] for seat in table["seats"]]
            assert answer.status_code == (200 if sits or guest == 1 else 404)
            if answer.status_code == 200 and not sits:
                assert answer.json()["seat"] is None


def test_the_page_of_an_evening_reveals_no_hands(client: TestClient) -> None:
    """Two worlds: the evening of a running match is the same whatever the seed and the moves of a player hide."""
    party = Party(client, 3)
    evening = party.start(1)
    table = party.load_table(evening["tables"][0]["id"])
    before = {n: party.get(n) for n in (1, 2, 3)}
    match = table.current_match
    state = match.state
    match.state = state.resample(state.who, triclinium.Rng(5))  # another world
    try:
        assert {n: party.get(n) for n in (1, 2, 3)} == before
    finally:
        match.state = state
    assert before[1] == before[2] == before[3]
    for shown in before[1]["tables"]:
        assert set(shown) == {"id", "round", "place", "game", "status", "moves", "seats"}
        assert all(seat["total"] is None and seat["rank"] is None for seat in shown["seats"])


def test_a_rematch_does_not_belong_to_the_evening(client: TestClient) -> None:
    party = Party(client, 2)
    id = party.start(1)["tables"][0]["id"]
    assert party.load_table(id).options.evening == party.code
    party.play_round()
    rematch = party.clients[0].post(f"/api/v1/tables/{id}/rematch").json()["table"]["id"]
    assert party.load_table(rematch).options.evening == ""
    assert len(party.get()["tables"]) == 1


def test_matches_stored_before_a_stop_begin_when_the_evening_is_opened(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = Party(client, 4)

    async def stop(*_: object) -> None:
        raise Conflict("The server has stopped.")

    with monkeypatch.context() as changed:
        changed.setattr("triclinium.server.evenings.rounds.begin_stored_table", stop)
        assert party.send("/rounds", {"round": 1, "tables": [[1, 2], [3, 4]]}).status_code == 409
    assert [table.status for table in read_evening(party.server, party.code).tables] == ["waiting", "waiting"]
    assert [table["status"] for table in party.get(3)["tables"]] == ["playing", "playing"]


def test_an_erased_guest_has_no_name(client: TestClient) -> None:
    party = Party(client, 3)
    party.send("/others", {"name": "Rufus"})
    party.start(1)
    assert party.client.portal is not None
    person = read_evening(party.server, party.code).get_guest(2).person
    assert person is not None
    party.client.portal.call(delete_account, party.server, party.server.people.load_person(person))
    assert [guest["name"] for guest in party.get()["guests"]] == ["Guest 1", ANONYMOUS_NAME, "Guest 3", "Rufus"]
    host = read_evening(party.server, party.code).host
    party.client.portal.call(delete_account, party.server, party.server.people.load_person(host))
    names = [guest.name for guest in read_evening(party.server, party.code).guests]
    assert names == [ANONYMOUS_NAME, ANONYMOUS_NAME, "Guest 3", ANONYMOUS_NAME]


def test_two_guests_of_an_evening_cannot_be_merged(client: TestClient) -> None:
    party, other = Party(client, 2), Party(client, 1)
    assert party.client.portal is not None
    one, two = (guest.person for guest in read_evening(party.server, party.code).guests)
    third = read_evening(party.server, other.code).host
    assert one is not None
    assert two is not None
    with pytest.raises(Conflict):
        party.client.portal.call(merge_accounts, party.server, one, two)
    party.client.portal.call(merge_accounts, party.server, one, third)
    assert read_evening(party.server, other.code).host == one


def test_old_evenings_are_deleted_with_old_tables(client: TestClient) -> None:
    party, recent = Party(client, 2), Party(client, 2)
    party.start(1)

    async def job() -> None:
        old = update(evenings).where(evenings.c.code == party.code).values(made=server_time.now() - 40 * 86400)
        await party.server.store.write(lambda connection: connection.execute(old))
        await retention.delete_old_evenings(party.server.tables, 30)

    assert party.client.portal is not None
    party.client.portal.call(job)
    assert party.send("", None, 1, "GET").status_code == 404
    assert recent.get()["code"] == recent.code
