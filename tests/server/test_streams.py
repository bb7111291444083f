"""Tests that a stream belongs to the person who opened it, over real HTTP: lost seats get no more events."""

import re
import time
from collections.abc import Iterator

import pytest

from bench.server_process import ApiConnection, ApiTable, ServerProcess
from tests.server.stream_clients import FormClient, StreamReaders, open_table_for


@pytest.fixture
def listener(server: ServerProcess) -> Iterator[StreamReaders]:
    listening = StreamReaders(server.port)
    with listening.open:
        yield listening


def person_of(one: FormClient) -> int:
    """Return the person id of a client. A new client opens a table to get one."""
    if one.call_api("GET", "/me")[0] != 200:
        wish = {"game": "evangelists", "seats": "2", "kind0": "me", "kind1": "invite", "player": one.name}
        assert one.post("/new", **wish) == 303
    number = one.call_api("GET", "/me")[1]["person"]
    assert isinstance(number, int)
    return number


def list_present_seats(table: ApiTable) -> list[bool]:
    """Return which seats have the table open."""
    _, facts = table.caller.call("GET", table.url, None, table.tokens[0])
    seats = facts["seats"]
    assert isinstance(seats, list)
    return [seat["present"] for seat in seats]


def play_first(person: FormClient, table: str) -> None:
    """Play the first option of this person's decision."""
    _, facts = person.call_api("GET", f"/tables/{table}")
    decision = facts["decision"]
    assert isinstance(decision, dict)
    move = {"option": decision["options"][0]["option"], "version": facts["version"]}
    assert person.call_api("POST", f"/tables/{table}/move", move)[0] == 200


def test_the_stream_of_a_token_ends_with_its_seat(server: ServerProcess, listener: StreamReaders) -> None:
    with ApiConnection(server.port) as caller:
        table = ApiTable(caller, seats=3)
        eve = FormClient(server.port, "Eve")
        ear = listener.open_for_token(table.tokens[1], table.id)
        ear.wait_for_version(0)
        assert list_present_seats(table)[1]
        status, _ = caller.call("DELETE", f"{table.url}/seats/1", None, table.tokens[1])
        assert status == 200
        assert not list_present_seats(table)[1]  # presence ends when the player leaves, not with the connection
        assert ear.ended.wait(5)
        before = len(ear.heard)
        for seat in (0, 2):  # all players agree that Eve takes the seat
            new: dict[str, object] = {"person": person_of(eve)}
            assert caller.call("POST", f"{table.url}/seats/1/vote-reassign", new, table.tokens[seat])[0] == 200
        status, sat = eve.call_api("POST", f"/tables/{table.id}/seats", {"seat": 1})
        assert status == 201, sat
        for _ in range(6):
            who = table.find_asked_seat()
            assert who is not None
            if who == 1:  # Eve plays by her cookie
                play_first(eve, table.id)
                continue
            version, options = table.options(who)
            move: dict[str, object] = {"option": options[0], "version": version}
            assert caller.call("POST", f"{table.url}/move", move, table.tokens[who])[0] == 200
        assert len(ear.heard) == before


def test_a_player_who_leaves_gets_the_events_of_spectators(server: ServerProcess, listener: StreamReaders) -> None:
    anna, ben, noa, eve = (FormClient(server.port, name) for name in ("Anna", "Ben", "Noa", "Eve"))
    id = open_table_for(anna, ben, noa, shown="watched")
    ear = listener.open_for_person(ben, id)
    ear.wait_for_version(0)
    assert ben.post(f"/tables/{id}/leave", seat="1") == 303
    for one in (anna, noa):  # all players agree that Eve takes the seat
        assert one.call_api("POST", f"/tables/{id}/seats/1/vote-reassign", {"person": person_of(eve)})[0] == 200
    assert eve.post(f"/tables/{id}/join", seat="1") == 303
    owned = listener.open_for_person(eve, id)
    for _ in range(9):
        _, facts = anna.call_api("GET", f"/tables/{id}")
        who = facts["who"]
        assert isinstance(who, int)
        mover = (anna, eve, noa)[who]
        _, asked = mover.call_api("GET", f"/tables/{id}/options")
        decision = asked["decision"]
        assert isinstance(decision, dict)
        move: dict[str, object] = {"option": decision["options"][0]["option"], "version": asked["version"]}
        assert mover.call_api("POST", f"/tables/{id}/move", move)[0] == 200
    version = anna.call_api("GET", f"/tables/{id}")[1]["version"]
    assert isinstance(version, int)
    ear.wait_for_version(version)
    owned.wait_for_version(version)
    assert owned.received_options  # the seat is asked, and its player has received the options
    assert not ear.received_options
    assert not ear.ended.is_set()
    kinds = [kind for kind, _ in ear.heard]
    assert "hint" not in kinds
    ear.wait_for_event("presence", {"present": [1], "spectators": 1})


def test_a_stream_gets_options_after_taking_a_seat(server: ServerProcess, listener: StreamReaders) -> None:
    anna, ben = FormClient(server.port, "Anna"), FormClient(server.port, "Ben")
    anna.post("/new", game="evangelists", seats="2", kind0="me", kind1="invite", visibility="watched")
    id = anna.location.removeprefix("/tables/")
    ear = listener.open_for_person(ben, id)
    assert ben.post(f"/tables/{id}/join", seat="1", name="Ben") == 303
    until = time.monotonic() + 10
    while not ear.received_options and time.monotonic() < until:
        _, facts = anna.call_api("GET", f"/tables/{id}")
        if facts["who"] == 0:
            _, asked = anna.call_api("GET", f"/tables/{id}/options")
            decision = asked["decision"]
            assert isinstance(decision, dict)
            anna.call_api(
                "POST",
                f"/tables/{id}/move",
                {"option": decision["options"][0]["option"], "version": asked["version"]},
            )
        time.sleep(0.05)
    assert ear.received_options


def test_a_signed_out_device_gets_no_events(server: ServerProcess, listener: StreamReaders) -> None:
    anna, ben = FormClient(server.port, "Anna"), FormClient(server.port, "Ben")
    ids = [open_table_for(anna, ben), open_table_for(ben, anna, shown="watched")]
    forgotten = [listener.open_for_person(ben, id) for id in ids]
    others = [listener.open_for_person(anna, id) for id in ids]
    for ear in forgotten:
        ear.wait_for_version(0)
    ben.get("/me")
    assert ben.post("/me/sign-out") == 303
    for ear in forgotten:
        assert ear.ended.wait(5)
    assert not any(ear.ended.is_set() for ear in others)
    for id in ids:
        _, facts = anna.call_api("GET", f"/tables/{id}")
        seats = facts["seats"]
        assert isinstance(seats, list)
        assert sum(seat["present"] for seat in seats) == 1


def test_a_revoked_link_ends_the_streams_of_its_spectators(server: ServerProcess, listener: StreamReaders) -> None:
    anna, ben, eve = (FormClient(server.port, name) for name in ("Anna", "Ben", "Eve"))
    id = open_table_for(anna, ben)
    anna.get(f"/tables/{id}")
    link = re.search(r"/watch/\w+/[0-9a-f]{32}", anna.page)
    assert link is not None
    assert eve.get(link[0]) == 303
    ear, player = listener.open_for_person(eve, id), listener.open_for_person(ben, id)
    ear.wait_for_version(0)
    assert ben.post(f"/tables/{id}/revoke-spectator-link") == 403  # only the host may do this
    assert not ear.ended.is_set()
    assert anna.post(f"/tables/{id}/revoke-spectator-link") == 303
    assert ear.ended.wait(5)
    assert not player.ended.is_set()
    assert eve.get(f"/tables/{id}") == 404
    assert eve.get(link[0]) == 404
    anna.get(f"/tables/{id}")
    fresh = re.search(r"/watch/\w+/[0-9a-f]{32}", anna.page)
    assert fresh is not None
    assert fresh[0] != link[0]
    assert eve.get(fresh[0]) == 303
    assert eve.get(f"/tables/{id}") == 200
