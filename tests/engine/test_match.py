"""Tests of a running match: record, events and undo."""

from collections.abc import Collection

import pytest

from tests.toy import TOY, Figs, Toy
from triclinium.engine.core.errors import BadNotation, BadRecord, BadSetup, Refused
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.match import CannotUndo, Match
from triclinium.engine.record import Record


def start(seats: int = 2, seed: int = 5) -> Match:
    return Match(TOY, seats, seed)


def toy(match: Match) -> Toy:
    assert isinstance(match.state, Toy)
    return match.state


def find_payable_card(match: Match) -> str:
    """Return a card that the asked seat can pay."""
    return next(TOY.format_option(o) for o in match.state.options() if TOY.format_option(o).startswith("lay"))


def test_playing_writes_the_record_and_returns_events() -> None:
    match = start()
    assert [event.kind for event in match.play("  DRAW ")] == ["chosen", "drew"]
    assert match.record.options == ["draw"]
    assert [[event.kind for event in heard] for heard in match.events] == [[], ["chosen", "drew"]]
    assert match.state.events == []


def test_a_refused_or_unreadable_option_changes_nothing() -> None:
    match = start()
    before = match.state.digest()
    with pytest.raises(Refused):
        match.play("join yes")
    with pytest.raises(BadNotation):
        match.play("dance")
    assert match.state.digest() == before
    assert (match.record.options, len(match.events), match.marks) == ([], 1, [])


def test_the_end_writes_the_result() -> None:
    match = start()
    while not match.state.over:
        assert match.record.result is None
        match.play("stop")
    assert match.record.result == [(1, toy(match).coins[0])] * 2


def test_undo_restores_the_state_and_its_generator() -> None:
    match = start()
    toy(match).coins = [3, 3]
    match.play("stop")
    before = (match.state.digest(), match.state.rng.state_key(), match.state.who, match.state.options())
    card = find_payable_card(match)
    match.play(card)
    assert match.can_undo(1)
    assert match.undo(1) == card
    assert (match.state.digest(), match.state.rng.state_key(), match.state.who, match.state.options()) == before
    assert match.record.options == ["stop"]
    assert len(match.events) == 2


def test_several_options_can_be_undone_one_by_one() -> None:
    match = start(3)
    first = match.state.digest()
    match.play("stop")
    second = match.state.digest()
    match.play("stop")
    assert match.undo(1) == "stop"
    assert match.state.digest() == second
    assert match.undo(0) == "stop"
    assert match.state.digest() == first
    assert not match.can_undo(0)


def test_moves_that_revealed_something_cannot_be_undone() -> None:
    match = start()
    match.play("peek")
    assert not match.can_undo(0)
    with pytest.raises(CannotUndo, match="new information was revealed"):
        match.undo(0)
    assert match.record.options == ["peek"]


def test_drawing_a_known_card_reveals_nothing() -> None:
    match = start()
    for text in ("peek", "stop", "draw"):
        match.play(text)
    assert match.can_undo(0)
    assert match.undo(0) == "draw"


def test_chance_after_an_option_ends_the_right_to_undo() -> None:
    match = start()
    match.play("stop")
    match.play("stop")  # The last stop of a round rolls the die.
    assert not match.can_undo(1)


def test_only_the_seat_that_decided_last_can_undo() -> None:
    match = start()
    match.play("stop")
    assert match.can_undo(0)
    assert not match.can_undo(1)
    with pytest.raises(CannotUndo):
        match.undo(1)


def test_nothing_can_be_undone_at_the_start() -> None:
    with pytest.raises(CannotUndo):
        start().undo(0)


def test_an_out_of_turn_option_belongs_to_its_seat() -> None:
    match = start()
    match.play("resign 1")
    for twin in (match, Match.resume(match.record, TOY)):
        assert not twin.can_undo(0)
        assert twin.can_undo(1)
    assert match.undo(1) == "resign 1"
    assert not match.state.over
    assert match.record.result is None


def test_all_seats_can_agree_to_undo() -> None:
    match = start()
    before = match.state.digest()
    match.play("draw")
    assert match.undo_moves() == ["draw"]
    assert match.state.digest() == before


def test_a_match_resumes_from_its_record(figs: Figs) -> None:
    match = start(3, 11)
    rng = Rng(4)
    for _ in range(9):
        match.play(figs.format_option(rng.pick(match.state.options())))
    twin = Match.resume(match.record)
    assert twin.state.digest() == match.state.digest()
    assert twin.record.dumps() == match.record.dumps()
    assert twin.events == match.events
    assert [mark.who for mark in twin.marks] == [mark.who for mark in match.marks]
    assert [mark.undo_barrier for mark in twin.marks] == [mark.undo_barrier for mark in match.marks]


def test_a_record_that_does_not_follow_is_not_resumed() -> None:
    match = start()
    match.play("stop")
    match.record.options.append("join yes")
    with pytest.raises(BadRecord, match="move 2"):
        Match.resume(match.record, TOY)


def test_a_match_that_cannot_be_set_up_is_refused() -> None:
    with pytest.raises(BadSetup, match=r"2 to 3 seats, not 4 \(TOY-1.1\)"):
        Match(TOY, 4, 1)
    with pytest.raises(BadSetup, match="no variant 'gfit'; did you mean 'gift'"):
        Match(TOY, 2, 1, {"gfit": True})


def test_several_options_are_undone_by_one_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    match = start(3)
    first = match.state.digest()
    match.play("stop")
    second = match.state.digest()
    match.play("draw")
    match.play("stop")
    replays: list[int] = []
    resume = Match.resume

    def counted(record: Record, game: Game | None = None, automatic: Collection[int] = ()) -> Match:
        replays.append(len(record.options))
        return resume(record, game, automatic)

    monkeypatch.setattr(Match, "resume", staticmethod(counted))
    shorter = match.rebuild_before(2)
    assert shorter.state.digest() == second
    assert match.record.options == ["stop", "draw", "stop"]  # The record has not changed.
    assert match.undo_moves(3) == ["stop", "draw", "stop"]
    assert match.state.digest() == first
    assert (match.marks, len(match.events)) == ([], 1)
    assert replays == [1, 0]


def test_the_last_decision_of_a_seat_and_its_reveals_are_found() -> None:
    match = start(2)
    assert match.count_moves_to_undo(0) == 0
    match.play("stop")
    match.play("draw")
    drawer = match.marks[-1].who
    assert (match.count_moves_to_undo(drawer), match.count_moves_to_undo(1 - drawer)) == (1, 2)
    assert match.reveals_information(1)
    assert match.reveals_information(2)
    assert not match.reveals_information(0)
    match.play("stop")
    assert not match.reveals_information(1)  # the move itself revealed nothing
