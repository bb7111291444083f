"""Gospels and device tracks for drawing: leaves, symbols that count on each card, and cubes on their spaces."""

from dataclasses import dataclass, field

from triclinium.boardkit.parts import Space, Track
from triclinium.engine.core.text import JoinedList, Message, SeatName
from triclinium.games.evangelists.rules.components import CHRONOLOGY, Components, make_mask
from triclinium.games.evangelists.rules.state import EMPTY
from triclinium.games.evangelists.ui.card_faces import TraditionFace, list_tradition_faces
from triclinium.games.evangelists.ui.component_kinds import TRACKS as TRACK_NAMES
from triclinium.games.evangelists.ui.device_reasons import TRACK_CLASSES, DeviceLane, LevelChange, find_device_lanes
from triclinium.games.evangelists.ui.view import Player


@dataclass(slots=True)
class SlotPreview:
    """The effect of placing a card in a slot."""

    option: str
    number: int
    moves: list[LevelChange]

    @property
    def gain(self) -> int:
        return sum(move.after - move.before for move in self.moves)


@dataclass(slots=True)
class GospelSlot:
    """A slot of a gospel."""

    nth: int
    face: TraditionFace | None
    devices: list[str] = field(default_factory=list)  # the devices in which the slot's card counts
    # motifs and witnesses of the slot's card that count in a device
    counting_signs: set[str] = field(default_factory=set)
    previews: list[SlotPreview] = field(default_factory=list)

    @property
    def signs(self) -> tuple[str, ...]:
        return tuple(sorted(self.counting_signs))

    @property
    def device_classes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.devices))


class Gospel:
    """A player's gospel with the reasons for its levels."""

    def __init__(self, c: Components, seat: int, player: Player, emphasis_once: bool) -> None:
        self.seat = seat
        self.slots = tuple([EMPTY if card is None else card for card in player.slots])
        self.theme = c.theme_ids[player.theme]
        self.theme_name = c.theme_names[player.theme]
        self.colour = "" if player.colour is None else c.theme_ids[player.colour]  # colour of pawn and cubes (AE-R34)
        self.tokens = player.tokens
        self.tally = player.tally
        self.matches = player.matches
        self.interviews = tuple([c.witness_ids[witness] for witness in player.interviews])
        self.interview_mask = make_mask(player.interviews)
        # Cache key: everything that the drawing of a seat shows of its gospel
        had = (self.slots, self.theme, self.colour, self.tokens, self.tally, self.interviews, self.matches)
        self.key = (seat, had, emphasis_once)
        cards = [card for card in player.slots if card is not None]
        self.cards = len(cards)
        self.circles = {  # for each witness, the number of the gospel's cards with its circle
            witness: sum([(c.circles[card] >> bit) & 1 for card in cards]) for bit, witness in enumerate(c.witness_ids)
        }
        self.bonus = self.cards > 0 and 2 * self.matches >= self.cards
        self.levels = player.levels
        self.pawn = player.pawn
        self.lanes_by_track: list[list[DeviceLane]] = find_device_lanes(
            c, self.slots, self.interview_mask, emphasis_once
        )
        cells = [
            GospelSlot(nth, list_tradition_faces(c)[card] if card >= 0 else None) for nth, card in enumerate(self.slots)
        ]
        for track, lanes in enumerate(self.lanes_by_track):
            for dot in [dot for lane in lanes for dot in lane.dots]:
                cells[dot.slot].devices.append(TRACK_CLASSES[track])
                cells[dot.slot].counting_signs.add(dot.sign)
        size = c.slots_per_leaf
        self.cells = cells
        self.leaves = [cells[at : at + size] for at in range(0, len(cells), size)]

    def follow_gain(self, c: Components, witness: str) -> int:
        """AE-7.7  Return the marks for following an Interview of this witness."""
        return (c.follow_holding if witness in self.interviews else 0) + c.follow_card * self.circles[witness]


class DeviceTrack:
    """The relevant part of a device track.

    It reaches from two spaces behind the foremost cube to one space ahead, and includes all other cubes.
    """

    def __init__(self, c: Components, track: int, levels: list[int]) -> None:
        self.nth = track
        self.device = TRACK_CLASSES[track]
        self.rule = f"AE-9.{track + 2}"
        self.key = (track, *levels)
        self.levels = levels
        self.points = [count_level_points(c, max(levels), level) for level in levels]
        self._components = c

    @property
    def line(self) -> Track:
        """Return the spaces with the cubes."""
        c, levels = self._components, self.levels
        foremost = max(levels)
        first = c.chronology_min if self.nth == CHRONOLOGY else 1
        top = max(foremost + 1, first + 2)
        low = max(first, top - 3)
        below = sorted({level for level in levels if 0 < level < low})
        spaces = [
            draw_level(c, level, foremost, [seat for seat, own in enumerate(levels) if own == level])
            for level in [0, *below, *range(low, top + 1)]
        ]
        return Track(Message(TRACK_NAMES[self.nth]), spaces, style=f"slim t-{self.device}")


def draw_level(c: Components, level: int, foremost: int, seats: list[int]) -> Space:
    """AE-11.2, AE-11.5  Return a space of a device track. A shared space costs a point for each other cube there."""
    style = "tc"
    if level == 0:
        style, worth = "tc off", Message("not on the track")
    else:
        worth = Message("{0} {0:point|points}", count_level_points(c, foremost, level))
        if len(seats) > 1:
            style = "tc tie"
            worth = Message("{0} (AE-11.5)", Message("{0}, −{1} for sharing", worth, len(seats) - 1))
    return Space(
        str(level),
        str(level) if level else "–",
        lit=0 < level == foremost and bool(seats),
        seats=seats,
        style=style,
        text=Message("{0}: {1}", JoinedList([SeatName(seat) for seat in seats]), worth) if seats else "",
    )


def count_level_points(c: Components, foremost: int, level: int) -> int:
    """AE-11.2  Return the points of a level by its distance behind the foremost cube."""
    if level == 0 or level > foremost:
        return 0
    behind = foremost - level
    return c.levels[behind] if behind < len(c.levels) else c.points_beyond
