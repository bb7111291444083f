"""Tests of BONS: keeping, playing and burning them (specification, section 3.8)."""

from tests.games.missionnaires.table import bons, find_pawn, options, overseer, play, question, refused, table
from triclinium.games.missionnaires.rules.refusals import HANDS_FULL, IN_COMPANY, NO_ROAD, NO_WINDOW, NOT_CALLED_AWAY


def test_a_voucher_may_be_played_as_it_is_drawn() -> None:
    """LM-8.2, LM-8.4  A player may play a *gain* or *join* when it is drawn, even during a move, or keep it."""
    s = table(at=["mrs"], sea=["m35"], periodicals=[0])
    play(s, "go s07")
    assert question(s) == "PlayAtOnce"
    play(s, "play m35")
    assert s.periodicals[0] == 2
    assert question(s) == "GoOn"
    s = table(at=["mrs"], sea=["m36"])
    play(s, "go s07", "done", "stop")
    assert bons(s, 0) == ["m36"]


def test_an_advance_waits_for_the_window_after_the_move() -> None:
    """LM-8.4  An *advance* drawn at sea cannot be played before the move is over."""
    s = table(at=["s10"], sea=["m34"])
    play(s, "go nic")
    assert question(s) == "GoOn"
    play(s, "stop")
    assert question(s) == "BonWindow"
    play(s, "play m34", "go mrs", "go nim", "stop")
    assert find_pawn(s, 0) == "nim"


def test_any_number_of_vouchers_may_be_held() -> None:
    """LM-8.3  A player may hold any number of vouchers. Played ones go to the discard pile of their deck."""
    s = table(at=["lyo"], bons={0: ["t29", "t30", "t34", "m29", "m35"]}, periodicals=[0])
    play(s, "play t34", "play m35")
    assert bons(s, 0) == ["t29", "t30", "m29"]
    assert [s.c.card_ids[card] for card in (*s.discard, *s.sea_discard)] == ["t34", "m35"]


def test_the_moments_for_vouchers() -> None:
    """LM-8.4  *draw again*, *pass* and *cancel* are not played in the BON windows."""
    s = table(at=["lyo"], bons={0: ["t29", "m29", "m32", "t34"]}, periodicals=[0])
    for name in ("t29", "m29", "m32"):
        refused(s, f"play {name}", NO_WINDOW)


def test_draw_again_replaces_a_sea_card() -> None:
    """LM-8.4, LM-5.4  The new card is obeyed, so a sea card is always taken; declined, the first card holds."""
    s = table(at=["mrs"], bons={0: ["m29"]}, sea=["m17", "m01"])
    play(s, "go s07")
    assert options(s) == ["obey", "use m29"]
    play(s, "use m29", "stop")
    assert find_pawn(s, 0) == "s07"
    assert len(s.sea_deck) == 34 - 1  # the voucher in hand is not in the deck
    s = table(at=["mrs"], bons={0: ["m29"]}, sea=["m01", "m17"])
    play(s, "go s07", "use m29")
    assert find_pawn(s, 0) == "mrs"
    s = table(at=["mrs"], bons={0: ["m29"]}, sea=["m17"])
    play(s, "go s07", "obey")
    assert find_pawn(s, 0) == "mrs"
    assert bons(s, 0) == ["m29"]


def test_draw_again_and_cancel_are_offered_together_at_sea_only() -> None:
    """LM-8.4  A territory card can be cancelled, but not drawn again."""
    s = table(at=["mrs"], bons={0: ["m29", "m30", "m32"]}, sea=["m17", "m18", "m19"])
    play(s, "go s07", "use m29")
    assert options(s) == ["obey", "use m30", "use m32"]
    play(s, "use m30", "use m32")
    assert find_pawn(s, 0) == "s07"
    s = table(at=["lyo"], bons={0: ["m29"]}, territory=["t01"])
    play(s, "go gre", "stop")
    assert s.missed[0] == 1


def test_cancel_undoes_the_card_just_drawn() -> None:
    """LM-8.4  A cancelled sea card counts as none. A cancelled territory card does nothing."""
    s = table(at=["mrs"], bons={0: ["t36"]}, sea=["m17"])
    play(s, "go s07")
    assert options(s) == ["obey", "use t36"]
    play(s, "use t36", "stop")
    assert find_pawn(s, 0) == "s07"
    s = table(at=["lyo"], bons={0: ["t36"]}, territory=["t01"])
    play(s, "go gre", "stop", "use t36")
    assert s.missed[0] == 0
    s = table(at=["lyo"], bons={0: ["t36"]}, territory=["t01"])
    play(s, "go gre", "stop", "obey")
    assert s.missed[0] == 1


def test_a_voucher_drawn_in_a_move_serves_in_the_same_move() -> None:
    """LM-8.4  *draw again*, *pass* and *cancel* may be used as soon as they are in hand."""
    s = table(at=["mrs"], sea=["m29", "m17"])
    play(s, "go s07", "go s08")
    assert (question(s), options(s)) == ("Cancel", ["obey", "use m29"])


def test_a_voucher_needs_its_effect() -> None:
    """LM-8.5  *advance* needs a step by road, *gain* space in the hand, *join* a proclaimer who is alone."""
    s = table(at=["s08"], bons={0: ["t32", "t34"]}, periodicals=[7])
    refused(s, "play t32", NO_ROAD)
    s = table(at=["lyo"], bons={0: ["t32", "t34"]}, periodicals=[8])
    refused(s, "play t34", HANDS_FULL)
    s = table(at=["lyo"], bons={0: ["t32", "t35"]}, overseers={"d": 0})
    refused(s, "play t35", IN_COMPANY)
    s = table(
        at=["lyo", "rom"],
        bons={0: ["t32", "t35"]},
        overseers={"c": 1},
        variants={"overseer_can_be_called_away": False},
    )
    refused(s, "play t35", NOT_CALLED_AWAY)


def test_no_window_without_a_playable_voucher() -> None:
    """LM-8.5  Without a playable voucher the player is not asked."""
    s = table(at=["lyo"], bons={0: ["t34", "m29"]}, periodicals=[8])
    assert question(s) == "Main"


def test_a_join_voucher_calls_an_overseer() -> None:
    """LM-8.4  A *join* voucher calls the overseer from any place."""
    s = table(at=["lyo", "rom"], bons={0: ["m36"]}, overseers={"d": 1})
    play(s, "play m36")
    assert overseer(s, "d") == 0


def test_burning_is_a_main_action() -> None:
    """LM-8.7, LM-R14  Burning discards exactly one BON without effect, as the main action."""
    s = table(at=["lyo"], bons={0: ["t29", "m29"]})
    play(s, "burn m29")
    assert bons(s, 0) == ["t29"]
    assert s.who == 1
