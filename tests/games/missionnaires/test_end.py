"""Tests of the end (specification, section 3.9): finishing, ranks, continuing, the round limit, resigning."""

import pytest

from tests.games.missionnaires.table import (
    C,
    bons,
    find_pawn,
    get_asked_step,
    hand,
    options,
    overseer,
    play,
    question,
    refused,
    space,
    table,
)
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.errors import Refused
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import MATCH_OVER, NOT_ASKED
from triclinium.engine.core.shared_rows import replace_item
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.actions.displacement import StormPort
from triclinium.games.missionnaires.rules.state import Missionnaires


def ranks(s: Missionnaires) -> list[int]:
    return [score.rank for score in GAME.scores(s)]


def set_up_last_step(**parts: object) -> Missionnaires:
    """Return a match with Red on Bourges and everything visited."""
    return table(seats=3, at=["bou", "rom", "ath"], hands={0: []}, visited={0: ["lyo"]}, **parts)  # type: ignore[arg-type]


def test_the_tour_is_complete_when_all_is_visited() -> None:
    """LM-9.1  A player with an unvisited card does not finish on the Bethel."""
    s = table(at=["bou"], hands={0: ["mad"]})
    play(s, "go bet", "stop")
    assert find_pawn(s, 0) == "bet"
    assert s.rank == [0, 0, 0]


def test_the_first_home_wins() -> None:
    """LM-9.2, LM-9.3  A player without cards and BONS who ends a coup on the Bethel wins.

    An overseer in company stays there.
    """
    s = set_up_last_step(overseers={"d": 0})
    play(s, "go bet", "stop")
    assert s.rank[0] == 1
    assert find_pawn(s, 0) == "off"
    assert overseer(s, "d") == "bet"
    assert question(s) == "PlayOn"


def test_with_two_players_the_match_is_over() -> None:
    """LM-9.3, LM-R15  With two players the match ends with the first finish, and the other player is last."""
    s = table(seats=2, at=["bou", "rom"], hands={0: []})
    play(s, "go bet", "stop")
    assert s.over
    assert ranks(s) == [1, 2]
    with pytest.raises(Refused) as refusal:
        s.play(GAME.read("pass"))
    assert refusal.value.rule is MATCH_OVER


def test_nobody_finishes_with_a_voucher() -> None:
    """LM-8.6, LM-R14  A player must use or burn the last voucher before finishing."""
    s = table(seats=2, at=["bou", "lim"], hands={0: []}, bons={0: ["m29"]})
    play(s, "go bet", "stop", "done")
    assert s.rank[0] == 0
    play(s, "pass", "done", "burn m29")
    assert s.rank[0] == 1


def test_the_others_vote_on_playing_on() -> None:
    """LM-9.4, LM-R15  The players vote in seat order. If all agree the match continues for the next ranks."""
    s = set_up_last_step(variants={"play_on": "vote"})
    play(s, "go bet", "stop")
    assert s.who == 1
    play(s, "yes")
    assert s.who == 2
    play(s, "yes")
    assert question(s) == "Main"
    assert s.who == 1
    s.hand = replace_item(s.hand, 1, ())
    s.at[1] = space("bou")
    s.legal = s.asked.options(s)
    play(s, "pass", "pass", "go bet", "stop")
    assert s.over
    assert ranks(s) == [1, 2, 3]


def test_one_no_ends_the_match() -> None:
    """LM-R15  In this variant the remaining players are ranked as at the round limit."""
    hands = {0: [], 1: ["mad", "sev"], 2: ["jer"]}
    s = table(seats=3, at=["bou", "rom", "ath"], hands=hands, variants={"play_on": "vote"})
    play(s, "go bet", "stop", "yes", "no")
    assert s.over
    assert ranks(s) == [1, 3, 2]


@pytest.mark.parametrize("name", ["random", "novice", "greedy", "steady", "strong@20x"])
def test_bots_agree_to_play_on(name: str) -> None:
    """LM-R15  A bot never ends the match for the others, whatever its rank is."""
    s = table(seats=3, at=["bou", "rom", "ath"], hands={0: [], 1: ["mad"], 2: ["jer", "cai", "ank"]})
    play(s, "go bet", "stop")
    for seed in range(20):
        assert GAME.format_option(choose_option(create_bot(name, GAME), s, Rng(seed))) == "yes"


@pytest.mark.parametrize(("value", "over"), [("always", False), ("never", True)])
def test_playing_on_by_variant(value: str, over: bool) -> None:
    """LM-R15  The choices are always or never, without a vote."""
    s = set_up_last_step(variants={"play_on": value})
    play(s, "go bet", "stop")
    assert s.over == over
    assert question(s) == ("" if over else "Main")


def test_no_second_coup_after_the_finish() -> None:
    """LM-2.5  A replay drawn in the last coup has no effect."""
    s = table(seats=3, at=["lyo"], hands={0: []}, bons={0: ["t32"]}, territory=["t26"], variants={"play_on": "always"})
    play(s, "done", "go dij", "stop", "play t32", "go aux", "go bet", "stop")
    assert s.rank[0] == 1
    assert s.who == 1


def test_the_round_limit() -> None:
    """LM-9.5, LM-R16  Nothing is asked after the last round."""
    s = table(seats=2, at=["lyo", "gre"], round_=100, variants={"round_limit": 100})
    play(s, "pass", "pass")
    assert s.over
    s = table(seats=2, at=["lyo", "gre"], round_=99, variants={"round_limit": 100})
    play(s, "pass", "pass")
    assert not s.over
    assert s.round == 100


def test_the_ranking_of_those_under_way() -> None:
    """LM-R16  The order is fewer unvisited congregations, fewer BONS, nearer to the Bethel, more periodicals.

    Others share a rank.
    """
    towns = {0: ["mad"], 1: ["rom"], 2: ["ath", "jer"], 3: ["cai"]}
    assert ranks(table(seats=4, at=["lyo"] + ["bet"] * 3, hands=towns)) == [3, 1, 4, 1]
    s = table(seats=4, at=["bou"] * 4, hands=towns, bons={0: ["t29"]}, periodicals=[8, 3, 8, 4])
    assert ranks(s) == [3, 2, 4, 1]


def test_the_total_counts_the_congregations_visited() -> None:
    """LM-R16  The rank is the result. The total only shows each player's progress."""
    s = table(seats=2, visited={0: ["lyo", "mad"], 1: ["rom"]})
    scores = GAME.scores(s)
    assert [score.line_points("visited") for score in scores] == [2, 1]
    assert [score.total for score in scores] == [None, None]  # this game has no points
    assert scores[0].line_points("visited") == 2


def test_nobody_holds_more_than_eight_periodicals() -> None:
    """LM-9.6  There are always 32 periodicals, and paid ones return to the stock."""
    s = table(seats=3, at=["lyo"], periodicals=[8, 8, 8], territory=["t23"])
    play(s, "go gre", "stop")
    assert s.periodicals == [8, 8, 8]
    assert s.count_stock() == 8
    s = table(seats=3, at=["lyo"], periodicals=[8, 8, 8])
    play(s, "go nim", "go mrs")
    assert s.count_stock() == 9


def test_resigning() -> None:
    """LM-R24  The player gets the last rank.

    The cards go under the reserve, BONS to the discards, periodicals to the stock, and the overseer to the Bethel.
    """
    s = table(
        seats=3,
        at=["lyo", "rom", "ath"],
        hands={0: ["mad", "sev"], 1: ["nap"], 2: ["cor"]},
        bons={0: ["t29", "m29"]},
        overseers={"c": 0},
    )
    before = len(s.reserve)
    play(s, "resign red")
    assert s.rank == [3, 0, 0]
    assert hand(s, 0) == []
    assert len(s.reserve) == before + 2
    assert {C.ids[C.congregation_at[card]] for card in s.reserve[:2]} == {"mad", "sev"}
    assert bons(s, 0) == []
    assert s.periodicals[0] == 0
    assert overseer(s, "c") == "bet"
    assert s.who == 1
    assert question(s) == "Main"


def test_a_player_who_is_not_asked_can_resign() -> None:
    """LM-R24  A player may resign while another one decides, and that decision stays open."""
    s = table(seats=3, at=["lyo", "gre", "ath"])
    assert "leap yellow tur" in options(s)
    play(s, "resign yellow")
    assert s.who == 0
    assert "go gre" in options(s)


def test_the_match_ends_with_one_player_left() -> None:
    """LM-R24  When one player is left, that player takes the best free rank and the match ends."""
    s = table(seats=3, at=["lyo", "rom", "ath"])
    play(s, "resign yellow", "resign red")
    assert s.over
    assert ranks(s) == [2, 3, 1]


def test_resigning_while_a_port_is_chosen() -> None:
    """LM-R24, LM-R11  If the player who chooses a port resigns, the next player chooses it."""
    s = table(seats=3, at=["s13", "rom", "ath"], sea=["m22"])
    play(s, "go reg")
    assert get_asked_step(s) == StormPort(1)
    play(s, "resign yellow")
    assert get_asked_step(s) == StormPort(2)
    play(s, "to nap")
    assert find_pawn(s, 0) == "nap"


def test_resigning_instead_of_voting() -> None:
    """LM-R24, LM-R15  If a voting player resigns, the vote is removed. With one player left the match is over."""
    s = table(seats=4, at=["bou", "rom", "ath", "lyo"], hands={0: []}, variants={"play_on": "vote"})
    play(s, "go bet", "stop", "resign yellow")
    assert s.who == 2
    play(s, "yes", "yes")
    assert question(s) == "Main"
    assert s.who == 2


def test_a_player_who_has_left_cannot_resign_again() -> None:
    """LM-R24  A player who has left is not offered to resign again."""
    s = table(seats=3)
    play(s, "resign yellow")
    assert GAME.read("resign yellow") not in s.anytime_options(0)
    refused(s, "resign yellow", NOT_ASKED)
