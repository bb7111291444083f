"""Tests of arriving at the end of a move (specification, section 3.4)."""

from tests.games.missionnaires.table import (
    bons,
    find_pawn,
    hand,
    list_visited,
    options,
    overseer,
    play,
    question,
    table,
)


def test_an_overseer_joins_a_proclaimer_who_is_alone() -> None:
    """LM-4.1  An overseer joins a proclaimer who stops there alone, and helps from the next coup on."""
    s = table(seats=2, at=["lyo", "mad"], overseers={"c": "nim"}, periodicals=[0], territory=["t21"])
    play(s, "go nim")
    assert overseer(s, "c") == 0
    assert s.who == 1
    play(s, "pass", "go mrs", "go nic")
    assert find_pawn(s, 0) == "nic"
    assert s.periodicals[0] == 1


def test_a_visit_turns_the_card_face_up() -> None:
    """LM-4.2  A proclaimer who stops in a town from their own hand visits it, and the card is turned face up."""
    s = table(at=["dij"], hands={0: ["lyo", "mad"]})
    play(s, "go lyo", "stop")
    assert list_visited(s, 0) == ["lyo"]
    assert hand(s, 0) == ["mad"]


def test_the_overseer_stays_where_a_visit_was_made() -> None:
    """LM-4.3, LM-R6  An overseer who accompanied the visitor since the start of the coup stays in that town."""
    s = table(at=["dij"], hands={0: ["lyo", "mad"]}, overseers={"d": 0})
    play(s, "go lyo", "stop")
    assert overseer(s, "d") == "lyo"


def test_the_overseer_stays_with_him_without_a_visit_or_by_variant() -> None:
    """LM-4.3, LM-R6  An overseer stays with a player who visits nothing.

    By the variant `overseer_until = card` only a card separates them.
    """
    s = table(at=["dij"], hands={0: ["mad", "rom"]}, overseers={"d": 0})
    play(s, "go lyo", "stop")
    assert overseer(s, "d") == 0
    s = table(at=["dij"], hands={0: ["lyo", "mad"]}, overseers={"d": 0}, variants={"overseer_until": "card"})
    play(s, "go lyo", "stop")
    assert list_visited(s, 0) == ["lyo"]
    assert overseer(s, "d") == 0


def test_periodicals_up_to_eight_on_the_bethel() -> None:
    """LM-4.4  The Bethel refills periodicals up to eight, any number of times."""
    s = table(at=["bou"], periodicals=[2])
    play(s, "go bet", "stop")
    assert s.periodicals[0] == 8


def test_passing_on_the_bethel_refills_too() -> None:
    """LM-R10  A player who ends a coup on the Bethel by passing or burning gets periodicals too."""
    s = table(at=["bet"], periodicals=[2])
    play(s, "pass")
    assert s.periodicals[0] == 8


def test_a_player_chooses_among_overseers_at_the_bethel() -> None:
    """LM-R10  The player chooses one of the overseers on the Bethel, or none."""
    s = table(at=["bou"], overseers={"c": "bet", "d": "bet"})
    play(s, "go bet", "stop")
    assert question(s) == "BethelJoin"
    assert options(s) == ["alone", "join c", "join d"]
    play(s, "join d")
    assert overseer(s, "d") == 0
    assert overseer(s, "c") == "bet"


def test_a_green_town_gives_a_territory_card() -> None:
    """LM-4.5  A proclaimer who stops in a green town takes a territory card and obeys it at once."""
    s = table(at=["lyo"], periodicals=[3], territory=["t23"])
    play(s, "go gre", "stop")
    assert s.periodicals[0] == 5
    assert len(s.discard) == 1


def test_a_territory_voucher_is_kept() -> None:
    """LM-4.5, LM-8.2  The player keeps a BON instead of obeying it."""
    s = table(at=["lyo"], territory=["t29"])
    play(s, "go gre", "stop")
    assert bons(s, 0) == ["t29"]
    assert s.discard == []


def test_cast_ashore_in_a_green_port() -> None:
    """LM-4.6, LM-R11  A proclaimer put ashore by *storm* or *back* takes a territory card. Neither card forbids it."""
    s = table(
        at=["s13"],
        sea=["m22"],
        gendarmes={"g1": "nap", "g2": "plm"},
        territory=["t21"],
        periodicals=[2],
    )
    play(s, "go reg")
    assert (find_pawn(s, 0), len(s.deck)) == ("reg", 35)
    s = table(at=["s13"], sailed={0: "reg"}, sea=["m24"], territory=["t21"], periodicals=[2])
    play(s, "go nap")
    assert (find_pawn(s, 0), len(s.deck)) == ("reg", 35)
    assert s.periodicals[0] == 3
    assert (s.who, question(s)) == (1, "Main")


def test_the_fourth_territory_card_of_a_turn_is_not_taken_ashore_either() -> None:
    """LM-4.6, LM-8.8  The fourth territory card of a turn is not taken in a green port either."""
    s = table(at=["s13"], sea=["m22"], gendarmes={"g1": "nap", "g2": "plm"})
    s.territories = 3
    play(s, "go reg")
    assert (find_pawn(s, 0), len(s.deck)) == ("reg", 36)


def test_a_called_proclaimer_takes_no_territory_card() -> None:
    """LM-4.6  A proclaimer moved by *goto* takes no territory card, but gets periodicals at home."""
    s = table(at=["lyo"], territory=["t13"], periodicals=[1])
    play(s, "go gre", "stop")
    assert find_pawn(s, 0) == "bet"
    assert s.periodicals[0] == 8
