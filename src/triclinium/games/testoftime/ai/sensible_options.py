"""The options worth considering: a few sizes of an attack, one of several equal options, and none without an effect."""

from triclinium.engine.core.state import Option, Seat
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans, ChooseTarget
from triclinium.games.testoftime.rules.actions.create import ChooseSpace
from triclinium.games.testoftime.rules.actions.defend import DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.actions.meet import Meet
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.actions.preserve import compute_preserve_cost
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
from triclinium.games.testoftime.rules.reversal_effects import count_best_sections, count_max_rounds
from triclinium.games.testoftime.rules.state import NONE, Record, Slot, TestOfTime, count_strips_by_attack, is_preserved
from triclinium.games.testoftime.rules.turn import Move


def list_sensible_options(s: TestOfTime) -> list[Option]:
    """Return the legal options worth considering, at least one."""
    legal = s.legal
    if len(legal) == 1:
        return legal
    step = s.stack[-1]
    if isinstance(step, Move):
        return list_sensible_moves(s, step.who)
    if isinstance(step, ChooseSpace):
        return [choose_create_space(s, step.who)]
    if isinstance(step, ChooseTarget):
        return [o for o in legal if is_target(s, step.who, o - AT)] or legal
    if isinstance(step, AttackWithShamans):
        return list_sensible_shamans(s, step.who, step.slot)
    if isinstance(step, AttackWithFollowers):
        return list_sensible_followers(s, step.who, step.slot, step.shamans)
    if isinstance(step, DefendWithFollowers):
        middle = legal[len(legal) // 2]
        return sort_unique([legal[0], middle, legal[-1]] if legal[0] == FOLLOWERS else [middle, legal[-1]])
    if isinstance(step, ChooseReversed):
        return [o for o in legal if is_worth_reversing(s, step.who, o - AT)] or legal
    if isinstance(step, ChooseRounds):
        return list_sensible_rounds(s, step.who, step.slot)
    if isinstance(step, Past):
        return list_sensible_past_options(s, step)
    if isinstance(step, (Payment, Meet, DefendWithShamans)):
        return sort_unique([legal[0], legal[-1]])
    return legal


def sort_unique(options: list[Option]) -> list[Option]:
    """Return the options in order, without duplicates."""
    return sorted(set(options))


def list_sensible_moves(s: TestOfTime, who: Seat) -> list[Option]:
    """Return the moves without useless attacks and reversals, and in the last round without Create and Sire."""
    last = s.round == s.rounds
    options: list[Option] = []
    for o in s.legal:
        if o == ATTACK:
            if not has_target(s, who):
                continue
        elif o == REVERSE:
            if not has_useful_reversal(s, who):
                continue
        elif last and o in (CREATE, SIRE):
            continue
        options.append(o)
    return options


def choose_create_space(s: TestOfTime, who: Seat) -> Option:
    """Return the first vacant space, or the one whose buried Testament would be hardest to raise."""
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


def has_target(s: TestOfTime, who: Seat) -> bool:
    spaces = s.c.spaces
    for slot in range(len(s.visible)):
        if s.visible[slot] > 0 and slot // spaces != who and is_target(s, who, slot):
            return True
    return False


def is_target(s: TestOfTime, who: Seat, slot: Slot) -> bool:
    """Return whether an attack on a Testament is useful.

    It is if the attack can still strip a section, unless the seat attacks there already and the owner has not defended.
    """
    forces = s.attackers[slot]
    if not forces:
        return True
    if s.defenders[slot] == 0:
        for force in forces:
            if force >> 16 == who:
                return False
    return compute_full_strip_strength(s, slot) > 0


def compute_full_strip_strength(s: TestOfTime, slot: Slot) -> int:
    """Return the strength that takes all sections, whatever pieces the owner still has waiting."""
    return s.visible[slot] - s.compute_uncovered_attack(slot) + s.compute_waiting_worth(slot // s.c.spaces)


def list_sensible_shamans(s: TestOfTime, who: Seat, slot: Slot) -> list[Option]:
    """Return no shamans, or as many as are useful."""
    power = s.get_shaman_power(who)
    enough = max(1, (compute_full_strip_strength(s, slot) + power - 1) // power)
    return sort_unique([s.legal[0], min(s.legal[-1], SHAMANS + enough)])


def list_sensible_followers(s: TestOfTime, who: Seat, slot: Slot, shamans: int) -> list[Option]:
    """Return up to four sizes of an attack.

    They are the attackers that strip everything if no piece defends, half of them, the attackers that strip everything
    in any case, and all followers that are not needed for upkeep.
    """
    brought = shamans * s.get_shaman_power(who)
    sure = compute_full_strip_strength(s, slot) - brought
    bare = sure - s.compute_waiting_worth(slot // s.c.spaces)
    least = s.legal[0] - FOLLOWERS
    most = max(least, min(s.legal[-1] - FOLLOWERS, sure))
    options: list[Option] = []
    for strength in (bare, bare // 2, sure, s.waiting[who] - compute_unpaid_upkeep(s, who)):
        o = FOLLOWERS + max(least, min(most, strength))
        if o not in options:
            options.append(o)
    options.sort()
    return options


def compute_unpaid_upkeep(s: TestOfTime, who: Seat) -> int:
    """Return the upkeep that a seat has not paid yet this round."""
    spaces = s.c.spaces
    cost = 0
    for slot in range(who * spaces, (who + 1) * spaces):
        if s.visible[slot] > 0 and s.keepers[slot] == 0:
            cost += compute_preserve_cost(s, slot)
    return cost


# -- the past ---------------------------------------------------------------------------------------------------------


def has_useful_reversal(s: TestOfTime, who: Seat) -> bool:
    for slot in range(len(s.kind)):
        if s.past[slot] and forbids_target(s, who, slot) is None and is_worth_reversing(s, who, slot):
            return True
    return False


def is_worth_reversing(s: TestOfTime, who: Seat, slot: Slot) -> bool:
    """Return whether reversing some number of rounds changes the visible sections."""
    for n in range(1, count_max_rounds(s, who, slot) + 1):
        if count_best_sections(s, who, slot, n) != s.visible[slot]:
            return True
    return False


def list_sensible_rounds(s: TestOfTime, who: Seat, slot: Slot) -> list[Option]:
    """Return the useful numbers of rounds.

    The oldest record must be changeable, and the reversal must change the visible sections.
    """
    past = s.past[slot]
    own = slot // s.c.spaces == who
    options: list[Option] = []
    for o in s.legal:
        n = o - ROUNDS
        if can_change(past[len(past) - n], own) and count_best_sections(s, who, slot, n) != s.visible[slot]:
            options.append(o)
    return options or s.legal


def can_change(record: Record, own: bool) -> bool:
    return is_preserved(record) != own or (own and count_strips_by_attack(record) > 0)


def is_payable(s: TestOfTime, step: Past, record: Record) -> bool:
    """Return whether the waiting pieces could still change a later record if nothing is spent on the current one."""
    worth = s.waiting[step.who] + s.waiting_shamans[step.who] * step.power
    own = step.is_own(s)
    return (is_preserved(record) != own and worth >= step.price) or (
        own and count_strips_by_attack(record) > 0 and worth > 0
    )


def list_sensible_past_options(s: TestOfTime, step: Past) -> list[Option]:
    """Return the options for a record that have an effect.

    A record that is already paid for, or that takes the only payment (TT-14.6), is spoiled. If each record costs,
    something is changed at the last opportunity.
    """
    legal = s.legal
    own = step.is_own(s)
    records = s.past[step.slot]
    last = not any(is_payable(s, step, record) for record in records[step.index + 1 :])
    if isinstance(step, ChooseMark):
        if (s.one_payment and not own) or (last and (not own or count_strips_by_attack(records[step.index]) == 0)):
            return [o for o in legal if o != KEEP]
        return legal
    if isinstance(step, DefendPastWithShamans):
        return [legal[-1]] if last and s.waiting[step.who] == 0 else sort_unique([legal[0], legal[-1]])
    if isinstance(step, DefendPastWithFollowers):
        return [legal[-1]] if last and step.shamans == 0 else sort_unique([legal[0], legal[-1]])
    return legal
