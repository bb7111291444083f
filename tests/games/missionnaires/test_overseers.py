"""Tests of overseers (specification, section 3.7)."""

from tests.games.missionnaires.table import find_pawn, options, overseer, play, question, refused, table
from triclinium.games.missionnaires.rules.refusals import TAKEN


def test_overseers_enter_by_card_only() -> None:
    """LM-7.1  The territory card puts the circuit overseer on the first empty town of its list."""
    s = table(at=["nim"], territory=["t16"])
    assert overseer(s, "c") == "off"
    s = table(at=["lyo"], territory=["t16"])
    play(s, "go gre", "stop")
    assert overseer(s, "c") == "lyo"


def test_an_overseer_moves_with_his_companion_by_card_too() -> None:
    """LM-7.2  When a card calls the proclaimer to the Bethel, the overseer goes too."""
    s = table(at=["lyo"], overseers={"d": 0}, territory=["t13"])
    play(s, "go gre", "stop")
    assert find_pawn(s, 0) == "bet"
    assert overseer(s, "d") == 0


def test_an_overseer_helps_from_the_start_of_a_coup() -> None:
    """LM-7.3  An overseer who joined in this coup does not help yet: the second space still costs a periodical.

    In the next coup the second space is free.
    """
    s = table(seats=2, at=["lyo", "mad"], bons={0: ["t35"]}, periodicals=[1])
    play(s, "play t35", "go nim", "go mrs")
    assert s.periodicals[0] == 0
    play(s, "pass", "go nic")
    assert question(s) == "GoOn"


def test_called_away_by_another_players_card() -> None:
    """LM-7.4, LM-R6  The former companion is alone at once. With the option off the card does nothing."""
    s = table(at=["lyo", "rom"], overseers={"c": 1}, territory=["t18"])
    play(s, "go gre", "stop")
    assert overseer(s, "c") == 0
    s = table(at=["lyo", "rom"], overseers={"c": 1}, territory=["t18"], variants={"overseer_can_be_called_away": False})
    play(s, "go gre", "stop")
    assert overseer(s, "c") == 1
    s = table(at=["lyo", "rom"], overseers={"c": 1}, territory=["t16"], variants={"overseer_can_be_called_away": False})
    play(s, "go gre", "stop")
    assert overseer(s, "c") == 1


def test_an_overseer_cannot_be_left_behind() -> None:
    """LM-7.4  No option of a coup separates them."""
    s = table(at=["lyo"], overseers={"c": 0})
    assert options(s) == ["go dij", "go gre", "go nim", "pass"]


def test_moving_never_takes_another_players_overseer() -> None:
    """LM-7.5  Nobody can enter the overseer's space, because it is also the space of the accompanied player."""
    s = table(at=["lyo", "gre"], overseers={"c": 1})
    refused(s, "go gre", TAKEN)


def test_unattached_overseers_are_never_at_sea() -> None:
    """LM-R20  A join at sea goes to the proclaimer. An overseer pushed from a port goes by road."""
    s = table(at=["mrs"], sea=["m15"])
    play(s, "go s07", "stop")
    assert overseer(s, "c") == 0
    s = table(at=["s10"], overseers={"c": "nic"}, sea=["m01"])
    play(s, "go nic", "push")
    assert all(not o.startswith("to s") for o in options(s))


def test_joining_twice_does_nothing() -> None:
    """LM-R22  A proclaimer with C can be joined by neither C nor D, and D stays off the board."""
    for card in ("t18", "t20"):
        s = table(at=["lyo"], overseers={"c": 0}, territory=[card])
        play(s, "go gre", "stop")
        assert overseer(s, "c") == 0
        assert overseer(s, "d") == "off"


def test_an_overseer_left_beside_him_is_regained_only_by_coming_back() -> None:
    """LM-R6, LM-R23  Passing next to him changes nothing. Leaving and stopping there again does."""
    s = table(seats=2, at=["dij", "bur"], hands={0: ["lyo", "rom"]}, overseers={"c": 0}, territory=["t21"])
    play(s, "go lyo", "stop", "pass", "pass")
    assert overseer(s, "c") == "lyo"
    play(s, "pass", "go gre", "stop", "pass", "go lyo", "join c")
    assert overseer(s, "c") == 0
