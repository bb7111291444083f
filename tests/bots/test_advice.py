"""A hint ranks options with their chances; a review finds what decided a match."""

import pytest

from tests.toy import TOY
from triclinium.bots import Budget, bot, derive, play_out
from triclinium.bots.analysis import Advice, advise, grouped, hint, review
from triclinium.bots.base import Answer
from triclinium.engine.core.errors import BadRecord
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat
from triclinium.engine.record import Record

BUDGET = Budget(60, 60)


def played(seed: int) -> Record:
    """A whole match of greedy bots."""
    record = Record.of(TOY, 2, seed, TOY.choices({}))
    s = TOY.deal(2, seed)

    def note(seat: Seat, answer: Answer) -> None:
        record.options.append(TOY.say(answer.option))

    play_out(s, [bot("greedy", TOY)] * 2, [Rng(derive(seed, seat)) for seat in range(2)], note)
    record.result = [(score.rank, score.total) for score in TOY.scores(s)]
    return record


def test_a_hint_ranks_the_options() -> None:
    record = played(4).until(0)
    s = record.replay(game=TOY)
    best = hint(record, BUDGET, 1, game=TOY)
    assert 1 <= len(best) <= 3
    assert all(TOY.read(one.option) in s.legal for one in best)
    assert all(0.0 <= one.chance <= 1.0 for one in best)
    assert [one.chance for one in best] == sorted((one.chance for one in best), reverse=True)
    assert best[0].share == max(one.share for one in best)
    assert sum(one.share for one in best) <= 1.0001
    assert best == hint(record, BUDGET, 1, game=TOY)


def test_a_hint_knows_what_its_seat_knows() -> None:
    s = TOY.deal(2, 3)
    twin = s.resample(s.who, Rng(8))
    assert advise(TOY, s, BUDGET, 5) == advise(TOY, twin, BUDGET, 5)


def test_options_that_cannot_be_told_apart_are_said_to_be_equal() -> None:
    def tried(*facts: tuple[float, float, float]) -> list[Advice]:
        return grouped([Advice(f"o{n}", chance, share, error) for n, (chance, share, error) in enumerate(facts)])

    clear = tried((0.6, 0.8, 0.01), (0.5, 0.2, 0.02))
    assert [(one.option, one.chance, one.equal) for one in clear] == [("o0", 0.6, False), ("o1", 0.5, False)]
    blurred = tried((0.6, 0.6, 0.03), (0.4, 0.1, 0.02), (0.56, 0.2, 0.03))
    assert [(one.option, one.chance, one.equal) for one in blurred] == [
        ("o0", 0.59, False),
        ("o2", 0.59, True),
        ("o1", 0.4, False),
    ]
    lucky = tried((0.6, 0.9, 0.01), (0.7, 0.1, 0.01))  # the one tried most stays the best
    assert [(one.option, one.equal) for one in lucky] == [("o0", False), ("o1", True)]


def test_the_readers_own_option_is_told_of() -> None:
    record = played(4).until(0)
    s = record.replay(game=TOY)
    for o in s.legal:
        text = TOY.say(o)
        told = hint(record, Budget(60, 4), 1, most=1, game=TOY, mine=text)
        assert text in [one.option for one in told]
        assert len(told) <= 2


def test_there_is_no_hint_after_the_end() -> None:
    assert hint(played(4), BUDGET, 1, game=TOY) == []


def test_a_review_follows_the_chances() -> None:
    record = played(6)
    found = review(record, BUDGET, 1, game=TOY)
    assert len(found.chances) == len(record.options) + 1
    for row in found.chances:
        assert sum(row) == pytest.approx(1.0, abs=1e-3)
    assert record.result is not None
    assert found.chances[-1][[rank for rank, _ in record.result].index(1)] > 0
    assert len(found.swings) == 3
    assert [swing.move for swing in found.swings] == sorted(swing.move for swing in found.swings)


def test_a_swing_says_what_was_played_and_what_the_bot_would_have_played() -> None:
    record = played(6)
    found = review(record, BUDGET, 1, game=TOY)
    steps = []
    for n in range(len(record.options)):
        s = record.replay(n, TOY)
        if len(s.legal) > 1:
            steps.append(abs(found.chances[n + 1][s.who] - found.chances[n][s.who]))
    largest = sorted(steps, reverse=True)[:3]
    assert sorted((abs(swing.after - swing.before) for swing in found.swings), reverse=True) == pytest.approx(
        largest, abs=1e-3
    )
    for swing in found.swings:
        s = record.replay(swing.move, TOY)
        assert swing.seat == s.who
        assert swing.played == record.options[swing.move]
        assert TOY.read(swing.better[0].option) in s.legal


def test_only_a_finished_match_is_reviewed() -> None:
    with pytest.raises(BadRecord, match="only a match that is over"):
        review(played(6).until(3), BUDGET, 1, game=TOY)
