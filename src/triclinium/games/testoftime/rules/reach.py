"""What a reversal could reach: for the warnings at targets and numbers of rounds, and for bots (TT-11.7, TT-R13)."""

from triclinium.engine.core.state import Seat
from triclinium.games.testoftime.rules.actions.preserve import preserve_cost
from triclinium.games.testoftime.rules.actions.reverse import shamans_for
from triclinium.games.testoftime.rules.state import Slot, TestOfTime, is_preserved, strips_by_attack


def most_rounds(s: TestOfTime, who: Seat, slot: Slot) -> int:
    """TT-11.2  How far back the player can go."""
    return min(len(s.past[slot]), s.waiting_shamans[who] * s.power(who))


def changes(s: TestOfTime, who: Seat, slot: Slot, n: int) -> int:
    """How many sections more (of one's own) or fewer (of a rival's) the last n records could tell of, at most.

    TT-11.5 to TT-11.7  A defender in the past undoes a strip, a preservation costs its price. None: nothing can change.
    """
    own = slot // s.c.spaces == who
    power = s.power(who)
    worth = s.waiting[who] + (s.waiting_shamans[who] - shamans_for(n, power)) * power
    marks = strips = 0
    past = s.past[slot]
    for i in range(len(past) - n, len(past)):
        marks += is_preserved(past[i]) != own
        strips += strips_by_attack(past[i])
    if not own:
        price = s.c.preserve[s.kind[slot]]
        return min(marks, worth // price) if s.version < 2 else marks if worth >= price else 0
    covered = min(strips, worth)
    return covered + min(marks, (worth - covered) // preserve_cost(s, slot))


def reached(s: TestOfTime, who: Seat, slot: Slot, n: int) -> int:
    """The visible sections that reversing n rounds could lead to at best: most of one's own, fewest of a rival's."""
    changed = changes(s, who, slot, n)
    if slot // s.c.spaces != who:
        return max(0, s.seen[slot] - changed)
    lost = sum([strips_by_attack(record) + 1 - int(is_preserved(record)) for record in s.past[slot]])
    return max(0, s.c.size[s.kind[slot]] - lost + changed)


def best_reached(s: TestOfTime, who: Seat, slot: Slot) -> tuple[int, int]:
    """The same for the best number of rounds; and how many sections the records could tell otherwise, at most."""
    rounds = range(1, most_rounds(s, who, slot) + 1)
    sections = [reached(s, who, slot, n) for n in rounds]
    own = slot // s.c.spaces == who
    return (max(sections) if own else min(sections)), max([changes(s, who, slot, n) for n in rounds])
