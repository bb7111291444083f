"""Tests of votes and undo: replacement needs a minimum absence, and a seat only agrees by its owner."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select

from tests.server.api_client import ApiClient, get_server, make_app
from tests.server.server_driver import take_seat
from tests.server.test_absence import ClockShift, clock_shift, open_table_of_absent_player, table_of, vote  # noqa: F401
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.server.errors import NotAllowed
from triclinium.server.services import Services
from triclinium.server.storage.schema import votes
from triclinium.server.tables import consent, ready_check, seats, timeouts, undo, vote_replace
from triclinium.server.tables.table import Table


def post_undo_request(api: ApiClient, seat: int, **more: bool) -> Response:
    return api.client.post(f"{api.url}/request-undo", headers=api.auth(seat), json={"version": api.version, **more})


def read_absence(api: ApiClient, seat: int) -> tuple[object, object]:
    seats = api.see(0)["seats"]
    assert isinstance(seats, list)
    return seats[seat]["absent_for"], seats[seat]["substitute_vote_in"]


def test_a_vote_needs_an_absence_and_shows_when_it_opens(client: TestClient, clock_shift: ClockShift) -> None:  # noqa: F811
    api = open_table_of_absent_player(client, 1)
    assert read_absence(api, 1) == (0, 600)
    early = vote(api, 0, 1)
    assert early.status_code == 409
    assert early.json()["message"] == "Ben 0 can be replaced by vote in 10:00"
    clock_shift.ahead = 120.0
    absent, left = read_absence(api, 1)
    assert absent in (120, 121, 122)
    assert left in (478, 479, 480)
    api.see(1)  # any request of the seat counts as activity
    assert read_absence(api, 1) == (0, 600)
    clock_shift.ahead = 710.0
    assert vote(api, 0, 1).status_code == 409
    clock_shift.ahead = 730.0
    assert read_absence(api, 1)[1] == 0
    done = vote(api, 0, 1)
    assert done.status_code == 200
    assert done.json()["done"]
    assert done.json()["table"]["seats"][1]["substitute_bot"]


def test_a_table_with_a_deadline_waits_for_it(client: TestClient, clock_shift: ClockShift) -> None:  # noqa: F811
    api = open_table_of_absent_player(client, 1, takeover=86400)
    clock_shift.ahead = 3600.0
    late = vote(api, 0, 1)
    assert late.status_code == 409
    assert "23 h 0" in late.json()["message"] or "22 h 59" in late.json()["message"]
    clock_shift.ahead = 86401.0
    assert vote(api, 0, 1).json()["done"]


def report_presence(api: ApiClient, *seats: int) -> None:
    """Make a request for each of these players."""
    for seat in seats:
        api.see(seat)


def test_equally_absent_players_have_no_vote(client: TestClient, clock_shift: ClockShift) -> None:  # noqa: F811
    """Absent players have no vote, so the third of three players can act alone."""
    api = open_table_of_absent_player(client, 2, seats=3)
    clock_shift.ahead = 90_000.0
    assert vote(api, 0, 2).json()["done"]
    removed = api.client.post(f"{api.url}/seats/2/vote-remove", headers=api.auth(0))
    assert removed.json()["done"]


def test_more_than_half_of_the_other_people_replace_a_player(client: TestClient, clock_shift: ClockShift) -> None:  # noqa: F811
    api = open_table_of_absent_player(client, 3, seats=4)
    clock_shift.ahead = 610.0
    report_presence(api, 0, 1, 2)
    assert not vote(api, 0, 3).json()["done"]
    assert not vote(api, 0, 3).json()["done"]  # The same person has voted again.
    assert vote(api, 1, 3).json()["done"]  # Two of three people have voted.
    three = open_table_of_absent_player(client, 2, seats=3)
    clock_shift.ahead = 1300.0
    report_presence(three, 0, 1)
    assert not vote(three, 0, 2).json()["done"]  # one of two is not more than half
    assert vote(three, 1, 2).json()["done"]


def test_a_vote_lapses_when_the_player_shows_a_sign_of_life(client: TestClient, clock_shift: ClockShift) -> None:  # noqa: F811
    api = open_table_of_absent_player(client, 2, seats=3)
    clock_shift.ahead = 610.0
    report_presence(api, 0, 1)
    assert not vote(api, 0, 2).json()["done"]
    api.see(2)
    clock_shift.ahead = 1300.0
    report_presence(api, 0, 1)
    assert not vote(api, 1, 2).json()["done"]  # the first vote was about another absence
    assert vote(api, 0, 2).json()["done"]


def test_bots_and_replaced_players_have_no_vote(client: TestClient, clock_shift: ClockShift) -> None:  # noqa: F811
    chairs = [{"kind": "me"}, {"kind": "invite"}, {"kind": "bot", "bot": "random"}, {"kind": "invite"}]
    api = ApiClient(client, chairs=chairs, variants={"stenographer": "3"}).fill()
    clock_shift.ahead = 610.0
    report_presence(api, 0, 1)
    assert not vote(api, 0, 3).json()["done"]
    assert vote(api, 1, 3).json()["done"]
    await_turn(api)
    api.play(api.options()[0])
    assert table_of(api).who == 1
    clock_shift.ahead = 1300.0
    assert vote(api, 0, 1).json()["done"]  # seat 3 is replaced already, so one person is left to vote


def test_a_vote_does_not_make_the_absent_player_agree(client: TestClient, clock_shift: ClockShift) -> None:  # noqa: F811
    """One vote is enough with two players, but only Ben can agree to an undo for his seat."""
    api = ApiClient(client).fill()
    api.play("start rome")
    api.play("start corinth")
    asker = api.who
    assert asker is not None
    api.play("tradition")  # This option reveals hidden cards.
    while api.who == asker:
        api.play(api.options()[0])
    clock_shift.ahead = 610.0
    assert vote(api, asker, 1 - asker).json()["done"]
    asked = post_undo_request(api, asker)
    assert asked.status_code == 200
    assert not asked.json()["done"]
    assert table_of(api).moves >= 3
    assert api.see(asker)["rated"]


def test_the_owner_agrees_and_the_match_is_unrated(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.play("start rome")
    api.play("start corinth")
    asker = api.who
    assert asker is not None
    before = table_of(api).current_match.state.digest()
    api.play("tradition")
    assert not post_undo_request(api, asker).json()["done"]
    assert api.see(1 - asker)["undo_requested_by"] == asker
    agreed = post_undo_request(api, 1 - asker).json()
    assert agreed["done"]
    assert "undo" in agreed["table"]["unrated"]
    assert not agreed["table"]["rated"]
    assert table_of(api).current_match.state.digest() == before


def test_an_agreed_undo_without_a_reveal_keeps_the_match_rated(client: TestClient) -> None:
    api = ApiClient(client).fill()
    first = api.who
    assert first is not None
    api.play("start rome")
    api.play("start corinth")
    assert not post_undo_request(api, first).json()["done"]
    agreed = post_undo_request(api, 1 - first).json()
    assert agreed["done"]
    assert agreed["table"]["moves"] == 0
    assert "undo" not in agreed["table"]["unrated"]


def test_a_program_returns_to_its_seat(client: TestClient, clock_shift: ClockShift) -> None:  # noqa: F811
    for way in ("back", "move"):
        api = open_table_of_absent_player(client, 1)
        clock_shift.ahead += 610.0
        assert vote(api, 0, 1).json()["done"]
        assert table_of(api).occupants[1].substitute
        if way == "back":
            answer = client.post(f"{api.url}/seats/1/return", headers=api.auth(1))
            assert answer.status_code == 200
            assert client.post(f"{api.url}/seats/0/return", headers=api.auth(1)).status_code == 403
        else:
            api.post(1, "nothing of the kind", 99)  # refused, but the player is back
        assert not table_of(api).occupants[1].substitute


# -- alone against bots -----------------------------------------------------------------------------------------


def against_a_bot(client: TestClient) -> ApiClient:
    """Open a table of a beginning player against a bot that answers at once."""
    chairs = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    return ApiClient(client, chairs=chairs, variants={"stenographer": "0"})


def await_turn(api: ApiClient) -> None:
    until = time.monotonic() + 60  # a busy machine starts the bot process late
    while api.who != 0 and time.monotonic() < until:
        time.sleep(0.02)
    assert api.who == 0


def test_undo_includes_the_answers_of_bots(client: TestClient) -> None:
    api = against_a_bot(client)
    before = table_of(api).current_match.state.digest()
    api.play("start rome")
    await_turn(api)
    assert table_of(api).moves == 2  # the bot has placed its pawn, which revealed nothing
    assert api.see(0)["may_undo"]
    undone = client.post(f"{api.url}/undo", headers=api.auth(0), json={"version": api.version})
    assert undone.status_code == 200, undone.text
    assert table_of(api).current_match.state.digest() == before
    assert "practice" not in undone.json()["unrated"]


def test_undo_past_a_reveal_alone_makes_a_practice_match(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        api = against_a_bot(client)
        api.play("start rome")
        await_turn(api)
        before = table_of(api).current_match.state.digest()
        api.play("tradition")
        assert client.post(f"{api.url}/undo", headers=api.auth(0), json={"version": api.version}).status_code == 409
        warned = post_undo_request(api, 0)
        assert warned.status_code == 409
        assert "practice" in warned.json()["message"]
        assert table_of(api).moves == 3
        granted = post_undo_request(api, 0, practice=True).json()
        assert granted["done"]
        assert "practice" in granted["table"]["unrated"]
        assert table_of(api).current_match.state.digest() == before
    with TestClient(make_app(tmp_path)) as client:
        api.client = client
        unrated = api.see(0)["unrated"]
        assert isinstance(unrated, list)
        assert "practice" in unrated  # The match stays practice.


def test_undoing_many_moves_needs_one_replay(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    api = ApiClient(client).fill()
    api.play_at_random(60)
    table = table_of(api)
    asker = table.history[0].seat
    other = 1 - asker
    while table.history[-1].seat == asker or api.who == asker:  # then the other player has decided and continues
        api.play(api.options()[0])
    replays: list[int] = []
    resume = Match.resume

    def counted(record: Record, game: Game | None = None, automatic: Collection[int] = ()) -> Match:
        replays.append(len(record.options))
        return resume(record, game, automatic)

    k = table.current_match.count_moves_to_undo(asker)
    assert k > 1
    wanted = resume(table.current_match.record.truncate(table.moves - k), table.game).state.digest()
    monkeypatch.setattr(Match, "resume", staticmethod(counted))
    moves = table.moves
    assert not post_undo_request(api, asker).json()["done"]
    assert post_undo_request(api, other).json()["done"]
    assert replays == [moves - k]
    assert table.current_match.state.digest() == wanted
    assert get_server(client).tables.load_history(table.id)[-1].kind == "undo"


# -- a seat that changes hands ----------------------------------------------------------------------------------------

Vote = Callable[[Services, Table, tuple[int, ...]], Awaitable[object]]
VOTES: dict[str, Vote] = {
    "pause": lambda server, table, mine: consent.vote_to_pause(server, table, mine, 15),
    "abandon": consent.vote_to_abandon,
    "remove": lambda server, table, mine: vote_replace.vote_to_remove(server, table, 2, mine),
    "absent": lambda server, table, mine: timeouts.vote_for_substitute(server, table, 2, mine),
    "take back": lambda server, table, mine: undo.vote_to_undo(server, table, mine, table.version),
}


@pytest.mark.parametrize("what", VOTES)
def test_a_pending_vote_of_a_player_who_left_does_not_count(
    client: TestClient,
    clock_shift: ClockShift,  # noqa: F811
    what: str,
) -> None:
    """A vote does not count if its sender loses the seat while it waits."""
    api = ApiClient(client, seats=3, time_bank=900, delay=45).fill()
    server, table = get_server(client), table_of(api)
    assert client.portal is not None
    eve, _ = client.portal.call(server.people.create_person, "Eve")
    clock_shift.ahead = 200.0

    async def race() -> object:
        occupant = table.occupants[1]
        async with server.tables.locked(table) as locked:
            voting = asyncio.ensure_future(VOTES[what](server, table, (1,)))
            await asyncio.sleep(0)
            await seats.vacate_seat(server, locked, occupant)
        # They wait for the table in the order in which they came: the vote's turn is before this one's.
        found = (await asyncio.gather(voting, return_exceptions=True))[0]
        await take_seat(server, table, 1, eve)
        return found

    refused = client.portal.call(race)
    assert isinstance(refused, NotAllowed)
    assert str(refused) == "This is not your seat."
    assert table.status == "playing"
    assert not table.votes.ballots
    with server.store.read_connection() as connection:
        assert connection.execute(select(votes).where(votes.c.table == table.id)).all() == []


def test_votes_do_not_pass_to_a_new_player(client: TestClient) -> None:
    """The same holds for ending a pause: each new player of a seat must agree again."""
    api = ApiClient(client, seats=3, time_bank=900, delay=45).fill()
    server, table = get_server(client), table_of(api)
    assert client.portal is not None
    eve, token = client.portal.call(server.people.create_person, "Eve")
    cookie = {"cookie": f"triclinium={token}"}
    asked = table.who
    leaver, other = (seat for seat in range(3) if seat != asked)
    pause = {"minutes": 15}
    assert not client.post(f"{api.url}/pause", headers=api.auth(leaver), json=pause).json()["done"]
    assert client.delete(f"{api.url}/seats/{leaver}", headers=api.auth(leaver)).status_code == 200

    async def take_over() -> None:
        await take_seat(server, table, leaver, eve)

    client.portal.call(take_over)
    for seat in (asked, other):
        assert not client.post(f"{api.url}/pause", headers=api.auth(seat), json=pause).json()["done"]
    assert not table.paused_until
    assert client.post(f"{api.url}/pause", headers=cookie, json=pause).json()["done"]
    assert table.paused_until
    for seat in (asked, other):
        assert not client.delete(f"{api.url}/pause", headers=api.auth(seat)).json()["done"]
    assert client.delete(f"{api.url}/pause", headers=cookie).json()["done"]
    assert not table.paused_until


def test_readiness_does_not_pass_to_a_new_player(client: TestClient) -> None:
    api = ApiClient(client, seats=3, ready_check=True)
    server, table = get_server(client), table_of(api)
    assert client.portal is not None
    people = [client.portal.call(server.people.create_person, name)[0] for name in ("Ben", "Eve", "Zoe")]

    async def race() -> object:
        for seat in (1, 2):
            await seats.take_seat(server, table, table.occupants[seat], people[seat - 1])
        async with server.tables.locked(table) as locked:
            pressing = asyncio.ensure_future(ready_check.confirm_ready(server, table, (1,)))
            await asyncio.sleep(0)
            await seats.vacate_seat(server, locked, table.occupants[1])
        found = (await asyncio.gather(pressing, return_exceptions=True))[0]
        await seats.take_seat(server, table, table.occupants[1], people[2])
        return found

    assert isinstance(client.portal.call(race), NotAllowed)
    assert 1 not in table.votes.ready
    assert table.status == "waiting"
