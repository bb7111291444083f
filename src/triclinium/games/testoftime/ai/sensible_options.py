"""The options that a bot thinks about: few sizes of an attack, one of what is alike, nothing that changes nothing."""

from triclinium.engine.core.state import Option, Seat
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans, ChooseTarget
from triclinium.games.testoftime.rules.actions.create import ChooseSpace
from triclinium.games.testoftime.rules.actions.defend import DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.actions.meet import Meet
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.actions.preserve import preserve_cost
from triclinium.games.testoftime.rules.actions.reverse import (
    ChooseMark,
    ChooseReversed,
    ChooseRounds,
    DefendPastWithFollowers,
    DefendPastWithShamans,
    Past,
    forbids_target,
)
from triclinium.games.testoftime.rules.components import (
    AT,
    ATTACK,
    CREATE,
    FOLLOWERS,
    KEEP,
    ON,
    REVERSE,
    ROUNDS,
    SHAMANS,
    SIRE,
)
from triclinium.games.testoftime.rules.reversal_effects import most_rounds, reached
from triclinium.games.testoftime.rules.state import (
    NONE,
    Record,
    Slot,
    TestOfTime,
    is_preserved,
    strips_by_attack,
)
from triclinium.games.testoftime.rules.turn import Move


def sensible(s: TestOfTime) -> list[Option]:
    """Those of the legal options, never none."""
    legal = s.legal
    if len(legal) == 1:
        return legal
    step = s.stack[-1]
    if isinstance(step, Move):
        return moves(s, step.who)
    if isinstance(step, ChooseSpace):
        return [space(s, step.who)]
    if isinstance(step, ChooseTarget):
        return [o for o in legal if is_target(s, step.who, o - AT)] or legal
    if isinstance(step, AttackWithShamans):
        return attacking_shamans(s, step.who, step.slot)
    if isinstance(step, AttackWithFollowers):
        return attacking_followers(s, step.who, step.slot, step.shamans)
    if isinstance(step, DefendWithFollowers):
        middle = legal[len(legal) // 2]
        return ends([legal[0], middle, legal[-1]] if legal[0] == FOLLOWERS else [middle, legal[-1]])
    if isinstance(step, ChooseReversed):
        return [o for o in legal if is_worth_reversing(s, step.who, o - AT)] or legal
    if isinstance(step, ChooseRounds):
        return rounds(s, step.who, step.slot)
    if isinstance(step, Past):
        return past(s, step)
    if isinstance(step, (Payment, Meet, DefendWithShamans)):
        return ends([legal[0], legal[-1]])
    return legal


def ends(few: list[Option]) -> list[Option]:
    """In order, each once."""
    return sorted(set(few))


def moves(s: TestOfTime, who: Seat) -> list[Option]:
    """Without attacks and reversals that bring nothing; in the last round nothing is begun that bears fruit later."""
    last = s.round == s.rounds
    found: list[Option] = []
    for o in s.legal:
        if o == ATTACK:
            if not any_target(s, who):
                continue
        elif o == REVERSE:
            if not any_reversal(s, who):
                continue
        elif last and o in (CREATE, SIRE):
            continue
        found.append(o)
    return found


def space(s: TestOfTime, who: Seat) -> Option:
    """The first vacant space; else the one whose buried Testament would be hardest to raise."""
    spaces = s.c.spaces
    deepest = s.legal[0]
    most = -1
    for o in s.legal:
        slot = who * spaces + o - ON
        if s.kind[slot] == NONE:
            return o
        if len(s.past[slot]) > most:
            most = len(s.past[slot])
            deepest = o
    return deepest


# -- attacks ----------------------------------------------------------------------------------------------------------


def any_target(s: TestOfTime, who: Seat) -> bool:
    spaces = s.c.spaces
    for slot in range(len(s.seen)):
        if s.seen[slot] > 0 and slot // spaces != who and is_target(s, who, slot):
            return True
    return False


def is_target(s: TestOfTime, who: Seat, slot: Slot) -> bool:
    """Whether an attack can still take something, and is not the second one of this seat before it was answered."""
    forces = s.attackers[slot]
    if not forces:
        return True
    if s.defenders[slot] == 0:
        for force in forces:
            if force >> 16 == who:
                return False
    return to_strip_for_sure(s, slot) > 0


def to_strip_for_sure(s: TestOfTime, slot: Slot) -> int:
    """What strength takes all sections whatever the owner has waiting; more would be wasted."""
    return s.seen[slot] - s.uncovered(slot) + s.worth(slot // s.c.spaces)


def attacking_shamans(s: TestOfTime, who: Seat, slot: Slot) -> list[Option]:
    """None, or as many as are of use."""
    power = s.power(who)
    enough = max(1, (to_strip_for_sure(s, slot) + power - 1) // power)
    return ends([s.legal[0], min(s.legal[-1], SHAMANS + enough)])


def attacking_followers(s: TestOfTime, who: Seat, slot: Slot, shamans: int) -> list[Option]:
    """What strips all if nobody defends, half of that, what strips all for sure, what upkeep leaves free."""
    brought = shamans * s.power(who)
    sure = to_strip_for_sure(s, slot) - brought
    bare = sure - s.worth(slot // s.c.spaces)
    least = s.legal[0] - FOLLOWERS
    most = max(least, min(s.legal[-1] - FOLLOWERS, sure))
    found: list[Option] = []
    for strength in (bare, bare // 2, sure, s.waiting[who] - unpaid(s, who)):
        o = FOLLOWERS + max(least, min(most, strength))
        if o not in found:
            found.append(o)
    found.sort()
    return found


def unpaid(s: TestOfTime, who: Seat) -> int:
    """The upkeep that a seat has not paid yet this round."""
    spaces = s.c.spaces
    cost = 0
    for slot in range(who * spaces, (who + 1) * spaces):
        if s.seen[slot] > 0 and s.keepers[slot] == 0:
            cost += preserve_cost(s, slot)
    return cost


# -- the past ---------------------------------------------------------------------------------------------------------


def any_reversal(s: TestOfTime, who: Seat) -> bool:
    for slot in range(len(s.kind)):
        if s.past[slot] and forbids_target(s, who, slot) is None and is_worth_reversing(s, who, slot):
            return True
    return False


def is_worth_reversing(s: TestOfTime, who: Seat, slot: Slot) -> bool:
    """Whether some number of rounds changes what is seen."""
    for n in range(1, most_rounds(s, who, slot) + 1):
        if reached(s, who, slot, n) != s.seen[slot]:
            return True
    return False


def rounds(s: TestOfTime, who: Seat, slot: Slot) -> list[Option]:
    """So far back that the oldest record is one to be changed, and that something is seen of it."""
    past = s.past[slot]
    own = slot // s.c.spaces == who
    found: list[Option] = []
    for o in s.legal:
        n = o - ROUNDS
        if can_change(past[len(past) - n], own) and reached(s, who, slot, n) != s.seen[slot]:
            found.append(o)
    return found or s.legal


def can_change(record: Record, own: bool) -> bool:
    return is_preserved(record) != own or (own and strips_by_attack(record) > 0)


def is_payable(s: TestOfTime, step: Past, record: Record) -> bool:
    """Whether a later record can still be changed by whoever waits now, if nothing is spent on the one in hand."""
    worth = s.waiting[step.who] + s.waiting_shamans[step.who] * step.power
    own = step.is_own(s)
    return (is_preserved(record) != own and worth >= step.price) or (own and strips_by_attack(record) > 0 and worth > 0)


def past(s: TestOfTime, step: Past) -> list[Option]:
    """Leave out what brings nothing.

    A record that is paid for already, or can be the only payment (TT-14.6), is spoiled. Where each costs, something is
    changed at the last chance.
    """
    legal = s.legal
    own = step.is_own(s)
    records = s.past[step.slot]
    last = not any(is_payable(s, step, record) for record in records[step.at + 1 :])
    if isinstance(step, ChooseMark):
        if (s.one_payment and not own) or (last and (not own or strips_by_attack(records[step.at]) == 0)):
            return [o for o in legal if o != KEEP]
        return legal
    if isinstance(step, DefendPastWithShamans):
        return [legal[-1]] if last and s.waiting[step.who] == 0 else ends([legal[0], legal[-1]])
    if isinstance(step, DefendPastWithFollowers):
        return [legal[-1]] if last and step.shamans == 0 else ends([legal[0], legal[-1]])
    return legal
