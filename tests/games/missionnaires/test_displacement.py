"""Tests of cards that move another proclaimer (L124, LM-R11, second edition)."""

from tests.games.missionnaires.table import (
    C,
    find_pawn,
    hand,
    list_visited,
    options,
    overseer,
    play,
    question,
    refused,
    space,
    table,
)
from triclinium.engine.core.rng import Rng
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.components import DISPLACE
from triclinium.games.missionnaires.rules.refusals import (
    AT_THE_BETHEL,
    NOT_AT_SEA,
    NOT_EMPTY,
    RIVAL_STUCK,
    TO_THE_BETHEL,
)
from triclinium.games.missionnaires.rules.state import Missionnaires


def draw_card(*at: str, **parts: object) -> Missionnaires:
    """Return a match where Red stops in Grenoble and draws the card."""
    seats = len(at) + 1
    s = table(seats=seats, at=["lyo", *at], territory=["t37"], periodicals=[0], **parts)  # type: ignore[arg-type]
    play(s, "go gre")
    return s


def test_the_deck_has_five_displacement_cards() -> None:
    """LM-C5, LM-C17  At least four territory cards of the printed deck move a rival."""
    found = [id for id, effect in zip(C.card_ids, C.effect, strict=True) if effect == DISPLACE]
    assert found == ["t37", "t38", "t39", "t40", "t41"]


def test_another_proclaimer_is_moved_along_one_road() -> None:
    """LM-R11  The player chooses whom and an empty town. The moved player takes no card and does not get the turn."""
    s = draw_card("mad", "rom")
    assert (s.who, question(s), options(s)) == (0, "MoveRival", ["move yellow", "move blue"])
    play(s, "move yellow")
    assert (question(s), sorted(options(s))) == ("RivalTo", ["to bad", "to bur", "to sar"])
    play(s, "to bur")
    assert find_pawn(s, 1) == "bur"
    assert C.kind[space("bur")] == 3
    assert len(s.deck) == 35
    assert (s.who, question(s)) == (1, "Main")


def test_nobody_is_moved_to_or_from_the_bethel_nor_to_sea() -> None:
    """LM-R11, LM-3.8  Nobody is moved to the Bethel, from the Bethel, to sea, or to an occupied space."""
    s = draw_card("bet", "bou", "mrs")
    refused(s, "move yellow", AT_THE_BETHEL)
    play(s, "move blue")
    s = draw_card("bou", "lim", "mrs")
    refused(s, "move yellow", RIVAL_STUCK)
    play(s, "move orange")
    refused(s, "to s07", NOT_AT_SEA)
    s = draw_card("aux", "rom", "dij")
    refused(s, "move yellow", RIVAL_STUCK)
    s = draw_card("lrh", "rom")
    play(s, "move yellow")
    assert find_pawn(s, 1) == "bor"  # Only Bordeaux is possible.


def test_the_bethel_and_a_pawn_are_refused_as_targets() -> None:
    """LM-R11  The Bethel and occupied spaces are refused as targets."""
    s = draw_card("nim", "rom", gendarmes={"g1": "per"})
    play(s, "move yellow")
    refused(s, "to bet", TO_THE_BETHEL)
    refused(s, "to per", NOT_EMPTY)


def test_at_sea_and_on_islands_nobody_is_moved() -> None:
    """LM-R11  Proclaimers at sea and on islands have no road. If nobody can be moved, nothing happens."""
    s = draw_card("s13", "pal")
    assert (s.who, question(s)) == (1, "Main")
    assert (find_pawn(s, 1), find_pawn(s, 2)) == ("s13", "pal")


def test_a_displaced_proclaimer_arrives() -> None:
    """LM-4.6, LM-4.2, LM-4.3  The displaced player visits the congregation if its card is in hand.

    An overseer in company then stays there.
    """
    s = draw_card("flo", "ath", hands={0: ["jer"], 1: ["rom", "cai"], 2: ["lis"]}, overseers={"c": 1})
    barrier = s.undo_barrier
    play(s, "move yellow", "to rom")
    assert (list_visited(s, 1), hand(s, 1)) == (["rom"], ["cai"])
    assert overseer(s, "c") == "rom"
    assert s.undo_barrier > barrier  # this showed whether he had the card, so the choice cannot be undone


def test_a_stop_without_a_visit_reveals_a_missing_card() -> None:
    """LM-R17  A displaced player who visits nothing shows all players that the hand lacks that card.

    The overseer moves along.
    """
    s = draw_card("flo", "ath", hands={0: ["jer"], 1: ["cai"], 2: ["lis"]}, overseers={"c": 1})
    play(s, "move yellow", "to rom")
    assert overseer(s, "c") == 1
    assert space("rom") in (GAME.view(s, 0).players[1].unvisited[0].ruled_out or [])
    assert s.resample(0, Rng(1)).hand_ruled_out == s.hand_ruled_out


def test_finished_and_stopped_players_are_not_moved() -> None:
    """LM-R15  Only active players can be moved."""
    s = table(seats=3, at=["bou", "rom", "lyo"], hands={0: []}, territory=["t37"])
    play(s, "go bet", "stop", "no", "yes", "go gre", "stop")
    assert (s.who, question(s)) == (2, "Main")
    assert len(s.deck) == 35


def test_a_rival_who_leaves_meanwhile_is_not_moved() -> None:
    """LM-R24  The question disappears when the rival leaves."""
    s = draw_card("mad", "rom", "ath")
    play(s, "move yellow", "resign yellow")
    assert (s.who, question(s)) == (2, "Main")


def test_the_card_may_be_cancelled() -> None:
    """LM-8.4  A voucher can cancel this card like any other."""
    s = draw_card("mad", "rom", bons={0: ["t36"]})
    play(s, "use t36")
    assert (s.who, find_pawn(s, 1)) == (1, "mad")
