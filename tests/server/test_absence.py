"""Tests of absent players, consent, and tables with a rematch."""

import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.server.api_client import ApiClient, get_server, make_app
from tests.server.locked_tables import rewrite_occupant
from tests.server.server_driver import ServerDriver
from triclinium.server import server_time
from triclinium.server.tables import event_stream, timeouts, undo
from triclinium.server.tables.options import TableOptions
from triclinium.server.tables.rematch import open_rematch
from triclinium.server.tables.table import Table


def table_of(api: ApiClient) -> Table:
    client = api.client
    assert client.portal is not None
    found: Table = client.portal.call(get_server(client).tables.get_table, api.id)
    return found


class ClockShift:
    """A clock that tests move forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0.0
        now = server_time.now
        monkeypatch.setattr(event_stream, "clock", lambda: time.monotonic() + self.ahead)
        monkeypatch.setattr(server_time, "now", lambda: now() + self.ahead)


@pytest.fixture
def clock_shift(monkeypatch: pytest.MonkeyPatch) -> ClockShift:
    return ClockShift(monkeypatch)


def vote(api: ApiClient, voter: int, absent: int) -> Response:
    return api.client.post(f"{api.url}/seats/{absent}/vote-substitute", headers=api.auth(voter))


def remove(api: ApiClient, voter: int, absent: int) -> Response:
    return api.client.post(f"{api.url}/seats/{absent}/vote-remove", headers=api.auth(voter))


def open_table_of_absent_player(
    client: TestClient, absent: int, seats: int = 2, *, takeover: int = 0, shown: str = "link"
) -> ApiClient:
    """Open a table at which this seat moves first."""
    variants = {"stenographer": str(absent)}
    return ApiClient(client, seats=seats, variants=variants, substitute_after=takeover, visibility=shown).fill()


def test_no_bot_plays_by_itself_without_a_clock(client: TestClient, clock_shift: ClockShift) -> None:
    """Without a clock no bot takes over by itself, even after the deadline: the other players decide."""
    api = open_table_of_absent_player(client, 1, takeover=600)
    clock_shift.ahead = 5000.0
    assert client.portal is not None
    client.portal.call(timeouts.check_late_tables, get_server(client))
    assert not table_of(api).occupants[1].substitute


def test_a_substitute_plays_until_its_owner_opens_the_table(client: TestClient, clock_shift: ClockShift) -> None:
    api = open_table_of_absent_player(client, 1)
    table = table_of(api)
    clock_shift.ahead = 601.0
    assert vote(api, 0, 1).json()["done"]
    until = time.monotonic() + 60  # a busy machine starts the bot process late
    while not table.history and time.monotonic() < until:  # wait until the decision is stored
        time.sleep(0.05)
    assert table.history[0].bot  # the substitute has decided, and the history shows it
    assert table.occupants[1].substitute
    api.see(1)
    assert not table.occupants[1].substitute
    assert not get_server(client).tables.load_table(table.id).occupants[1].substitute


def test_a_hidden_page_is_no_sign_of_life(client: TestClient, clock_shift: ClockShift) -> None:
    """The reading of events by a hidden page does not count as activity.

    So the substitute bot plays until the owner returns.
    """
    house = ServerDriver(client)
    anna, ben = house.create_person("Anna"), house.create_person("Ben")
    table = house.open_table(anna, ben, options=TableOptions({"stenographer": "1"}))
    cookies = {"cookie": f"triclinium={house.cookies['Ben']}"}
    hidden = {**cookies, "x-page-hidden": "1"}
    clock_shift.ahead = 601.0
    assert client.get(f"/api/v1/tables/{table.id}", headers=hidden).status_code == 200
    assert house.portal.call(timeouts.vote_for_substitute, house.server, table, 1, (0,)) is True
    assert client.get(f"/api/v1/tables/{table.id}", headers=hidden).status_code == 200
    assert table.occupants[1].substitute
    looks = {"tab": "one", "visible": False, "notifies": False}
    here = f"/api/v1/tables/{table.id}/presence"
    assert client.post(here, json=looks, headers=cookies).status_code == 200
    assert table.occupants[1].substitute
    assert client.post(here, json={**looks, "visible": True}, headers=cookies).status_code == 200
    assert not table.occupants[1].substitute


def test_silence_before_the_own_turn_does_not_count(client: TestClient, clock_shift: ClockShift) -> None:
    """Players need not visit a table while another player thinks for hours."""
    api = open_table_of_absent_player(client, 0)
    clock_shift.ahead = 90_000.0
    api.play("start rome")
    early = vote(api, 0, 1)
    assert (early.status_code, early.json()["message"]) == (409, "Ben 0 can be replaced by vote in 10:00")
    assert remove(api, 0, 1).json()["message"] == "Ben 0 can be removed by vote in 24 h 00 min"
    clock_shift.ahead += 601.0
    assert vote(api, 0, 1).json()["done"]
    assert remove(api, 0, 1).json()["message"] == "Ben 0 can be removed by vote in 23 h 49 min"


def test_only_the_player_whose_turn_it_is_is_replaced(client: TestClient, clock_shift: ClockShift) -> None:
    api = open_table_of_absent_player(client, 0)
    clock_shift.ahead = 90_000.0
    refused = vote(api, 0, 1)
    assert (refused.status_code, "whose turn it is" in refused.json()["message"]) == (409, True)
    assert remove(api, 0, 1).status_code == 409


@pytest.mark.parametrize("takeover", [1, 60, 599])
def test_no_table_has_a_shorter_deadline(client: TestClient, takeover: int) -> None:
    seats = [{"kind": "me"}, {"kind": "invite"}]
    wish = {"game": "evangelists", "player": "Anna", "seats": seats}
    refused = client.post("/api/v1/tables", json={**wish, "substitute_after": takeover})
    assert (refused.status_code, "10 minutes" in refused.json()["message"]) == (400, True)
    both = client.post("/api/v1/tables", json={**wish, "substitute_after": 600, "time_bank": 900, "delay": 45})
    assert both.status_code == 400


def test_deadlines_are_shown_before_a_player_joins(client: TestClient) -> None:
    """The deadlines for absence are shown before a player takes a seat.

    The table's description, the page of the code and the list of open tables have them.
    """
    api = ApiClient(client, visibility="listed")
    slower = ApiClient(client, visibility="listed", substitute_after=2 * 86400)
    timed = ApiClient(client, visibility="listed", time_bank=900, delay=45)
    for one, deadlines in ((api, (600, 86400)), (slower, (172_800, 172_800)), (timed, (None, None))):
        by_code = client.get(f"/api/v1/join-codes/{one.code}").json()["table"]
        listed = client.get("/api/v1/tables", params={"which": "open"}).json()["tables"]
        line = next(line for line in listed if line["id"] == one.id)
        for facts in (one.see(0), by_code, line):
            assert (facts["substitute_after"], facts["remove_after"]) == deadlines


def test_removal_needs_a_day_of_absence(client: TestClient, clock_shift: ClockShift) -> None:
    api = open_table_of_absent_player(client, 1)
    clock_shift.ahead = 86_000.0
    early = remove(api, 0, 1)
    assert (early.status_code, early.json()["message"]) == (409, "Ben 0 can be removed by vote in 6:40")
    assert api.see(0)["seats"][1]["removal_vote_in"] in (399, 400)  # type: ignore[index]
    clock_shift.ahead = 86_401.0
    assert remove(api, 0, 1).json()["done"]
    seat = api.see(0)["seats"][1]  # type: ignore[index]
    assert (seat["taken"], bool(seat["substitute_bot"])) == (False, True)


def test_a_guest_removes_an_absent_host(client: TestClient, clock_shift: ClockShift) -> None:
    """A losing host cannot stop the match by staying away."""
    api = open_table_of_absent_player(client, 0)
    clock_shift.ahead = 86_401.0
    assert remove(api, 1, 0).json()["done"]


def test_a_sign_of_life_ends_the_vote_about_removal(client: TestClient, clock_shift: ClockShift) -> None:
    api = open_table_of_absent_player(client, 1)
    clock_shift.ahead = 86_401.0
    api.see(1)
    assert remove(api, 0, 1).status_code == 409


def test_undo_by_consent_of_all_seats(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.play("start rome")
    api.play("start corinth")
    server, table = get_server(client), table_of(api)
    assert client.portal is not None
    before = table.current_match.state.digest()
    asker = table.who
    api.play("tradition")  # hidden information was revealed, so the move cannot be undone alone
    assert client.portal.call(undo.vote_to_undo, server, table, (asker,), table.version) is False
    assert table.moves == 3
    assert client.portal.call(undo.vote_to_undo, server, table, (1 - asker,), table.version) is True
    assert table.moves == 2
    assert table.current_match.state.digest() == before


def test_consent_lapses_when_the_table_moves_on(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.play("start rome")
    server, table = get_server(client), table_of(api)
    assert client.portal is not None
    mover = table.history[-1].seat
    assert client.portal.call(undo.vote_to_undo, server, table, (mover,), table.version) is False
    api.play("start corinth")
    assert undo.find_undo_requester(server.store, table) is None
    assert client.portal.call(undo.vote_to_undo, server, table, (1 - mover,), table.version) is False
    assert table.moves == 2


def test_a_history_with_undo_is_rebuilt_after_a_restart(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        api = ApiClient(client).fill()
        api.play("start rome")
        api.play("start corinth")
        who = api.who
        assert who is not None
        for _ in range(3):
            api.play("travel weak")
            undo = client.post(f"{api.url}/undo", headers=api.auth(who), json={"version": api.version})
            assert undo.status_code == 200
        api.play("travel weak")
        before = (api.version, table_of(api).current_match.state.digest())
    with TestClient(make_app(tmp_path)) as client:
        api.client = client
        assert (api.version, table_of(api).current_match.state.digest()) == before


def test_a_rematch_keeps_the_seats(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.finish()
    server, table = get_server(client), table_of(api)
    assert client.portal is not None
    person, _ = client.portal.call(server.people.create_person, "Anna")
    rewrite_occupant(table, 0, person=person.id)
    fresh: Table = client.portal.call(open_rematch, server, person, table)
    assert fresh.status == "waiting"
    assert [occupant.taken for occupant in fresh.occupants] == [True, False]
    assert fresh.occupants[1].person == table.occupants[1].person
    assert fresh.seed != table.seed
    again: Table = client.portal.call(open_rematch, server, person, table)
    assert again is fresh
