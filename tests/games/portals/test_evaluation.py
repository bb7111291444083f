"""Tests of the bots' evaluation: no needless discards, planned last rounds, and the value of fuel."""

import pytest

from tests.games.portals.table import card, options, play, table
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.games.portals.ai.evaluation import FEATURES
from triclinium.games.portals.ai.trip_plan import LATE_DISCOUNT, list_hand_after_filling
from triclinium.games.portals.game import GAME
from triclinium.games.portals.rules.state import Portals

SEVEN = "o01 o02 o03 o04 o05 o06 o07"


def value(s: Portals, name: str, seat: int = 0) -> float:
    return GAME.evaluator.features(s, seat)[FEATURES.index(name)]


def list_sensible_texts(s: Portals) -> list[str]:
    return [GAME.format_option(o) for o in GAME.evaluator.sensible_options(s)]


# -- discards (PP-9.1) ----------------------------------------------------------------------------------------------


def test_a_discard_waits_until_the_hand_is_full() -> None:
    """PP-9.1  A bot with room in its hand does not discard."""
    s = table(hands=["o01 o02 o03 o04 o05 o06"])
    assert "discard" in options(s)
    assert "discard" not in list_sensible_texts(s)
    assert "discard" in list_sensible_texts(table(hands=[SEVEN]))


def test_a_discard_waits_for_something_to_draw() -> None:
    """PP-9.1, PP-4.6  A bot with a full hand does not discard if no action or nothing to draw is left."""
    assert "discard" not in list_sensible_texts(table(hands=[SEVEN], actions=0, gauge=2))
    assert "discard" not in list_sensible_texts(table(hands=[SEVEN], row="", old="", new=""))


def test_a_game_without_a_row_has_nothing_to_draw_once_its_decks_are_empty() -> None:
    """PP-4.6, PP-1.10  An edited game may have no row."""
    s = table(hands=[SEVEN], row="", old="", new="")
    s.row = []
    assert "discard" not in list_sensible_texts(s)


def test_the_choice_of_discard_stays_open() -> None:
    """After choosing to discard, a bot considers every card."""
    s = table(hands=[SEVEN])
    play(s, "discard")
    assert list_sensible_texts(s) == options(s)


@pytest.mark.parametrize("name", ["greedy", "steady", "novice", "strong@30x"])
def test_no_bot_discards_needlessly(name: str) -> None:
    """In whole matches no bot discards with six cards or fewer, or without an action left."""
    player, rng = create_bot(name, GAME), Rng(3)
    s = GAME.deal(2, 11)
    assert isinstance(s, Portals)
    for _ in range(14 if "x" in name else 60):
        if s.over:
            break
        o = choose_option(player, s, rng)
        if GAME.format_option(o) == "discard":
            assert len(s.hands[s.who]) == s.c.hand_limit
            assert s.actions > 0
        s.choose(o)


# -- the last rounds ------------------------------------------------------------------------------------------------


def test_the_last_rounds_are_planned_to_their_end() -> None:
    """The plan is Bethlehem, then Jerusalem twice, by the end of the next turn: 17 points, and not Egypt for 4.

    The position is from round 13 of a test match. The rival leads in every symbol and may end the match next round.
    """
    rival = "n01 n06 g01 g12 o05 o14 o33 o41 o44 o46"
    hands = ["n02 n14 n15 o52"]
    s = table(2, ["beersheba", "susa"], hands, ["", rival], capsule="nt", round_=13, gauge=2)
    in_time = [(6, 3), (6, 5), (5, 6)]  # points, and the number of actions before them
    assert value(s, "plan_points") == pytest.approx(sum(points * LATE_DISCOUNT**at for points, at in in_time))


def test_a_plan_ends_with_the_match() -> None:
    """PP-10.2  In the last round only the remaining actions count. A third New Testament card ends it."""
    s = table(2, pawns=["jerusalem", "susa"], hands=["n14 n15"], capsule="nt", round_=14, actions=1)
    both = value(s, "plan_points")
    s.last_round = 1
    assert 0 < value(s, "plan_points") < both
    s = table(2, pawns=["jerusalem", "susa"], hands=["n14 n15"], played=["n01 n03"], capsule="nt", actions=1)
    assert value(s, "plan_points") < both


def test_the_plan_counts_what_the_score_sheet_counts() -> None:
    """PP-11.3  The fifth region of a set brings its 10 points, and a majority its 7."""
    s = table(2, pawns=["capernaum", "susa"], hands=["n07"], played=["o01 o04 o08 o09"], capsule="nt", round_=14)
    assert value(s, "plan_bonus") > 10
    s = table(2, pawns=["capernaum", "susa"], hands=["n07"], played=["o04 o08 o09"], capsule="nt", round_=14)
    assert value(s, "plan_bonus") < 10


def test_ending_a_turn_has_no_value() -> None:
    """The plan for the next turn does not gain value by losing actions of this one."""
    s = table(2, pawns=["beersheba", "susa"], hands=["o30"], capsule="12", gauge=1)
    before = value(s, "plan_points")
    play(s, "end")
    assert value(s, "plan_points") <= before


def test_a_leading_bot_ends_the_match() -> None:
    """PP-10.1  The leading player plays the third New Testament card."""
    s = table(
        2, pawns=["jerusalem", "susa"], hands=["n14"], played=["n01 n03 n04 o01 o04 o08 o09"], capsule="nt", round_=14
    )
    s.new_played[0] = 2
    assert GAME.format_option(choose_option(create_bot("steady", GAME), s, Rng(1))) == "play n14"


# -- fuel (PP-8) ----------------------------------------------------------------------------------------------------


def test_fuel_that_fills_the_tank_is_worth_what_it_brings_into_range() -> None:
    """PP-8.4  N02 is at the pawn's place but out of range. One yellow icon fills the tank from 3."""
    far = {"pawns": ["bethlehem"], "capsule": "13", "gauge": 3}
    assert value(table(hands=["o44 n02"], **far), "fill_gain") > 0  # type: ignore[arg-type]  # of one dictionary
    assert value(table(hands=["o26 n02"], **far), "fill_gain") == 0  # type: ignore[arg-type]
    assert value(table(hands=["o44"], **far), "fill_gain") == 0  # type: ignore[arg-type]


def test_the_tank_is_filled_by_colours_that_differ() -> None:
    """PP-8.7, PP-S4  Two cards of one colour do not add up in a turn."""
    s = table(hands=["g03 o21 o26"])
    assert list_hand_after_filling(s, s.hands[0], 0) == []
    s = table(hands=["g03 o17 o26"])
    assert list_hand_after_filling(s, s.hands[0], 0) == [card("o26")]
    assert list_hand_after_filling(s, s.hands[0], s.c.colour_bit[card("g03")]) == []


def test_a_full_tank_is_the_fillers_alone() -> None:
    """PP-8.9  The others get Low, so their plans ignore the full gauge."""
    s = table(2, pawns=["bethlehem", "hebron"], hands=["o44", "n02"], capsule="13", gauge=3)
    assert value(s, "left_to_others") == 3
    play(s, "burn o44")
    assert value(s, "left_to_others") == 0
    full = value(s, "plan_points", 1)
    s.gauge = 0
    assert full == value(s, "plan_points", 1)
