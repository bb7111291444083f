"""Tests of discarding vouchers, leaps in company, passing, green towns on the way, pawns, and the balanced deal."""

from itertools import pairwise, permutations

import pytest

from tests.games.missionnaires.table import (
    C,
    bons,
    card,
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
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.engine.core.state import ASK
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.refusals import (
    HANDS_FULL,
    NO_WINDOW,
    PASSED_BEFORE,
    TOO_FAR,
)
from triclinium.games.missionnaires.rules.setup import measure_tour_spread
from triclinium.games.missionnaires.rules.state import Missionnaires

# -- LM-8.5 discarding vouchers -------------------------------------------------------------------------------------


def set_up_at_bethel(*held: str) -> Missionnaires:
    """Return a match with Red on the Bethel, everything visited, and these vouchers, at the beginning of a coup."""
    return table(seats=2, at=["bet", "rom"], hands={0: []}, bons={0: list(held)})


@pytest.mark.parametrize("held", ["t29", "m29", "t36", "t34", "m35"])
def test_a_useless_voucher_is_laid_down_on_the_bethel(held: str) -> None:
    """LM-8.5  A useless voucher is laid down in the first window, costs no turn, and goes to the discards."""
    s = set_up_at_bethel(held)
    assert question(s) == "BonWindow"
    play(s, f"play {held}")
    assert bons(s, 0) == []
    assert C.card_ids.index(held) in s.discard + s.sea_discard
    assert (s.who, question(s)) == (0, "Main")
    play(s, "pass")
    assert s.rank[0] == 1


def test_several_are_laid_down_after_the_move_and_he_is_home() -> None:
    """LM-8.5, LM-4.4  In the second window a *gain* is useless too, because the hand was filled on arrival."""
    s = table(seats=2, at=["bou", "rom"], hands={0: []}, bons={0: ["t34", "m29"]}, periodicals=[2])
    play(s, "done", "go bet", "stop")
    assert s.periodicals[0] == 8
    play(s, "play t34", "play m29")
    assert s.over
    assert s.rank[0] == 1


def test_vouchers_with_an_effect_are_played_before_they_are_laid_down() -> None:
    """LM-8.5  A *join* on the Bethel calls the overseer, and an *advance* is a bonus move, possibly of no space."""
    s = set_up_at_bethel("m36")
    play(s, "play m36")
    assert overseer(s, "d") == 0
    s = set_up_at_bethel("t32")
    play(s, "play t32")
    assert question(s) == "Advance"
    play(s, "stop", "pass")
    assert s.rank[0] == 1


def test_elsewhere_or_with_a_card_left_nothing_is_laid_down() -> None:
    """LM-8.5  A voucher can be laid down only on the Bethel, and only without an unvisited congregation."""
    s = table(at=["bet"], hands={0: ["mad"]}, bons={0: ["t29", "t32", "t34"]})
    refused(s, "play t29", NO_WINDOW)
    refused(s, "play t34", HANDS_FULL)
    s = table(at=["bou"], hands={0: []}, bons={0: ["t29", "t32"]})
    refused(s, "play t29", NO_WINDOW)


def test_an_auto_reply_does_not_prevent_the_finish() -> None:
    """LM-8.5  An auto-reply for the windows before and after moves does not prevent the finish."""
    s = set_up_at_bethel("m29", "t32")
    assert s.asked.auto_reply_option(s) == ASK
    s = table(at=["bou"], hands={0: []}, bons={0: ["t32"]})
    assert GAME.format_option(s.asked.auto_reply_option(s)) == "done"


# -- LM-3.4 leaps in company ------------------------------------------------------------------------------------------


def set_up_company() -> Missionnaires:
    """Return a match with Red in Dijon with C, and Yellow in Nîmes behind Lyon."""
    return table(at=["dij", "nim"], overseers={"c": 0}, hands={0: ["mad"], 1: ["rom"]})


def test_the_second_step_may_pass_over_a_rival() -> None:
    """LM-3.4, L97  In company the second step may pass over a rival.

    It counts as one space, is free and ends the move.
    """
    s = set_up_company()
    play(s, "go lyo")
    leaps = [o for o in options(s) if o.startswith("leap yellow")]
    assert "leap yellow mrs" in leaps
    play(s, "leap yellow mrs")
    assert find_pawn(s, 0) == "mrs"
    assert s.periodicals[0] == 8
    assert s.who == 1


def test_a_second_step_alone_is_no_leap() -> None:
    """LM-3.4  A leap takes two spaces, so a lone or newly joined player with one space left cannot leap."""
    s = table(at=["dij", "nim"], hands={0: ["mad"], 1: ["rom"]})
    play(s, "go lyo")
    refused(s, "leap yellow mrs", TOO_FAR)
    s = set_up_company()
    s.newly_joined = 1
    play(s, "go lyo")
    refused(s, "leap yellow mrs", TOO_FAR)


def test_as_first_step_a_leap_uses_both_spaces() -> None:
    """LM-3.4, LM-6.9  A leap as the first step uses both spaces, so the move is over afterwards."""
    s = table(at=["lyo", "nim"], overseers={"c": 0}, hands={0: ["mad"], 1: ["rom"]})
    play(s, "leap yellow mrs")
    assert (find_pawn(s, 0), s.who) == ("mrs", 1)


def test_over_a_ship_with_the_second_step() -> None:
    """LM-3.4, LM-5.4  Each of the three sections takes a sea card. A fair wind of two spaces does not change this."""
    at = ["mrs", "s08"]
    for first in ("m01", "m07"):
        s = table(at=at, overseers={"c": 0}, sea=[first, "m02", "m03"], hands={0: ["mad"], 1: ["rom"]})
        play(s, "go s07")
        play(s, next(o for o in options(s) if o.startswith("leap yellow")))
        assert (len(s.sea_deck), s.who) == (33, 1)


def test_a_bonus_move_counts_two_spaces_in_company_too() -> None:
    """LM-6.9  In company too, a leap uses two of the n spaces of a bonus move."""
    s = table(at=["dij", "nim"], overseers={"c": 0}, hands={0: ["mad"], 1: ["rom"]}, bons={0: ["t32"]})
    play(s, "play t32", "go lyo")
    assert "leap yellow mrs" in options(s)  # A bonus move of three spaces is enough for the leap.
    s = table(at=["aux", "nim"], overseers={"c": 0}, hands={0: ["mad"], 1: ["rom"]}, bons={0: ["t32"]})
    play(s, "play t32", "go dij", "go lyo")
    refused(s, "leap yellow mrs", TOO_FAR)


def test_from_a_ship_over_a_rival_in_a_port() -> None:
    """LM-5.3  A proclaimer on a ship may leap over a rival in a port to the next space by road."""
    s = table(at=["s08", "mrs"], overseers={"c": 0}, sea=["m01", "m02"], hands={0: ["mad"], 1: ["rom"]})
    play(s, "go s07")
    assert "leap yellow nim" in options(s)


# -- LM-R12 burning counts as passing ---------------------------------------------------------------------------------


def test_burning_is_no_way_round_the_limit_on_passing() -> None:
    """LM-R12  On a congregation a pass prevents burning next time, and burning prevents passing and burning."""
    for first in ("pass", "burn m29"):
        s = table(seats=2, at=["lyo", "rom"], bons={0: ["t29", "m29"]})
        play(s, first, "pass")
        refused(s, "pass", PASSED_BEFORE)
        refused(s, "burn t29", PASSED_BEFORE)
        assert "burn t29" not in options(s)


def test_elsewhere_vouchers_can_be_burnt_twice_in_a_row() -> None:
    """LM-R12  A player may burn in consecutive turns in a green town, and wherever no first step is free."""
    s = table(seats=2, at=["gre", "rom"], bons={0: ["t29", "m29"]})
    play(s, "burn t29", "pass", "burn m29")
    assert bons(s, 0) == []
    shut = {"g1": "sar", "g2": "bur", "g7": "bad"}
    s = table(seats=2, at=["mad", "rom"], periodicals=[0, 8], bons={0: ["m29", "m30"]}, gendarmes=shut)
    assert not [o for o in options(s) if o.startswith("go")]
    play(s, "burn m29", "pass", "burn m30")


def test_relief_needs_a_real_pass() -> None:
    """LM-R12  Burning next to an obstacle brings no periodical."""
    shut = {"g1": "ben", "g2": "trp", "g7": "sfx"}
    s = table(seats=2, at=["syr", "mad"], periodicals=[0, 8], bons={0: ["m29"]}, gendarmes=shut)
    play(s, "burn m29")
    assert s.periodicals[0] == 0
    s = table(seats=2, at=["syr", "mad"], periodicals=[0, 8], bons={0: ["m29"]}, gendarmes=shut)
    play(s, "pass")
    assert s.periodicals[0] == 1


# -- LM-R4 card_on_pass -----------------------------------------------------------------------------------------------

ON_PASS = {"card_on_pass": True}


def test_a_green_town_passed_through_gives_its_card() -> None:
    """LM-R4  The card of a green town comes before the next step. By default only the stop gives a card (LM-X2)."""
    s = table(hands={0: ["bor", "mad"]}, territory=["t21"], periodicals=[4], variants=ON_PASS)
    play(s, "go lrh")
    assert (len(s.deck), s.periodicals[0], question(s)) == (35, 5, "GoOn")
    play(s, "go bor")
    assert (s.periodicals[0], list_visited(s, 0), len(s.deck)) == (4, ["bor"], 35)


def test_a_stop_after_passing_gives_one_card() -> None:
    """LM-R4, LM-4.5  A player who stops in the green town takes one card, not two."""
    s = table(hands={0: ["mad"]}, territory=["t21"], periodicals=[4], variants=ON_PASS)
    play(s, "go lrh", "stop")
    assert (find_pawn(s, 0), len(s.deck), s.who) == ("lrh", 35, 1)


def test_a_card_can_bring_the_missing_periodical() -> None:
    """LM-R4  A player without periodicals may pay the second space with those that the card brings."""
    s = table(hands={0: ["bor"]}, territory=["t21"], periodicals=[0], variants=ON_PASS)
    play(s, "go lrh", "go bor")
    assert list_visited(s, 0) == ["bor"]


@pytest.mark.parametrize(("drawn", "at", "missed"), [("t01", "lrh", 1), ("t13", "bet", 0)])
def test_skip_and_goto_end_the_move(drawn: str, at: str, missed: int) -> None:
    """LM-R4  A *skip* or *goto* drawn on the way ends the move."""
    s = table(at=["bou"], hands={0: ["tls"]}, territory=[drawn], periodicals=[4], variants=ON_PASS)
    step = "lim"
    play(s, f"go {step}")
    assert find_pawn(s, 0) == ("bet" if at == "bet" else step)
    assert (s.missed[0], s.who, len(s.deck)) == (missed, 1, 35)


def test_pay_or_skip_on_the_way() -> None:
    """LM-R4  A player who pays continues, and one who will miss a turn does not."""
    s = table(at=["bou"], territory=["t07"], periodicals=[4], variants=ON_PASS)
    play(s, "go lim", "pay")
    assert question(s) == "GoOn"
    s = table(at=["bou"], territory=["t07"], periodicals=[4], variants=ON_PASS)
    play(s, "go lim", "miss")
    assert (find_pawn(s, 0), s.missed[0], s.who) == ("lim", 1, 1)


def test_advance_on_the_way_ends_the_move_and_is_a_move_of_its_own() -> None:
    """LM-R4  An *advance* drawn on the way ends the move.

    Its bonus move may stop in the same town without a second card.
    """
    s = table(at=["bou"], hands={0: ["tls"]}, territory=["t24"], periodicals=[4], variants=ON_PASS)
    play(s, "go lim")
    assert question(s) == "Advance"
    play(s, "go tls", "stop")
    assert (list_visited(s, 0), s.periodicals[0], s.who) == (["tls"], 4, 1)
    s = table(at=["bou"], hands={0: ["tls"]}, territory=["t24"], periodicals=[4], variants=ON_PASS)
    play(s, "go lim", "stop")
    assert (find_pawn(s, 0), len(s.deck), s.who) == ("lim", 35, 1)


def test_a_town_leapt_over_gives_none_and_three_are_the_most() -> None:
    """LM-R4, LM-8.8  A leapt green town gives no card, and three cards a turn are the limit."""
    s = table(at=["bou", "lim"], hands={0: ["mad"], 1: ["rom"]}, periodicals=[4], variants=ON_PASS)
    beyond = next(o for o in options(s) if o.startswith("leap yellow") and C.kind[space(o.split()[2])] != 3)
    play(s, beyond)
    assert len(s.deck) == 36
    s = table(hands={0: ["bor"]}, periodicals=[4], variants=ON_PASS)
    s.territories = 3
    play(s, "go lrh", "go bor")
    assert len(s.deck) == 36


def test_both_readings_of_passing_through_together() -> None:
    """LM-R4  With both variants a crossed congregation is visited, and a crossed green town gives its card."""
    both = {"card_on_pass": True, "visit_on_pass": True}
    s = table(hands={0: ["bor", "mad"]}, territory=["t24"], periodicals=[4], variants=both)
    play(s, "go lrh")
    assert question(s) == "Advance"
    play(s, "go bor")
    onward = next(o for o in options(s) if o.startswith("go "))
    play(s, onward)
    assert list_visited(s, 0) == ["bor"]


# -- LM-1.3 the pawns -------------------------------------------------------------------------------------------------


def test_pawns_are_picked_by_variant() -> None:
    """LM-1.3  The leader picks first, then the others in seat order, from free pawns. Notation uses the pawns."""
    s = GAME.deal(3, 5, {"pick_colour": True})
    assert isinstance(s, Missionnaires)
    order = [(s.first + i) % 3 for i in range(3)]
    for seat, colour in zip(order, ("blue", "orange", "red"), strict=True):
        assert (s.who, question(s)) == (seat, "PickColour")
        play(s, f"take {colour}")
    assert [C.colours[s.colour[seat]] for seat in order] == ["blue", "orange", "red"]
    assert [GAME.view_json(s, None)["players"][seat]["colour"] for seat in order] == ["blue", "orange", "red"]  # type: ignore[index]
    assert (s.who, question(s)) == (s.first, "Main")
    s.at = [space("lyo")] * 3
    s.at[order[1]] = space("nim")
    s.at[order[2]] = space("rom")
    s.legal = s.asked.options(s)
    assert "leap orange mrs" in options(s)
    assert options(s) == [GAME.format_option(o) for o in sorted(s.legal)]
    play(s, "resign red")
    assert s.rank[order[2]] == 3


def test_a_pawn_is_picked_once() -> None:
    """LM-1.3  A pawn that was picked is no longer offered."""
    s = GAME.deal(4, 5, {"pick_colour": True})
    assert isinstance(s, Missionnaires)
    play(s, "take blue")
    refused(s, "take blue", NOT_ASKED)
    play(s, "take red", "take orange")
    assert question(s) == "Main"  # the last pawn needs no question
    assert sorted(s.colour) == [0, 1, 2, 3]


@pytest.mark.parametrize("gone", range(3))
def test_resigning_before_the_pawns_are_picked(gone: int) -> None:
    """LM-R24, LM-1.3  The others continue to pick."""
    s = GAME.deal(3, 5, {"pick_colour": True})
    assert isinstance(s, Missionnaires)
    play(s, f"resign {C.colours[gone]}")
    while question(s) == "PickColour":
        play(s, options(s)[-1])
    assert question(s) == "Main"
    assert s.round == 1
    assert s.who != gone
    assert len(set(s.colour)) == 3


# -- LM-R2 the balanced deal ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "part"), [(2, 20), (3, 20), (4, 10)])
def test_a_balanced_deal(seats: int, part: int) -> None:
    """LM-R2  The tours differ by at most a twentieth of the shortest, a tenth with four seats."""
    s = GAME.deal(seats, 7, {"deal": "balanced"})
    assert isinstance(s, Missionnaires)
    each = C.hand[seats]
    cards = [held for seat in range(seats) for held in s.hand[seat]]
    gap, shortest = measure_tour_spread(s, cards, each)
    assert gap * part <= shortest
    assert [len(hand(s, seat)) for seat in range(seats)] == [each] * seats
    assert sorted([*cards, *s.reserve]) == list(range(48))


def test_the_tours_of_the_deal_are_the_shortest() -> None:
    """LM-R2  Insertion and 2-opt find them. The test compares all orders of six congregations."""
    s = GAME.deal(4, 3, {"deal": "balanced"})
    assert isinstance(s, Missionnaires)
    lengths = []
    for seat in range(4):
        ways = [(C.bethel, *order, C.bethel) for order in permutations(space(town) for town in hand(s, seat))]
        lengths.append(min(sum(C.distance[a][b] for a, b in pairwise(way)) for way in ways))
    cards = [card(town) for seat in range(4) for town in hand(s, seat)]
    assert measure_tour_spread(s, cards, 6) == (max(lengths) - min(lengths), min(lengths))


def test_the_default_deal_is_the_printed_one() -> None:
    """LM-R2  The printed deal is the default of library, API and command line.

    Pages suggest the balanced deal, which is rated.
    """
    deal = next(variant for variant in GAME.variants if variant.name == "deal")
    assert (deal.default, deal.rated, GAME.preselected_variants) == ("standard", True, {"deal": "balanced"})
