"""Tests of the worked examples of the specification (section 7)."""

from tests.games.missionnaires.table import (
    C,
    find_pawn,
    guard,
    hand,
    list_visited,
    options,
    overseer,
    play,
    question,
    table,
)
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.state import Missionnaires


def test_x1_set_up_for_three() -> None:
    """LM-X1  The example shows the set-up for three players."""
    s = GAME.deal(3, 11)
    assert isinstance(s, Missionnaires)
    assert [len(hand(s, seat)) for seat in range(3)] == [8, 8, 8]
    assert s.periodicals == [8, 8, 8]
    assert len(s.reserve) == 24
    assert s.count_stock() == 8
    assert [guard(s, g) for g in C.gendarmes] == ["per", "vtm", "tri", "edi", "isk", "ela", "bgd", "ouj"]
    assert [overseer(s, x) for x in C.overseers] == ["off", "off"]
    assert [find_pawn(s, seat) for seat in range(3)] == ["bet"] * 3


def test_x2_two_spaces_past_a_green_town() -> None:
    """LM-X2  In the example a move of two spaces passes a green town."""
    s = table(hands={0: ["bor", "mad"]})
    play(s, "go lrh", "go bor")
    assert s.periodicals[0] == 7
    assert len(s.deck) == 36
    assert list_visited(s, 0) == ["bor"]


def test_x3_no_road_to_ship_in_one_coup() -> None:
    """LM-X3  In the example a player who reaches a port by road cannot sail in the same coup."""
    s = table(seats=2, at=["nim", "mad"], overseers={"d": 0}, hands={0: ["rom", "ath"]})
    play(s, "go mrs")
    assert options(s) == ["go nic", "stop"]
    play(s, "stop", "pass", "go s07", "go s08")
    assert find_pawn(s, 0) == "s08"
    assert len(s.sea_deck) == 36


def test_x4_off_the_ship_and_on() -> None:
    """LM-X4  In the example a player leaves a ship, and boards one in the next coup."""
    s = table(at=["s10"], periodicals=[3], sea=["m01"])
    play(s, "go nic")
    assert not any(o.startswith("go s") for o in options(s))
    play(s, "go mrs")
    assert s.periodicals[0] == 2
    assert len(s.sea_deck) == 35
    assert find_pawn(s, 0) == "mrs"


def test_x5_gendarme_alone() -> None:
    """LM-X5  In the example a lone proclaimer pushes a gendarme."""
    s = table(at=["tls"], periodicals=[2])
    play(s, "go per")
    assert s.periodicals[0] == 1
    assert sorted(options(s)) == ["to bar", "to nim", "to tls"]
    play(s, "to tls")
    assert guard(s, "g1") == "tls"
    assert find_pawn(s, 0) == "per"
    play(s, "go bar")
    assert s.periodicals[0] == 0


def test_x6_gendarme_accompanied() -> None:
    """LM-X6  In the example an accompanied proclaimer pushes a gendarme."""
    s = table(at=["tls"], periodicals=[2], overseers={"c": 0})
    play(s, "go per", "to tls", "go bar")
    assert s.periodicals[0] == 2


def test_x7_leap_at_sea() -> None:
    """LM-X7"""
    s = table(at=["tun", "s14"], periodicals=[1], sea=["m01", "m02"])
    play(s, "leap yellow cag")
    assert s.periodicals[0] == 0
    assert len(s.sea_deck) == 34
    assert find_pawn(s, 0) == "cag"
    s = table(at=["tun", "s14"], periodicals=[1], sea=["m17"])
    play(s, "leap yellow cag")
    assert find_pawn(s, 0) == "tun"
    assert s.periodicals[0] == 0


def test_x8_relief() -> None:
    """LM-X8  In the example passing is the only option, so it is not asked."""
    s = table(seats=2, at=["mad", "syr"], periodicals=[8, 0], gendarmes={"g1": "ben", "g2": "trp", "g7": "sfx"})
    play(s, "pass")
    assert s.who == 0
    assert s.periodicals[1] == 1
    play(s, "go bur", "stop", "go trp")
    assert sorted(options(s)) == ["to bgd", "to syr"]


def test_x9_the_overseer_stays() -> None:
    """LM-X9  In the example the overseer stays where the visit was made."""
    s = table(seats=2, at=["flo", "nap"], hands={0: ["rom", "mad"]}, overseers={"c": 0}, territory=["t21"])
    play(s, "go rom", "stop")
    assert list_visited(s, 0) == ["rom"]
    assert overseer(s, "c") == "rom"
    play(s, "pass", "go flo", "stop", "go rom", "join c")
    assert overseer(s, "c") == 1


def test_x10_met_on_the_congregation() -> None:
    """LM-X10  In the example an overseer is met on a congregation."""
    s = table(at=["esk"], hands={0: ["ist", "mad"]}, overseers={"d": "ist"})
    play(s, "go ist", "join d")
    assert list_visited(s, 0) == ["ist"]
    assert overseer(s, "d") == 0


def test_x11_storm() -> None:
    """LM-X11, LM-4.6  In the example a storm leads to a green port, which gives a card."""
    s = table(at=["s13"], sea=["m22"], territory=["t21"])
    play(s, "go plm")
    assert s.who == 1
    assert sorted(options(s)) == ["to nap", "to plm", "to reg"]
    ashore, barrier = s.clone(), s.undo_barrier
    play(ashore, "to nap")
    assert ashore.undo_barrier > barrier  # this showed whether he had the card
    play(s, "to reg")
    assert (find_pawn(s, 0), len(s.deck)) == ("reg", 35)
    assert (s.who, question(s)) == (1, "Main")


def test_x12_last_bon() -> None:
    """LM-X12, LM-8.5  In the example the last BON is discarded on the Bethel."""
    s = table(seats=2, at=["bou", "gre"], hands={0: []}, bons={0: ["m29"]}, periodicals=[2])
    play(s, "go bet", "stop", "play m29")
    assert s.over
    assert s.rank[0] == 1


def test_x13_fair_wind() -> None:
    """LM-X13"""
    s = table(at=["mrs"], periodicals=[0], sea=["m10", "m01", "m02"])
    play(s, "go s07", "go s08", "go s09")
    assert find_pawn(s, 0) == "s09"
    assert s.who == 1
    assert len(s.sea_deck) == 33


def test_x14_called_away() -> None:
    """LM-X14  In the example a card calls an overseer away from another player."""
    s = table(at=["tls", "rom", "ath"], overseers={"d": 1}, territory=["t20"], periodicals=[0])
    play(s, "go lim")
    assert overseer(s, "d") == 0
    assert s.find_overseer(1) == -1
