"""Tests of the sea: ports, ships, sea cards, and the table of combinations (specification, section 3.5)."""

import pytest

from tests.games.missionnaires.table import C, bons, find_pawn, options, overseer, play, question, refused, table
from triclinium.engine.core.state import NOBODY
from triclinium.games.missionnaires.rules.actions.move import GoOn
from triclinium.games.missionnaires.rules.components import BACK, HALT, STORM
from triclinium.games.missionnaires.rules.refusals import NO_SHIP_TO_SHIP, NOT_BEGUN_HERE, ROAD_ONLY, TWICE


def count_drawn(size: int) -> int:
    """Return the number of drawn cards of a deck with 36 cards."""
    return 36 - size


def test_lanes_start_and_end_in_ports() -> None:
    """LM-5.1  Every space with a lane is a port or a sea point, and no lane joins two ports."""
    for a in range(C.spaces):
        for b in C.lanes[a]:
            assert C.kind[a] == 4 or C.port[a]
            assert 4 in (C.kind[a], C.kind[b])


def test_a_ship_is_boarded_where_the_coup_began() -> None:
    """LM-5.2  A player who reaches a port by road cannot sail in that coup."""
    s = table(at=["nim"])
    play(s, "go mrs")
    refused(s, "go s07", NOT_BEGUN_HERE)
    assert options(s) == ["go nic", "stop"]


def test_boarding_after_a_bonus_move_is_refused() -> None:
    """LM-5.2  A bonus move before the main action prevents it, even there and back."""
    s = table(at=["nim"], bons={0: ["t32", "t33"]})
    play(s, "play t32", "go mrs", "stop", "done")
    refused(s, "go s07", NOT_BEGUN_HERE)
    s = table(at=["mrs"], bons={0: ["t32", "t33"]}, territory=["t21"])
    play(s, "play t32", "go nic", "stop", "play t33", "go mrs", "stop")
    refused(s, "go s07", NOT_BEGUN_HERE)


def test_a_bonus_move_of_no_space_keeps_the_berth() -> None:
    """LM-5.2  A player who stays has not left the port."""
    s = table(at=["mrs"], bons={0: ["t32"]})
    play(s, "play t32", "stop")
    assert "go s07" in options(s)


def test_a_ship_that_arrives_may_be_left_by_road_only() -> None:
    """LM-5.3  Continuing by sea through a port would be boarding again."""
    s = table(at=["s10"], sea=["m01"])
    play(s, "go nic")
    refused(s, "go s10", TWICE)
    s = table(at=["s12"], sea=["m01"])
    play(s, "go nap")
    refused(s, "go s13", NO_SHIP_TO_SHIP)


def test_a_sea_card_before_each_section() -> None:
    """LM-5.4, LM-R7  Two sections at sea need two sea cards."""
    s = table(at=["mrs"], sea=["m01", "m02"])
    play(s, "go s07", "go s08")
    assert count_drawn(len(s.sea_deck)) == 2
    assert find_pawn(s, 0) == "s08"


def test_one_sea_card_a_coup_by_variant() -> None:
    """LM-R7  `sea_card_per = coup`: the second section takes none."""
    s = table(at=["mrs"], sea=["m01", "m17"], variants={"sea_card_per": "coup"})
    play(s, "go s07", "go s08")
    assert count_drawn(len(s.sea_deck)) == 1
    assert find_pawn(s, 0) == "s08"


def test_a_sea_voucher_is_kept_and_the_step_is_made() -> None:
    """LM-5.4  BONS drawn at sea do not stop the step."""
    s = table(at=["mrs"], sea=["m29"])
    play(s, "go s07", "stop")
    assert bons(s, 0) == ["m29"]
    assert find_pawn(s, 0) == "s07"


def test_the_district_overseer_spares_the_card() -> None:
    """LM-5.5  With the district overseer no sea card is taken.

    With the circuit overseer, or one who has just joined, it is.
    """
    for overseers, cards in (({"d": 0}, 0), ({"c": 0}, 1)):
        s = table(at=["mrs"], overseers=overseers, sea=["m01"])
        play(s, "go s07", "stop")
        assert count_drawn(len(s.sea_deck)) == cards
    s = table(at=["mrs"], sea=["m16", "m01"])
    play(s, "go s07", "go s08")
    assert count_drawn(len(s.sea_deck)) == 2


def test_the_target_is_declared_before_the_card() -> None:
    """LM-5.6  The card may stop the declared step, which ends the move."""
    s = table(at=["mrs"], sea=["m17"])
    play(s, "go s07")
    assert find_pawn(s, 0) == "mrs"
    assert s.who == 1


def test_a_card_can_make_the_declared_step_unpayable() -> None:
    """LM-R7  If a sea card takes the periodical for a gendarme in the port, the step is not made and the move ends."""
    s = table(at=["s10"], gendarmes={"g1": "nic"}, periodicals=[1], sea=["m25"])
    play(s, "go nic")
    assert find_pawn(s, 0) == "s10"
    assert s.periodicals[0] == 0
    assert s.who == 1


def test_a_card_can_bring_an_overseer_who_makes_the_step_unpayable() -> None:
    """LM-R7, LM-6.6  A proclaimer whom C joins at sea must now pay to push D, cannot pay, and stays at sea."""
    s = table(at=["s10"], overseers={"d": "nic"}, periodicals=[0], sea=["m15"])
    play(s, "go nic")
    assert find_pawn(s, 0) == "s10"
    assert overseer(s, "c") == 0
    assert overseer(s, "d") == "nic"
    assert s.who == 1


def test_a_card_can_pay_nothing_back() -> None:
    """LM-R7  A second step that its sea card stops costs its speed fee nevertheless, and the pawn stays on the way."""
    s = table(at=["mrs"], sea=["m01", "m17"], periodicals=[1])
    play(s, "go s07", "go s08")
    assert find_pawn(s, 0) == "s07"
    assert s.periodicals[0] == 0


COMBINATIONS = [
    # start, others, first step, second step, allowed, sea cards
    ("lyo", (), "go nim", "go mrs", True, 0),
    ("nim", (), "go mrs", "go s07", False, 0),
    ("mrs", (), "go nim", "go lyo", True, 0),
    ("mrs", (), "go s07", "go s08", True, 2),
    ("mlg", (), "go s02", "go tng", True, 2),
    ("s08", (), "go s09", "go cag", True, 2),
    ("s10", (), "go nic", "go mrs", True, 1),
    ("s11", (), "go bas", "go s10", False, 1),
]


@pytest.mark.parametrize(("start", "others", "first", "second", "allowed", "cards"), COMBINATIONS)
def test_combinations_of_two_steps(
    start: str, others: tuple[str, ...], first: str, second: str, allowed: bool, cards: int
) -> None:
    """LM-5.2 to LM-5.4  The table of section 3.5 holds for a lone player. With D no sea cards are due."""
    for overseers, factor in (({}, 1), ({"d": 0}, 0)):
        s = table(at=[start, *others], sea=["m01", "m02"], overseers=overseers)
        play(s, first)
        assert (second in options(s)) == allowed
        if allowed:
            play(s, second)
        assert count_drawn(len(s.sea_deck)) == cards * factor


LEAPS = [
    # start, the skipped proclaimer, the landing, allowed, sea cards
    ("mrs", "s07", "s08", True, 2),
    ("s07", "s08", "s09", True, 2),
    ("s10", "nic", "mrs", True, 1),
    ("s11", "bas", "s10", False, 0),
    ("lyo", "nim", "mrs", True, 0),
    ("nim", "mrs", "s07", False, 0),
    ("nim", "mrs", "nic", True, 0),
]


@pytest.mark.parametrize(("start", "leapt", "landing", "allowed", "cards"), LEAPS)
def test_combinations_of_leaps(start: str, leapt: str, landing: str, allowed: bool, cards: int) -> None:
    """LM-5.2, LM-5.3, LM-6.9  The leaps of the table of section 3.5: a card for each section."""
    s = table(at=[start, leapt], sea=["m01", "m02"])
    leap = f"leap yellow {landing}"
    assert (leap in options(s)) == allowed
    if allowed:
        play(s, leap)
        assert find_pawn(s, 0) == landing
        assert count_drawn(len(s.sea_deck)) == cards


def test_a_leap_takes_one_card_by_variant() -> None:
    """LM-R7, LM-6.9"""
    s = table(at=["mrs", "s07"], sea=["m01", "m02"], variants={"sea_card_per": "coup"})
    play(s, "leap yellow s08")
    assert len(s.sea_deck) == 35


def test_only_the_district_overseer_spares_a_sea_card() -> None:
    """LM-5.4, LM-5.5, LM-R7  No card and no BON does: "uniquement dans ce cas"."""
    for name, effect in zip(C.card_ids, C.effect, strict=True):
        if name.startswith("m"):
            after = [other for other in ("m01", "m02", "m03", "m04") if other != name]
            s = table(at=["mrs", "s07"], periodicals=[8], sea=[name, *after])
            s.events = []
            play(s, "leap yellow s08")
            if question(s) == "PlayAtOnce":
                play(s, "done")
            drawn = sum(event.kind == "drew" for event in s.events)
            assert drawn >= 2 or effect in (HALT, STORM, BACK), name


def test_a_leap_is_told_only_when_it_is_made() -> None:
    """LM-5.6, LM-6.9  The cards come first. A player who must stay has not leapt."""
    made = ["drew", "drew", "leapt", "moved"]
    for cards, told in (
        (("m01", "m02"), made),
        (("m17", "m01"), ["drew", "stays"]),
        (("m01", "m17"), ["drew", "drew", "stays"]),
    ):
        s = table(at=["tun", "s14"], periodicals=[1], sea=list(cards))
        s.events = []
        play(s, "leap yellow cag")
        kinds = [news.kind for news in s.events]
        assert [kind for kind in kinds if kind in ("drew", "leapt", "moved", "stays")] == told


def test_a_step_that_cannot_be_paid_any_more_is_told() -> None:
    """LM-R7, LM-6.9  The card took the periodical for the gendarme, so the log says that the player stays."""
    s = table(at=["s10", "nic"], gendarmes={"g1": "mrs"}, periodicals=[2], sea=["m25"])
    s.events = []
    play(s, "leap yellow mrs")
    assert find_pawn(s, 0) == "s10"
    told = [(news.kind, news.rule) for news in s.events]
    assert ("stays", "LM-R7") in told
    assert "leapt" not in [kind for kind, _ in told]


def test_leaps_that_no_ship_allows_name_their_rule() -> None:
    """LM-5.2, LM-5.3  Leaps over a port to the sea are refused by their rule, by road and by sea."""
    s = table(at=["nim", "mrs"])
    refused(s, "leap yellow s07", NOT_BEGUN_HERE)
    s = table(at=["s11", "bas"])
    refused(s, "leap yellow s10", NO_SHIP_TO_SHIP)


def test_a_bonus_move_goes_by_road_only() -> None:
    """LM-5.2  A bonus move offers neither a lane nor a leap onto one."""
    s = table(at=["mrs", "nic"], bons={0: ["t32"]})
    play(s, "play t32")
    assert question(s) == "Advance"
    refused(s, "go s07", ROAD_ONLY)
    refused(s, "leap yellow s10", ROAD_ONLY)


def test_the_rest_of_a_move_lies_beneath_its_card() -> None:
    """LM-R8  The pending step stores start, way, spaces used, limit, free, road and no card."""
    s = table(at=["mrs"], bons={0: ["m29"]}, sea=["m01"])
    play(s, "go s07")
    assert question(s) == "Cancel"
    mrs = C.ids.index("mrs")
    assert GoOn(0, mrs, -1, 1, 2, 0, 0, 0) in s.stack
    assert s.stack[-2].who == NOBODY
