"""Tests of steps between two decisions: run, drop, answer or ask."""

from typing import ClassVar, Final

import pytest

from tests.toy import DRAW, JOIN, NEEDS_COINS, NO_COIN, PEEK, SEEN_ALREADY, STOP, TOY, Join, Toy, Turn, Wages
from triclinium.engine.core.errors import Refused
from triclinium.engine.core.event import ANYTIME, CHOSEN, FORCED, Event, EventType
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import MATCH_OVER, NOT_ASKED, Rule
from triclinium.engine.core.state import ASK, NOBODY, Option, Step

NOTE = EventType("note", "note {0}")


def table(seats: int = 2, hands: tuple[int, ...] = (), coins: tuple[int, ...] = ()) -> Toy:
    """Return a match of Figs at its first turn with these hands (as sets) and coins."""
    s = TOY.deal(seats, 1)
    assert isinstance(s, Toy)
    if hands:
        s.hands = list(hands)
        s.pile = [card for card in range(10) if not any(hand >> card & 1 for hand in hands)]
    if coins:
        s.coins = list(coins)
    s.advance()
    return s


class Note(Step[Toy]):
    """A step of NOBODY that only records its number."""

    id: ClassVar[str] = "Note"

    def __init__(self, number: int) -> None:
        super().__init__(NOBODY)
        self.number: Final = number

    def fields(self) -> tuple[int, ...]:
        return (self.number,)

    def run(self, s: Toy) -> None:
        s.emit(NOTE, NOBODY, (self.number,))


class Never(Step[Toy]):
    """A step that never applies, and fails if it is asked for anything else."""

    id: ClassVar[str] = "Never"

    def applies(self, s: Toy) -> bool:
        return False


class Stuck(Step[Toy]):
    """A step that applies but has no options, which is a bug."""

    id: ClassVar[str] = "Stuck"

    def candidates(self, s: Toy) -> list[Option]:
        return []


class Overruled(Step[Toy]):
    """A step whose forced answer overrules legal options (like PP-R24)."""

    id: ClassVar[str] = "Overruled"

    def candidates(self, s: Toy) -> list[Option]:
        return [DRAW, STOP]

    def forced_option(self, s: Toy, legal: list[Option]) -> Option:
        assert legal == [DRAW, STOP]
        return STOP

    def apply(self, s: Toy, o: Option) -> None:
        s.push(Note(o))


def notes(s: Toy) -> list[int]:
    assert s.events is not None
    return [event.facts[0] for event in s.events if event.kind == "note"]


def test_push_puts_the_first_step_on_top() -> None:
    s = table()
    s.events = []
    s.push(Note(1), Note(2), Note(3))
    s.advance()
    assert notes(s) == [1, 2, 3]
    assert s.asked == Turn(0)


def test_steps_pushed_by_a_step_come_before_what_was_pending() -> None:
    s = table()
    s.events = []
    s.push(Overruled(0), Note(1))
    s.advance()
    assert notes(s) == [STOP, 1]


def test_a_step_that_does_not_apply_is_skipped() -> None:
    s = table()
    s.push(Never(0), Never(1))
    s.advance()
    assert s.asked == Turn(0)
    s = table(hands=(0, 1))
    s.pile = []
    s.advance()
    assert s.asked == Turn(1)


def test_a_single_option_is_taken_with_an_event_and_no_question() -> None:
    s = table(hands=(0b11, 0b1100), coins=(5, 0))
    s.events = []
    s.play(TOY.read("lay c0"))
    assert s.asked == Turn(1)
    assert s.events[:2] == [Event(CHOSEN, 0, (0,)), Event(FORCED, 1, (JOIN,))]
    assert s.joined == [0, 0]


def test_forced_may_overrule_other_options() -> None:
    s = table()
    s.events = []
    s.push(Overruled(1))
    s.advance()
    assert Event(FORCED, 1, (STOP,)) in s.events
    assert s.asked == Turn(0)


def test_forced_may_ask_although_one_option_is_left() -> None:
    s = table(hands=(0b1000000000, 0b1), coins=(0, 0))
    s.pile = []
    s.advance()
    assert s.options() == [STOP]
    assert s.who == 0


def test_a_step_that_asks_without_an_option_is_a_bug() -> None:
    s = table()
    s.push(Stuck(0))
    with pytest.raises(AssertionError, match=r"Stuck\(0\) asks without an option"):
        s.advance()


def test_the_first_to_be_asked_is_the_top_step_and_its_options_are_kept() -> None:
    s = table(hands=(0b100000001, 0b10), coins=(3, 3))
    assert (s.who, s.asked, s.over) == (0, Turn(0), False)
    assert s.candidates() == [0, 8, DRAW, PEEK, STOP]
    assert s.options() == [0, DRAW, PEEK, STOP]


def test_options_is_a_copy() -> None:
    s = table()
    before = s.options()
    s.options().clear()
    assert s.options() == before


def test_an_out_of_turn_choice_comes_before_the_next_turn() -> None:
    s = table(seats=3, hands=(0b1, 0b10, 0b100), coins=(3, 3, 3))
    s.play(TOY.read("lay c0"))
    assert s.asked == Join(1, 0)
    s.play(TOY.read("join yes"))
    assert s.asked == Join(2, 0)
    s.play(TOY.read("join no"))
    assert s.asked == Turn(1)
    assert (s.coins, s.joined) == ([3, 2, 3], [0, 1, 0])


def test_the_round_ends_by_itself() -> None:
    s = table()
    before = s.rng.copy()
    s.play(STOP)
    s.play(STOP)
    assert s.coins == [3 + before.below(3) + 1] * 2
    assert s.rounds_left == 3
    assert s.asked == Turn(0)


def test_a_match_is_over_when_nothing_is_pending() -> None:
    s = table()
    for _ in range(8):
        s.play(STOP)
    assert (s.over, s.who, s.options(), s.candidates(), s.stack) == (True, NOBODY, [], [], [])
    assert s.refusal(STOP) is MATCH_OVER
    with pytest.raises(Refused) as caught:
        s.play(STOP)
    assert (caught.value.rule, caught.value.parameters) == (MATCH_OVER, ())


# -- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rule", "figures"),
    [
        ("lay c8", NEEDS_COINS, (8, 5, 3)),
        ("lay c4", NOT_ASKED, ()),  # a card that this seat does not have
        ("join yes", NOT_ASKED, ()),  # an option of another step
        ("peek", SEEN_ALREADY, ()),
    ],
)
def test_a_refusal_names_the_rule_with_its_figures_and_changes_nothing(
    text: str, rule: Rule, figures: tuple[int, ...]
) -> None:
    s = table(hands=(0b100000001, 0b10), coins=(3, 3))
    s.top_known = 1
    s.advance()
    s.events = []
    before = (s.digest(), s.state_key(), s.stack[:], s.who, s.options(), s.rng.state_key(), s.undo_barrier)
    o = TOY.read(text)
    assert s.refusal(o) is rule
    with pytest.raises(Refused) as caught:
        s.play(o)
    assert (caught.value.option, caught.value.rule, caught.value.parameters) == (o, rule, figures)
    assert (s.digest(), s.state_key(), s.stack[:], s.who, s.options(), s.rng.state_key(), s.undo_barrier) == before
    assert s.events == []


@pytest.mark.parametrize("o", [-1, 14, 19, 27, 10**30])
def test_a_number_that_is_no_option_is_refused(o: int) -> None:
    s = table()
    with pytest.raises(Refused) as caught:
        s.play(o)
    assert caught.value.rule is NOT_ASKED


def test_a_refusal_without_figures_reads_well() -> None:
    assert Join(1, 0).forbids(table(coins=(1, 0)), JOIN + 1) is NO_COIN
    refused = Refused(JOIN + 1, NO_COIN)
    assert str(refused) == f"option {JOIN + 1}: joining costs a coin (TOY-3.1)"
    assert TOY.words.format_refusal(refused, TOY.words.reader()) == "cannot join yes: joining costs a coin (TOY-3.1)"
    french = "impossible, join yes\u00a0: participer coûte une pièce (TOY-3.1)"
    assert TOY.words.format_refusal(refused, TOY.words.reader("fr")) == french


def test_asking_changes_nothing() -> None:
    s = table()
    s.events = []
    before = s.digest()
    for o in range(-2, 40):
        s.refusal(o)
    s.candidates()
    s.options()
    TOY.view(s, 0)
    TOY.scores(s)
    TOY.evaluator.features(s, 1)
    s.anytime_options(0)
    s.clone()
    s.resample(1, Rng(5))
    assert s.digest() == before
    assert s.events == []


# -- at any moment -------------------------------------------------------------------------------------------------


def test_resigning_is_accepted_at_any_moment_and_listed_never() -> None:
    s = table(seats=3, hands=(0b1, 0b10, 0b100))
    s.play(TOY.read("lay c0"))
    resign = TOY.read("resign 2")
    assert s.who == 1
    assert s.anytime_options(2) == [resign]
    assert s.anytime_options(1) == [TOY.read("resign 1")]
    assert resign not in s.options()
    assert resign not in s.candidates()
    assert s.refusal(resign) is None
    s.events = []
    s.play(resign)
    assert s.over
    assert s.events == [Event(ANYTIME, 2, (resign,))]
    assert [score.rank for score in TOY.scores(s)][2] == 3


def test_resigning_for_a_missing_seat_is_refused() -> None:
    s = table(seats=2)
    assert s.refusal(TOY.read("resign 2")) is NOT_ASKED


def test_anytime_options_end_with_the_match() -> None:
    s = table()
    s.play(TOY.read("resign 0"))
    assert s.refusal(TOY.read("resign 1")) is MATCH_OVER


# -- steps -----------------------------------------------------------------------------------------------------------


def test_steps_are_equal_by_class_seat_and_facts() -> None:
    assert Join(1, 0) == Join(1, 0)
    assert Join(1, 0) != Join(1, 2)
    assert Join(1, 0) != Join(2, 0)
    assert Turn(0) != Never(0)
    assert Turn(0) != 0
    assert len({Join(1, 0), Join(1, 0), Join(1, 2), Turn(1)}) == 3


def test_a_step_prints_its_fields() -> None:
    assert repr(Join(1, 0)) == "Join(1, 0)"
    assert repr(Wages(NOBODY)) == "Wages(-1)"


def test_a_minimal_step_asks_and_has_defaults() -> None:
    s = table()
    step: Step[Toy] = Step(0)
    assert step.applies(s)
    assert step.fields() == ()
    assert step.forbids(s, 3) is None
    assert step.rule_parameters(s, 3, NO_COIN) == ()
    assert step.forced_option(s, [3]) == 3
    assert step.forced_option(s, [3, 4]) == ASK
    for call in (lambda: step.candidates(s), lambda: step.apply(s, 3), lambda: step.run(s)):
        with pytest.raises(NotImplementedError):
            call()
