"""Tests of the options that bots consider: no tiny or excessive attacks, and no reversal without effect."""

import pytest

from tests.games.testoftime.table import CC, NO, SHORT_CARDS, YES, A, B, Testament, play, table
from tests.slow import slow
from triclinium.bots import create_bot
from triclinium.bots.base import ask_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import ASK
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.rules.state import TestOfTime as Position  # a name that pytest does not collect

AI = SHORT_CARDS.evaluator


def list_considered(s: Position) -> list[str]:
    """Return the options that a bot considers, in notation."""
    return [GAME.format_option(o) for o in AI.sensible_options(s)]


def test_equal_options_are_considered_once() -> None:
    """TT-4.1  A bot considers one of several vacant spaces, because they are equal, and a buried space after them."""
    s = table(testaments={A: [Testament("art", seen=0), None, None]})
    play(s, "create")
    assert list_considered(s) == ["on 2"]


def test_few_attack_sizes_are_considered() -> None:
    """TT-9.2  A bot considers four sizes of an attack at most.

    They strip all without defence, half of that, all for certain, or use what upkeep leaves.
    """
    s = table(followers=(24, 8), testaments={A: ["monument"], B: ["temple"]})
    play(s, "attack")
    assert list_considered(s) == ["followers 5", "followers 10", "followers 14", "followers 18"]
    s = table(followers=(24, 0), testaments={B: ["temple"]})
    play(s, "attack")
    assert list_considered(s)[-1] == "followers 10", "its owner has nobody: more would be wasted"


def test_one_move_a_target_until_it_is_defended() -> None:
    """TT-9.3, TT-10.4  A bot reinforces an attack only after the owner has defended."""
    s = table(testaments={A: ["art"], B: ["temple"]})
    play(s, "attack", "followers 4", "sire")
    assert "attack" not in list_considered(s)
    play(s, "pass", "defend", "followers 3")
    assert "attack" in list_considered(s)


def test_no_bot_joins_an_attack_that_takes_everything() -> None:
    """TT-R17  A bot adds nothing to an attack that takes all sections already."""
    s = table(seats=3, followers=(20, 20, 0), testaments={A: ["art"], CC: ["art"]})
    play(s, "attack", "followers 6")
    assert s.compute_uncovered_attack(6) == s.visible[6]
    play(s, "attack")
    assert list_considered(s) == ["at 0 1"]


def test_nothing_is_started_in_the_last_round() -> None:
    """TT-R23  In the last round a bot creates and sires nothing."""
    s = table(round_=20, testaments={A: ["art"]})
    assert list_considered(s) == ["preserve", "sire_shaman", "pass"]


def test_no_reversal_that_changes_nothing() -> None:
    """TT-R13  A bot chooses no reversal, target or number of rounds that changes nothing."""
    kept, decayed = Testament("art", ((YES, 0), (YES, 0))), Testament("art", ((NO, 0), (NO, 0)))
    s = table(shamans=(2, 0), testaments={A: [kept], B: [decayed]})
    assert "reverse" not in list_considered(s)
    s = table(shamans=(2, 0), testaments={A: [kept, Testament("art", ((NO, 0), (YES, 0)))], B: [decayed]})
    play(s, "reverse")
    assert list_considered(s) == ["at 0 2"]
    play(s, "at 0 2")
    assert list_considered(s) == ["rounds 2"]
    play(s, "rounds 2")
    assert list_considered(s) == ["mend"]


def test_a_rival_s_past_is_spoiled_as_a_whole() -> None:
    """TT-14.6  With one payment for all, a bot spoils all useful records."""
    art = Testament("art", ((YES, 0), (YES, 0)))
    s = table(shamans=(2, 0), testaments={B: [art]}, variants={"one_payment": True})
    play(s, "reverse", "rounds 2")
    assert list_considered(s) == ["spoil"]
    play(s, "spoil")
    assert list_considered(s) == ["spoil"]


def test_a_rival_s_records_are_weighed_one_by_one() -> None:
    """TT-11.7  A bot pays for each record separately and may leave one, but not the last one that it can pay."""
    art = Testament("art", ((YES, 0), (YES, 0)))
    s = table(shamans=(2, 0), testaments={B: [art]})
    play(s, "reverse", "rounds 2")
    assert list_considered(s) == ["keep", "spoil"]
    play(s, "keep")
    assert list_considered(s) == ["spoil"]


def test_the_last_chance_is_the_last_that_can_be_paid() -> None:
    """TT-11.5, TT-11.8, TT-R13  A later round that cannot be paid for is no reason to leave this one unchanged."""
    temple = Testament("temple", ((NO, 1), (NO, 0)))
    for followers, seen in ((1, ["followers 1"]), (8, ["followers 0", "followers 1"])):
        s = table(followers=(followers, 20), shamans=(2, 0), testaments={A: [temple]})
        play(s, "reverse", "rounds 2", *["keep"] * (followers == 8))
        assert list_considered(s) == seen


@pytest.mark.parametrize("seeds", [1, slow(3)])
@pytest.mark.parametrize(("name", "seats"), [("greedy", 3), ("steady", 2)])
def test_bots_choose_only_sensible_options(name: str, seats: int, seeds: int) -> None:
    """In whole matches bots make no oversized or tiny attacks, and each reversal changes a record."""
    player = create_bot(name, GAME)
    for seed in range(seeds):
        s = GAME.deal(seats, seed, {"rounds": 10})
        assert isinstance(s, Position)
        rng = Rng(seed)
        past = None
        while not s.over:
            if past is not None and s.asked.id == "Move":
                assert past != s.past, "a reversal that changed nothing"
                past = None
            o = ask_bot(player, s, rng).option
            if GAME.format_option(o) == "reverse":
                past = list(s.past)
            if s.asked.id == "AttackWithFollowers":
                slot, who = s.asked.fields()[0], s.who
                mine = [force for force in s.attackers[slot] if force >> 16 == who]
                assert not mine or s.defenders[slot]
                s.choose(o)
                assert s.round > 10 or s.compute_uncovered_attack(slot) <= s.visible[slot] + s.compute_waiting_worth(
                    slot // 3
                ) + s.get_shaman_power(who)
            else:
                s.choose(o)


def test_a_move_is_finished_quickly() -> None:
    """A greedy completion chooses every step except the kind to create, and its choices are legal."""
    s = table(shamans=(3, 2), testaments={A: ["temple", Testament("art", ((NO, 2), (YES, 0)))], B: ["monument"]})
    for move in ("preserve", "sire", "sire_shaman", "convert", "attack", "reverse"):
        t = s.clone()
        play(t, move)
        while t.who == A:
            o = AI.quick_option(t)
            assert o in t.legal
            t.choose(o)
    play(s, "create")
    assert AI.quick_option(s) == ASK, "the only free space is taken unasked, and kinds are weighed"
