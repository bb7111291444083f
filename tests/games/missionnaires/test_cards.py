"""Tests of cards: each effect in the table of the specification (section 3.8)."""

import pytest

from tests.games.missionnaires.table import (
    C,
    card,
    find_pawn,
    guard,
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
from triclinium.games.missionnaires.rules.refusals import NOT_EMPTY, NOT_THE_BETHEL, PORT_TAKEN, STUCK


def test_a_drawn_card_is_obeyed_then_discarded() -> None:
    """LM-8.1  A drawn card is obeyed and then lies face up on its discard pile."""
    s = table(at=["lyo"], territory=["t21"], periodicals=[1])
    play(s, "go gre", "stop")
    assert s.discard == [C.card_ids.index("t21")]


def test_an_empty_deck_is_reshuffled_from_its_discards() -> None:
    """LM-8.1, LM-R18  When a deck is empty, its discards form a new deck, except cards in hands."""
    s = table(at=["lyo"], territory=["t21"], bons={1: ["t29"]})
    s.discard = s.deck[:-1]
    s.deck = s.deck[-1:]
    play(s, "go gre", "stop")
    assert s.deck == []
    play(s, "pass", "pass", "go tur", "stop")
    assert len(s.deck) + len(s.discard) + sum(len(held) for held in s.bons) == 36


def test_a_card_that_is_being_obeyed_is_not_reshuffled() -> None:
    """LM-8.1, LM-R18  A card is discarded only after its bonus move, even if the deck is empty meanwhile."""
    for seed in range(1, 9):
        s = table(at=["lyo"], periodicals=[1], seed=seed)
        s.deck = [C.card_ids.index("t24")]
        s.discard = [C.card_ids.index("t21")]
        play(s, "go gre", "stop", "go tur", "stop")
        assert s.periodicals[0] == 2
        assert [C.card_ids[held] for held in s.discard] == ["t24", "t21"]
        assert s.deck == []


def test_a_deck_without_free_cards_gives_none() -> None:
    """LM-R18  If all cards of an edition are held or obeyed, no card is drawn, but the player still makes the step."""
    s = table(at=["lyo"], periodicals=[1])
    s.deck = []
    play(s, "go gre", "stop")
    assert (find_pawn(s, 0), s.who, s.discard) == ("gre", 1, [])
    s = table(at=["lyo"], periodicals=[1])
    s.deck = [C.card_ids.index("t24")]
    play(s, "go gre", "stop", "go tur", "stop")
    assert (find_pawn(s, 0), s.who, s.discard) == ("tur", 1, [C.card_ids.index("t24")])
    s = table(at=["mrs"], periodicals=[1])
    s.sea_deck = []
    play(s, "go s07", "stop")
    assert (find_pawn(s, 0), s.who) == ("s07", 1)


def test_at_most_three_territory_cards_a_turn() -> None:
    """LM-8.8, LM-R19  At the fourth green town in one turn, the player takes no card."""
    s = table(at=["alg"], territory=["t24", "t25", "t26"], bons={0: ["t32", "t33"]})
    play(s, "done", "go set", "stop", "go cst", "stop", "go ann", "stop")
    assert s.territories == 3
    play(s, "play t32", "go cst", "stop")
    assert s.territories == 3
    assert len(s.deck) == 31


def test_skip() -> None:
    """LM-2.1  After `skip 1` the player misses the next turn."""
    s = table(at=["lyo"], territory=["t01"])
    play(s, "go gre", "stop")
    assert s.missed[0] == 1


def test_pay_or_skip() -> None:
    """LM-8.1  The player pays or misses a turn. Without periodicals the player misses it without a question."""
    s = table(at=["lyo"], territory=["t07"], periodicals=[2])
    play(s, "go gre", "stop")
    assert question(s) == "PayOrSkip"
    play(s, "pay")
    assert (s.periodicals[0], s.missed[0]) == (1, 0)
    s = table(at=["lyo"], territory=["t07"], periodicals=[2])
    play(s, "go gre", "stop", "miss")
    assert (s.periodicals[0], s.missed[0]) == (2, 1)
    s = table(at=["lyo"], territory=["t07"], periodicals=[0])
    play(s, "go gre")
    assert s.missed[0] == 1


def test_gain_and_lose() -> None:
    """LM-9.6  A *gain* fills the hand up to 8 periodicals. A *lose* takes what the player has, if that is less."""
    for name, before, after in (("t23", 3, 5), ("t23", 7, 8), ("t10", 5, 3), ("t10", 1, 0)):
        s = table(at=["lyo"], territory=[name], periodicals=[before])
        play(s, "go gre", "stop")
        assert s.periodicals[0] == after


def test_advance() -> None:
    """LM-4.5, LM-6.5  A bonus move costs no speed fee, but other fees apply.

    Its end is an arrival with a card of its own.
    """
    s = table(at=["lyo"], territory=["t24", "t21"], periodicals=[1], hands={0: ["mil", "rom"]})
    play(s, "go gre", "stop")
    assert question(s) == "Advance"
    play(s, "go tur", "go mil")
    assert find_pawn(s, 0) == "mil"
    assert list_visited(s, 0) == ["mil"]
    assert s.periodicals[0] == 1
    s = table(at=["lyo"], territory=["t24", "t21"], periodicals=[3])
    play(s, "go gre", "stop", "go tur", "go vtm", "to nic")
    assert find_pawn(s, 0) == "vtm"
    assert s.periodicals[0] == 2


def test_advance_may_be_declined_and_leaps() -> None:
    """LM-6.9  A player may decline a bonus move. A leap uses two of its spaces and costs nothing."""
    s = table(at=["lyo", "tur"], territory=["t24"], periodicals=[1])
    play(s, "go gre", "stop")
    assert options(s) == ["go bet", "go lyo", "leap yellow mil", "leap yellow vtm", "stop"]
    play(s, "leap yellow mil")
    assert find_pawn(s, 0) == "mil"
    assert s.periodicals[0] == 1
    s = table(at=["lyo"], territory=["t24"])
    play(s, "go gre", "stop", "stop")
    assert find_pawn(s, 0) == "gre"
    assert len(s.deck) == 35


def test_replay() -> None:
    """LM-2.5  A *replay* gives the player another coup at once."""
    s = table(at=["lyo"], territory=["t26"])
    play(s, "go gre", "stop")
    assert (s.who, question(s)) == (0, "Main")


def test_join() -> None:
    """LM-7.3  A *join* calls the overseer from off the board, from a space or from another player."""
    for where_from in ({}, {"d": "rom"}, {"d": 1}):
        s = table(at=["lyo", "mad"], territory=["t20"], overseers=where_from)
        play(s, "go gre", "stop")
        assert overseer(s, "d") == 0


def test_place() -> None:
    """LM-7.4  The overseer leaves any company and goes to the first empty town of the list, or to the Bethel."""
    s = table(at=["dij", "lyo"], territory=["t16"], overseers={"c": 0})
    play(s, "go aux", "stop")
    assert overseer(s, "c") == "rom"
    s = table(seats=4, at=["dij", "lyo", "rom", "ath"], territory=["t16"])
    play(s, "go aux", "stop")
    assert overseer(s, "c") == "bet"


def test_leave() -> None:
    """LM-7.4  The overseer who accompanies the player goes to the first empty town.

    Without an overseer nothing happens.
    """
    s = table(at=["lyo", "rom"], territory=["t11"], overseers={"d": 0})
    play(s, "go gre", "stop")
    assert overseer(s, "d") == "sev"
    s = table(at=["lyo"], territory=["t11"], overseers={"d": "nap"})
    play(s, "go gre", "stop")
    assert overseer(s, "d") == "nap"


def test_goto() -> None:
    """LM-4.6  The player's pawn goes to the Bethel. The player gets periodicals and may choose an overseer there."""
    s = table(at=["lyo"], territory=["t13"], overseers={"c": "bet"}, periodicals=[2])
    play(s, "go gre", "stop")
    assert question(s) == "BethelJoin"
    play(s, "join c")
    assert find_pawn(s, 0) == "bet"
    assert s.periodicals[0] == 8
    assert overseer(s, "c") == 0


def test_gendarme() -> None:
    """LM-6.3  The player moves one gendarme along one road to an empty town that is not the Bethel."""
    s = table(at=["lyo", "nim"], territory=["t14"], gendarmes={"g2": "bou"})
    play(s, "go gre", "stop")
    assert question(s) == "MoveGendarme"
    play(s, "guard g1")
    refused(s, "to nim", NOT_EMPTY)
    play(s, "to tls")
    assert guard(s, "g1") == "tls"


def test_a_gendarme_is_not_sent_to_the_bethel() -> None:
    """LM-6.3, LM-R10  A gendarme cannot be chosen if only the Bethel is free next to him."""
    s = table(at=["lyo", "dij", "lim"], territory=["t14"], gendarmes={"g1": "lrh", "g2": "bou"})
    s.at[0] = space("lyo")
    play(s, "go gre", "stop")
    refused(s, "guard g2", STUCK)
    play(s, "guard g1")
    assert guard(s, "g1") == "bor"
    s = table(at=["lyo"], territory=["t14"], gendarmes={"g1": "aux"})
    play(s, "go gre", "stop", "guard g1")
    assert guard(s, "g1") == "dij"


def test_the_bethel_is_refused_if_another_town_is_free() -> None:
    """LM-6.3  With two other free towns next to the gendarme, the Bethel is refused by its rule."""
    s = table(at=["lyo"], territory=["t14"], gendarmes={"g1": "tls"})
    play(s, "go gre", "stop", "guard g1")
    s.gendarmes[0] = space("bou")
    s.legal = s.asked.options(s)
    refused(s, "to bet", NOT_THE_BETHEL)


def test_cong_add() -> None:
    """LM-R2, LM-R18  A player with two or more unvisited towns takes the top card.

    With one, or without a reserve, nothing happens.
    """
    s = table(at=["lyo"], territory=["t12"], hands={0: ["mad", "rom"]}, reserve=["ath"])
    play(s, "go gre", "stop")
    assert hand(s, 0) == ["mad", "rom", "ath"]
    s = table(at=["lyo"], territory=["t12"], hands={0: ["mad"]}, reserve=["ath"])
    play(s, "go gre", "stop")
    assert hand(s, 0) == ["mad"]
    s = table(at=["lyo"], territory=["t12"], hands={0: ["mad", "rom"]}, variants={"deal": "full"})
    play(s, "go gre", "stop")
    assert hand(s, 0) == ["mad", "rom"]


def test_cong_done() -> None:
    """LM-8.1  One of two or more congregations counts as visited. The player must visit the last one in person."""
    s = table(at=["lyo"], territory=["t27"], hands={0: ["mad", "rom"]})
    play(s, "go gre", "stop")
    assert options(s) == ["show mad", "show rom"]
    play(s, "show mad")
    assert list_visited(s, 0) == ["mad"]
    s = table(at=["lyo"], territory=["t27"], hands={0: ["mad"]})
    play(s, "go gre", "stop")
    assert hand(s, 0) == ["mad"]


def test_swap() -> None:
    """LM-R17  The player puts one card face down under the reserve and takes the top card, or changes nothing."""
    s = table(at=["lyo"], territory=["t28"], hands={0: ["mad", "rom"]}, reserve=["ath"])
    play(s, "go gre", "stop")
    assert options(s) == ["keep", "swap 1", "swap 2"]
    play(s, "swap 1")
    assert hand(s, 0) == ["rom", "ath"]
    assert s.reserve[0] == card("mad")
    s = table(at=["lyo"], territory=["t28"], hands={0: ["mad", "rom"]}, reserve=["ath"])
    play(s, "go gre", "stop", "keep")
    assert hand(s, 0) == ["mad", "rom"]


def test_none() -> None:
    """LM-5.4  With the card `none` the step is made as planned."""
    s = table(at=["mrs"], sea=["m01"])
    play(s, "go s07", "stop")
    assert find_pawn(s, 0) == "s07"


@pytest.mark.parametrize(("name", "spaces"), [("m07", 2), ("m10", 3)])
def test_wind(name: str, spaces: int) -> None:
    """LM-R8, LM-5.4  The move may have n spaces in total for nothing. Each further section takes its card."""
    s = table(at=["mrs"], sea=[name, "m01", "m02", "m03"], periodicals=[0])
    play(s, "go s07", *["go s08", "go s09"][: spaces - 1])
    assert find_pawn(s, 0) == ["s08", "s09"][spaces - 2]
    assert s.who == 1
    assert len(s.sea_deck) == 36 - spaces


def test_a_second_wind_never_shortens_the_move() -> None:
    """LM-R8"""
    s = table(at=["mrs"], sea=["m10", "m07", "m01"], periodicals=[0])
    play(s, "go s07", "go s08", "go s09")
    assert find_pawn(s, 0) == "s09"


def test_wind_after_a_paid_step_gives_nothing_back() -> None:
    """LM-R8  Drawn on the second section: the third space is free, the periodical is spent."""
    s = table(at=["mrs"], sea=["m01", "m10", "m02"], periodicals=[1])
    play(s, "go s07", "go s08", "go s09")
    assert find_pawn(s, 0) == "s09"
    assert s.periodicals[0] == 0


def test_obstacle_fees_apply_under_fair_wind() -> None:
    """LM-R8, LM-6.9  A gendarme costs the usual fee. A leap costs nothing but two spaces."""
    s = table(at=["mrs", "s08"], sea=["m10", "m01", "m02"], periodicals=[0])
    play(s, "go s07", "leap yellow s09")
    assert find_pawn(s, 0) == "s09"
    s = table(at=["s08"], sea=["m10"], gendarmes={"g1": "cag"}, periodicals=[0])
    play(s, "go s09")
    assert find_pawn(s, 0) == "s09"
    assert s.who == 1


def test_no_space_twice_under_fair_wind() -> None:
    """LM-3.5  Even under a fair wind a move returns neither to its start nor to a space that it has passed."""
    s = table(at=["s20"], sea=["m10"], periodicals=[0])
    play(s, "go anc", "go bri")
    assert "go anc" not in options(s)
    assert "go reg" in options(s)


def test_stop() -> None:
    """LM-8.1  The step is not made, and a periodical that was paid for a leap is lost."""
    s = table(at=["mrs", "s07"], sea=["m17"], periodicals=[2])
    play(s, "leap yellow s08")
    assert find_pawn(s, 0) == "mrs"
    assert s.periodicals[0] == 1


def test_storm() -> None:
    """LM-R11  At sea the next player chooses an empty port for the pawn. In a port the pawn stays."""
    s = table(at=["s13", "nap"], sea=["m22"], hands={0: ["plm", "rom"]})
    play(s, "go reg")
    assert s.who == 1
    assert question(s) == "StormPort"
    refused(s, "to nap", PORT_TAKEN)
    play(s, "to plm")
    assert find_pawn(s, 0) == "plm"
    assert list_visited(s, 0) == ["plm"]
    s = table(at=["mrs"], sea=["m22"])
    play(s, "go s07")
    assert find_pawn(s, 0) == "mrs"


def test_storm_without_an_empty_port() -> None:
    """LM-R11  Without an empty port the pawn stays where it is, and the move ends."""
    s = table(at=["s08"], sea=["m22"])
    play(s, "go s09")
    assert find_pawn(s, 0) == "s08"
    assert s.who == 1


def test_storm_on_the_second_section() -> None:
    """LM-4.6  After a storm on the second section the pawn arrives once, in the port, and takes no territory card."""
    s = table(at=["nap"], sea=["m01", "m22"], gendarmes={"g1": "plm"})
    play(s, "go s13", "go reg")
    assert s.who == 1
    play(s, "to nap")
    assert find_pawn(s, 0) == "nap"
    assert len(s.deck) == 36


def test_back() -> None:
    """LM-8.1  At sea the pawn returns to the last port that it sailed from, if the port is free. In a port it stays."""
    s = table(at=["mrs"], sea=["m01", "m24"])
    play(s, "go s07", "go s08")
    assert find_pawn(s, 0) == "mrs"
    assert s.who == 1
    s = table(at=["s08", "mrs"], sea=["m24"], sailed={0: "mrs"})
    play(s, "go s09")
    assert find_pawn(s, 0) == "s08"
    s = table(at=["mrs"], sea=["m24"])
    play(s, "go s07")
    assert find_pawn(s, 0) == "mrs"


def test_back_with_an_overseer_in_the_port() -> None:
    """LM-8.1, LM-4.1  In a port with an overseer, a lone proclaimer is joined.

    One in company with the other overseer stays at sea.
    """
    s = table(at=["s08"], sea=["m24"], sailed={0: "mrs"}, overseers={"d": "mrs"})
    play(s, "go s09")
    assert find_pawn(s, 0) == "mrs"
    assert overseer(s, "d") == 0
    s = table(at=["s08"], sea=["m24"], sailed={0: "mrs"}, overseers={"d": "mrs", "c": 0})
    play(s, "go s09")
    assert find_pawn(s, 0) == "s08"


def test_cards_at_sea_that_do_not_stop_the_step() -> None:
    """LM-8.1  The player obeys skip, gain, lose and join, and then makes the step."""
    for name in ("m27", "m12", "m25", "m15"):
        s = table(at=["mrs"], sea=[name], periodicals=[3])
        play(s, "go s07", "stop")
        assert find_pawn(s, 0) == "s07"
