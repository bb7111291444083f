"""Tests of the evaluation of positions by bots."""

from itertools import permutations, product

import pytest

from tests.games.evangelists.table import C, gospel, options, play, table
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.ai.arrangements import (
    LEVEL_BASE,
    ReachableArrangements,
    count_steps,
    encode_levels,
    find_best_row,
    find_next_step,
)
from triclinium.games.evangelists.ai.evaluation import FEATURES, features, list_sensible_options
from triclinium.games.evangelists.rules.state import Evangelists


def is_at_work(s: Evangelists, seat: int) -> float:
    return features(s, seat)[FEATURES.index("at_work")]


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_an_unfinished_action_is_evaluated_for_every_seat(turn: int) -> None:
    """AE-2.2  An action is visible from its payment to its end, even if other players are still to play."""
    s = table(seats=3, pawns=["cyrene", "cyrene", "cyrene"], turn=turn)
    assert is_at_work(s, turn) == 0
    play(s, "travel weak")
    assert [is_at_work(s, seat) for seat in range(3)] == [float(seat == turn) for seat in range(3)]
    play(s, "to corinth")
    while not GAME.evaluator.is_stable(s):
        s.play(s.options()[-1])
    assert is_at_work(s, turn) == 0


# -- whole arrangements ----------------------------------------------------------------------------------------------


def list_sensible_texts(s: Evangelists) -> list[str]:
    return [GAME.format_option(o) for o in list_sensible_options(s)]


def rows(slots: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every arrangement of the leaves by brute force."""
    leaves = [slots[i : i + 2] for i in range(0, len(slots), 2)]
    found = []
    for order in permutations(leaves):
        for flips in product((1, -1), repeat=len(leaves)):
            found.append(tuple(card for leaf, way in zip(order, flips, strict=True) for card in leaf[::way]))
    return found


@pytest.mark.parametrize("numbers", [[3, 24, 1, 21, 29, 30], [7, 10, 0, 12, 18, 0, 22, 5], [9, 2, 30, 1, 0, 0, 4, 8]])
def test_all_arrangements_are_considered(numbers: list[int]) -> None:
    """AE-8, AE-9  No arrangement of the leaves beats the best one found on any of the three tracks."""
    slots = tuple(number - 1 for number in numbers)
    interviews = (1 << C.witness_ids.index("peter")) | (1 << C.witness_ids.index("john"))
    codes = {encode_levels(C, row, interviews) for row in rows(slots)}
    found = set(ReachableArrangements(C, slots, interviews).rows_by_levels)
    assert found <= codes
    for code in codes:
        assert any(all(a >= b for a, b in zip(split(best), split(code), strict=True)) for best in found)


def split(code: int) -> tuple[int, int, int]:
    return code // LEVEL_BASE // LEVEL_BASE, code // LEVEL_BASE % LEVEL_BASE, code % LEVEL_BASE


def set_up_rearrange(numbers: list[int], octagons: int = 3, round_: int = 5) -> Evangelists:
    """Return a table of two where the first may rearrange."""
    return table(
        seats=2, pawns=["corinth", "rome"], gospels={0: numbers}, octagons=octagons, tokens=[0, 0], round_=round_
    )


def test_a_strong_rearrange_takes_the_fewest_steps() -> None:
    """AE-8.2, AE-R36  The bot takes as many steps as the best row needs moves and flips, and then ends."""
    s = set_up_rearrange([30, 29, 33, 17, 24, 3, 1, 21, 31, 6])
    wanted = find_best_row(s, 0)
    steps = count_steps(list(wanted))
    assert steps > 1
    play(s, "rearrange strong")
    made = 0
    while list_sensible_texts(s) != ["done"]:
        made += 1
        play(s, *list_sensible_texts(s))
        play(s, *list_sensible_texts(s))
    assert made == steps
    assert not find_best_row(s, 0)


@pytest.mark.parametrize("name", ["greedy", "steady", "strong@20x"])
def test_a_strong_rearrange_never_ends_where_it_began(name: str) -> None:
    """AE-8  On this gospel early bots wasted four octagons with ten steps each time."""
    s = set_up_rearrange([3, 24, 1, 21, 29, 30, 31, 6, 33, 17])
    before = gospel(s, 0)
    play(s, "rearrange strong")
    player, rng, made = create_bot(name, GAME), Rng(1), 0
    while type(s.asked).__name__ != "ChooseAction":
        s.choose(choose_option(player, s, rng))
        made += 1
    assert gospel(s, 0) != before
    assert made < 20


def test_no_bot_rearranges_an_ordered_gospel() -> None:
    """AE-8  Bots do not pay octagons for a row that is best already."""
    s = set_up_rearrange([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    while find_best_row(s, 0):
        leaf, how = find_next_step(s, 0, 10, 0)
        play(s, "rearrange strong", f"leaf {leaf + 1}", GAME.format_option(how), "done")
        s = set_up_rearrange(gospel(s, 0))
    assert {"rearrange weak", "rearrange strong"} <= set(options(s))
    assert not [text for text in list_sensible_texts(s) if text.startswith("rearrange")]


def test_a_weak_rearrange_is_taken_where_one_step_is_enough() -> None:
    """AE-8.1  Two octagons are only for rows that need several steps."""
    s = set_up_rearrange([9, 5, 12, 0, 0, 0])
    assert "rearrange strong" not in list_sensible_texts(s)
    assert "rearrange weak" in list_sensible_texts(s)
    play(s, "rearrange weak")
    assert list_sensible_texts(s) == ["leaf 1"]
    play(s, "leaf 1")
    assert list_sensible_texts(s) == ["flip"]


def test_no_bot_follows_a_useless_rearrange() -> None:
    """AE-8.3  A player whose leaves are already in order declines to follow a Rearrange."""
    gospels = {0: [2, 1, 0, 0, 0, 0], 1: [1, 2, 3, 4, 5, 6]}
    s = table(seats=2, pawns=["corinth", "rome"], gospels=gospels, tokens=[0, 1])
    play(s, "rearrange weak", "leaf 1", "flip")
    assert options(s) == ["follow", "decline"]
    assert list_sensible_texts(s) == ["decline"]


def test_no_bot_sails_when_nothing_is_left_to_do() -> None:
    """AE-R9  With the option for boats after the last octagon, bots do not ride when nothing is left to do."""
    variants = {"boat_after_last_octagon": True}
    s = table(seats=2, pawns=["rome", "antioch"], octagons=0, round_=6, turn=0, variants=variants)
    assert options(s) == ["boat", "end"]
    assert list_sensible_texts(s) == ["end"]
    t = table(seats=2, pawns=["rome", "antioch"], octagons=0, round_=5, turn=0, variants=variants)
    assert list_sensible_texts(t) == ["boat", "end"]


@pytest.mark.parametrize("name", ["greedy", "steady"])
@pytest.mark.parametrize(("number", "slots"), [(1, (1, 2)), (33, (5, 6))])
def test_first_cards_are_placed_low_left_and_high_right(name: str, number: int, slots: tuple[int, ...]) -> None:
    """AE-9.5  Low cards go to the left and high ones to the right, so that later cards find space on the other side."""
    s = table(seats=2, pawns=["corinth", "rome"], tokens=[0, 0], boxes={"corinth": [number]})
    play(s, "tradition", "keep 0")
    assert GAME.format_option(choose_option(create_bot(name, GAME), s, Rng(1))) in [f"slot {slot}" for slot in slots]


def test_tokens_are_worthless_after_the_last_action() -> None:
    """AE-3.2  A token that cannot be spent does not make a bot decline."""
    s = table(seats=2, pawns=["rome", "antioch"], turn=1, round_=6, tokens=[0, 2])
    assert features(s, 1)[FEATURES.index("tokens")] == 0
    t = table(seats=2, pawns=["rome", "antioch"], turn=0, round_=3, tokens=[0, 2])
    assert features(t, 1)[FEATURES.index("tokens")] == 2


def test_prospects_end_with_the_last_octagon() -> None:
    """AE-2.5  A pawn's place has no value once its player has no more turns."""
    s = table(seats=2, pawns=["rome", "antioch"], turn=1, round_=6, gospels={0: [7, 10, 0, 0, 0, 0]})
    assert features(s, 0)[FEATURES.index("prospects")] == 0
    assert features(s, 0)[FEATURES.index("in_city")] == 0
