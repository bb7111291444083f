"""Tests of interactions of two rules: cards in a move, company, variants and ranks."""

from tests.games.missionnaires.table import (
    find_pawn,
    guard,
    list_visited,
    options,
    overseer,
    play,
    question,
    refused,
    table,
)
from triclinium.games.missionnaires import GAME
from triclinium.games.missionnaires.rules.refusals import NOT_BEGUN_HERE, PASSED_BEFORE


def test_an_overseer_stays_in_the_port_of_a_storm_if_it_is_visited() -> None:
    """LM-4.6, LM-4.3  A visit that a storm forced ends the company too.

    The overseer of the circuit does not spare sea cards (LM-5.5).
    """
    s = table(at=["s13"], sea=["m22"], hands={0: ["plm", "rom"]}, overseers={"c": 0})
    play(s, "go nap", "to plm")
    assert list_visited(s, 0) == ["plm"]
    assert overseer(s, "c") == "plm"


def test_an_overseer_joined_on_the_way_stays_through_a_storm() -> None:
    """LM-7.2, LM-7.3  An overseer who joined at sea lands with the player and does not stay behind."""
    s = table(at=["nap"], sea=["m15", "m22"], hands={0: ["plm", "rom"]}, gendarmes={"g1": "cai"})
    play(s, "go s13", "go reg", "to plm")
    assert list_visited(s, 0) == ["plm"]
    assert overseer(s, "c") == 0


def test_with_the_district_overseer_a_leap_at_sea_takes_neither_card_nor_periodical() -> None:
    """LM-6.9, LM-5.5  With the district overseer a leap at sea costs neither a sea card nor a periodical."""
    s = table(at=["tun", "s14"], periodicals=[0], overseers={"d": 0})
    play(s, "leap yellow cag")
    assert find_pawn(s, 0) == "cag"
    assert len(s.sea_deck) == 36


def test_a_fair_wind_goes_on_by_road_but_not_to_sea_again() -> None:
    """LM-R8, LM-5.3, LM-5.2  A fair wind extends the move by road, but not to sea again."""
    s = table(at=["s10"], sea=["m10"], periodicals=[0])
    play(s, "go nic", "go mrs")
    refused(s, "go s07", NOT_BEGUN_HERE)
    play(s, "go nim")
    assert find_pawn(s, 0) == "nim"


def test_a_bonus_move_leaps_and_goes_on() -> None:
    """LM-6.9, LM-8.4  In a bonus move of three spaces a leap uses two and costs nothing. The third space is left."""
    s = table(at=["lyo", "gre"], bons={0: ["t32"]}, periodicals=[0])
    play(s, "play t32", "leap yellow tur", "go mil")
    assert find_pawn(s, 0) == "mil"
    assert s.periodicals[0] == 0
    assert (s.who, question(s)) == (0, "Main")


def test_a_congregation_leapt_is_not_visited() -> None:
    """LM-R4, LM-6.9  A leapt congregation is not visited, not even by the variant `visit_on_pass`.

    A bonus move passes like any other.
    """
    s = table(at=["dij", "lyo"], hands={0: ["lyo", "mad"]}, variants={"visit_on_pass": True})
    play(s, "leap yellow nim")
    assert list_visited(s, 0) == []
    s = table(at=["dij"], hands={0: ["lyo", "mad"]}, bons={0: ["t32"]}, variants={"visit_on_pass": True})
    play(s, "play t32", "go lyo", "go gre", "stop")
    assert list_visited(s, 0) == ["lyo"]


def test_relief_by_a_lane() -> None:
    """LM-R12  An obstacle across a lane counts at sea and in the port of the coup, but not after a bonus move."""
    for at in (["s08", "s09"], ["mrs", "s07"]):
        s = table(at=at, periodicals=[0])
        play(s, "pass")
        assert s.periodicals[0] == 1
    s = table(at=["nic", "s07"], periodicals=[0], gendarmes={"g2": "cai"}, bons={0: ["t32"]})
    play(s, "play t32", "go mrs", "stop", "pass")
    assert s.periodicals[0] == 0


def test_relief_is_judged_when_he_passes() -> None:
    """LM-R12  A voucher in the first window changes whether a pass brings a periodical.

    One in the second window does not.
    """
    s = table(at=["tls"], periodicals=[0], bons={0: ["t34"]})
    play(s, "done", "pass", "play t34")
    assert s.periodicals[0] == 4
    s = table(at=["tls"], periodicals=[0], bons={0: ["t34"]})
    play(s, "play t34", "pass")
    assert s.periodicals[0] == 3


def test_a_pass_elsewhere_counts_as_the_turn_before() -> None:
    """LM-R12  A player who passed in a green town and was then carried to a congregation may not pass there."""
    s = table(seats=2, at=["gre", "mad"], bons={0: ["t32"]})
    play(s, "done", "pass", "done", "pass", "play t32", "go lyo", "stop")
    refused(s, "pass", PASSED_BEFORE)


def test_a_meeting_is_a_step_that_costs_nothing() -> None:
    """LM-R12, LM-6.6  A player next to gendarmes and one lone overseer must move, because being joined is free."""
    s = table(seats=2, at=["tls", "mad"], overseers={"c": "lim"}, periodicals=[3])
    play(s, "pass", "pass")
    refused(s, "pass", PASSED_BEFORE)


def test_the_own_overseer_can_be_placed() -> None:
    """LM-R6  The variant protects only other players' overseers, so players can still place their own.

    `leave` works as usual.
    """
    variants: dict[str, object] = {"overseer_can_be_called_away": False}
    for card in ("t16", "t11"):
        s = table(at=["dij", "lyo"], overseers={"c": 0}, territory=[card], variants=variants)
        play(s, "go aux", "stop")
        assert overseer(s, "c") == "rom"


def test_place_lifts_the_overseer_first() -> None:
    """LM-7.4  The former town of the placed overseer counts as empty. That of a gendarme does not."""
    s = table(at=["dij"], overseers={"c": "lyo"}, territory=["t16"])
    play(s, "go aux", "stop")
    assert overseer(s, "c") == "lyo"
    s = table(at=["dij"], overseers={"c": "nap", "d": "lyo"}, gendarmes={"g1": "rom"}, territory=["t16"])
    play(s, "go aux", "stop")
    assert overseer(s, "c") == "ath"


def test_the_last_voucher_played_at_home_finishes() -> None:
    """LM-9.2, LM-8.6  A player who plays the last voucher on the Bethel in the second window finishes.

    The called overseer stays there.
    """
    s = table(seats=2, at=["bou", "rom"], hands={0: []}, bons={0: ["t35"]})
    play(s, "done", "go bet", "stop", "play t35")
    assert s.over
    assert overseer(s, "c") == "bet"


def test_three_territory_cards_in_two_coups() -> None:
    """LM-8.8, LM-2.5  The limit is per turn, and the next turn starts at zero."""
    s = table(seats=2, at=["alg", "mad"], territory=["t26", "t24", "t21"], bons={0: ["t32"]})
    play(s, "done", "go set", "stop", "done", "done", "go cst", "stop", "go ann", "stop")
    assert question(s) == "BonWindow"
    play(s, "play t32", "go cst", "stop")
    assert (s.who, len(s.deck)) == (1, 32)
    play(s, "pass", "go set", "stop")
    assert len(s.deck) == 31


def test_ranks_with_one_who_left() -> None:
    """LM-R24, LM-R16  The first to leave is last, the next one before him, and finished players come first."""
    s = table(seats=4, at=["bou", "rom", "ath", "lyo"], hands={0: []})
    play(s, "resign blue", "go bet", "stop", "yes", "yes", "resign orange")
    assert s.over
    assert [score.rank for score in GAME.scores(s)] == [1, 2, 4, 3]


def test_a_gendarme_passed_through_and_one_at_the_stop() -> None:
    """LM-6.5, LM-R13  Two fees and the speed fee are due. The empty start counts as a neighbour of the second push."""
    s = table(at=["tls"], gendarmes={"g2": "bar"}, periodicals=[3])
    play(s, "go per", "to tls", "go bar")
    assert "to per" in options(s)
    play(s, "to per")
    assert s.periodicals[0] == 0
    assert (guard(s, "g1"), guard(s, "g2")) == ("tls", "per")


def test_returning_to_a_port_by_vouchers_allows_no_boarding() -> None:
    """LM-5.2, LM-8.4  A player who returns to the port of the coup by road cannot board a ship there."""
    s = table(at=["mrs"], territory=["t21"], bons={0: ["t32", "t33"]})
    play(s, "play t32", "go nim", "stop", "play t33", "go mrs", "stop")
    assert (find_pawn(s, 0), question(s)) == ("mrs", "Main")
    refused(s, "go s07", NOT_BEGUN_HERE)


def test_by_a_fair_wind_a_leap_in_company_takes_two_of_three_spaces() -> None:
    """LM-3.4, LM-R8  A leap as second step ends the move. A third step has no space for it."""
    hands = {0: ["mad"], 1: ["rom"]}
    s = table(at=["mrs", "s08"], overseers={"c": 0}, sea=["m10", "m01", "m02"], hands=hands)
    play(s, "go s07")
    play(s, next(o for o in options(s) if o.startswith("leap yellow")))
    assert (s.who, len(s.sea_deck)) == (1, 33)
    s = table(at=["mrs", "s09"], overseers={"c": 0}, sea=["m10", "m01"], hands=hands)
    play(s, "go s07", "go s08")
    assert (find_pawn(s, 0), s.who) == ("s08", 1)


def test_an_unplayable_voucher_is_laid_down_at_the_bethel() -> None:
    """LM-8.5, LM-R6  A *join* that the variant forbids has no effect, so the voucher can be laid down at home."""
    s = table(
        seats=2,
        at=["bet", "rom"],
        hands={0: []},
        bons={0: ["t35"]},
        overseers={"c": 1},
        variants={"overseer_can_be_called_away": False},
    )
    play(s, "play t35", "pass")
    assert s.rank[0] == 1
    assert overseer(s, "c") == 1


def test_a_fair_wind_through_a_green_port_takes_its_card_by_variant() -> None:
    """LM-R4, LM-R8  The card of the green port is obeyed before the next step, which goes by road."""
    s = table(at=["s13"], sea=["m10"], territory=["t21"], periodicals=[4], variants={"card_on_pass": True})
    play(s, "go reg")
    assert (question(s), s.periodicals[0], len(s.deck)) == ("GoOn", 5, 35)
    assert all(not o.startswith("go s") for o in options(s) if o != "stop")
    play(s, "stop")
    assert len(s.deck) == 35


def test_a_visit_on_the_way_over_a_rival_does_not_end_the_company() -> None:
    """LM-R4, LM-3.4, LM-4.3  A visit on the way does not end the company. Only a visit at the stop does."""
    s = table(
        at=["dij", "nim"],
        hands={0: ["lyo", "mad"], 1: ["rom"]},
        overseers={"c": 0},
        variants={"visit_on_pass": True},
    )
    play(s, "go lyo", "leap yellow mrs")
    assert (find_pawn(s, 0), list_visited(s, 0), overseer(s, "c")) == ("mrs", ["lyo"], 0)
