"""Quick policy that finishes a move without search; rollouts use it for every move that they consider."""

from triclinium.engine.core.state import ASK, Option, Seat
from triclinium.games.testoftime.ai.pending_gains import estimate_attack, estimate_defence, estimate_reversal
from triclinium.games.testoftime.ai.section_values import average_section_value
from triclinium.games.testoftime.ai.sensible_options import (
    choose_create_space,
    compute_full_strip_strength,
    compute_unpaid_upkeep,
    is_target,
    list_sensible_options,
)
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans, ChooseTarget
from triclinium.games.testoftime.rules.actions.convert import ChooseRival
from triclinium.games.testoftime.rules.actions.create import ChooseSpace
from triclinium.games.testoftime.rules.actions.defend import ChooseDefended, DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.actions.preserve import ChoosePreserved
from triclinium.games.testoftime.rules.actions.reverse import ChooseReversed, ChooseRounds, Past
from triclinium.games.testoftime.rules.components import AT, FOLLOWERS, FROM, ON
from triclinium.games.testoftime.rules.state import TestOfTime


def choose_quick_option(s: TestOfTime) -> Option:
    """Return the option that finishes the pending move, or ASK if a quick choice is not good enough."""
    legal = s.legal
    step = s.stack[-1]
    if isinstance(step, Payment):
        return legal[0]  # Shamans stay free for fights.
    if isinstance(step, ChooseSpace):
        return choose_create_space(s, step.who)
    if isinstance(step, (ChoosePreserved, ChooseDefended)):
        return choose_best_space(s, step.who, isinstance(step, ChooseDefended))
    if isinstance(step, ChooseTarget):
        return choose_best_target(s, step.who)
    if isinstance(step, (AttackWithShamans, ChooseRounds)):
        return list_sensible_options(s)[-1]  # Shamans do not die in a fight.
    if isinstance(step, AttackWithFollowers):
        return choose_attack_size(s, step.who, step.slot, step.shamans)
    if isinstance(step, (DefendWithShamans, DefendWithFollowers)):
        return legal[-1]
    if isinstance(step, ChooseRival):
        return choose_best_rival(s)
    if isinstance(step, ChooseReversed):
        return choose_best_reversal(s, step.who)
    if isinstance(step, Past):
        return list_sensible_options(s)[-1]
    return ASK


def choose_best_space(s: TestOfTime, who: Seat, defended: bool) -> Option:
    """Return the space where preserving or defending saves most."""
    most = -1e30
    best = s.legal[0]
    for o in s.legal:
        slot = who * s.c.spaces + o - ON
        gain = estimate_defence(s, slot, who, 0) if defended else average_section_value(s, slot)
        if gain > most:
            most = gain
            best = o
    return best


def choose_best_target(s: TestOfTime, who: Seat) -> Option:
    worth = float(s.compute_waiting_worth(who))
    most = -1.0
    best = s.legal[0]
    for o in s.legal:
        if is_target(s, who, o - AT):
            gain = estimate_attack(s, o - AT, worth)
            if gain > most:
                most = gain
                best = o
    return best


def choose_attack_size(s: TestOfTime, who: Seat, slot: int, shamans: int) -> Option:
    """Return the number of attackers.

    If the owner can defend, attack with those not needed for upkeep, otherwise with as many as strip all.
    """
    sure = compute_full_strip_strength(s, slot) - shamans * s.get_shaman_power(who)
    free = s.waiting[who] - compute_unpaid_upkeep(s, who)
    wanted = min(sure, free) if s.compute_waiting_worth(slot // s.c.spaces) else sure
    return max(s.legal[0], min(s.legal[-1], FOLLOWERS + wanted))


def choose_best_rival(s: TestOfTime) -> Option:
    """Return the rival with the most followers."""
    best = s.legal[0]
    for o in s.legal:
        if s.followers[o - FROM] > s.followers[best - FROM]:
            best = o
    return best


def choose_best_reversal(s: TestOfTime, who: Seat) -> Option:
    most = -1e30
    best = s.legal[0]
    for o in list_sensible_options(s):
        gain = estimate_reversal(s, who, o - AT)
        if gain > most:
            most = gain
            best = o
    return best
