"""Settings of the game for the property tests of all games."""

from triclinium.engine.core.state import State
from triclinium.games.testoftime.rules.state import TestOfTime

VARIANTS: list[dict[str, object]] = [
    {},
    {"rounds": 15, "hostile_reverse": False},
    {"rounds": 10, "mercy": True},
    {"rounds": 10, "defenders_choose": False, "attacks_per_round": 1},
    {"rounds": 10, "attacks_per_round": 2},
    {"rounds": 10, "attacks_per_round": 3},
    {"rounds": 10, "one_payment": True},
]

DERIVED = ("moves_begun",)  # The number of moves is counted for studies only.


def check_conserved(s: State) -> None:
    """Check that followers and shamans in play are waiting or placed, and that limits and derived values hold."""
    assert isinstance(s, TestOfTime)
    c = s.c
    for seat in range(s.seats):
        placed = [s.reversers[seat], *s.sires[seat], *s.shaman_sires[seat], *s.converts[seat]]
        for slot in range(seat * c.spaces, (seat + 1) * c.spaces):
            placed += [s.makers[slot], s.keepers[slot], s.defenders[slot]]
        for forces in s.attackers:
            placed += [force for force in forces if force >> 16 == seat]
        followers = sum((pieces >> 8) & 255 for pieces in placed) + len(s.sires[seat]) + len(s.converts[seat])
        shamans = sum(pieces & 255 for pieces in placed) + len(s.shaman_sires[seat])
        assert s.waiting[seat] + followers == s.followers[seat]
        assert s.waiting_shamans[seat] + shamans == s.shamans[seat]
        assert 0 <= s.waiting[seat] <= s.followers[seat] <= c.max_followers  # TT-R3
        assert 0 <= s.waiting_shamans[seat] <= s.shamans[seat] <= c.max_shamans
        assert len(s.sires[seat]) <= c.sire_zones
        assert len(s.shaman_sires[seat]) <= c.sire_shaman_zones
        assert len(s.converts[seat]) <= c.convert_zones
    for slot in range(s.seats * c.spaces):
        conserved_slot(s, slot)


def conserved_slot(s: TestOfTime, slot: int) -> None:
    """Check that a Testament's age, past and visible sections agree."""
    kind = s.kind[slot]
    finished = s.round if s.over else s.round - 1
    if kind < 0:
        assert s.past[slot] == ()
        assert s.visible[slot] == 0
    else:
        assert len(s.past[slot]) == finished - s.since[slot]  # TT-13.1
        lost = sum((record >> 1) % 128 + (record % 2 == 0) for record in s.past[slot])
        rewriting = not s.over and type(s.asked).__name__ in REWRITING
        assert rewriting or s.visible[slot] == max(0, s.c.size[kind] - lost)  # TT-12.4
    if s.making[slot] >= 0:
        assert s.visible[slot] == 0  # TT-4.1


REWRITING = ("ChooseMark", "PayForMark", "DefendPastWithShamans", "DefendPastWithFollowers")


def slow_scores(s: State) -> list[int]:
    """Return the scores of TT-13 from the components file and the records alone, strip by strip from the end of the
    card."""
    assert isinstance(s, TestOfTime)
    totals = []
    for seat in range(s.seats):
        total = 0
        for slot in range(seat * s.c.spaces, (seat + 1) * s.c.spaces):
            if s.kind[slot] < 0:
                continue
            sections = list(s.c.sections[s.kind[slot]])
            if not s.over and type(s.asked).__name__ in REWRITING:  # TT-11.10: the past counts when it is finished
                total += sum(sections[: s.visible[slot]]) * len(s.past[slot])
                continue
            for record in s.past[slot]:
                for _ in range((record >> 1) % 128 + (0 if record % 2 else 1)):
                    if sections:
                        sections = sections[:-1]
            total += sum(sections) * len(s.past[slot])
        totals.append(total)
    return totals
