"""Reasons for a gospel's levels: the cards, slot by slot, that form each device (AE-9)."""

from dataclasses import dataclass

from triclinium.games.evangelists.rules.components import Components
from triclinium.games.evangelists.rules.devices import compute_device_levels, count_chronology

TRACK_CLASSES = ("inc", "emp", "chi", "chr")


@dataclass(slots=True)
class DeviceDot:
    """A card in a device: its slot, the motif or witness that counts, and a number or letter."""

    slot: int
    sign: str = ""
    mark: str = ""


@dataclass(slots=True)
class DeviceLane:
    """An instance of a device: a row of cards."""

    dots: list[DeviceDot]
    sign: str = ""  # the witness of an inclusio

    @property
    def first(self) -> int:
        return self.dots[0].slot

    @property
    def last(self) -> int:
        return self.dots[-1].slot


def find_device_lanes(
    c: Components, slots: tuple[int, ...], interviews: int, emphasis_once: bool
) -> list[list[DeviceLane]]:
    """Return for each track the lanes that make up its level."""
    places = [at for at, card in enumerate(slots) if card >= 0]  # AE-9.1: empty slots do not interrupt.
    cards = [slots[at] for at in places]
    return [
        find_inclusios(c, cards, places, interviews),
        find_emphases(c, cards, places, emphasis_once),
        find_chiasms(c, cards, places),
        find_chronologies(c, cards, places),
    ]


def find_inclusios(c: Components, cards: list[int], places: list[int], interviews: int) -> list[DeviceLane]:
    """AE-9.2  Return the longest row of each interviewed witness, if it is long enough."""
    lanes: list[DeviceLane] = []
    for witness, name in enumerate(c.witness_ids):
        if not (interviews >> witness) & 1:
            continue
        best: list[int] = []
        run: list[int] = []
        for at, card in enumerate(cards):
            run = [*run, at] if (c.circles[card] >> witness) & 1 else []
            if len(run) > len(best):
                best = run
        if len(best) >= c.inclusio_run:
            lanes.append(DeviceLane([DeviceDot(places[at], name) for at in best], name))
    return lanes


def find_emphases(c: Components, cards: list[int], places: list[int], once: bool) -> list[DeviceLane]:
    """AE-9.3, AE-R21  Return each full set of cards with the same motif, from left to right."""
    lanes: list[DeviceLane] = []
    for motif, name in enumerate(c.motif_ids):
        with_it = [places[at] for at, card in enumerate(cards) if (c.motifs[card] >> motif) & 1]
        sets = len(with_it) // c.emphasis_set
        for nth in range(min(sets, 1) if once else sets):
            members = with_it[nth * c.emphasis_set : (nth + 1) * c.emphasis_set]
            lanes.append(DeviceLane([DeviceDot(slot, name, str(i + 1)) for i, slot in enumerate(members)]))
    return lanes


def find_chiasms(c: Components, cards: list[int], places: list[int]) -> list[DeviceLane]:
    """AE-9.4, AE-R22  Return each window of four cards with one motif outside and another inside."""
    lanes: list[DeviceLane] = []
    for i in range(len(cards) - 3):
        outside = c.motifs[cards[i]] & c.motifs[cards[i + 3]]
        inside = c.motifs[cards[i + 1]] & c.motifs[cards[i + 2]]
        pairs = [(a, b) for a in list_members(outside) for b in list_members(inside) if a != b]
        if pairs:
            outer, inner = c.motif_ids[pairs[0][0]], c.motif_ids[pairs[0][1]]
            signs = ((outer, "A"), (inner, "B"), (inner, "B"), (outer, "A"))
            lanes.append(DeviceLane([DeviceDot(places[i + at], sign, mark) for at, (sign, mark) in enumerate(signs)]))
    return lanes


def find_chronologies(c: Components, cards: list[int], places: list[int]) -> list[DeviceLane]:
    """AE-9.5  Return the first of the longest rising rows."""
    longest = count_chronology(c, cards)
    if not longest:
        return []
    run: list[int] = []
    for at, card in enumerate(cards):
        run = [*run, at] if run and card > cards[run[-1]] else [at]
        if len(run) == longest:
            break
    return [DeviceLane([DeviceDot(places[at], "", str(c.numbers[cards[at]])) for at in run])]


def list_members(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if (mask >> bit) & 1]


@dataclass(slots=True)
class LevelChange:
    """The level of a track before and after a change."""

    track: int
    before: int
    after: int

    @property
    def device(self) -> str:
        return TRACK_CLASSES[self.track]


def list_level_changes(
    c: Components, before: list[int], slots: tuple[int, ...], interviews: int, emphasis_once: bool
) -> list[LevelChange]:
    """Return the tracks on which another gospel would have another level."""
    after = compute_device_levels(c, slots, interviews, emphasis_once)
    return [
        LevelChange(track, before[track], after[track]) for track in range(len(before)) if before[track] != after[track]
    ]
