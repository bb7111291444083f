"""Tests of obstacles: gendarmes, overseers and other proclaimers (specification, section 3.6)."""

from tests.games.missionnaires.table import bons, find_pawn, guard, options, overseer, play, question, refused, table
from triclinium.games.missionnaires.rules.refusals import (
    GENDARME_UNPAID,
    LANDING_TAKEN,
    LEAP_UNPAID,
    NO_ROOM,
    NOT_AT_SEA,
    NOT_EMPTY,
    OVERSEER_ROOM,
    OVERSEER_UNPAID,
    TAKEN,
    TOO_FAR,
)


def test_nobody_is_ever_on_a_gendarmes_space() -> None:
    """LM-6.1, LM-6.2  A gendarme is moved before a proclaimer enters his space."""
    s = table(at=["tls"], periodicals=[2])
    play(s, "go per")
    assert question(s) == "PushTo"
    assert find_pawn(s, 0) == "tls"
    play(s, "to bar")
    assert guard(s, "g1") == "bar"
    assert find_pawn(s, 0) == "per"
    assert s.periodicals[0] == 1


def test_accompanied_the_push_is_free() -> None:
    """LM-6.2  An accompanied proclaimer pushes a gendarme without a periodical."""
    s = table(at=["tls"], periodicals=[0], overseers={"c": 0})
    play(s, "go per", "to nim")
    assert find_pawn(s, 0) == "per"
    assert s.periodicals[0] == 0


def test_a_newly_joined_proclaimer_pays_full_fees() -> None:
    """LM-7.3, LM-6.2  A proclaimer whom an overseer joined in this coup still pays for a push."""
    s = table(at=["tls"], periodicals=[1], bons={0: ["t35"]})
    play(s, "play t35", "go per", "to nim")
    assert s.periodicals[0] == 0
    assert overseer(s, "c") == 0


def test_the_fee_needs_a_periodical() -> None:
    """LM-6.2  Without a periodical and without a BON the step is refused."""
    s = table(at=["tls"], periodicals=[0])
    refused(s, "go per", GENDARME_UNPAID)


def test_a_gendarme_is_pushed_to_an_empty_town_by_road() -> None:
    """LM-6.3  Occupied towns are forbidden. The space being left is allowed, so they can change places."""
    s = table(at=["tls", "nim"], periodicals=[2])
    play(s, "go per")
    refused(s, "to nim", NOT_EMPTY)
    assert options(s) == ["to tls", "to bar"]
    play(s, "to tls")
    assert guard(s, "g1") == "tls"
    assert find_pawn(s, 0) == "per"


def test_no_gendarme_is_put_on_the_bethel_or_at_sea() -> None:
    """LM-6.3, LM-R10, LM-3.8  From Bourges a gendarme can only change places.

    From a port he is never pushed onto a lane.
    """
    s = table(at=["lim", "lrh"], gendarmes={"g1": "bou"})
    play(s, "go bou")
    assert guard(s, "g1") == "lim"
    s = table(at=["tls", "bou"], gendarmes={"g1": "lim"})
    play(s, "go lim")
    assert guard(s, "g1") == "tls"
    s = table(at=["nim"], gendarmes={"g1": "mrs"})
    play(s, "go mrs")
    assert options(s) == ["to nic", "to nim"]
    s = table(at=["bet"], gendarmes={"g1": "aux", "g2": "dij"})
    refused(s, "go aux", NO_ROOM)


def test_no_pawn_is_pushed_or_sent_to_sea() -> None:
    """LM-3.8, LM-6.3, LM-6.8  A white point next to the port is refused by its rule."""
    s = table(at=["nim"], gendarmes={"g1": "mrs"})
    play(s, "go mrs")
    refused(s, "to s07", NOT_AT_SEA)
    s = table(at=["nim"], overseers={"c": "mrs"})
    play(s, "go mrs", "push")
    refused(s, "to s07", NOT_AT_SEA)
    s = table(at=["lyo"], territory=["t14"], gendarmes={"g1": "mrs"})
    play(s, "go gre", "stop", "guard g1")
    refused(s, "to s07", NOT_AT_SEA)


def test_a_gendarme_without_room_blocks_the_way() -> None:
    """LM-6.4, LM-R13  A pawn without an empty neighbouring space cannot be pushed, so the step is refused."""
    s = table(at=["s10", "mrs"], gendarmes={"g1": "nic"})
    refused(s, "go nic", NO_ROOM)


def test_the_fee_comes_on_top_of_the_speed() -> None:
    """LM-6.5  A second step onto a gendarme's space costs two periodicals, and is refused with one."""
    s = table(at=["lim"], periodicals=[2])
    play(s, "go tls", "go per", "to nim")
    assert s.periodicals[0] == 0
    s = table(at=["mrs"], periodicals=[1])
    play(s, "go nim")
    refused(s, "go per", GENDARME_UNPAID)


def test_the_fee_is_due_for_a_gendarme_passed_through() -> None:
    """LM-6.5  The fee for a gendarme is due whether the player stops there or continues."""
    s = table(at=["tls"], periodicals=[2])
    play(s, "go per", "to bar", "go nim")
    assert find_pawn(s, 0) == "nim"
    assert s.periodicals[0] == 0


def test_a_proclaimer_alone_joins_or_pushes_the_overseer() -> None:
    """LM-6.6  A lone player may be joined, which ends the move, or pay a periodical to push the overseer."""
    s = table(at=["lyo"], overseers={"c": "nim"})
    play(s, "go nim")
    assert question(s) == "Meet"
    assert options(s) == ["push", "join c"]
    play(s, "join c")
    assert overseer(s, "c") == 0
    assert s.who == 1
    s = table(at=["lyo"], overseers={"c": "nim"}, periodicals=[2])
    play(s, "go nim", "push", "to mrs")
    assert overseer(s, "c") == "mrs"
    assert s.periodicals[0] == 1
    assert question(s) == "GoOn"


def test_pushing_an_overseer_needs_a_periodical() -> None:
    """LM-6.6  Without a periodical the overseer joins without a question.

    A newly joined proclaimer cannot enter at all.
    """
    s = table(at=["lyo"], overseers={"c": "nim"}, periodicals=[0], territory=["t29"])
    play(s, "go nim")
    assert overseer(s, "c") == 0
    s = table(at=["lyo"], overseers={"c": "nim"}, periodicals=[0], bons={0: ["m36"]})
    play(s, "play m36")
    refused(s, "go nim", OVERSEER_UNPAID)


def test_an_accompanied_proclaimer_pushes_the_other_overseer_free() -> None:
    """LM-6.7  A proclaimer with one overseer pushes the other one for free, because nobody travels with both."""
    s = table(at=["lyo"], overseers={"c": "nim", "d": 0}, periodicals=[0], territory=["t29"])
    play(s, "go nim")
    assert question(s) == "PushTo"
    play(s, "to mrs", "stop")
    assert overseer(s, "c") == "mrs"
    assert overseer(s, "d") == 0


def test_an_overseer_may_be_pushed_onto_the_bethel() -> None:
    """LM-6.8  An overseer may be pushed onto the Bethel even if others are there, but never onto another pawn."""
    s = table(at=["lim", "bet"], overseers={"c": "bou"}, periodicals=[1])
    play(s, "go bou", "push")
    assert options(s) == ["to bet", "to lim"]
    s = table(at=["lyo", "mrs"], overseers={"c": "nim"}, gendarmes={"g1": "cai"})
    play(s, "go nim", "push")
    refused(s, "to mrs", OVERSEER_ROOM)


def test_an_overseer_without_room_goes_to_the_bethel() -> None:
    """LM-6.8, LM-R13  An overseer on an island, from which no road leads away, goes to the Bethel."""
    s = table(at=["s10"], overseers={"c": "bas"}, periodicals=[1], sea=["m01"])
    play(s, "go bas", "push")
    assert overseer(s, "c") == "bet"
    assert find_pawn(s, 0) == "bas"


def test_a_leap_costs_one_periodical_alone() -> None:
    """LM-6.9, LM-R5  A leap uses two spaces, and nothing happens on the skipped space."""
    s = table(at=["lyo", "nim"], periodicals=[1])
    refused(s, "go nim", TAKEN)
    play(s, "leap yellow mrs")
    assert find_pawn(s, 0) == "mrs"
    assert s.periodicals[0] == 0
    assert s.who == 1


def test_a_leap_is_free_in_company() -> None:
    """LM-6.9  A player alone without a periodical cannot leap."""
    s = table(at=["lyo", "nim"], periodicals=[0], overseers={"c": 0})
    play(s, "leap yellow mrs")
    assert find_pawn(s, 0) == "mrs"
    s = table(at=["lyo", "nim"], periodicals=[0])
    refused(s, "leap yellow mrs", LEAP_UNPAID)


def test_a_leap_after_a_step_is_too_far() -> None:
    """LM-3.4  After a step one space is left, and a leap uses two."""
    s = table(at=["dij", "nim"])
    play(s, "go lyo")
    refused(s, "leap yellow mrs", TOO_FAR)


def test_the_landing_must_be_free_of_proclaimers() -> None:
    """LM-6.10, LM-R5  Two proclaimers in a row cannot be leapt. On the Bethel there is always room to land."""
    s = table(at=["lyo", "nim", "mrs"])
    refused(s, "leap yellow mrs", LANDING_TAKEN)
    s = table(at=["lim", "bou", "bet"])
    play(s, "leap yellow bet")
    assert find_pawn(s, 0) == "bet"


def test_a_gendarme_at_the_landing_has_his_own_fee() -> None:
    """LM-6.10  A leap onto a gendarme's space costs two periodicals, and is refused with one."""
    s = table(at=["lyo", "nim"], periodicals=[2])
    play(s, "leap yellow per", "to bar")
    assert find_pawn(s, 0) == "per"
    assert s.periodicals[0] == 0
    s = table(at=["lyo", "nim"], periodicals=[1])
    refused(s, "leap yellow per", GENDARME_UNPAID)


def test_an_overseer_at_the_landing_is_met() -> None:
    """LM-6.10  A lone proclaimer who lands on an overseer's space is joined there."""
    s = table(at=["lyo", "nim"], overseers={"d": "mrs"}, periodicals=[1])
    play(s, "leap yellow mrs")
    assert overseer(s, "d") == 0


def test_an_overseer_next_to_a_proclaimer_is_leapt_with_him() -> None:
    """LM-R5, LM-R23  An overseer next to a proclaimer is leapt together with the proclaimer, who occupies the space."""
    s = table(at=["lyo", "nim"], overseers={"c": "nim"})
    refused(s, "go nim", TAKEN)
    play(s, "leap yellow mrs")
    assert overseer(s, "c") == "nim"


def test_a_pass_voucher_pays_the_fee() -> None:
    """LM-8.4  A *pass* voucher replaces the periodical for a gendarme or an overseer."""
    s = table(at=["tls"], bons={0: ["t29"]}, periodicals=[3])
    play(s, "go per")
    assert question(s) == "Fee"
    assert options(s) == ["pay", "use t29"]
    play(s, "use t29", "to bar")
    assert s.periodicals[0] == 3
    assert bons(s, 0) == []


def test_a_single_pass_voucher_is_used_without_a_question() -> None:
    """LM-8.4  Without a periodical it is the only possibility."""
    s = table(at=["tls"], bons={0: ["t29"]}, periodicals=[0])
    play(s, "go per", "to bar")
    assert find_pawn(s, 0) == "per"
    assert bons(s, 0) == []
    s = table(at=["tls"], bons={0: ["t29"]}, periodicals=[1])
    play(s, "go per")
    s.periodicals[0] = 0
    s.legal = s.asked.options(s)
    refused(s, "pay", GENDARME_UNPAID)


def test_an_overseer_may_take_the_place_that_is_left() -> None:
    """LM-R13  A pushed overseer may take the space that the proclaimer leaves, unless a second overseer stays there."""
    s = table(at=["lyo"], overseers={"c": "nim", "d": "lyo"}, gendarmes={"g1": "cai"}, periodicals=[1])
    play(s, "go nim", "push")
    refused(s, "to lyo", OVERSEER_ROOM)
    s = table(at=["lyo"], overseers={"c": "nim"}, periodicals=[1])
    play(s, "go nim", "push", "to lyo")
    assert overseer(s, "c") == "lyo"
