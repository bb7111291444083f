"""Tests of the turn (specification, section 3.2) and of passing (LM-R12)."""

from tests.games.missionnaires.table import find_pawn, options, overseer, play, question, refused, table
from triclinium.games.missionnaires.rules.refusals import PASSED_BEFORE


def test_a_missed_turn_ends_at_once() -> None:
    """LM-2.1  A player with missed turns loses one, and the next player is asked."""
    s = table(seats=3, at=["lyo", "mil", "rom"], missed=[0, 2, 0])
    play(s, "pass")
    assert s.who == 2
    assert s.missed == [0, 1, 0]


def test_a_coup_is_one_main_action_between_two_windows() -> None:
    """LM-2.2  A coup is a BON window, a main action and another BON window. Then it is the next player's turn."""
    s = table(at=["lyo"], bons={0: ["t34"]}, periodicals=[1])
    assert question(s) == "BonWindow"
    play(s, "done")
    assert question(s) == "Main"
    play(s, "pass")
    assert question(s) == "BonWindow"
    play(s, "play t34")
    assert s.periodicals[0] == 4
    assert s.who == 1


def test_the_main_action_is_move_pass_or_burn() -> None:
    """LM-2.3  One step to each free neighbour, pass, or burn a BON."""
    s = table(at=["lyo"], bons={0: ["m29"]})
    assert options(s) == ["go dij", "go gre", "go nim", "pass", "burn m29"]


def test_passing_is_allowed() -> None:
    """LM-2.4, LM-6.11  Every player may pass, and nothing moves."""
    s = table(at=["lyo"])
    play(s, "pass")
    assert find_pawn(s, 0) == "lyo"
    assert s.who == 1


def test_replay_gives_a_second_coup() -> None:
    """LM-2.5  The same player begins another coup at once."""
    s = table(at=["lyo"], territory=["t26"])
    play(s, "go gre", "stop")
    assert s.who == 0
    assert question(s) == "Main"
    play(s, "pass")
    assert s.who == 1


def test_a_replay_in_the_second_coup_has_no_effect() -> None:
    """LM-2.5, LM-R19  At most two coups in a turn."""
    s = table(at=["lyo"], territory=["t26"], bons={0: ["t32"]})
    play(s, "done", "go gre", "stop", "done")
    s.deck.append(s.discard.pop())
    play(s, "done", "go tur", "stop")
    play(s, "done")
    assert s.who == 1


def test_a_second_coup_begins_where_the_first_ended() -> None:
    """LM-2.5, LM-5.2  In the second coup a ship may be boarded in the port where it begins."""
    s = table(at=["val"], territory=["t26"])
    play(s, "go ali", "stop")
    assert "go s03" in options(s)


def test_nobody_passes_twice_running_on_a_congregation() -> None:
    """LM-R12  A player may not pass twice on a congregation while a step costs neither periodical nor BON."""
    s = table(seats=2, at=["lyo", "mad"])
    play(s, "pass", "pass")
    refused(s, "pass", PASSED_BEFORE)
    assert "pass" not in options(s)


def test_passing_twice_is_allowed_elsewhere() -> None:
    """LM-R12  In a green town a pawn can be leapt, so it may stay."""
    s = table(seats=2, at=["gre", "nim"])
    play(s, "pass", "pass", "pass")
    assert s.who == 1


def test_passing_twice_is_allowed_when_every_step_costs() -> None:
    """LM-R12  A player who is shut in by gendarmes, with a fee on every side, may pass again."""
    s = table(seats=2, at=["tls", "mad"], gendarmes={"g2": "lim"}, periodicals=[3])
    play(s, "pass", "pass")
    assert options(s) == ["go per", "go lim", "pass"]


def test_a_missed_turn_is_no_turn_played() -> None:
    """LM-R12  Passing before and after a missed turn counts as passing twice in a row."""
    s = table(seats=2, at=["lyo", "mad"], territory=["t21"])
    play(s, "pass")
    s.missed[0] = 1
    play(s, "pass", "go bur", "stop")
    assert s.who == 0
    refused(s, "pass", PASSED_BEFORE)


def test_passing_in_the_first_coup_does_not_hide_the_turn_before() -> None:
    """LM-R12, LM-2.5  A player who passed last turn and in the first coup may not pass in the second one.

    This applies to a player on a congregation.
    """
    s = table(seats=2, at=["dij", "mad"], bons={0: ["t32", "t33"]}, territory=["t26"])
    play(s, "done", "pass", "done", "pass")
    play(s, "play t32", "go aux", "stop", "done", "pass", "play t33", "go dij", "go lyo", "stop")
    assert question(s) == "Main"
    refused(s, "pass", PASSED_BEFORE)


def test_passing_in_both_coups_of_a_turn() -> None:
    """LM-R12, LM-2.5  The previous turn counts. Without a pass in it, both coups of this turn may be passes."""
    s = table(seats=2, at=["dij", "mad"], bons={0: ["t32", "t33"]}, territory=["t26"])
    play(s, "play t32", "go aux", "stop", "done", "pass", "play t33", "go dij", "go lyo", "stop")
    assert (s.who, question(s)) == (0, "Main")
    play(s, "pass", "pass")
    assert s.who == 0
    refused(s, "pass", PASSED_BEFORE)


def test_relief_for_the_poor_beside_an_obstacle() -> None:
    """LM-R12  A lone player without periodicals next to a gendarme gets one periodical by passing."""
    s = table(at=["tls"], periodicals=[0])
    play(s, "pass")
    assert s.periodicals[0] == 1


def test_no_relief_away_from_obstacles_or_in_company_or_with_a_periodical() -> None:
    """LM-R12  A pass brings no periodical if one of the conditions is missing."""
    for s in (
        table(at=["lyo"], periodicals=[0]),
        table(at=["tls"], periodicals=[1]),
        table(at=["tls"], periodicals=[0], overseers={"c": 0}),
        table(at=["tls"], periodicals=[0], variants={"relief": False}),
        table(at=["bou", "bet"], periodicals=[0]),
    ):
        before = s.periodicals[0]
        play(s, "pass")
        assert s.periodicals[0] == before


def test_relief_beside_another_proclaimer_and_beside_an_overseer() -> None:
    """LM-R12  Obstacles are gendarmes, unattached overseers and other proclaimers."""
    s = table(at=["lyo", "gre"], periodicals=[0])
    play(s, "pass")
    assert s.periodicals[0] == 1
    s = table(at=["lyo"], overseers={"d": "nim"}, periodicals=[0])
    play(s, "pass")
    assert s.periodicals[0] == 1


def test_missed_turns_add_up_and_the_overseer_stays() -> None:
    """LM-R21  Two cards make the player miss two turns, and the overseer stays in company."""
    s = table(seats=2, at=["gre", "mad"], overseers={"c": 0}, missed=[1, 0], territory=["t01"])
    play(s, "go tur", "stop")
    assert s.missed[0] == 2
    play(s, "pass")
    assert s.who == 1
    assert s.missed[0] == 1
    assert overseer(s, "c") == 0
