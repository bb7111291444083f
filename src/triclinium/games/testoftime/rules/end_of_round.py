"""End of a round: everything that was placed is resolved at the same time (TT-12.1 to TT-12.7)."""

from triclinium.engine.core.shared_rows import copy_with_item
from triclinium.games.testoftime.rules.events import (
    BURIED,
    BURIED_BY,
    CREATED,
    DECAYED,
    FELL,
    KEPT,
    PARENTS,
    STRUCK,
    STRUCK_AND_DECAYED,
)
from triclinium.games.testoftime.rules.state import (
    NONE,
    Pieces,
    Record,
    Slot,
    TestOfTime,
    count_followers,
    count_sections_lost,
    count_shamans,
    count_strips_by_attack,
    is_preserved,
)


def end_round(s: TestOfTime) -> None:
    """Resolve the round in the order of chapter 12, and clear the board."""
    # TT-12.1  Power, saved deaths and visible sections are frozen; `recount_standing` runs after everything is
    # resolved.
    stood = s.visible

    # TT-12.2  Combat. TT-12.3  The record of every Testament. TT-12.4  Its visible sections. A buried Testament
    # collects plain decay (TT-R18). Pieces placed on it before it was buried go home (TT-R19).
    past = s.past[:]
    seen = stood[:]
    for slot in range(len(stood)):
        if stood[slot] > 0:
            record = resolve_battle(s, slot)
            past[slot] += (record,)
            seen[slot] = max(0, stood[slot] - count_sections_lost(record))
            if s.events is not None:
                emit_round_result(s, slot, record, seen[slot])
        elif s.kind[slot] != NONE:
            past[slot] += (0,)

    # TT-12.5, TT-R11  Creations are placed, without a record. TT-12.6  Their dead, and the parents of shamans.
    for slot in range(len(stood)):
        if s.making[slot] != NONE:
            seat = slot // s.c.spaces
            kind = s.making[slot]
            dead = apply_deaths(s, seat, s.makers[slot], s.c.deaths[kind] - s.count_deaths_saved(seat))
            s.kind = copy_with_item(s.kind, slot, kind)
            s.since = copy_with_item(s.since, slot, s.round)
            past[slot] = ()
            seen[slot] = s.c.size[kind]
            s.emit(CREATED, seat, (kind, s.get_space_number(slot), dead), "TT-12.5")
    s.past = past
    s.visible = seen
    for seat in range(s.seats):
        for parents in s.shaman_sires[seat]:
            dead = apply_deaths(s, seat, parents, s.c.sire_shaman_deaths - s.count_deaths_saved(seat))
            s.emit(PARENTS, seat, (dead,), "TT-12.6")

    # TT-12.7  All other pieces go home and wait, and the zones are empty again.
    send_everybody_home(s)


def resolve_battle(s: TestOfTime, slot: Slot) -> Record:
    """TT-12.2, TT-R10, TT-R16, TT-R17  Resolve a battle and return the record of the round.

    The record has the strips by attack; the dead of both sides leave play. The defenders meet attackers from the front:
    those who came first, or those the owner chose (`meet.py`).
    """
    preserved = 1 if s.keepers[slot] > 0 else 0  # TT-5.4, TT-5.5  Preserving stops the decay, not the attackers.
    forces = s.attackers[slot]
    if not forces:
        return preserved
    owner = slot // s.c.spaces
    defence = s.compute_defence_strength(slot)
    attack = 0
    mask = 0
    dead = [0] * s.seats
    covered = defence  # number of attacking followers, from the front, that meet a defender
    for force in forces:
        seat = force >> 16
        followers = count_followers(force)
        attack += followers + count_shamans(force) * s.get_shaman_power(seat)
        mask |= 1 << seat
        killed = min(covered, followers)
        dead[seat] += killed
        covered -= killed
    dead[owner] = count_followers(s.defenders[slot])
    for seat in range(s.seats):
        # TT-R14  All attacks of one player on this Testament, and all its defence, are one action each.
        fallen = dead[seat] - s.count_deaths_saved(seat)
        if fallen > 0:
            s.followers[seat] -= fallen
            s.emit(FELL, seat, (fallen, s.kind[slot], owner, s.get_space_number(slot)), "TT-12.2")
    strips = attack - defence
    if strips <= 0:
        return preserved
    if strips > s.visible[slot]:
        strips = s.visible[slot]
    return (mask << 8) + (strips << 1) + preserved


def emit_round_result(s: TestOfTime, slot: Slot, record: Record, seen: int) -> None:
    """TT-12.4  Emit the result of the round for a Testament that stood."""
    strips = count_strips_by_attack(record)
    if seen == 0:
        type = BURIED_BY if strips else BURIED
    elif is_preserved(record):
        type = STRUCK if strips else KEPT
    else:
        type = STRUCK_AND_DECAYED if strips else DECAYED
    owner = slot // s.c.spaces
    s.emit(type, owner, (s.kind[slot], owner, seen, strips, record >> 8, s.get_space_number(slot)), "TT-12.4")


def apply_deaths(s: TestOfTime, seat: int, placed: Pieces, deaths: int) -> Pieces:
    """TT-12.6, TT-R15  Let this many of the placed pieces die, followers before shamans, and return the dead."""
    if deaths <= 0:
        return 0
    followers = min(deaths, count_followers(placed))
    shamans = min(deaths - followers, count_shamans(placed))
    s.followers[seat] -= followers
    s.shamans[seat] -= shamans
    return (followers << 8) + shamans


def send_everybody_home(s: TestOfTime) -> None:
    """TT-12.7  Return all survivors, children, new shamans and converts to home (TT-5.3, TT-6.4, TT-7.3, TT-8.5)."""
    s.empty_zones()
    s.waiting = s.followers[:]
    s.waiting_shamans = s.shamans[:]
    s.recount_standing()
