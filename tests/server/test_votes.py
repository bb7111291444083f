"""Votes and taking back: nobody is replaced without a stated silence, and nobody's seat agrees without its owner."""

import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.server.desk import Desk, app, house_of
from tests.server.test_absence import table_of
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.server import live


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> "Later":
    return Later(monkeypatch)


class Later:
    """A clock that tests put forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0.0
        monkeypatch.setattr(live, "clock", lambda: time.monotonic() + self.ahead)


def vote(desk: Desk, voter: int, absent: int) -> Response:
    return desk.client.post(f"{desk.url}/seats/{absent}/absent", headers=desk.auth(voter))


def back(desk: Desk, seat: int, **more: bool) -> Response:
    return desk.client.post(f"{desk.url}/back", headers=desk.auth(seat), json={"version": desk.version, **more})


def silence(desk: Desk, seat: int) -> tuple[object, object]:
    seats = desk.see(0)["seats"]
    assert isinstance(seats, list)
    return seats[seat]["absent_for"], seats[seat]["may_be_voted_in"]


def test_nobody_is_voted_out_at_once_and_it_is_told_when(client: TestClient, later: Later) -> None:
    desk = Desk(client).fill()
    assert silence(desk, 1) == (0, 180)
    early = vote(desk, 0, 1)
    assert early.status_code == 409
    assert early.json()["message"] == "Ben 0 can be replaced by vote in 3:00"
    later.ahead = 120.0
    absent, left = silence(desk, 1)
    assert absent in (120, 121, 122)
    assert left in (58, 59, 60)
    desk.see(1)  # any request that speaks for the seat is a sign of life
    assert silence(desk, 1) == (0, 180)
    later.ahead = 290.0
    assert vote(desk, 0, 1).status_code == 409
    later.ahead = 310.0
    assert silence(desk, 1)[1] == 0
    done = vote(desk, 0, 1)
    assert done.status_code == 200
    assert done.json()["done"]
    assert done.json()["table"]["seats"][1]["standin"]


def test_a_table_with_a_deadline_waits_for_it(client: TestClient, later: Later) -> None:
    desk = Desk(client, takeover=86400).fill()
    later.ahead = 3600.0
    late = vote(desk, 0, 1)
    assert late.status_code == 409
    assert "23 h 0" in late.json()["message"] or "22 h 59" in late.json()["message"]
    later.ahead = 86401.0
    assert vote(desk, 0, 1).json()["done"]


def test_more_than_half_of_the_other_people_replace_somebody(client: TestClient, later: Later) -> None:
    desk = Desk(client, seats=4).fill()
    later.ahead = 200.0
    assert not vote(desk, 0, 3).json()["done"]
    assert not vote(desk, 0, 3).json()["done"]  # the same person again
    assert vote(desk, 1, 3).json()["done"]  # two of three
    three = Desk(client, seats=3).fill()
    later.ahead = 400.0
    assert not vote(three, 0, 2).json()["done"]  # one of two is half, not more
    assert vote(three, 1, 2).json()["done"]


def test_a_vote_lapses_when_the_player_shows_a_sign_of_life(client: TestClient, later: Later) -> None:
    desk = Desk(client, seats=3).fill()
    later.ahead = 200.0
    assert not vote(desk, 0, 2).json()["done"]
    desk.see(2)
    later.ahead = 400.0
    assert not vote(desk, 1, 2).json()["done"]  # the first vote was about another absence
    assert vote(desk, 0, 2).json()["done"]


def test_bots_and_who_is_replaced_have_no_vote(client: TestClient, later: Later) -> None:
    chairs = [{"kind": "me"}, {"kind": "invite"}, {"kind": "bot", "bot": "random"}, {"kind": "invite"}]
    desk = Desk(client, chairs=chairs).fill()
    later.ahead = 200.0
    assert not vote(desk, 0, 3).json()["done"]
    assert vote(desk, 1, 3).json()["done"]
    later.ahead = 400.0
    desk.see(0)
    assert vote(desk, 0, 1).json()["done"]  # seat 3 is replaced already: one person is left, and votes


def test_a_vote_does_not_make_the_absent_player_agree(client: TestClient, later: Later) -> None:
    """With two players one vote is all; the seat is still Ben's, and only Ben agrees to take back for it."""
    desk = Desk(client).fill()
    desk.play("start rome")
    desk.play("start corinth")
    asker = desk.who
    assert asker is not None
    desk.play("tradition")  # shows hidden cards
    later.ahead = 200.0
    assert vote(desk, asker, 1 - asker).json()["done"]
    asked = back(desk, asker)
    assert asked.status_code == 200
    assert not asked.json()["done"]
    assert table_of(desk).moves >= 3
    assert desk.see(asker)["rated"] == (table_of(desk).format > 1)


def test_the_owner_agrees_and_the_match_is_unrated(client: TestClient) -> None:
    desk = Desk(client).fill()
    desk.play("start rome")
    desk.play("start corinth")
    asker = desk.who
    assert asker is not None
    before = table_of(desk).playing.state.digest()
    desk.play("tradition")
    assert not back(desk, asker).json()["done"]
    assert desk.see(1 - asker)["asks_back"] == asker
    agreed = back(desk, 1 - asker).json()
    assert agreed["done"]
    assert "taken_back" in agreed["table"]["unrated"]
    assert not agreed["table"]["rated"]
    assert table_of(desk).playing.state.digest() == before


def test_consent_where_nothing_was_learnt_leaves_no_mark(client: TestClient) -> None:
    desk = Desk(client).fill()
    first = desk.who
    assert first is not None
    desk.play("start rome")
    desk.play("start corinth")
    assert not back(desk, first).json()["done"]
    agreed = back(desk, 1 - first).json()
    assert agreed["done"]
    assert agreed["table"]["moves"] == 0
    assert "taken_back" not in agreed["table"]["unrated"]


def test_a_program_takes_its_seat_back(client: TestClient, later: Later) -> None:
    desk = Desk(client).fill()
    for way in ("back", "move"):
        who = desk.who
        assert who is not None
        other = 1 - who
        later.ahead += 200.0
        assert vote(desk, who, other).json()["done"]
        assert table_of(desk).sitters[other].standin
        if way == "back":
            answer = client.post(f"{desk.url}/seats/{other}/back", headers=desk.auth(other))
            assert answer.status_code == 200
            assert client.post(f"{desk.url}/seats/{who}/back", headers=desk.auth(other)).status_code == 403
        else:
            answer = desk.post(other, "start rome", desk.version)  # refused: it is not its turn; but it is back
            assert answer.status_code == 403
        assert not table_of(desk).sitters[other].standin


# -- alone against bots -----------------------------------------------------------------------------------------


def against_a_bot(client: TestClient) -> Desk:
    """A player who begins, against a bot that answers at once."""
    chairs = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    return Desk(client, chairs=chairs, variants={"stenographer": "0"})


def await_turn(desk: Desk) -> None:
    until = time.monotonic() + 60  # a busy machine starts the process of the bots late
    while desk.who != 0 and time.monotonic() < until:
        time.sleep(0.02)
    assert desk.who == 0


def test_undo_goes_back_over_the_answers_of_bots(client: TestClient) -> None:
    desk = against_a_bot(client)
    before = table_of(desk).playing.state.digest()
    desk.play("start rome")
    await_turn(desk)
    assert table_of(desk).moves == 2  # the bot has put its pawn down: nothing was learnt by that
    assert desk.see(0)["may_undo"]
    undone = client.post(f"{desk.url}/undo", headers=desk.auth(0), json={"version": desk.version})
    assert undone.status_code == 200, undone.text
    assert table_of(desk).playing.state.digest() == before
    assert "practice" not in undone.json()["unrated"]


def test_alone_taking_back_what_was_seen_makes_it_practice(tmp_path: Path) -> None:
    with TestClient(app(tmp_path)) as client:
        desk = against_a_bot(client)
        desk.play("start rome")
        await_turn(desk)
        before = table_of(desk).playing.state.digest()
        desk.play("tradition")
        assert client.post(f"{desk.url}/undo", headers=desk.auth(0), json={"version": desk.version}).status_code == 409
        warned = back(desk, 0)
        assert warned.status_code == 409
        assert "practice" in warned.json()["message"]
        assert table_of(desk).moves == 3
        granted = back(desk, 0, practice=True).json()
        assert granted["done"]
        assert "practice" in granted["table"]["unrated"]
        assert table_of(desk).playing.state.digest() == before
    with TestClient(app(tmp_path)) as client:
        desk.client = client
        unrated = desk.see(0)["unrated"]
        assert isinstance(unrated, list)
        assert "practice" in unrated  # for good


def test_taking_back_many_moves_costs_one_replay(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(client).fill()
    desk.play_at_random(60)
    table = table_of(desk)
    asker = table.done[0].seat
    other = 1 - asker
    while table.done[-1].seat == asker or desk.who == asker:  # then the other one has decided, and goes on
        desk.play(desk.options()[0])
    replays: list[int] = []
    resume = Match.resume

    def counted(record: Record, title: Game | None = None) -> Match:
        replays.append(len(record.options))
        return resume(record, title)

    k = table.playing.back_to(asker)
    assert k > 1
    wanted = resume(table.playing.record.until(table.moves - k), table.title).state.digest()
    monkeypatch.setattr(Match, "resume", staticmethod(counted))
    moves = table.moves
    assert not back(desk, asker).json()["done"]
    assert back(desk, other).json()["done"]
    assert replays == [moves - k]
    assert table.playing.state.digest() == wanted
    assert house_of(client).history(table.id)[-1].kind == "undo"
