"""Tests of plans: several moves as one decision, made on the seat's next turns (docs/architecture.md)."""

from tests.games.testoftime.table import SHORT_CARDS, A, B, play, table
from triclinium.engine.auto_replies import AutoReplies, create_plan, find_applicable_reply
from triclinium.games.testoftime.rules.state import TestOfTime

MINE = {A: ["tools", "art"], B: ["tools"]}


def follow_plan(s: TestOfTime, plan: str) -> list[str]:
    """Choose a plan for seat A, and return the options that it gives until seat A is asked again."""
    chosen = create_plan(s, plan)
    replies: AutoReplies = {(A, chosen.step): chosen}
    made: list[str] = []
    while s.who != A or find_applicable_reply(s, replies) is not None:
        if s.who == A:
            made.append(SHORT_CARDS.format_option(s.asked.plan_option(s, plan)))
            play(s, made[-1])
        else:
            play(s, "pass")
    return made


def test_plans_are_offered_while_they_spare_moves() -> None:
    """TT-5.1, TT-6.1  Plans are offered only while they spare at least one move."""
    assert table(testaments=MINE).asked.list_plans(table(testaments=MINE)) == [
        "preserve_sire",
        "preserve",
        "sire",
        "pass",
    ]
    one = table(testaments={A: ["tools"], B: ["tools"]})
    assert one.asked.list_plans(one) == ["preserve_sire", "sire", "pass"]
    poor = table(testaments=MINE, followers=(2, 20))
    assert poor.asked.list_plans(poor) == ["pass"]


def test_everything_is_preserved_and_then_sired_in_every_zone() -> None:
    """TT-5.1, TT-6.1  The plan pays with as few shamans as possible, and then asks again."""
    s = table(testaments=MINE, shamans=(2, 0))
    made = follow_plan(s, "preserve_sire")
    moves = [option for option in made if option in ("preserve", "sire")]
    assert moves == ["preserve"] * 2 + ["sire"] * s.c.sire_zones
    assert set(made) - {"preserve", "sire"} <= {"on 1", "on 2", "shamans 0"}
    assert (s.who, s.asked.id) == (A, "Move")


def test_an_attack_interrupts_a_plan() -> None:
    """TT-9.1, TT-10.1  An attack on the player ends a plan."""
    s = table(testaments=MINE)
    chosen = create_plan(s, "sire")
    replies: AutoReplies = {(A, chosen.step): chosen}
    play(s, "sire", "attack", "at 0 1", "followers 2")
    assert (s.who, find_applicable_reply(s, replies)) == (A, None)
    assert s.asked.list_plans(s) == ["pass 2"]
    play(s, "defend", "followers 2", "pass")
    assert find_applicable_reply(s, replies) is chosen


def test_passing_goes_on_until_more_attackers_come() -> None:
    """TT-10.1  The plan passes for the player until more attackers come."""
    s = table(testaments=MINE)
    play(s, "pass", "attack", "at 0 1", "followers 2")
    chosen = create_plan(s, "pass 2")
    replies: AutoReplies = {(A, chosen.step): chosen}
    play(s, "pass", "sire")
    assert find_applicable_reply(s, replies) is chosen
    play(s, "pass", "attack", "at 0 2", "followers 1")
    assert find_applicable_reply(s, replies) is None
