"""The parts that a table is made of, before anybody has drawn them: the page and the terminal read the same ones.

What people read in them is an `Arg`: a number, a name or a message, said in the reader's language at the end.
"""

from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeAlias

from triclinium.engine.component_kinds import NO_TONE, CardFace, Tone
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, JoinedList, Message
from triclinium.engine.match import OPTION_SEPARATOR


@dataclass(frozen=True, slots=True)
class Button:
    """An option that names the thing which it stands on. The label is its whole sentence, the short one a verb."""

    option: str
    label: str
    short: str

    @property
    def is_chain(self) -> bool:
        """Whether it is several options: nothing is seen of it until somebody points there."""
        return OPTION_SEPARATOR in self.option


@dataclass(slots=True)
class Counter:
    """A number, a name or a sign, and what it is. Without a value the label says it all."""

    label: Arg
    value: Arg = ""
    buttons: list[Button] = field(default_factory=list)


@dataclass(slots=True)
class Count:
    """One entry of a tally."""

    name: Arg
    value: Arg
    tone: Tone = NO_TONE
    buttons: list[Button] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """Numbers by kind: how many of each region."""

    label: Arg
    counts: list[Count]
    own: bool = False


@dataclass(slots=True)
class Cost:
    """What something costs: of each thing its name, how much is asked, and how much of that is missing."""

    prices: list[tuple[Arg, int, int]]


def build_cost(prices: list[tuple[Arg, int]], have: list[int]) -> Cost:
    """A price against what somebody has."""
    return Cost([(name, n, max(0, n - own)) for (name, n), own in zip(prices, have, strict=True)])


@dataclass(slots=True)
class Card:
    """A card: its face, or its back where nobody may see it here, or the place where one might lie."""

    id: str = ""  # of the component; none: whoever looks does not know it
    face: CardFace | None = None
    back: Arg = ""  # what is known of a back: its deck
    empty: bool = False
    tone: Tone = NO_TONE
    notes: list[Counter] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)


@dataclass(slots=True)
class Cards:
    """A row of cards, or the viewer's own hand."""

    label: Arg
    cards: list[Card]
    own: bool = False

    @property
    def offered(self) -> int:
        return sum(1 for card in self.cards if card.buttons)


@dataclass(slots=True)
class Pile:
    """A deck by its number of cards; the top one where it lies open."""

    label: Arg
    count: int
    tone: Tone = NO_TONE
    top: Card | None = None
    buttons: list[Button] = field(default_factory=list)


@dataclass(slots=True)
class Space:
    """A space of a track: where the marker is, whether it is lit, and whose pieces stand there."""

    id: str
    name: Arg
    at: bool = False
    lit: bool = False
    seats: list[Seat] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)


@dataclass(slots=True)
class Track:
    """Spaces in their order."""

    label: Arg
    spaces: list[Space]

    @property
    def is_tight(self) -> bool:
        """Whether its spaces bear numbers, or as little."""
        return all(isinstance(space.name, str) and len(space.name) < 4 for space in self.spaces)


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """Why a place is marked: the label says it of all such places, the name of this one."""

    label: Arg
    name: Arg


@dataclass(slots=True)
class Place:
    """A place of a map, in the units of its drawing, and what is there now."""

    id: str
    name: Arg
    x: float
    y: float
    label_x: float
    label_y: float
    anchor: str
    tone: Tone = NO_TONE
    marks: list[PlaceMark] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    tokens: list[tuple[str, Arg]] = field(default_factory=list)  # what else stands there: in a letter or two, its name
    holds: list[Arg] = field(default_factory=list)  # what lies there, written instead of the place's name
    buttons: list[Button] = field(default_factory=list)

    @property
    def offered(self) -> bool:
        """Whether one option names it."""
        return any(not button.is_chain for button in self.buttons)

    @property
    def is_bare(self) -> bool:
        """Whether nothing is there, and nothing can be done."""
        return not (self.marks or self.seats or self.tokens or self.holds or self.buttons)


@dataclass(slots=True)
class Piece:
    """The piece of a seat on a map, or another that bears a letter or two; several at one place stand side by side."""

    id: str
    x: float
    y: float
    seat: Seat | None
    text: str = ""


@dataclass(slots=True)
class Map:
    """Places and the lines between them, in a window that is 1,000 units wide."""

    kind: str
    height: float
    lines: tuple[tuple[int, int], ...]
    places: list[Place]
    pieces: list[Piece] = field(default_factory=list)
    ground: str = ""  # a shape of the game's pictures, and how it is laid under the places
    ground_transform: str = ""
    legend: list[Arg] = field(default_factory=list)  # what is marked, each in a way of its own
    routes: str = ""  # of each place the number of the one before it on the viewer's shortest way there; -: none

    @property
    def offered(self) -> int:
        return sum(1 for place in self.places if place.offered)

    @property
    def roads(self) -> str:
        """All lines as one path."""
        ends = ((self.places[a], self.places[b]) for a, b in self.lines)
        return "".join([f"M{a.x} {a.y}L{b.x} {b.y}" for a, b in ends])


@dataclass(slots=True)
class Group:
    """Parts that belong together, under a heading."""

    label: Arg
    parts: "list[Part]"
    buttons: list[Button] = field(default_factory=list)
    own: bool = False


@dataclass(slots=True)
class SeatPanel:
    """What is told of one seat."""

    seat: Seat
    marks: list[Arg] = field(default_factory=list)
    parts: "list[Part]" = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)


@dataclass(slots=True)
class SeatRow:
    """One line of the table of seats: a field, and what each seat has of it."""

    label: Arg
    values: list[Arg]

    @property
    def is_long(self) -> bool:
        """Whether it holds more than numbers and words."""
        return any(isinstance(value, JoinedList | Message) for value in self.values)


@dataclass(slots=True)
class SeatTable:
    """All seats beside each other, a row a field, for comparison and where there is no room for panels."""

    rows: list[SeatRow]


Part: TypeAlias = Counter | Tally | Cards | Pile | Track | Map | Group


@dataclass(slots=True)
class Board:
    """A whole table."""

    parts: list[Part]
    panels: list[SeatPanel]

    @property
    def seats(self) -> SeatTable:
        return build_seat_table(self.panels)


def group_by_type(parts: list[Part]) -> list[tuple[str, list[Part]]]:
    """Parts of one type that follow each other, by the name of their type: they are drawn side by side."""
    return [(name, list(same)) for name, same in groupby(parts, lambda part: type(part).__name__)]


def build_seat_table(panels: list[SeatPanel]) -> SeatTable:
    """What can be told of seats in one number each."""
    rows: dict[object, SeatRow] = {}
    for place, panel in enumerate(panels):
        for key, (label, value) in _seat_numbers(panel).items():
            row = rows.setdefault(key, SeatRow(label, [""] * len(panels)))
            row.values[place] = value
    return SeatTable(list(rows.values()))


def _seat_numbers(panel: SeatPanel) -> dict[object, tuple[Arg, Arg]]:
    """By what they are of; a name that occurs in two tallies is told with the tally's."""
    numbers: dict[object, tuple[Arg, Arg]] = {}
    for part in panel.parts:
        if isinstance(part, Counter):
            numbers[part.label] = (part.label, part.value)
        elif isinstance(part, Tally):
            for count in part.counts:
                if count.name in numbers:
                    numbers[part.label, count.name] = (Message("{0}: {1}", part.label, count.name), count.value)
                else:
                    numbers[count.name] = (count.name, count.value)
        elif isinstance(part, Cards):
            numbers[part.label] = (part.label, len(part.cards))
    return numbers
