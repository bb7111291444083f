"""The simplified variant (PP-12) and both variants together."""

from tests.games.portals.table import beginning, finish_round, play, refused, table
from triclinium.games.portals import GAME
from triclinium.games.portals.rules.refusals import WRONG_PLACE


def test_simplified_plays_any_period_at_the_right_place() -> None:
    """PP-12.2  The capsule does not matter, the place does, and an action is still needed."""
    s = table(pawns=["jerusalem"], hands=["n14 o30 g07 g06"], variants={"simplified": True})
    assert beginning(s, "play") == ["g07", "o30", "n14"]
    refused(s, "play g06", WRONG_PLACE)
    play(s, "play n14", "play o30", "play g07")
    assert (s.points[0], s.actions) == (13, 1)


def test_simplified_turns_end_by_themselves() -> None:
    """PP-12.2, PP-R24  Nothing can be burnt, so the fourth action ends the turn."""
    s = table(hands=["g03 g06"], variants={"simplified": True}, actions=1)
    play(s, "draw old")
    assert s.who == 1


def test_capsule_counts_the_rounds() -> None:
    """PP-12.3  It still steps once a round."""
    s = table(variants={"simplified": True})
    finish_round(s)
    assert s.capsule == 1


def test_both_variants_together() -> None:
    """PP-12.4  Four seats in two teams, 13 rounds, no fuel."""
    s = table(4, hands=["g03"], variants={"simplified": True, "team": True})
    assert beginning(s, "burn") == []
    rounds = 0
    while not s.over:
        finish_round(s)
        rounds += 1
    assert rounds == 13
    assert [score.rank for score in GAME.scores(s)] == [1, 1, 1, 1]
