"""The guide's advice for Test of Time. No rule of thumb depends on the numbers of the components."""

from bench.beginners.advice import Advice, Decision
from triclinium.engine.core.state import Option
from triclinium.games.testoftime.rules import components as verbs
from triclinium.games.testoftime.rules.actions.create import compute_create_cost
from triclinium.games.testoftime.rules.components import KIND_COUNT


def count_waiting(d: Decision, seat: int) -> int:
    """Return the strength of the pieces that a player has at home."""
    return int(d.s.compute_waiting_worth(seat))


def list_own_slots(d: Decision, seat: int) -> range:
    spaces = d.s.c.spaces
    return range(seat * spaces, (seat + 1) * spaces)


def count_points_if_kept(d: Decision, slot: int) -> int:
    """Return the points of a Testament at the end if no further section is lost, as its option shows them."""
    s = d.s
    return int(s.c.dots[s.kind[slot]][s.visible[slot]] * (s.rounds - s.since[slot]))


def find_prey(d: Decision) -> int:
    """Return the rival Testament with most points if kept that has sections left to strip, or -1.

    Its owner must have fewer pieces at home than the player, so that the attack cannot be covered.
    """
    s = d.s
    mine = count_waiting(d, d.seat)
    prey = [
        slot
        for seat in range(s.seats)
        if seat != d.seat and count_waiting(d, seat) < mine
        for slot in list_own_slots(d, seat)
        if s.visible[slot] > max(0, s.compute_uncovered_attack(slot))
    ]
    return max(prey, key=lambda slot: count_points_if_kept(d, slot), default=-1)


def move(d: Decision) -> Option:
    """Preserve, create, sire and attack with the rest, in this order; never defend, because all defenders die."""
    s = d.s
    if d.has(verbs.PRESERVE):
        return verbs.PRESERVE
    if d.has(verbs.CREATE) and s.round < s.rounds and find_kind(d) >= 0:
        return verbs.CREATE
    if d.has(verbs.SIRE):
        return verbs.SIRE
    if d.has(verbs.ATTACK) and find_prey(d) >= 0:
        return verbs.ATTACK
    return verbs.PASS


def find_kind(d: Decision) -> int:
    """Return the kind with most points if kept for the lives and the upkeep that it costs, -1 if none is affordable.

    Half of the pieces at home must stay there.
    """
    s = d.s
    waiting = count_waiting(d, d.seat)
    kinds = [kind for kind in range(KIND_COUNT) if 2 * compute_create_cost(s, d.seat, kind) <= waiting]
    return max(kinds, key=lambda kind: s.c.dots[kind][-1] / (s.c.deaths[kind] + s.c.preserve[kind]), default=-1)


def choose_space(d: Decision) -> Option:
    return d.legal[0]


def choose_kind(d: Decision) -> Option:
    return d.first(verbs.BUILD + find_kind(d))


def choose_preserved(d: Decision) -> Option:
    """Preserve first what has most points to lose."""
    own = d.seat * d.s.c.spaces
    return d.best(d.legal, lambda o: count_points_if_kept(d, own + o - verbs.ON))


def pay(d: Decision) -> Option:
    """Pay with followers, and keep shamans."""
    return d.legal[0]


def choose_target(d: Decision) -> Option:
    return d.first(verbs.AT + find_prey(d))


def attack_with_all(d: Decision) -> Option:
    """Attack with every piece at home."""
    return d.legal[-1]


def pick_first(d: Decision) -> Option:
    """Choose anything: these questions follow moves that the guide does not advise, or make little difference."""
    return d.legal[0]


ADVICE: Advice = {
    "Move": move,
    "ChooseSpace": choose_space,
    "ChooseKind": choose_kind,
    "PayForCreate": pay,
    "PayForPreserve": pay,
    "PayForSire": pay,
    "PayForSireShaman": pay,
    "PayForConvert": pay,
    "PayForMark": pay,
    "ChoosePreserved": choose_preserved,
    "ChooseRival": pick_first,
    "ChooseTarget": choose_target,
    "AttackWithShamans": attack_with_all,
    "AttackWithFollowers": attack_with_all,
    "ChooseDefended": pick_first,
    "DefendWithShamans": pick_first,
    "DefendWithFollowers": pick_first,
    "Meet": pick_first,
    "ChooseReversed": pick_first,
    "ChooseRounds": pick_first,
    "ChooseMark": pick_first,
    "DefendPastWithShamans": pick_first,
    "DefendPastWithFollowers": pick_first,
}
