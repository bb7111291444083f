"""Tests of the scores that a viewer can know in the middle of a match."""

import pytest

from tests.toy import TOY, Figs, Toy, cards
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.score import Score, ScoreSheetLine
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.core.text import Reader, format_change
from triclinium.engine.visible_scores import (
    VisibleNumber,
    VisibleScore,
    find_certain_rank,
    format_number,
    make_bounded_number,
    make_exact_score,
)
from triclinium.i18n.catalog import load_catalog


class Counting(Toy):
    """Figs with a score that also counts the hidden hands."""

    def clone(self) -> "Counting":
        return copy_as_counting(super().clone())

    def in_hand(self, seat: Seat) -> int:
        return sum(self.values[card] for card in cards(self.hands[seat]))


class CountingFigs(Figs):
    """The game with that score."""

    has_open_scores = False

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Counting)
        found: list[Score] = []
        for score in super().scores(s):
            lines = [*score.lines, ScoreSheetLine("hand", s.in_hand(score.seat))]
            found.append(Score(score.seat, score.rank, score.points + s.in_hand(score.seat), lines))
        return found


class PartlyVisibleFigs(CountingFigs):
    """The game with partly visible scores: one's own hand, and the number of cards in other hands."""

    def running_scores(self, s: State, viewer: Seat) -> list[VisibleScore]:
        assert isinstance(s, Counting)
        found: list[VisibleScore] = []
        for score in TOY.scores(s):
            held = len(cards(s.hands[score.seat]))
            hand = s.in_hand(score.seat) if score.seat == viewer else (held, 5 * held)
            lines: dict[str, VisibleNumber] = {line.name: line.points for line in score.lines}
            total = score.points + hand if isinstance(hand, int) else (score.points + hand[0], score.points + hand[1])
            found.append(VisibleScore(score.seat, None, total, {**lines, "hand": hand}))
        return found


class Silent(CountingFigs):
    """The game without running scores."""


def copy_as_counting(toy: Toy) -> Counting:
    """Return the same match with another score."""
    t = Counting()
    toy.copy_base(t)
    for name in Toy.__annotations__:
        setattr(t, name, getattr(toy, name))
    return t


def make_counting(seed: int) -> Counting:
    toy = TOY.deal(3, seed)
    assert isinstance(toy, Toy)
    return copy_as_counting(toy)


def test_scores_that_depend_on_hidden_cards_have_bounds() -> None:
    """A seat knows its own hand's points, and bounds of the others."""
    s = make_counting(3)
    told = PartlyVisibleFigs(TOY.file).visible_scores(s, 1)
    assert [score.lines["hand"] for score in told] == [(3, 15), s.in_hand(1), (3, 15)]
    assert [score.total for score in told] == [(6, 18), 3 + s.in_hand(1), (6, 18)]
    assert told[0].to_json() == {
        "seat": 0,
        "rank": None,
        "total": None,
        "lines": {"laid": 0, "coins": 3, "joined": 0, "hand": None},
        "total_bounds": [6, 18],
        "line_bounds": {"hand": [3, 15]},
    }


def test_a_game_without_running_scores_shows_none() -> None:
    """A game without running scores shows not even the names of the lines, which may depend on hidden information."""
    s = make_counting(3)
    told = Silent(TOY.file).visible_scores(s, 1)
    assert told == [VisibleScore(seat, None, None, {}) for seat in range(3)]
    rollout(s, Rng(1), TOY.max_decisions)
    silent = Silent(TOY.file)
    assert [score.total for score in silent.visible_scores(s, 1)] == [score.total for score in silent.scores(s)]


def test_open_scores_are_exact() -> None:
    s = TOY.deal(3, 4)
    told = TOY.visible_scores(s, NOBODY)
    assert told == [make_exact_score(score) for score in TOY.scores(s)]
    assert told[0].to_json()["total_bounds"] is None
    assert told[0].to_json()["line_bounds"] == {}


def test_lines_of_one_name_are_added_up() -> None:
    told = make_exact_score(
        Score(0, 1, 9, [ScoreSheetLine("temple", 4), ScoreSheetLine("tools", 2), ScoreSheetLine("temple", 3)])
    )
    assert told.lines == {"temple": 7, "tools": 2}


def test_equal_bounds_are_a_number() -> None:
    assert make_bounded_number(4, 4) == 4
    assert make_bounded_number(4, 7) == (4, 7)
    with pytest.raises(AssertionError, match="bounds from 7 to 4"):
        make_bounded_number(7, 4)


def test_a_rank_is_given_if_it_is_certain() -> None:
    """Touching bounds may be a tie without a leader. Overlapping bounds give no rank."""
    assert find_certain_rank((40,), (50,), [((50,), (60,))]) is None
    assert find_certain_rank((50,), (60,), [((40,), (50,))]) == 1
    assert find_certain_rank((40,), (50,), [((51,), (60,)), ((10,), (40,))]) == 2
    assert find_certain_rank((40, 1), (40, 1), [((40, 2), (40, 2)), ((40, 0), (40, 1))]) == 2


def test_numbers_with_bounds_are_formatted() -> None:
    french = Reader("fr", load_catalog("fr").messages)
    assert [format_number(value, Reader()) for value in (41, (41, 52), None)] == ["41", "41–52", "?"]
    assert format_number(-3, Reader()) == "\N{MINUS SIGN}3"  # hyphens are for notation, records and JSON
    assert (format_change(-3), format_change(18)) == ("\N{MINUS SIGN}3", "+18")
    assert format_number((41, 52), french) == "41\N{NO-BREAK SPACE}à 52"
