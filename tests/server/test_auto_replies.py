"""Tests of auto-replies: stored with their move, undone with it, and visible to their player only."""

import threading
from collections.abc import Mapping
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select

from tests.server.api_client import ApiClient, get_server, make_app
from triclinium.engine.core.state import Option, State
from triclinium.games.evangelists.rules.actions.travel import FollowTravel
from triclinium.server.storage.schema import history, wishes
from triclinium.server.tables.event_stream import EventListener
from triclinium.server.tables.table import Table

SEATS = 3  # seat 0 has no token, so it is never asked to follow a weak journey
STARTS = ("rome", "ephesus", "antioch")


def play_to_follow_question(client: TestClient, shown: str = "link") -> ApiClient:
    """Return a table where seat 0 has travelled to Corinth and seat 1 is asked to follow."""
    api = ApiClient(client, seats=SEATS, variants={"stenographer": "0"}, visibility=shown).fill()
    for city in STARTS:
        api.play(f"start {city}")
    api.play("travel weak")
    api.play("to corinth")
    return api


def travel(api: ApiClient) -> None:
    """Travel with the asked seat."""
    api.play("travel weak")
    api.play(api.options()[0])


def end_turn_by_api(api: ApiClient) -> None:
    """Decline until the turn ends. It ends automatically if nothing is left to do."""
    who = api.see(0)["view"]["turn"]  # type: ignore[index]
    while "decline" in api.options():
        api.play("decline")
    if api.see(0)["view"]["turn"] == who:  # type: ignore[index]
        api.play("end")
    while "travel weak" not in api.options():  # The loop ends at the next turn of a seat.
        api.play(api.options()[0])


def post_auto_reply(api: ApiClient, mine: int, until: str, version: int | None = None, **more: object) -> Response:
    body = {"until": until, "version": api.version if version is None else version, **more}
    return api.client.post(f"{api.url}/auto-replies", headers=api.auth(mine), json=body)


def set_auto_reply(api: ApiClient, seat: int, until: str) -> Mapping[str, object]:
    done = post_auto_reply(api, seat, until)
    assert done.status_code == 200, done.text
    facts: Mapping[str, object] = done.json()
    return facts


def get_auto_replies(api: ApiClient, seat: int, language: str = "en") -> Mapping[str, object]:
    answer = api.client.get(f"{api.url}/auto-replies?language={language}", headers=api.auth(seat))
    assert answer.status_code == 200, answer.text
    facts: Mapping[str, object] = answer.json()
    return facts


def undo(api: ApiClient, seat: int) -> Response:
    return api.client.post(f"{api.url}/undo", headers=api.auth(seat), json={"version": api.version})


def rows(api: ApiClient) -> list[tuple[str, int, str, bool]]:
    """Return the stored history."""
    asked = select(history.c.kind, history.c.seat, history.c.option, history.c.automatic)
    with get_server(api.client).store.read_connection() as connection:
        found = connection.execute(asked.where(history.c.table == api.id).order_by(history.c.version))
        return [(row.kind, row.seat, row.option, row.automatic) for row in found]


def list_stored_steps(api: ApiClient) -> list[str]:
    """Return the steps of the stored auto-replies."""
    with get_server(api.client).store.read_connection() as connection:
        return [row.step for row in connection.execute(select(wishes).where(wishes.c.table == api.id))]


def test_an_auto_reply_answers_now_and_later(client: TestClient) -> None:
    api = play_to_follow_question(client)
    offered = {"step": "FollowTravel", "option": "decline", "text": "Never follow a Travel"}
    assert get_auto_replies(api, 1)["offered"] == {**offered, "until": ["turn", "round", "match"]}
    assert get_auto_replies(api, 0)["offered"] is None
    facts = set_auto_reply(api, 1, "match")
    assert facts["auto_replies"] == [{"step": "FollowTravel", "until": "match", "text": "Never follow a Travel"}]
    assert rows(api)[-1] == ("move", 1, "decline", False)  # by hand, because the player was asked and chose this
    assert api.who == 2
    end_turn_by_api(api)
    end_turn_by_api(api)  # end the turn of seat 1, which does nothing
    travel(api)
    assert rows(api)[-1] == ("move", 1, "decline", True)
    assert api.who == 2
    assert get_auto_replies(api, 1, "fr")["auto_replies"] == [
        {"step": "FollowTravel", "until": "match", "text": "Ne suivre aucun Voyage"}
    ]


@pytest.mark.parametrize(("until", "lasts"), [("turn", 1), ("round", 3), ("match", 4)])
def test_an_auto_reply_ends_with_its_turn_or_round(client: TestClient, until: str, lasts: int) -> None:
    api = play_to_follow_question(client)
    set_auto_reply(api, 1, until)
    stood = 0
    for _ in range(4):  # the turns of the three seats, and the first turn of the next round
        stood += bool(get_auto_replies(api, 1)["auto_replies"])
        end_turn_by_api(api)
    assert stood == lasts


def table_of(api: ApiClient) -> Table:
    assert api.client.portal is not None
    found: Table = api.client.portal.call(get_server(api.client).tables.get_table, api.id)
    return found


def test_an_automatic_answer_is_undone_with_its_move(client: TestClient) -> None:
    api = play_to_follow_question(client)
    set_auto_reply(api, 1, "match")
    set_auto_reply(api, 2, "match")
    end_turn_by_api(api)
    version = api.version
    api.play("travel weak")
    before = api.see(1)["view"]
    api.play("to attalia")
    assert [row[1:] for row in rows(api)[-2:]] == [(1, "to attalia", False), (2, "decline", True)]
    assert api.version == version + 3
    assert undo(api, 2).status_code == 409
    assert undo(api, 1).status_code == 200
    assert api.see(1)["view"] == before
    assert [row[0] for row in rows(api)[-2:]] == ["undo", "undo"]
    assert undo(api, 1).status_code == 200  # undo the plan to travel
    assert undo(api, 1).status_code == 409  # seat 0 decided before that
    assert get_auto_replies(api, 2)["auto_replies"], "what was taken back is not the wish"


def test_an_undo_to_the_question_asks_again(client: TestClient) -> None:
    api = play_to_follow_question(client)
    set_auto_reply(api, 1, "round")
    assert undo(api, 1).status_code == 200
    assert api.who == 1
    assert get_auto_replies(api, 1)["auto_replies"] == []
    assert list_stored_steps(api) == []
    assert "decline" in api.options()


def test_an_auto_reply_can_be_removed(client: TestClient) -> None:
    api = play_to_follow_question(client)
    set_auto_reply(api, 1, "match")
    ended = client.delete(f"{api.url}/auto-replies/FollowTravel", headers=api.auth(1))
    assert (ended.status_code, ended.json()["auto_replies"]) == (200, [])
    again = client.delete(f"{api.url}/auto-replies/FollowTravel", headers=api.auth(1))
    assert (again.status_code, again.json()["error"]) == (404, "not_found")
    assert again.json()["message"] == "This question has no automatic answer."
    end_turn_by_api(api)
    end_turn_by_api(api)
    travel(api)
    assert (api.who, "decline" in api.options()) == (1, True)


def test_invalid_auto_replies_are_refused_and_change_nothing(client: TestClient) -> None:
    api = play_to_follow_question(client)
    version = api.version
    for refused, said in (
        (post_auto_reply(api, 0, "round"), "It is not your turn."),
        (post_auto_reply(api, 1, "round", seat=0), "This is not your seat."),
    ):
        assert (refused.status_code, refused.json()["error"], refused.json()["message"]) == (403, "not_allowed", said)
    assert [post_auto_reply(api, 1, "week").status_code, post_auto_reply(api, 1, "round", step="Keep").status_code] == [
        400,
        400,
    ]
    stale = post_auto_reply(api, 1, "round", version - 1)
    assert (stale.status_code, stale.json()["error"]) == (409, "stale_version")
    nobody = client.get(f"{api.url}/auto-replies")
    assert nobody.status_code == 404  # the table is only accessible by link
    other = ApiClient(client, seats=2)
    assert other.client.get(f"{other.url}/auto-replies", headers=other.auth(0)).status_code == 409  # it has not begun
    stranger = client.delete(f"{api.url}/auto-replies/FollowTravel", headers=other.auth(0))
    assert stranger.status_code == 403
    api.play("decline")
    api.play("decline")
    every_time = post_auto_reply(api, 0, "round")
    assert (every_time.status_code, every_time.json()["error"]) == (409, "conflict")
    assert every_time.json()["message"] == "This question cannot be answered automatically."
    assert api.version == version + 2
    assert list_stored_steps(api) == []


def test_an_invalid_span_is_refused(client: TestClient) -> None:
    api = ApiClient(client, "testoftime", seats=2).fill()
    who = api.who
    assert who is not None
    refused = post_auto_reply(api, who, "match")
    assert (refused.status_code, refused.json()["error"]) == (400, "bad_request")
    assert refused.json()["message"] == (
        "This question can be answered automatically only for: this round, until I am attacked and this round."
    )
    assert post_auto_reply(api, who, "round").status_code == 200


def test_a_repeated_post_is_done_once(client: TestClient) -> None:
    api = play_to_follow_question(client)
    version = api.version
    first = post_auto_reply(api, 1, "match", version, key="click")
    second = post_auto_reply(api, 1, "match", version, key="click")
    assert (first.status_code, second.status_code) == (200, 200)
    assert api.version == version + 1


def test_a_restart_keeps_auto_replies_and_answers(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        api = play_to_follow_question(client)
        set_auto_reply(api, 1, "match")
        set_auto_reply(api, 2, "match")
        api.play("end")
        api.play("travel weak")
        api.play("to attalia")
        before = [get_auto_replies(api, seat) for seat in api.tokens], [api.see(seat) for seat in api.tokens]
        log = client.get(f"{api.url}/log", headers=api.auth(2)).json()
        assert [line["text"] for line in log if line["automatic"]] == ["Answered automatically: Never follow a Travel"]
    with TestClient(make_app(tmp_path)) as client:
        api.client = client
        assert ([get_auto_replies(api, seat) for seat in api.tokens], [api.see(seat) for seat in api.tokens]) == before
        assert client.get(f"{api.url}/log", headers=api.auth(2)).json() == log
        assert undo(api, 1).status_code == 200  # together with the automatic answers from before the restart
        assert (api.who, "to attalia" in api.options()) == (1, True)


def test_auto_replies_are_private(client: TestClient) -> None:
    """Other players see neither an auto-reply nor that an answer was automatic."""
    looks = [play_and_collect_follows(play_to_follow_question(client, "watched"), unasked) for unasked in (False, True)]
    assert looks[0] == looks[1]


def play_and_collect_follows(api: ApiClient, unasked: bool) -> list[object]:
    """Return the events that spectators and other players receive for answers by seat 2, manual or automatic."""
    client = api.client
    api.play("decline")
    if unasked:
        set_auto_reply(api, 2, "match")
    else:
        api.play("decline")
    api.play("end")
    api.play("travel weak")
    api.play("to attalia")
    if not unasked:
        api.play("decline")
    assert rows(api)[-1] == ("move", 2, "decline", unasked)
    everybody = [client.get(api.url).json(), api.see(0), api.see(1)]
    logs = [client.get(f"{api.url}/log", headers=headers).json() for headers in ({}, api.auth(0), api.auth(1))]
    options = client.get(f"{api.url}/record").text.partition("\noptions")[2]
    answers = [get_auto_replies(api, seat)["auto_replies"] for seat in (0, 1)]
    assert bool(get_auto_replies(api, 2)["auto_replies"]) == unasked
    return [[(facts["version"], facts["who"], facts["moves"]) for facts in everybody], logs, options, answers]


def test_only_the_seat_itself_gets_the_event(client: TestClient) -> None:
    api = play_to_follow_question(client)
    table = table_of(api)
    ears = {seat: EventListener(token=table.occupants[seat].token) for seat in range(SEATS)}

    async def listen() -> None:
        for ear in ears.values():
            table.hub.add(ear)

    assert client.portal is not None
    client.portal.call(listen)
    set_auto_reply(api, 1, "match")
    for ear in ears.values():
        ear.drain_events()
    assert client.delete(f"{api.url}/auto-replies/FollowTravel", headers=api.auth(1)).status_code == 200
    # The presence of the three listeners may be announced at any moment.
    heard = {
        seat: [event for event in ear.drain_events().split(b"\n\n") if event and b"event: presence" not in event]
        for seat, ear in ears.items()
    }
    assert heard == {0: [], 1: [b"event: seats\ndata: {}"], 2: []}


def test_a_new_owner_of_the_seat_is_asked(client: TestClient) -> None:
    api = play_to_follow_question(client)
    set_auto_reply(api, 1, "match")
    assert client.delete(f"{api.url}/seats/1", headers=api.auth(1)).status_code == 200
    assert list_stored_steps(api) == []
    assert table_of(api).auto_replies == {}


def test_one_of_two_simultaneous_requests_is_done(client: TestClient) -> None:
    api = play_to_follow_question(client)
    version = api.version
    answers: list[int] = []

    def choose(until: str) -> None:
        answers.append(post_auto_reply(api, 1, until, version).status_code)

    threads = [threading.Thread(target=choose, args=(until,)) for until in ("turn", "round", "match", "match")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 409, 409, 409]
    assert api.version == version + 1


def test_a_rule_that_fails_on_an_automatic_answer_leaves_the_question(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, no_game_faults: set[tuple[str, ...]]
) -> None:
    api = play_to_follow_question(client)
    set_auto_reply(api, 1, "match")
    set_auto_reply(api, 2, "match")
    api.play("end")
    api.play("travel weak")
    works = FollowTravel.apply

    def fails(self: FollowTravel, s: State, o: Option) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(FollowTravel, "apply", fails)
    version = api.version
    api.play("to attalia")
    assert (api.version, api.who) == (version + 1, 2)
    assert [mishap[:3] for mishap in no_game_faults] == [("evangelists", "rules", "ZeroDivisionError")]
    no_game_faults.clear()
    monkeypatch.setattr(FollowTravel, "apply", works)
    api.play("decline")
    assert rows(api)[-1] == ("move", 2, "decline", False)


def test_automatic_answers_stay_private_after_the_match(client: TestClient) -> None:
    """Only the seat itself reads which answers were automatic, even after the match."""
    api = play_to_follow_question(client, shown="watched")
    set_auto_reply(api, 1, "match")
    end_turn_by_api(api)
    end_turn_by_api(api)
    travel(api)
    assert rows(api)[-1][3]
    api.play_at_random(5_000)

    def answered(seat: int | None) -> int:
        headers = {} if seat is None else api.auth(seat)
        lines = client.get(f"{api.url}/log", headers=headers).json()
        return sum(line["automatic"] for line in lines)

    assert answered(1) > 0
    assert (answered(0), answered(2), answered(None)) == (0, 0, 0)
