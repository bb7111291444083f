"""The guide's advice for Les Missionnaires."""

from bench.beginners.advice import Advice, Decision
from triclinium.engine.core.state import Option
from triclinium.games.missionnaires.rules.components import (
    BACK,
    CONG_ADD,
    DONE,
    GO,
    GOTO,
    GUARD,
    HALT,
    JOIN,
    LEAP,
    LEAVE,
    LOSE,
    OBEY,
    PASS,
    PAY,
    PAY_OR_SKIP,
    RIVAL,
    SHOW,
    SKIP,
    SLOT,
    STOP,
    STORM,
    TO,
)

RESERVE = 2  # periodicals that are kept for gendarmes
HARMFUL = (SKIP, PAY_OR_SKIP, LOSE, LEAVE, GOTO, CONG_ADD, HALT, STORM, BACK)


def list_goals(d: Decision) -> list[int]:
    """Return the towns still to visit, or the Bethel when all are visited."""
    c = d.s.c
    return [c.congregation_at[card] for card in d.s.hand[d.seat]] or [c.bethel]


def find_next_goal(d: Decision) -> int:
    """Return the nearest town still to visit; among equals the one farther from the Bethel."""
    c = d.s.c
    here = d.s.at[d.seat]
    return min(list_goals(d), key=lambda town: (c.distance[here][town], -c.distance[town][c.bethel]))


def measure_way(d: Decision, space: int, goal: int) -> int:
    return int(d.s.c.distance[space][goal])


def get_landing(d: Decision, o: Option) -> int:
    return o - GO if o < LEAP else (o - LEAP) % d.s.c.spaces


def rate_step(d: Decision, o: Option, goal: int) -> float:
    """A step towards the goal; an own town on the way comes first; a gendarme in the way counts as a space."""
    space = get_landing(d, o)
    own = space in list_goals(d)
    return 10.0 * own - measure_way(d, space, goal) - (0.6 if d.s.has_gendarme(space) and not own else 0.0)


def move(d: Decision) -> Option:
    """Step towards the nearest town that is still to visit."""
    steps = d.list_options("go", "leap")
    goal = find_next_goal(d)
    here = measure_way(d, d.s.at[d.seat], goal)
    nearer = [o for o in steps if measure_way(d, get_landing(d, o), goal) < here]
    if nearer:
        return d.best(nearer, lambda o: rate_step(d, o, goal))
    if d.list_options("burn") and not d.s.hand[d.seat]:
        return d.list_options("burn")[0]
    return d.best(steps, lambda o: rate_step(d, o, goal)) if steps else d.first(PASS)


def go_on(d: Decision) -> Option:
    """Stop in an own town; otherwise take the second space if it brings nearer and periodicals are left."""
    s = d.s
    here = s.at[d.seat]
    if here in list_goals(d):
        return STOP
    goal = find_next_goal(d)
    nearer = [
        o for o in d.list_options("go", "leap") if measure_way(d, get_landing(d, o), goal) < measure_way(d, here, goal)
    ]
    if not nearer:
        return STOP
    o = d.best(nearer, lambda o: rate_step(d, o, goal))
    after = d.preview_option(o)
    spends = s.periodicals[d.seat] - after.periodicals[d.seat]  # type: ignore[attr-defined]
    return (
        o
        if spends == 0 or s.periodicals[d.seat] - spends >= (RESERVE if get_landing(d, o) not in list_goals(d) else 0)
        else STOP
    )


def travel_with_him(d: Decision) -> Option:
    return d.first(JOIN, JOIN + 1)


def pay(d: Decision) -> Option:
    """Use a voucher for free passage before a periodical."""
    vouchers = d.list_options("use")
    return vouchers[0] if vouchers else d.first(PAY)


def push_away(d: Decision) -> Option:
    """Put the gendarme where it is farthest from the next town."""
    goal = find_next_goal(d)
    return d.best(d.legal, lambda o: measure_way(d, o - TO, goal))


def choose_gendarme(d: Decision) -> Option:
    """Move the gendarme that is nearest to the next town."""
    goal = find_next_goal(d)
    guards = d.list_options("guard")
    return d.best(guards, lambda o: -measure_way(d, d.s.gendarmes[o - GUARD], goal)) if guards else d.legal[0]


def pay_or_skip(d: Decision) -> Option:
    """Pay if that leaves a periodical."""
    return d.first(PAY) if d.s.periodicals[d.seat] > d.s.asked.n else d.legal[-1]


def drop_farthest(d: Decision) -> Option:
    """Choose the town that is farthest from the others."""
    c = d.s.c
    towns = list_goals(d)

    def loneliness(o: Option) -> float:
        card = d.s.hand[d.seat][o - SLOT] if o < SHOW else o - SHOW
        there = c.congregation_at[card]
        return min([c.distance[there][other] for other in towns if other != there], default=0)

    return d.best(d.list_options("swap", "show") or d.legal, loneliness)


def use_voucher(d: Decision) -> Option:
    """Use a voucher as soon as it helps: bonus moves, periodicals and overseers at once."""
    plays = d.list_options("play", "use")
    return plays[0] if plays else d.first(DONE, OBEY)


def cancel(d: Decision) -> Option:
    """Cancel a card that costs a turn, periodicals, the overseer or the way, and obey the others."""
    harms = d.s.c.effect[d.s.asked.card] in HARMFUL
    return d.list_options("use")[0] if harms else OBEY


def choose_rival(d: Decision) -> Option:
    """Choose the player with the fewest towns left."""
    left = {RIVAL + d.s.colour[seat]: len(d.s.hand[seat]) for seat in range(d.s.seats)}
    return d.best(d.legal, lambda o: -left.get(o, 0))


def send_far(d: Decision) -> Option:
    """Send another player as far from the Bethel as possible."""
    c = d.s.c
    return d.best(d.legal, lambda o: c.distance[o - TO][c.bethel])


def pick_first(d: Decision) -> Option:
    return d.legal[0]


ADVICE: Advice = {
    "PickColour": pick_first,
    "Main": move,
    "GoOn": go_on,
    "Advance": go_on,
    "Meet": travel_with_him,
    "BethelJoin": travel_with_him,
    "Fee": pay,
    "PushTo": push_away,
    "MoveGendarme": choose_gendarme,
    "SendGendarme": push_away,
    "MoveRival": choose_rival,
    "RivalTo": send_far,
    "PayOrSkip": pay_or_skip,
    "CongDone": drop_farthest,
    "Swap": drop_farthest,
    "StormPort": send_far,
    "Cancel": cancel,
    "PlayAtOnce": use_voucher,
    "BonWindow": use_voucher,
    "PlayOn": pick_first,
}
