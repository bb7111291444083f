"""The largest effects that a reversal can have, for warnings to players and for bots (TT-11.7, TT-R13)."""

from triclinium.engine.core.state import Seat
from triclinium.games.testoftime.rules.actions.preserve import compute_preserve_cost
from triclinium.games.testoftime.rules.actions.reverse import count_shamans_for, forbids_target
from triclinium.games.testoftime.rules.state import Slot, TestOfTime, count_strips_by_attack, is_preserved


def count_max_rounds(s: TestOfTime, who: Seat, slot: Slot) -> int:
    """TT-11.2  Return the maximum number of rounds that the player can reverse."""
    return min(len(s.past[slot]), s.waiting_shamans[who] * s.get_shaman_power(who))


def count_max_section_changes(s: TestOfTime, who: Seat, slot: Slot, n: int) -> int:
    """Return the maximum change of sections by the last n records: more of one's own, or fewer of a rival's.

    TT-11.5 to TT-11.7  A defender in the past undoes a strip, and a preservation costs its price. 0: nothing can
    change.
    """
    own = slot // s.c.spaces == who
    power = s.get_shaman_power(who)
    shamans = s.waiting_shamans[who] - count_shamans_for(n, power)
    marks = 0
    strips: list[int] = []
    past = s.past[slot]
    for i in range(len(past) - n, len(past)):
        marks += is_preserved(past[i]) != own
        if own and count_strips_by_attack(past[i]) > 0:
            strips.append(count_strips_by_attack(past[i]))
    price = compute_preserve_cost(s, slot) if own else s.c.preserve[s.kind[slot]]
    if not own and s.one_payment:
        return marks if s.waiting[who] + shamans * power >= price else 0
    return count_max_changes_with(s.waiting[who], shamans, power, strips, marks, price)


def count_max_changes_with(followers: int, shamans: int, power: int, strips: list[int], marks: int, price: int) -> int:
    """TT-11.8  Return the maximum number of strips that the pieces can undo plus marks they can change.

    A piece serves one record only, so surplus power of a shaman is lost. Undoing a strip costs least, so strips come
    first.
    """
    lost = sum(strips)
    if shamans == 0 or power == 1:  # With power 1 a shaman equals a follower, which allows a quick answer for bots.
        free = max(0, followers + shamans - lost)
        return min(lost, followers + shamans) + min(marks, free // price)
    parts = [part for strip in strips for part in list_shaman_shares(strip, power)]
    short = lost - followers - count_followers_replaced(parts, shamans)
    if short > 0:
        return lost - short
    changed = 0
    while changed < marks:
        parts += list_shaman_shares(price, power)
        if lost + (changed + 1) * price - count_followers_replaced(parts, shamans) > followers:
            break
        changed += 1
    return lost + changed


def list_shaman_shares(demand: int, power: int) -> list[int]:
    """Return the share of a demand that each shaman would bear if only shamans met it."""
    return [power] * (demand // power) + [demand % power] * (demand % power > 0)


def count_followers_replaced(parts: list[int], shamans: int) -> int:
    """Return the maximum number of followers that this many shamans can replace."""
    return sum(parts) if shamans >= len(parts) else sum(sorted(parts, reverse=True)[:shamans])


def count_best_sections(s: TestOfTime, who: Seat, slot: Slot, n: int) -> int:
    """Return the visible sections after the best reversal of n rounds: most of one's own, fewest of a rival's."""
    changed = count_max_section_changes(s, who, slot, n)
    if slot // s.c.spaces != who:
        return max(0, s.visible[slot] - changed)
    lost = sum([count_strips_by_attack(record) + 1 - int(is_preserved(record)) for record in s.past[slot]])
    return max(0, s.c.size[s.kind[slot]] - lost + changed)


def find_best_round_count(s: TestOfTime, who: Seat, slot: Slot) -> tuple[int, int]:
    """Return the visible sections for the best number of rounds, and the maximum change for any number."""
    rounds = range(1, count_max_rounds(s, who, slot) + 1)
    sections = [count_best_sections(s, who, slot, n) for n in rounds]
    own = slot // s.c.spaces == who
    return (max(sections) if own else min(sections)), max([count_max_section_changes(s, who, slot, n) for n in rounds])


def can_change_past(s: TestOfTime, who: Seat) -> bool:
    """TT-R13  Return whether a Testament that the player may reverse has a record that the player could change."""
    for slot in range(len(s.kind)):
        if s.past[slot] and forbids_target(s, who, slot) is None and find_best_round_count(s, who, slot)[1] > 0:
            return True
    return False
