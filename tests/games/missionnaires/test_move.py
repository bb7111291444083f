"""Tests of moving (specification, section 3.3)."""

from tests.games.missionnaires.table import find_pawn, list_visited, options, overseer, play, question, refused, table
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.refusals import SPEED_UNPAID, TAKEN, TWICE


def test_one_space_a_coup() -> None:
    """LM-3.1  A move goes to a neighbouring space. Farther spaces are not offered."""
    s = table(at=["lyo"], periodicals=[0])
    refused(s, "go mrs", NOT_ASKED)
    play(s, "go dij")
    assert find_pawn(s, 0) == "dij"
    assert s.who == 1


def test_accompanied_two_spaces_are_free() -> None:
    """LM-3.2  An accompanied proclaimer moves two spaces by road without a periodical."""
    s = table(at=["lyo"], periodicals=[0], overseers={"c": 0})
    play(s, "go dij", "go aux")
    assert find_pawn(s, 0) == "aux"
    assert s.periodicals[0] == 0
    assert overseer(s, "c") == 0


def test_accompanied_two_spaces_by_sea() -> None:
    """LM-3.2  An accompanied proclaimer moves two spaces by sea as well."""
    s = table(at=["mrs"], periodicals=[0], overseers={"d": 0})
    play(s, "go s07", "go s08")
    assert find_pawn(s, 0) == "s08"


def test_alone_a_second_space_costs_a_periodical() -> None:
    """LM-3.3  The player pays when declaring the second step."""
    s = table(at=["lyo"], periodicals=[1])
    play(s, "go nim", "go mrs")
    assert find_pawn(s, 0) == "mrs"
    assert s.periodicals[0] == 0


def test_without_periodical_there_is_no_second_space() -> None:
    """LM-3.3  The move ends automatically. If a second step is asked, the refusal names the rule."""
    s = table(at=["lyo"], periodicals=[0], gendarmes={"g1": "mrs"})
    play(s, "go nim")
    assert s.who == 1
    s = table(at=["lyo"], periodicals=[1])
    play(s, "go gre")
    s.periodicals[0] = 0
    s.legal = s.asked.options(s)
    refused(s, "go tur", SPEED_UNPAID)


def test_speeds_never_add_up() -> None:
    """LM-3.4, LM-R8  With an overseer and periodicals a move is still two spaces."""
    s = table(at=["lyo"], overseers={"c": 0})
    play(s, "go dij", "go aux")
    assert s.who == 1


def test_no_space_twice() -> None:
    """LM-3.5, LM-R9  A move never returns to its start."""
    s = table(at=["lyo"])
    play(s, "go dij")
    refused(s, "go lyo", TWICE)
    assert options(s) == ["go aux", "stop"]


def test_no_space_twice_in_a_long_move() -> None:
    """LM-3.5  In an edition with longer moves, spaces farther back count too."""
    s = table(at=["bou"], bons={0: ["t32"]})
    s.c = GAME.with_components(GAME.file.with_changes({"cards.territories.t32.n": 6})).components
    play(s, "play t32", "go bet", "go gre", "go lyo", "go nim")
    refused(s, "go bet", TWICE)
    assert "go bet" not in options(s)
    play(s, "go mrs")


def test_one_periodical_buys_the_speed_of_a_move() -> None:
    """LM-3.3, LM-R8  In an edition with three spaces the third is free."""
    s = table(at=["lyo"], periodicals=[1])
    s.c = GAME.with_components(GAME.file.with_changes({"move.paid": 3})).components
    play(s, "go dij", "go aux", "go bet")
    assert find_pawn(s, 0) == "bet"


def test_only_the_stop_counts() -> None:
    """LM-3.6, LM-R4  A space that is only passed gives no visit, no card and no overseer."""
    s = table(at=["dij"], hands={0: ["lyo", "mad"]})
    play(s, "go lyo", "go nim")
    assert list_visited(s, 0) == []
    assert len(s.deck) == 35


def test_a_congregation_passed_is_visited_by_variant() -> None:
    """LM-R4  With `visit_on_pass` the card of a passed town is shown, and the overseer stays with the player."""
    s = table(at=["dij"], hands={0: ["lyo", "mad"]}, overseers={"c": 0}, variants={"visit_on_pass": True})
    play(s, "go lyo", "go nim")
    assert list_visited(s, 0) == ["lyo"]
    assert overseer(s, "c") == 0


def test_the_bethel_is_shared() -> None:
    """LM-3.7, LM-R10  Any number of proclaimers and overseers share the Bethel, where nobody is an obstacle."""
    s = table(at=["bou", "bet", "bet"], overseers={"c": "bet", "d": "bet"}, periodicals=[0])
    play(s, "go bet")
    assert question(s) == "BethelJoin"
    play(s, "alone")
    assert [find_pawn(s, seat) for seat in range(3)] == ["bet"] * 3


def test_a_proclaimer_may_travel_through_the_bethel() -> None:
    """LM-3.7  A move may pass through the Bethel like any other space, and nothing is taken there."""
    s = table(at=["bou", "bet"], periodicals=[3])
    play(s, "go bet", "go lrh")
    assert find_pawn(s, 0) == "lrh"
    assert s.periodicals[0] == 2


def test_a_proclaimer_may_stop_at_sea() -> None:
    """LM-3.8  A proclaimer may stop at a sea point as on any other space."""
    s = table(at=["mrs"], sea=["m01"])
    play(s, "go s07", "stop")
    assert find_pawn(s, 0) == "s07"
    assert s.who == 1


def test_two_proclaimers_never_share_a_space() -> None:
    """LM-3.9, LM-R5  The refusal names the proclaimer on the space."""
    s = table(at=["lyo", "gre"])
    refused(s, "go gre", TAKEN)


def test_spaces_are_shared_by_variant() -> None:
    """LM-R5  With `share_spaces` proclaimers are no obstacles and cannot be leapt.

    An overseer next to one is met as usual.
    """
    s = table(at=["lyo", "gre"], overseers={"c": "gre"}, variants={"share_spaces": True})
    assert not any(o.startswith("leap") for o in options(s))
    play(s, "go gre", "join c")
    assert find_pawn(s, 0) == find_pawn(s, 1) == "gre"
    assert overseer(s, "c") == 0
