"""The guide's advice for Test of Time. No rule of thumb depends on the numbers of the components."""

from bench.beginners.advice import Advice, Decision
from triclinium.engine.core.state import Option
from triclinium.games.testoftime.rules import components as verbs
from triclinium.games.testoftime.rules.actions.create import compute_create_cost
from triclinium.games.testoftime.rules.actions.preserve import list_unpaid_upkeep
from triclinium.games.testoftime.rules.components import KIND_COUNT
from triclinium.games.testoftime.rules.scoring import count_testament_points


def count_waiting(d: Decision, seat: int) -> int:
    """Return the strength of the pieces that a player has at home."""
    return int(d.s.compute_waiting_worth(seat))


def list_own_slots(d: Decision, seat: int) -> range:
    spaces = d.s.c.spaces
    return range(seat * spaces, (seat + 1) * spaces)


def find_prey(d: Decision) -> int:
    """Return the rival Testament with most points to lose whose owner has fewer pieces at home than I have, or -1."""
    s = d.s
    mine = count_waiting(d, d.seat)
    best, prey = 0, -1
    for seat in range(s.seats):
        if seat == d.seat or count_waiting(d, seat) >= mine:
            continue
        for slot in list_own_slots(d, seat):
            covered = s.compute_uncovered_attack(slot) >= s.visible[slot]
            if s.visible[slot] > 0 and not covered and count_testament_points(s, slot) >= best:
                best, prey = count_testament_points(s, slot), slot
    return prey


def move(d: Decision) -> Option:
    """Defend, build on every free space, preserve, sire, and attack with the rest."""
    s = d.s
    upkeep = sum(list_unpaid_upkeep(s, d.seat))
    waiting = count_waiting(d, d.seat)
    if d.has(verbs.CREATE) and find_kind(d) >= 0:
        return verbs.CREATE
    if d.has(verbs.PRESERVE):
        return verbs.PRESERVE
    if d.has(verbs.SIRE) and waiting - upkeep >= 2:
        return verbs.SIRE
    if d.has(verbs.DEFEND):
        return verbs.DEFEND
    if d.has(verbs.ATTACK) and find_prey(d) >= 0:
        return verbs.ATTACK
    return verbs.PASS


def find_kind(d: Decision) -> int:
    """Return the most expensive kind that leaves half of the pieces at home, -1 if even Tools do not."""
    s = d.s
    rest = count_waiting(d, d.seat) - sum(list_unpaid_upkeep(s, d.seat))
    kinds = [kind for kind in range(KIND_COUNT) if 2 * compute_create_cost(s, d.seat, kind) <= rest]
    return kinds[-1] if kinds else -1


def choose_space(d: Decision) -> Option:
    return d.legal[0]


def choose_kind(d: Decision) -> Option:
    return d.first(verbs.BUILD + find_kind(d))


def choose_preserved(d: Decision) -> Option:
    """Preserve first what has most points to lose."""
    own = d.seat * d.s.c.spaces
    return d.best(d.legal, lambda o: count_testament_points(d.s, own + o - verbs.ON))


def pay(d: Decision) -> Option:
    """Pay with followers, and keep shamans."""
    return d.legal[0]


def choose_target(d: Decision) -> Option:
    return d.first(verbs.AT + find_prey(d))


def attack_with_all(d: Decision) -> Option:
    return d.legal[-1]


def defend_best(d: Decision) -> Option:
    own = verbs.AT if d.list_options("at") else verbs.ON
    base = 0 if own == verbs.AT else d.seat * d.s.c.spaces
    return d.best(d.legal, lambda o: count_testament_points(d.s, base + o - own))


def pick_first(d: Decision) -> Option:
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
    "ChooseDefended": defend_best,
    "DefendWithShamans": attack_with_all,
    "DefendWithFollowers": attack_with_all,
    "Meet": pick_first,
    "ChooseReversed": pick_first,
    "ChooseRounds": pick_first,
    "ChooseMark": pick_first,
    "DefendPastWithShamans": pick_first,
    "DefendPastWithFollowers": pick_first,
}
