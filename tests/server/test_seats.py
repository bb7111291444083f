"""Tests of seats: one for each person, and vacated seats are offered by the host only."""

import asyncio

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import Connection, select

from tests.server.api_client import ApiClient, get_server
from tests.server.locked_tables import rewrite_occupant, rewrite_row
from tests.server.server_driver import take_seat
from tests.server.test_absence import ClockShift, clock_shift, open_table_of_absent_player, remove, table_of  # noqa: F401
from triclinium.engine.record import Record
from triclinium.engine.registry import load_game
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, RequestError
from triclinium.server.personal_data import bot_accounts
from triclinium.server.services import Services
from triclinium.server.storage.schema import chat, history, tables, votes
from triclinium.server.tables import chat as talk
from triclinium.server.tables import create, invitations, seats, vote_replace
from triclinium.server.tables.chat import ChatMessage
from triclinium.server.tables.options import SeatOptions, TableOptions
from triclinium.server.tables.rating_eligibility import list_unrated_reasons
from triclinium.server.tables.rematch import open_rematch
from triclinium.server.tables.table import LockedTable, Occupant, Table


def somebody(client: TestClient, name: str) -> tuple[Person, dict[str, str]]:
    """Create a person and return the header that identifies them."""
    assert client.portal is not None
    person, token = client.portal.call(get_server(client).people.create_person, name)
    return person, {"cookie": f"triclinium={token}"}


def test_one_cookie_holds_one_seat_by_the_api_too(client: TestClient) -> None:
    api = ApiClient(client, seats=4, visibility="listed")
    _, cookie = somebody(client, "Ben")
    first, second, third = api.invitations
    assert client.post(f"{api.url}/seats", json=first, headers=cookie).status_code == 201
    for way in (second, {"code": api.code}, {}):
        again = client.post(f"{api.url}/seats", json=way, headers=cookie)
        assert again.status_code == 409
        assert again.json()["message"] == "You already have a seat at this table."
    by_token = client.post(f"{api.url}/seats", json=third, headers=api.auth(0))
    assert by_token.status_code == 409  # a seat's token identifies the player too
    assert client.post(f"{api.url}/seats", json=third).status_code == 201


def test_a_vacated_seat_has_no_link_and_no_code(client: TestClient) -> None:
    """A vacated seat holds a hidden hand, so no link or code leads to it, not even for the host."""
    api = ApiClient(client, seats=3, visibility="watched").fill()
    server, table = get_server(client), table_of(api)
    old = api.invitations[0]
    assert client.delete(f"{api.url}/seats/1", headers=api.auth(1)).status_code == 200
    for facts in (api.see(0), api.see(2), client.get(api.url).json()):
        assert "invitations" not in facts
    signed = {"seat": 1, "invitation": invitations.make_seat_token(server.key, table, table.occupants[1])}
    for way in (old, signed):
        assert client.post(f"{api.url}/seats", json=way).status_code == 404
        assert client.get(f"/invitations/{api.id}/1/{way['invitation']}").status_code == 404
    for other in ({"seat": 1}, {"code": api.code}, {"code": api.code, "seat": 1}):
        refused = client.post(f"{api.url}/seats", json=other)
        assert refused.status_code == 409
        assert refused.json()["message"] == "There is no free seat."


def test_all_players_agree_on_who_takes_a_vacated_seat(client: TestClient) -> None:
    """Each owner is asked, and only the agreed person gets the seat. Afterwards nothing is rated."""
    api = ApiClient(client, seats=4, visibility="watched", variants={"stenographer": "0"}).fill()
    (eve, cookie), (_, stranger) = somebody(client, "Eve"), somebody(client, "Mallory")
    assert client.delete(f"{api.url}/seats/1", headers=api.auth(1)).status_code == 200

    def agree(seat: int, person: int = eve.id) -> Response:
        return client.post(f"{api.url}/seats/1/vote-reassign", json={"person": person}, headers=api.auth(seat))

    assert client.post(f"{api.url}/seats/1/vote-reassign", json={"person": eve.id}, headers=cookie).status_code == 403
    assert (
        client.post(f"{api.url}/seats/2/vote-reassign", json={"person": eve.id}, headers=api.auth(0)).status_code == 404
    )
    assert [agree(0).json()["done"], agree(0).json()["done"], agree(2).json()["done"]] == [False, False, False]
    assert api.see(3)["pending_votes"] == {f"assign 1 {eve.id}": [0, 2]}
    assert client.post(f"{api.url}/seats", json={"seat": 1}, headers=cookie).status_code == 409
    assert agree(3).json()["done"]
    assert (api.see(0)["rated"], table_of(api).reassigned) == (True, False)
    assert client.post(f"{api.url}/seats", json={"seat": 1}, headers=stranger).status_code == 409
    assert client.post(f"{api.url}/seats", json={"seat": 1}, headers=cookie).status_code == 201
    assert "reassigned" in api.see(0)["unrated"]  # type: ignore[operator]
    assert "reassigned" in list_unrated_reasons(get_server(client).tables.load_table(api.id))
    with get_server(client).store.read_connection() as connection:
        said = connection.execute(select(chat).where(chat.c.table == api.id).order_by(chat.c.id.desc())).first()
    assert said is not None
    assert said.text == "{0} takes the seat of {1}."
    assert said.name.split("\x1f") == ["Eve", "Ben 0"]


def test_players_who_saw_a_hand_cannot_take_a_vacated_seat(client: TestClient) -> None:
    """A vacated seat is not offered to anyone who may know a hand of the match.

    That includes players, players who have left, a player's bot account and its owner.
    """
    api = ApiClient(client, seats=4, variants={"stenographer": "0"}).fill()
    server, table = get_server(client), table_of(api)
    assert client.portal is not None
    owner = table.occupants[2].person
    left = table.occupants[1].person
    assert owner is not None
    program, _ = client.portal.call(
        bot_accounts.register_bot_account, server, client.portal.call(server.people.load_person, owner), "Clio"
    )
    assert client.delete(f"{api.url}/seats/1", headers=api.auth(1)).status_code == 200
    host, mine = table.occupants[0].person, (0,)
    assert host is not None
    assert left is not None
    for person in (host, left, program.id):
        with pytest.raises(Conflict, match="has played in this match"):
            client.portal.call(vote_replace.vote_to_reassign, server, table, 1, person, mine)


def test_one_player_alone_cannot_reassign_a_seat(client: TestClient, clock_shift: ClockShift) -> None:  # noqa: F811
    """A player alone cannot give a seat away: a private window of Anna cannot take Ben's seat."""
    api = open_table_of_absent_player(client, 1, shown="watched")
    clock_shift.ahead = 86_401.0
    assert remove(api, 0, 1).json()["done"]
    window, cookie = somebody(client, "Private window")
    refused = client.post(f"{api.url}/seats/1/vote-reassign", json={"person": window.id}, headers=api.auth(0))
    assert (refused.status_code, "At least two players" in refused.json()["message"]) == (409, True)
    assert "invitations" not in api.see(0)
    for way in ({"seat": 1}, {"code": api.code, "seat": 1}, {}):
        assert client.post(f"{api.url}/seats", json=way, headers=cookie).status_code == 409


def hot_table(client: TestClient, person: Person) -> Table:
    seats = [SeatOptions("me"), SeatOptions("hot", "Ben"), SeatOptions("hot", "Eve")]
    new = create.NewTable(load_game("evangelists"), seats, TableOptions(hints=False))
    assert client.portal is not None
    made: Table = client.portal.call(create.open_table, get_server(client), person, new)
    return made


def test_a_hot_seat_table_has_no_invitations(client: TestClient) -> None:
    seats = [SeatOptions("me"), SeatOptions("hot"), SeatOptions("invite")]
    with pytest.raises(RequestError, match="nobody can be invited"):
        create.NewTable(load_game("evangelists"), seats)


def test_people_at_one_device_have_names_of_their_own(client: TestClient) -> None:
    """People at one device get different names, so that the log can distinguish them."""
    person, _ = somebody(client, "Anna")
    new = create.NewTable(load_game("testoftime"), [SeatOptions("me"), SeatOptions("hot"), SeatOptions("hot", "Ben")])
    assert client.portal is not None
    made: Table = client.portal.call(create.open_table, get_server(client), person, new)
    assert list(made.names()) == ["Anna", "Anna 2", "Ben"]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_at_a_shared_device_goes_to_a_bot_for_good(client: TestClient, seat: int) -> None:
    person, cookie = somebody(client, "Anna")
    table = hot_table(client, person)
    url = f"/api/v1/tables/{table.id}"
    left = client.delete(f"{url}/seats/{seat}", headers=cookie)
    assert left.status_code == 200
    assert left.json()["seats"][seat]["substitute_bot"]
    assert left.json()["unrated"][-1] == "hot_seat"
    assert "invitations" not in client.get(url, headers=cookie).json()
    server = get_server(client)
    link = {"seat": seat, "invitation": invitations.make_seat_token(server.key, table, table.occupants[seat])}
    assert client.post(f"{url}/seats", json=link).status_code == 404
    stranger, _ = somebody(client, "Eve")
    assert client.portal is not None
    with pytest.raises(Conflict, match="There is no free seat"):
        client.portal.call(seats.take_seat, server, table, table.occupants[seat], stranger)


def test_an_old_table_with_hot_and_invited_seats_continues(client: TestClient) -> None:
    """Stored tables may mix shared and invited seats.

    Links of their free seats work, and a freed shared seat goes to a bot.
    """
    api = ApiClient(client, seats=3)
    server, table = get_server(client), table_of(api)
    rewrite_occupant(table, 1, kind="hot", person=table.host, taken=True)
    assert client.portal is not None
    client.portal.call(seats.leave_seat, server, table, table.occupants[1])
    assert (table.occupants[1].kind, table.occupants[1].taken) == ("bot", True)
    assert client.post(f"{api.url}/seats", json=api.invitations[1]).status_code == 201
    assert table.status == "playing"


def test_a_rematch_gives_no_second_seat(client: TestClient) -> None:
    api = ApiClient(client, seats=3).fill()
    api.finish()
    server, table = get_server(client), table_of(api)
    assert client.portal is not None
    anna, cookie = somebody(client, "Anna")
    rewrite_occupant(table, 0, person=anna.id)
    again: Table = client.portal.call(open_rematch, server, anna, table)
    rewrite_occupant(again, 1, person=None)  # someone gives the reserved seat away
    sat = client.post(f"/api/v1/tables/{again.id}/seats", json={"code": again.code, "seat": 1}, headers=cookie)
    assert sat.status_code == 409
    assert sat.json()["message"] == "You already have a seat at this table."


@pytest.mark.parametrize("act", ["abandon", "request-undo", "undo"])
def test_losing_a_seat_during_a_request_cancels_it(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """Any post brings an absent player back, but the others may remove that player before the bot has gone."""
    api = ApiClient(client, seats=3).fill()
    server, table = get_server(client), table_of(api)
    rewrite_occupant(table, 1, substitute="novice")
    monkeypatch.setattr(seats, "schedule_bot", lambda *_: None)

    async def removed(server: Services, table: LockedTable, seat: int) -> None:
        await seats.vacate_seat(server, table, table.occupants[seat])

    monkeypatch.setattr(seats, "end_substitution", removed)
    version = {"version": table.version} if act != "abandon" else None
    answer = client.post(f"{api.url}/{act}", json=version, headers=api.auth(1))
    assert (answer.status_code, answer.json()["error"]) == (403, "not_allowed")
    with server.store.read_connection() as connection:
        assert connection.execute(select(votes).where(votes.c.table == api.id)).all() == []


# -- origin, seal and rating ------------------------------------------------------------------------------------


def test_a_table_from_a_record_is_marked_and_has_no_free_seats(client: TestClient) -> None:
    """The host chose the shuffle, so no seat link leads to such a table, and it does not claim a shuffle commitment."""
    api = ApiClient(client).fill()
    empty = Record.loads(api.record())
    empty.seed = 7
    _, cookie = somebody(client, "Anna")
    french = client.post("/api/v1/records?language=fr", content=empty.dumps(), headers=cookie).json()["table"]
    assert [seat["name"] for seat in french["seats"]] == ["Anna", "Place 2"]  # a record has no names
    made = client.post("/api/v1/records", content=empty.dumps(), headers=cookie).json()["table"]
    assert [seat["name"] for seat in made["seats"]] == ["Anna", "Seat 2"]
    url = f"/api/v1/tables/{made['id']}"
    facts = client.get(url, headers=cookie).json()
    assert facts["origin"] == {"from": "record", "by": "Anna"}
    assert facts["sealed"] is False
    assert facts["rated"] is False
    assert "origin" in facts["unrated"]
    assert client.delete(f"{url}/seats/1", headers=cookie).status_code == 200
    assert "invitations" not in client.get(url, headers=cookie).json()


def test_a_continued_match_names_its_origin(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.finish()
    server, table = get_server(client), table_of(api)
    anna, cookie = somebody(client, "Anna")
    assert client.portal is not None
    fork: Table = client.portal.call(create.continue_match, server, anna, table, 5)
    facts = client.get(f"/api/v1/tables/{fork.id}", headers=cookie).json()
    assert facts["origin"] == {"from": "match", "move": 5}
    assert "origin" in facts["unrated"]
    assert facts["sealed"] is False


def test_reasons_for_unrated_matches_are_listed(client: TestClient) -> None:
    api = ApiClient(client).fill()
    table = table_of(api)
    facts = api.see(0)
    assert (facts["sealed"], facts["rated"], facts["unrated"], facts["origin"]) == (True, True, [], None)
    rewrite_row(table, practice=True, undone_by_consent=True)
    facts = api.see(0)
    assert (facts["sealed"], facts["rated"]) == (True, False)
    assert facts["unrated"] == ["practice", "undo"]


# -- the spectators' link ---------------------------------------------------------------------------------------


def test_the_host_revokes_link_and_code(client: TestClient) -> None:
    api = ApiClient(client, seats=3).fill()
    server, table = get_server(client), table_of(api)
    eve, cookie = somebody(client, "Eve")
    assert client.portal is not None
    client.portal.call(invitations.add_spectator, server, table, eve, api.watch)
    assert client.get(api.url, headers=cookie).status_code == 200
    assert client.delete(f"{api.url}/spectator-link", headers=api.auth(1)).status_code == 403
    fresh = client.delete(f"{api.url}/spectator-link", headers=api.auth(0))
    assert fresh.status_code == 200
    assert fresh.json()["watch"] != api.watch
    assert fresh.json()["code"] != api.code
    assert client.get(api.url, headers=cookie).status_code == 404

    def stored(connection: Connection) -> tuple[int, str]:
        row = connection.execute(select(tables).where(tables.c.id == api.id)).one()
        return row.watch_generation, row.code

    assert client.portal.call(server.store.write, stored) == (1, fresh.json()["code"])
    client.portal.call(invitations.add_spectator, server, table, eve, fresh.json()["watch"])
    assert client.get(api.url, headers=cookie).status_code == 200


def test_a_pending_move_of_a_player_who_left_is_refused(client: TestClient) -> None:
    """Posts wait for the table's lock. A player who has lost the seat by then cannot act."""
    api = ApiClient(client).fill()
    server = get_server(client)
    who, option, version = api.who, api.options()[0], api.version
    assert who is not None
    seat = who

    def post_move() -> int:
        return client.post(
            f"{api.url}/move", json={"option": option, "version": version}, headers=api.auth(seat)
        ).status_code

    async def race() -> int:
        table = await server.tables.get_table(api.id)
        occupant = table.occupants[seat]
        async with server.tables.locked(table):
            leaving = asyncio.ensure_future(seats.leave_seat(server, table, occupant))
            await asyncio.sleep(0)
            moving = asyncio.ensure_future(asyncio.to_thread(post_move))
            await asyncio.sleep(0.3)
        await leaving
        return await moving

    assert client.portal is not None
    assert client.portal.call(race) == 403
    with server.store.read_connection() as connection:
        rows = connection.execute(
            select(history.c.bot).where(history.c.table == api.id, history.c.version == version + 1)
        )
        assert all(row.bot for row in rows)  # a bot made all later decisions there


def test_leaving_twice_does_not_affect_the_next_owner(client: TestClient) -> None:
    """The second request waits for the table. A new player who sits there by then stays, and so does their link."""
    api = ApiClient(client, seats=3)
    server = get_server(client)
    ben, _ = somebody(client, "Ben")
    eve, _ = somebody(client, "Eve")

    async def race() -> tuple[object, ...]:
        table = await server.tables.get_table(api.id)
        occupant = table.occupants[1]
        await seats.take_seat(server, table, occupant, ben)
        occupant = table.occupants[1]
        async with server.tables.locked(table):
            first = asyncio.ensure_future(seats.leave_seat(server, table, occupant))
            sitting = asyncio.ensure_future(_sit_when_free(table, occupant, eve))
            second = asyncio.ensure_future(seats.leave_seat(server, table, occupant))
            await asyncio.sleep(0)
        done = await asyncio.gather(first, sitting, second, return_exceptions=True)
        return (table.occupants[1].person, *done)

    async def _sit_when_free(table: Table, occupant: Occupant, person: Person) -> None:
        while table.occupants[occupant.seat].taken:
            await asyncio.sleep(0)
        await seats.take_seat(server, table, table.occupants[occupant.seat], person)

    assert client.portal is not None
    person, first, sitting, second = client.portal.call(race)
    assert (person, first, sitting) == (eve.id, None, None)
    assert isinstance(second, Conflict)


def test_the_host_frees_no_seat_of_a_match_that_has_just_begun(client: TestClient) -> None:
    """After the deal only a vote can take a seat away, even if the host's request came during the deal."""
    api = ApiClient(client)
    server = get_server(client)
    ben, _ = somebody(client, "Ben")

    async def race() -> list[object]:
        table = await server.tables.get_table(api.id)
        async with server.tables.locked(table):
            sitting = asyncio.ensure_future(seats.take_seat(server, table, table.occupants[1], ben))
            await asyncio.sleep(0)
        await sitting
        assert table.status == "playing"
        freeing = seats.leave_seat(server, table, table.occupants[1], before_deal=True)
        return [*await asyncio.gather(freeing, return_exceptions=True), table.occupants[1].person]

    assert client.portal is not None
    refused, person = client.portal.call(race)
    assert isinstance(refused, Conflict)
    assert person == ben.id


def test_votes_lapse_with_the_seat_that_gave_them(client: TestClient) -> None:
    """A vote does not count for the next player of the seat."""
    api = ApiClient(client, seats=3).fill()
    server, table = get_server(client), table_of(api)
    eve, cookie = somebody(client, "Eve")
    asked = api.who
    leaver, other = (seat for seat in range(3) if seat != asked)  # no player and no bot decides meanwhile
    assert asked is not None
    for seat in (leaver, other):
        assert client.post(f"{api.url}/abandon", headers=api.auth(seat)).json()["done"] is False
    assert client.delete(f"{api.url}/seats/{leaver}", headers=api.auth(leaver)).status_code == 200

    async def take_over() -> None:
        await take_seat(server, table, leaver, eve)

    assert client.portal is not None
    client.portal.call(take_over)
    assert client.get(api.url, headers=cookie).json()["pending_votes"] == {"abandon": [other]}
    assert client.post(f"{api.url}/abandon", headers=api.auth(asked)).json()["done"] is False
    assert table.status == "playing"


def test_names_at_a_table_are_unique(client: TestClient) -> None:
    """A person who arrives without the page gets a number after the name automatically."""
    api = ApiClient(client, seats=3)
    names = {"Anna"}
    for typed, invitation in zip(("Anna", "a\u200dnna"), api.invitations, strict=True):
        sat = client.post(f"{api.url}/seats", json={"player": typed, **invitation})
        names = {seat["name"] for seat in sat.json()["table"]["seats"]}
    assert names == {"Anna", "Anna 2", "a\u200dnna 3"}


def test_messages_keep_their_sender_when_seats_are_drawn(client: TestClient) -> None:
    """A post from the second seat during the deal does not act for the player who gets that seat."""
    server = get_server(client)
    api = ApiClient(client, seats=3, shuffle_seats=True)
    table = table_of(api)
    (ben, _), (eve, _) = somebody(client, "Ben"), somebody(client, "Eve")

    async def deal() -> tuple[int, list[ChatMessage]]:
        await seats.take_seat(server, table, table.occupants[1], ben)
        await talk.post_message(server, table, 1, "Ben", "hello", ben.id)
        await talk.post_message(server, table, 0, "Anna", "welcome")
        before = table.occupants[0].generation
        await seats.take_seat(server, table, table.occupants[2], eve)
        return before, talk.load_messages(server.store, table)

    assert client.portal is not None
    before, said = client.portal.call(deal)
    assert [(one.name, one.seat) for one in table.occupants] == [("Eve", 0), ("Ben", 1), ("Anna", 2)]
    assert [(one.name, one.seat) for one in said if not one.by_server] == [("Ben", 1), ("Anna", 2)]
    assert table.occupants[2].generation == before + 1
    fresh = server.tables.load_table(table.id)
    assert [one.generation for one in fresh.occupants] == [one.generation for one in table.occupants]
    assert [one.person for one in fresh.occupants] == [one.person for one in table.occupants]
