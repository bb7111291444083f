"""Tests of the end of the game (PP-10)."""

import pytest

from tests.games.portals.table import C, card, finish_round, line, play, table, totals
from triclinium.engine.core.rule import MATCH_OVER
from triclinium.games.portals import GAME
from triclinium.games.portals.rules.events import LAST_ROUND, OVER
from triclinium.games.portals.rules.state import (
    BY_EXHAUSTION,
    BY_LAST_SPACE,
    BY_LIMIT,
    BY_STALL,
    BY_THIRD_CARD,
    RUNNING,
)


def test_end_in_the_middle_of_a_round() -> None:
    """PP-10.1, PP-10.2, PP-S8  After B's third New Testament card, C has one more turn and A, who had it, has none.

    A fourth card changes nothing.
    """
    s = table(
        pawns=["susa", "capernaum"], hands=["", "n07 n08"], played=["", "n01 n02"], capsule="nt", round_=14, who=1
    )
    before = s.points[1]
    play(s, "play n08")
    assert s.points[1] == before + 4
    assert s.last_round == 1
    play(s, "play n07", "end")
    assert s.points[1] == before + 8
    assert s.who == 2
    play(s, "end")
    assert s.over
    assert s.ending == BY_THIRD_CARD
    assert s.refusal(0) is MATCH_OVER


def test_the_last_player_ends_the_game_with_the_own_turn() -> None:
    """PP-10.2  If the last player of the round plays the third card, all players have had the same number of turns."""
    s = table(
        pawns=["susa", "haran", "capernaum"], hands=["", "", "n07"], played=["", "", "n01 n02"], capsule="nt", who=2
    )
    play(s, "play n07", "end")
    assert s.over


def test_burnt_and_discarded_cards_do_not_count() -> None:
    """PP-10.1  Burnt and discarded New Testament cards do not count."""
    s = table(hands=["n06 n07 n08"], played=["n01 n02"], capsule="nt")
    play(s, "burn n06", "discard", "drop n07")
    assert (s.new_played[0], s.last_round) == (2, 0)


def test_the_third_card_may_be_played_before_the_new_testament() -> None:
    """PP-10.1, PP-R18  The third card ends the game wherever the capsule is."""
    s = table(pawns=["bethlehem"], hands=["o44 n02"], played=["n01 n03"], capsule="13", gauge=3)
    play(s, "burn o44", "play n02")
    finish_round(s)
    assert s.over
    assert s.round == 4


def test_the_third_card_must_belong_to_one_player() -> None:
    """PP-10.3  Two New Testament cards of one player and one of another do not end the game."""
    s = table(pawns=["susa", "bethlehem"], hands=["", "n02"], played=["n01 n03"], capsule="nt", who=1)
    play(s, "play n02")
    assert s.last_round == 0


def test_the_last_round_is_announced_once() -> None:
    """PP-10.1, PP-10.2  The last round is announced once, even if a second player plays a third card in it."""
    s = table(
        2,
        ["bethlehem", "jerusalem"],
        ["n02", "n14"],
        ["n01 n03", "n04 n05"],
        capsule="nt",
        variants={"stall_rounds": 0},
    )
    s.events = []
    play(s, "play n02", "end", "play n14", "end")
    assert s.over
    assert [event.seat for event in s.events if event.type is LAST_ROUND] == [0]
    assert s.new_played == [3, 3]


def test_the_third_card_is_asked_for_before_everything_else() -> None:
    """PP-R19  If several conditions would end this round, the order is third card, exhaustion, stall and limit."""
    s = table(2, ["bethlehem"], ["n02"], ["n01 n03"], row="", old="", new="", capsule="nt", round_=30)
    play(s, "play n02")
    finish_round(s)
    assert s.ending == BY_THIRD_CARD
    idle = {"stall_rounds": 1}
    s = table(2, row="", old="", new="", capsule="nt", round_=30, variants=idle)
    finish_round(s)
    assert s.ending == BY_EXHAUSTION
    s = table(2, capsule="nt", round_=30, variants=idle)
    finish_round(s)
    assert s.ending == BY_STALL


def test_partners_cards_are_not_added() -> None:
    """PP-10.3, PP-R20  The New Testament cards of partners are not added up."""
    s = table(4, ["bethlehem"], ["n02"], ["", "", "n01 n03"], capsule="nt", variants={"team": True})
    play(s, "play n02")
    assert s.last_round == 0


def test_stall() -> None:
    """PP-10.4, PP-R19, PP-S12  After an event in round 13 and three idle rounds the game ends with round 16."""
    s = table(pawns=["bethlehem"], hands=["n02"], capsule="nt", round_=13)
    play(s, "play n02")
    for round_ in (13, 14, 15):
        assert s.round == round_
        finish_round(s)
    assert s.ending == RUNNING
    finish_round(s)
    assert s.over
    assert (s.round, s.ending) == (16, BY_STALL)


def test_an_event_starts_the_count_again() -> None:
    """PP-R19, PP-S12  An event in round 16 starts the count again, so the game continues to round 19."""
    s = table(pawns=["bethlehem"], hands=["n02 n14"], capsule="nt", round_=13)
    play(s, "play n02")
    for _ in range(3):
        finish_round(s)
    play(s, "move jerusalem", "play n14")
    for _ in range(4):
        assert s.ending == RUNNING
        finish_round(s)
    assert s.over
    assert s.round == 19


def test_idle_rounds_before_the_new_testament_do_not_count() -> None:
    """PP-R19, PP-S12  If rounds 1 to 13 are idle too, the game ends after round 15."""
    s = table()
    while not s.over:
        finish_round(s)
    assert (s.round, s.ending) == (15, BY_STALL)


@pytest.mark.parametrize("limit", [13, 30, 45])
def test_round_limit(limit: int) -> None:
    """PP-R19  Without the stall rule only the round limit ends an idle game."""
    s = table(2, variants={"stall_rounds": 0, "round_limit": limit})
    while not s.over:
        finish_round(s)
    assert (s.round, s.ending) == (limit, BY_LIMIT)


def test_exhaustion() -> None:
    """PP-R19  The game ends if no event is in a hand, the row or a deck, even if other cards are left."""
    s = table(hands=["g06 r1"], row="s1", old="r2", new="", capsule="13")
    finish_round(s)
    assert s.ending == RUNNING
    play(s, "discard", "drop g06")
    finish_round(s)
    assert s.over
    assert s.ending == BY_EXHAUSTION


@pytest.mark.parametrize("left", ["row", "old", "new"])
def test_an_event_anywhere_keeps_the_game_going(left: str) -> None:
    """PP-R19  A single event in any of these places keeps the game going."""
    piles = {"row": "", "old": "", "new": ""} | {left: "n01" if left == "new" else "o01"}
    s = table(capsule="13", row=piles["row"], old=piles["old"], new=piles["new"])
    finish_round(s)
    assert s.ending == RUNNING


def test_simplified_lasts_thirteen_rounds() -> None:
    """PP-12.3, PP-R27  In the simplified variant neither a third card nor exhaustion nor a stall ends the game."""
    s = table(
        pawns=["bethlehem"], hands=["n02"], played=["n01 n03"], row="", old="", new="", variants={"simplified": True}
    )
    play(s, "play n02")
    rounds = 0
    while not s.over:
        finish_round(s)
        rounds += 1
    assert (rounds, s.ending) == (13, BY_LAST_SPACE)


def test_simplified_with_the_third_card() -> None:
    """PP-R27  With `simplified_nt_end` the third card or round 13 ends the game, whichever comes first."""
    on = {"simplified": True, "simplified_nt_end": True}
    s = table(pawns=["bethlehem"], hands=["n02"], played=["n01 n03"], variants=on)
    play(s, "play n02")
    finish_round(s)
    assert s.over
    assert (s.round, s.ending) == (1, BY_THIRD_CARD)
    s = table(variants=on)
    while not s.over:
        finish_round(s)
    assert s.round == 13


def test_all_see_that_this_is_the_last_round() -> None:
    """PP-10.1, PP-12.3, PP-R19  The table announces the last round for each of its reasons.

    The reasons are the third card, the round limit, and round 13 of the simplified variant.
    """
    s = table(pawns=["bethlehem"], hands=["n02"], played=["n01 n03"], capsule="nt")
    assert GAME.view(s, 1).last_round is False
    play(s, "play n02")
    assert GAME.view(s, 1).last_round is GAME.view(s, None).last_round is True
    assert GAME.view(table(capsule="nt", round_=29), None).last_round is False
    assert GAME.view(table(capsule="nt", round_=30), None).last_round is True
    simplified = {"simplified": True, "round_limit": 13}
    assert GAME.view(table(capsule="5", variants=simplified), None).last_round is False
    assert GAME.view(table(capsule="nt", variants=simplified), None).last_round is True


def test_all_see_whether_a_third_card_ends_the_game() -> None:
    """PP-10.1, PP-R27  In the simplified variant this depends on a table option."""
    on = {"simplified": True, "simplified_nt_end": True}
    assert GAME.view(table(), None).third_card_ends is True
    assert GAME.view(table(variants={"simplified": True}), None).third_card_ends is False
    assert GAME.view(table(variants=on), None).third_card_ends is True


@pytest.mark.parametrize(
    ("variants", "rule"), [({}, "PP-10.4"), ({"simplified": True}, "PP-12.3"), ({"third": True}, "PP-10.2")]
)
def test_the_end_is_logged_with_its_rule(variants: dict[str, object], rule: str) -> None:
    """PP-10.2, PP-10.4, PP-12.3  The rule is the reason for the end."""
    played = ["n01 n02"] if variants.pop("third", False) else []
    s = table(2, ["jerusalem"], ["n14"], played, capsule="nt", round_=30, variants=variants)
    s.events = []
    play(s, "play n14")
    finish_round(s)
    assert [event.rule for event in s.events if event.type in OVER.values()] == [rule]


def test_region_and_symbol_cards_are_revealed_at_the_end() -> None:
    """PP-11.2  All players see Region and Symbol cards at the end. Events in hand stay hidden."""
    s = table(hands=["r1 o26 s2"], capsule="nt", round_=30)
    finish_round(s)
    assert s.over
    assert [shown.card for shown in GAME.view(s, 1).players[0].hand] == [card("r1"), None, card("s2")]


def test_events_left_in_hand_score_nothing() -> None:
    """PP-11.1, PP-R25  Events left in hand give neither points nor a penalty."""
    s = table(hands=["o26 o27"], played=["g06"], capsule="nt", round_=30)
    finish_round(s)
    assert line(s, 0, "cards") == C.points[C.card_ids.index("G06")]
    assert totals(s)[1] == 0
