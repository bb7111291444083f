"""Arrangements of a gospel that a Rearrange can reach, and the fewest steps to them (AE-8, AE-R36).

A row of leaves is a tuple of slots. Empty slots interrupt nothing (AE-9.1), so only leaves with cards are arranged, and
a leaf with one card is never flipped. Emphases do not depend on the order.
"""

from typing import Final

from triclinium.engine.core.state import Option, Seat
from triclinium.games.evangelists.rules.components import CHIASM, CHRONOLOGY, INCLUSIO, TRACKS, Components
from triclinium.games.evangelists.rules.devices import compute_device_levels
from triclinium.games.evangelists.rules.scoring import count_points_behind_leader
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists
from triclinium.games.evangelists.rules.verbs import DONE, FLIP, POSITION

SPACE_VALUE: Final = 1.0  # value in points of one space of a track, added to its current score
CACHE_SIZE: Final = 512  # maximum number of gospels whose arrangements are cached
LEVEL_BASE: Final = 64  # base of the number that encodes levels; it is larger than any level


class ReachableArrangements:
    """The best arrangements of a gospel's leaves: rows that no other row beats on all tracks."""

    c: Components
    interviews: int
    leaves: list[tuple[int, ...]]  # leaves with cards from the left, each without its empty slots
    rows_by_levels: dict[int, tuple[int, ...]]  # for each code of levels, a row of entries leaf * 2 + (1 if flipped)
    current_row: list[int]  # the row that `extend_row` is building

    def __init__(self, c: Components, slots: tuple[int, ...], interviews: int) -> None:
        self.c = c
        self.interviews = interviews
        self.leaves = [leaf for leaf in group_cards_by_leaf(c, slots) if leaf]
        self.rows_by_levels = {}
        self.current_row = []
        self.extend_row(0, 0, 0, 0, -1, 0, 0, 0, 0, 0)

    def extend_row(
        self, used: int, a: int, b: int, d: int, last: int, run: int, longest: int, runs: int, framed: int, chiasms: int
    ) -> None:
        """Try every leaf that is not yet in the row as the next leaf, in both orientations.

        ``a``, ``b`` and ``d`` are the motifs of the last three cards. ``runs`` encodes the witnesses on the last cards.
        """
        c = self.c
        length = c.inclusio_run
        if len(self.current_row) == len(self.leaves):
            self.record_row(
                (framed.bit_count() * LEVEL_BASE + chiasms) * LEVEL_BASE
                + (longest if longest >= c.chronology_min else 0)
            )
            return
        for i in range(len(self.leaves)):
            if (used >> i) & 1:
                continue
            leaf = self.leaves[i]
            for flipped in range(2 if len(leaf) > 1 else 1):
                m1, m2, m3, before, rise, most, w, f, x = a, b, d, last, run, longest, runs, framed, chiasms
                for at in range(len(leaf)):
                    card = leaf[len(leaf) - 1 - at] if flipped else leaf[at]
                    rise = rise + 1 if card > before else 1
                    before = card
                    most = max(most, rise)
                    circles = c.circles[card] & self.interviews
                    f |= find_witnesses_in_run(w, length) & circles
                    w = extend_runs(w, circles, length)
                    m4 = c.motifs[card]
                    x += is_chiasm(m1, m2, m3, m4)
                    m1, m2, m3 = m2, m3, m4
                self.current_row.append(i * 2 + flipped)
                self.extend_row(used | 1 << i, m1, m2, m3, before, rise, most, w, f, x)
                self.current_row.pop()

    def record_row(self, code: int) -> None:
        """Store the row, unless a stored row reaches the same levels in as few steps or is better on every track."""
        previous = self.rows_by_levels.get(code)
        if previous is not None:
            if count_steps(self.current_row) < count_steps(list(previous)):
                self.rows_by_levels[code] = tuple(self.current_row)
            return
        for other in self.rows_by_levels:
            if dominates(other, code):
                return
        for other in [other for other in self.rows_by_levels if dominates(code, other)]:
            del self.rows_by_levels[other]
        self.rows_by_levels[code] = tuple(self.current_row)


WITNESSES: Final = 9
ALL_WITNESSES: Final = (1 << WITNESSES) - 1


def find_witnesses_in_run(runs: int, length: int) -> int:
    """Return the witnesses on all of the last length - 1 cards.

    If one card is enough for a run, return every witness.
    """
    return runs >> (WITNESSES * (length - 2)) if length > 1 else ALL_WITNESSES


def extend_runs(runs: int, circles: int, length: int) -> int:
    """Return the runs of witnesses after a further card."""
    after = 0
    before = ALL_WITNESSES
    for at in range(length - 1):
        after |= (before & circles) << (WITNESSES * at)
        before = (runs >> (WITNESSES * at)) & ALL_WITNESSES
    return after


def is_chiasm(first: int, second: int, third: int, fourth: int) -> int:
    """AE-R22  Return 1 if the motifs of four cards make a chiasm, else 0. A missing card has no motifs."""
    outside, inside = first & fourth, second & third
    both = outside | inside
    return 1 if outside and inside and both & (both - 1) else 0


def dominates(code: int, other: int) -> bool:
    """Return whether one code has at least the other's level on every track. The codes must differ."""
    if code // LEVEL_BASE // LEVEL_BASE < other // LEVEL_BASE // LEVEL_BASE:
        return False
    return (
        code // LEVEL_BASE % LEVEL_BASE >= other // LEVEL_BASE % LEVEL_BASE and code % LEVEL_BASE >= other % LEVEL_BASE
    )


ARRANGEMENTS_CACHE: Final[
    dict[tuple[int, ...], ReachableArrangements]
] = {}  # cached arrangements by slots and interviews, for one components file


def find_reachable_arrangements(s: Evangelists, seat: Seat) -> ReachableArrangements:
    """Return the arrangements that the seat can reach. Recent results are cached."""
    key = (*s.slots[seat], s.interviews[seat])
    reachable = ARRANGEMENTS_CACHE.get(key)
    if reachable is None or reachable.c is not s.c:
        if len(ARRANGEMENTS_CACHE) >= CACHE_SIZE:
            ARRANGEMENTS_CACHE.clear()
        reachable = ReachableArrangements(s.c, s.slots[seat], s.interviews[seat])
        ARRANGEMENTS_CACHE[key] = reachable
    return reachable


def group_cards_by_leaf(c: Components, slots: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the cards of each leaf, from the left."""
    size = c.slots_per_leaf
    return [
        tuple([card for card in slots[first : first + size] if card != EMPTY]) for first in range(0, len(slots), size)
    ]


def find_longest_rising_part(row: list[int]) -> list[int]:
    """Return the longest rising part of a row, which can stay in place while the other leaves move."""
    ends: list[list[int]] = []  # for each entry, the longest rising part that ends with it
    best: list[int] = []
    for i in range(len(row)):
        part: list[int] = []
        for j in range(i):
            if row[j] < row[i] and len(ends[j]) > len(part):
                part = ends[j]
        ends.append([*part, row[i]])
        if len(ends[i]) > len(best):
            best = ends[i]
    return best


def count_steps(row: list[int]) -> int:
    """AE-R36  Return the number of moves and flips from the current row to this one."""
    return len(row) - len(find_longest_rising_part([entry // 2 for entry in row])) + sum([entry % 2 for entry in row])


def evaluate_levels(s: Evangelists, seat: Seat, code: int) -> float:
    """Return the value of these levels to the seat: track points, tie penalty, and a little for each space."""
    value = 0.0
    levels = (code // LEVEL_BASE // LEVEL_BASE, code // LEVEL_BASE % LEVEL_BASE, code % LEVEL_BASE)
    tracks = (INCLUSIO, CHIASM, CHRONOLOGY)
    for n in range(3):
        level = levels[n]
        if not level:
            continue
        foremost = level
        for other in range(s.seats):
            if other != seat:
                theirs = s.levels[other * TRACKS + tracks[n]]
                foremost = max(foremost, theirs)
                value -= 1.0 if theirs == level else 0.0
        value += count_points_behind_leader(s.c, foremost - level) + SPACE_VALUE * level
    return value


def encode_levels(c: Components, slots: tuple[int, ...], interviews: int) -> int:
    """Return the levels that depend on the order of the cards, as one number."""
    levels = compute_device_levels(c, slots, interviews, False)
    return (levels[INCLUSIO] * LEVEL_BASE + levels[CHIASM]) * LEVEL_BASE + levels[CHRONOLOGY]


def evaluate_current_levels(s: Evangelists, seat: Seat) -> float:
    return evaluate_levels(s, seat, encode_levels(s.c, s.slots[seat], s.interviews[seat]))


def find_best_row(s: Evangelists, seat: Seat) -> tuple[int, ...]:
    """Return the most valuable arrangement, with the fewest steps; empty if none beats the current one."""
    reach = find_reachable_arrangements(s, seat)
    best: tuple[int, ...] = ()
    most = evaluate_current_levels(s, seat) + 1e-9
    for code, row in reach.rows_by_levels.items():
        worth = evaluate_levels(s, seat, code)
        if worth > most:
            most = worth
            best = row
    return best


def find_best_value(s: Evangelists, seat: Seat) -> float:
    """Return the value of the best arrangement."""
    most = evaluate_current_levels(s, seat)
    for code in find_reachable_arrangements(s, seat).rows_by_levels:
        most = max(most, evaluate_levels(s, seat, code))
    return most


def apply_step(c: Components, slots: tuple[int, ...], leaf: int, how: Option) -> tuple[int, ...]:
    """Return the slots after one step of a Rearrange, without changing the state."""
    size = c.slots_per_leaf
    first = leaf * size
    part = slots[first : first + size]
    if how == FLIP:
        turned = tuple([part[size - 1 - i] for i in range(size)])
        return slots[:first] + turned + slots[first + size :]
    rest = slots[:first] + slots[first + size :]
    at = (how - POSITION) * size
    return rest[:at] + part + rest[at:]


def find_best_step(s: Evangelists, seat: Seat, leaf: int) -> tuple[float, int, Option]:
    """Return the value, leaf and option of the best single step; ``leaf`` restricts it to one leaf unless it is -1."""
    c, slots = s.c, s.slots[seat]
    count = len(slots) // c.slots_per_leaf
    best = (-1e30, 0, 0)
    for i in range(count):
        if leaf >= 0 and i != leaf:
            continue
        if has_card(c, slots, i):
            hows = [FLIP, *[POSITION + at for at in range(count) if at != i]]
        else:
            hows = [POSITION + at for at in range(count) if at != i]
        for how in hows:
            worth = evaluate_levels(s, seat, encode_levels(c, apply_step(c, slots, i, how), s.interviews[seat]))
            if worth > best[0]:
                best = (worth, i, how)
    return best


def has_card(c: Components, slots: tuple[int, ...], leaf: int) -> bool:
    for card in slots[leaf * c.slots_per_leaf : leaf * c.slots_per_leaf + c.slots_per_leaf]:
        if card != EMPTY:
            return True
    return False


def find_first_step(c: Components, slots: tuple[int, ...], row: tuple[int, ...]) -> tuple[int, Option]:
    """Return the leaf and the option of the first step on a shortest way to a row."""
    leaves = group_cards_by_leaf(c, slots)
    places = [i for i in range(len(leaves)) if leaves[i]]  # the positions of the leaves with cards
    for entry in row:
        if entry % 2:
            return places[entry // 2], FLIP
    stay = find_longest_rising_part([entry // 2 for entry in row])
    goals = [entry // 2 for entry in row]
    for at in range(len(goals)):
        if goals[at] not in stay:
            mover = places[goals[at]]
            position = len(leaves) - 1
            for later in goals[at + 1 :]:
                if later in stay:
                    position = places[later] - (1 if places[later] > mover else 0)
                    break
            return mover, POSITION + position
    return 0, DONE


def find_next_step(s: Evangelists, seat: Seat, most: int, made: int) -> tuple[int, Option]:
    """Return the leaf and option of the next step of a Rearrange of ``most`` steps; DONE if none adds value."""
    if most - made == 1:
        step = find_best_step(s, seat, -1)
        return step[1], step[2]
    row = find_best_row(s, seat)
    if row:
        return find_first_step(s.c, s.slots[seat], row)
    if made:
        return 0, DONE
    step = find_best_step(s, seat, -1)
    return step[1], step[2]
