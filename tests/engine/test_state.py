"""Tests of clones, digests, possible worlds and events."""

import pytest

from tests.toy import DRAW, DREW, PEEK, PEEKED, STOP, TOY, Join, Toy, Turn
from triclinium.engine.core.digest import compute_digest
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.event import Event
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import perft, rollout
from triclinium.engine.core.rule import NOT_ASKED, Rule
from triclinium.engine.core.score import Score, ScoreSheetLine, rank_keys
from triclinium.engine.core.state import NOBODY, State
from triclinium.engine.view import View, base_fields, to_json


def deal(seats: int = 2, seed: int = 1) -> Toy:
    s = TOY.deal(seats, seed)
    assert isinstance(s, Toy)
    return s


def test_a_clone_is_equal_and_independent() -> None:
    s = deal()
    s.play(DRAW)
    t = s.clone()
    assert t.digest() == s.digest()
    assert (t.who, t.options(), t.stack) == (s.who, s.options(), s.stack)
    before = s.digest()
    rollout(t, Rng(3), 1000)
    assert t.over
    assert s.digest() == before
    assert not s.over


def test_a_clone_draws_the_same_chance() -> None:
    s = deal()
    t = s.clone()
    assert t.rng is not s.rng
    for state in (s, t):
        for _ in range(8):
            state.play(STOP)
    assert s.coins == t.coins
    assert s.digest() == t.digest()


def test_clones_collect_no_events() -> None:
    s = TOY.deal(2, 1, listen=True)
    s.play(DRAW)
    assert s.events
    assert s.clone().events is None
    assert s.resample(0, Rng(1)).events is None


def test_events_are_not_part_of_the_digest() -> None:
    s = TOY.deal(2, 1)
    t = TOY.deal(2, 1, listen=True)
    for state in (s, t):
        state.play(DRAW)
    assert s.digest() == t.digest()


def test_the_digest_covers_the_whole_state() -> None:
    base = deal().digest()
    changes = 0
    for change in range(6):
        s = deal()
        if change == 0:
            s.coins[1] += 1
        elif change == 1:
            s.undo_barrier += 1
        elif change == 2:
            s.rng.below(2)
        elif change == 3:
            s.stack[-1] = Turn(1)
        elif change == 4:
            s.stack[-1] = Join(0, 1)
        else:
            s.stack.pop()
        changes += s.digest() != base
    assert changes == 6


def test_digests_never_change() -> None:
    """These numbers are the same on every machine, build and Python version, and must never change."""
    assert compute_digest([]) == (17 << 31) + 29
    assert compute_digest([0]) != compute_digest([])
    assert compute_digest([1, 2, 3]) == 1634581233079626302
    assert compute_digest([-1, 1 << 59, (1 << 60) - 1]) == 275426061362864655
    assert compute_digest([1, 2]) != compute_digest([2, 1])


def test_the_digest_covers_every_bit_of_a_number() -> None:
    """The digest depends on every bit, also beyond the sixty of one limb, as in keys and in bit sets of many cards."""
    for number in (0, 5, (1 << 60) - 1, 1 << 60, 1 << 61, 1 << 127, (1 << 200) + 1, -2, -(1 << 60), -(1 << 130)):
        seen = {compute_digest([number])} | {compute_digest([number ^ (1 << bit)]) for bit in range(260)}
        assert len(seen) == 261
    assert compute_digest([-2]) != compute_digest([(1 << 60) - 2])


def test_a_long_number_is_not_taken_for_two() -> None:
    assert compute_digest([(1 << 60) + 5]) != compute_digest([5, 1])
    assert compute_digest([1 << 120]) != compute_digest([0, 0, 1])
    assert compute_digest([1 << 60, 3]) != compute_digest([0, (3 << 60) + 1])


def test_a_determinization_looks_the_same_to_its_viewer() -> None:
    s = deal(3)
    s.play(PEEK)
    for seat in (0, 1, 2, NOBODY):
        viewer = None if seat == NOBODY else seat
        for seed in range(10):
            t = s.resample(seat, Rng(seed))
            assert TOY.view(t, viewer) == TOY.view(s, viewer)
            assert (t.who, t.asked) == (s.who, s.asked)


def test_a_determinization_has_its_own_random_stream() -> None:
    s = deal()
    before = s.rng.state_key()
    t = s.resample(0, Rng(1))
    assert t.rng.state_key() != before
    assert s.rng.state_key() == before
    assert s.resample(0, Rng(1)).digest() == t.digest()
    assert s.resample(0, Rng(2)).rng.state_key() != t.rng.state_key()


def test_options_of_other_seats_follow_their_redealt_cards() -> None:
    s = deal()
    seen = set()
    for seed in range(20):
        t = s.resample(1, Rng(seed))
        assert t.options() == t.asked.options(t)
        seen.add(tuple(t.options()))
        assert s.resample(0, Rng(seed)).options() == s.options()
    assert len(seen) > 1


def show_shared_view(s: State, seat: int | None) -> dict[str, object]:
    """Return the part of a view that every game has."""
    return to_json(View(*base_fields(s, seat, TOY.notation)), {})


def test_base_fields_give_options_only_to_the_asked_seat() -> None:
    s = deal()
    assert show_shared_view(s, 0)["options"] == [TOY.format_option(o) for o in s.options()]
    for other in (1, None, NOBODY):
        assert "options" not in show_shared_view(s, other)
    assert show_shared_view(s, None) == {"viewer": None, "seats": 2, "who": 0, "over": False, "asked": "Turn"}
    s.play(TOY.read("resign 1"))
    assert show_shared_view(s, 0) == {"viewer": 0, "seats": 2, "who": None, "over": True, "asked": None}


def test_required_methods_have_no_default() -> None:
    s = State()
    s.initialize(2, Rng(1))
    assert s.anytime == []
    assert s.anytime_options(0) == []
    assert s.anytime_step(3) is None
    assert s.state_key() == []
    assert s.clone().digest() == s.digest()
    with pytest.raises(NotImplementedError):
        Evaluator().features(s, 0)
    with pytest.raises(NotImplementedError):
        Evaluator().scores(s)
    with pytest.raises(NotImplementedError):
        Evaluator().skip_turns(s, 0, 1)
    assert Evaluator().is_stable(s)
    assert Evaluator().progress(s) == 0
    assert s.resample(0, Rng(1)).state_key() == []


# -- events ----------------------------------------------------------------------------------------------------------


def test_secrets_reach_their_readers_only() -> None:
    event = Event(DREW, 1, (4,), "TOY-2", (9,), 0b101)
    assert event.for_viewer(0) is event
    assert event.for_viewer(2) is event
    for other in (1, 3, NOBODY):
        assert event.for_viewer(other) == Event(DREW, 1, (4,), "TOY-2")


def test_events_are_compared_by_their_facts() -> None:
    assert Event(DREW, 1, (4,)) == Event(DREW, 1, (4,))
    assert Event(DREW, 1, (4,)) != Event(DREW, 0, (4,))
    assert Event(DREW, 1) != "drew"
    assert len({Event(DREW, 1), Event(DREW, 1), Event(PEEKED, 1)}) == 2
    assert repr(Event(DREW, 1, (4,))) == "Event('drew', 1, (4,), '', (), 0)"


def test_no_events_are_collected_without_a_listener() -> None:
    s = deal()
    s.emit(DREW, 0)
    assert s.events is None


def test_the_log_depends_on_its_reader() -> None:
    s = TOY.deal(2, 1, listen=True)
    assert isinstance(s, Toy)
    card = s.pile[-1]
    s.play(DRAW)
    assert s.events is not None
    words = TOY.words
    assert words.format_log(s.events, 0, words.reader("en", ("Ann", "Ben"))) == ["Ann: draw", f"Ann drew fig {card}"]
    assert words.format_log(s.events, 1, words.reader("fr", ("Ann", "Ben"))) == [
        "Ann\u00a0: draw",
        "Ann pioche une carte",
    ]
    assert words.format_log(s.events, NOBODY, words.reader()) == ["seat 0: draw", "seat 0 drew a card"]


# -- other tests -----------------------------------------------------------------------------------------------------


def test_ranks_are_shared_and_then_skipped() -> None:
    assert rank_keys([(3, 1), (5, 0), (3, 1), (3, 0)]) == [2, 1, 2, 4]


def test_a_score_finds_its_lines() -> None:
    score = Score(0, 1, 7, [ScoreSheetLine("coins", 3), ScoreSheetLine("laid", 4)])
    assert score.line_points("laid") == 4
    assert repr(score) == "Score(seat 0: rank 1, 7 = [coins 3, laid 4])"
    with pytest.raises(KeyError):
        score.line_points("figs")


def test_a_rule_is_printed_with_its_number() -> None:
    assert repr(NOT_ASKED) == "Rule(K-1)"
    assert repr(Rule("AE-6.3", "no")) == "Rule(AE-6.3)"


def test_a_rollout_stops_at_its_limit_or_at_the_end() -> None:
    s = deal()
    assert rollout(s, Rng(1), 3) == 3
    made = rollout(s, Rng(1), 1000)
    assert s.over
    assert 0 < made < TOY.max_decisions
    assert rollout(s, Rng(1), 1000) == 0


def test_perft_counts_lines_of_play() -> None:
    s = deal()
    before = s.digest()
    assert perft(s, 0) == 1
    assert perft(s, 1) == len(s.options())
    slow = 0
    for o in s.options():
        t = s.clone()
        t.play(o)
        slow += len(t.options())
    assert perft(s, 2) == slow
    assert s.digest() == before
    s.play(TOY.read("resign 0"))
    assert perft(s, 3) == 1
