"""The parts of a table as data, which the page and the terminal draw.

Their texts are `Arg` values: a number, a name or a message, which is translated when it is drawn.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Protocol, TypeAlias, TypeVar

from triclinium.engine.component_kinds import CELL, NO_TONE, CardFace, Sign, Tone
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, JoinedList, Message
from triclinium.engine.match import OPTION_SEPARATOR
from triclinium.engine.visible_scores import VisibleNumber


@dataclass(frozen=True, slots=True)
class Button:
    """An option on a thing that it names. The label is the whole sentence, the short label is a verb."""

    option: str
    label: str
    short: str

    @property
    def is_chain(self) -> bool:
        """Return whether the button chooses several options: it is invisible until the pointer is on it."""
        return OPTION_SEPARATOR in self.option


@dataclass(frozen=True, slots=True)
class ActionButton:
    """A button that a game puts on a part. It is drawn while the question has its option."""

    option: str
    text: Arg = ""
    signs: tuple[Sign, ...] = ()
    style: str = ""
    note: Arg = ""  # added to the option's sentence in the tip
    is_beside: bool = False  # the state of the part remains visible next to the button


@dataclass(slots=True)
class Counter:
    """A number, name or symbol with its label. Without a value, the label says everything."""

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
    """Numbers by kind, for instance how many cards of each region."""

    label: Arg
    counts: list[Count]
    own: bool = False


@dataclass(slots=True)
class Cost:
    """A price: for each resource its name, the required number, and how many of them are missing."""

    prices: list[tuple[Arg, int, int]]


def build_cost(prices: list[tuple[Arg, int]], have: list[int]) -> Cost:
    """Return a price compared with what a player has."""
    return Cost([(name, n, max(0, n - own)) for (name, n), own in zip(prices, have, strict=True)])


@dataclass(slots=True)
class Card:
    """A card: its face, its back if the viewer cannot see the face, or an empty place."""

    id: str = ""  # the component's id; empty: the viewer does not know it
    face: CardFace | None = None
    back: Arg = ""  # the name of its deck
    empty: bool = False
    tone: Tone = NO_TONE
    notes: list[Counter] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    # The fields below are for games that draw their own board.
    style: str = ""  # classes of the card's state
    state: Arg = ""  # text at the foot of the card, for instance "2 steps"
    state_sign: str = ""
    state_text: Arg = ""  # the state in full, for the tooltip and next to the enlarged card
    option: str = ""  # the option that pressing the whole card chooses
    options: tuple[str, ...] = ()  # options in its place; the first one that the question has counts
    verb: Arg = ""  # the action of this option, in the tip
    actions: tuple[ActionButton, ...] = ()  # the buttons in its foot
    key: tuple[object, ...] = ()  # everything that the state of the card depends on; drawings are cached by this key
    shared_id: str = ""  # id of the template that the enlarged views of all such cards share

    @property
    def enlarged_id(self) -> str:
        """Return the id of the enlarged card's template."""
        return f"k-{self.id}"

    @property
    def enlarges(self) -> str:
        """Return the templates that enlarging the card shows."""
        return f"{self.enlarged_id} {self.shared_id}".strip()


@dataclass(slots=True)
class Cards:
    """A row of cards, or the viewer's hand."""

    label: Arg
    cards: list[Card]
    own: bool = False
    is_numbered: bool = False  # options name the places of the row by their numbers, from 1

    @property
    def offered(self) -> int:
        return sum(1 for card in self.cards if card.buttons)


@dataclass(slots=True)
class Pile:
    """A deck or a heap of pieces with its size, and the top card if it is open."""

    label: Arg
    count: int
    tone: Tone = NO_TONE
    top: Card | None = None
    buttons: list[Button] = field(default_factory=list)
    is_heap: bool = False  # whether it is a heap of pieces instead of cards
    # The fields below are for games that draw their own board.
    short: Arg = ""  # the label where there is little room
    style: str = ""
    option: str = ""  # the option that pressing the pile chooses
    enlarged_id: str = ""  # the template with the contents of the pile
    href: str = ""  # a page about the pile
    sign: str = ""  # a sign of the game on its back
    text: Arg = ""  # the text of its tooltip, in place of label and number


@dataclass(slots=True)
class Market:
    """Open cards that can be taken, and the piles next to them. An empty place has a state."""

    label: Arg
    cards: list[Card]
    piles: list[Pile] = field(default_factory=list)


@dataclass(slots=True)
class Hand:
    """The viewer's hand, with room for more cards up to the limit."""

    label: Arg
    cards: list[Card]
    room: int = 0
    room_text: Arg = ""


@dataclass(slots=True)
class CardList:
    """A list of cards in a dialog: their faces, and below them the backs of unknown ones."""

    id: str
    heading: Arg
    cards: list[CardFace]
    unknown: list[Arg] = field(default_factory=list)
    note: Arg = ""
    rule: str = ""
    more_rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Description:
    """The enlarged view of a piece or a space: its sign, its name, a text, and the rules about it."""

    id: str  # the id of its template
    sign: str
    heading: Arg
    text: Arg
    rules: tuple[str, ...] = ()
    style: str = ""  # classes of the sign


@dataclass(slots=True)
class CardBack:
    """A card in another hand, by its back: ``known`` is its face if the viewer knows it."""

    style: str
    text: Arg  # the text of its tooltip
    known: Card | None = None
    is_doubtful: bool = False  # it may be in another place


@dataclass(frozen=True, slots=True)
class TokenStack:
    """Equal pieces: ``count`` of them are there, out of ``room`` if there is a limit.

    They are drawn side by side, or as a pile: one of them with their number.
    """

    text: Arg  # the text of its tooltip
    count: int
    room: int = 0
    sign: str = ""  # a sign of the game; empty: a disc
    style: str = ""
    label: Arg = ""
    is_pile: bool = False


@dataclass(frozen=True, slots=True)
class NumberCell:
    """A number of a seat in a narrow cell, with a sign or the first letter of its name."""

    name: Arg
    value: int
    text: Arg = ""  # the text of its tooltip
    sign: str = ""
    style: str = ""
    badge: str = ""  # a short addition to the number, for instance "+1"


@dataclass(frozen=True, slots=True)
class SeatFigure:
    """A number of a seat with its sign, for instance the cards in its hand; or a sign or a word alone."""

    text: Arg = ""  # the text of its tooltip
    value: Arg = ""
    sign: str = ""  # a sign of the game
    word: Arg = ""  # before the number
    rest: Arg = ""  # after the number, for instance "/12"
    bonus: Arg = ""  # an addition to the number, for instance "+3"
    style: str = ""  # classes of the style sheet
    sign_style: str = ""
    frame: str = ""  # classes of a frame around the sign
    size: int = 17  # pixels
    is_on_sign: bool = False  # the number is written on the sign
    is_faint: bool = False
    enlarges: str = ""  # the template that a click enlarges


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """Figures side by side. A row within a row is a frame around some of them."""

    figures: "tuple[SeatFigure | SeatFigures, ...]"
    style: str = ""
    text: Arg = ""  # the tooltip of a frame


@dataclass(frozen=True, slots=True)
class CellRow:
    """Numbers of a seat in cells of equal width."""

    cells: list[NumberCell]
    text: Arg = ""  # the name of the row, if a click enlarges it
    enlarges: str = ""


@dataclass(frozen=True, slots=True)
class HandBacks:
    """Another player's hand, by the backs of its cards."""

    label: Arg
    backs: list[CardBack]


@dataclass(frozen=True, slots=True)
class CardNames:
    """Open cards of a seat by their names; a click enlarges a card."""

    cards: list[Card]


@dataclass(slots=True)
class Legend:
    """The meaning of colours and marks: pairs of a class of the style sheet and a name."""

    entries: list[tuple[str, Arg]]
    style: str = ""


class SheetLine(Protocol):
    """One line of a score sheet: its name, the points of each seat, and the seats that lead with their margin."""

    @property
    def name(self) -> str: ...
    @property
    def points(self) -> Sequence[VisibleNumber]: ...
    @property
    def best(self) -> Sequence[Seat]: ...
    @property
    def margin(self) -> int: ...


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A score sheet with one line for each reason and one column for each seat."""

    caption: Arg
    lines: Sequence[SheetLine]
    has_total: bool = False  # the last line is the total
    has_leads: bool = False  # a column says who is ahead in a line, and by how much


@dataclass(frozen=True, slots=True)
class ScoreGroup:
    """The lines of one seat on its part of a score sheet, and their sum."""

    seat: Seat
    total: int
    lines: list[tuple[Arg, list[Arg]]]


@dataclass(frozen=True, slots=True)
class SeatScoreSheet:
    """A score sheet with columns of its own and a group of lines for each seat, for instance one for each building."""

    caption: Arg
    columns: list[Arg]
    groups: list[ScoreGroup]
    empty: Arg = ""  # the line of a seat that has none


@dataclass(frozen=True, slots=True)
class RankedSeat:
    """The place of a seat in the result: its rank, its total in a game with points, and the reasons."""

    seat: Seat
    rank: int
    total: Arg = ""
    reasons: tuple[str, ...] = ()
    is_faint: bool = False  # a bot has finished the match for a person


@dataclass(frozen=True, slots=True)
class AwardShare:
    """The share of a side in an award: its count, and its cards."""

    seats: list[Seat]  # one player, or several partners
    count: int
    cards: list[CardFace]


@dataclass(frozen=True, slots=True)
class Award:
    """Something that sides have won at the end, with the cards that won it."""

    sign: str
    name: Arg
    shares: list[AwardShare]


@dataclass(slots=True)
class Space:
    """A space of a track: the marker, whether it is lit, and the pieces on it."""

    id: str
    name: Arg
    at: bool = False
    lit: bool = False
    seats: list[Seat] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    # The fields below are for games that draw their own board.
    signs: tuple[Sign, ...] = ()  # signs on the space, next to its name
    pieces: tuple[str, ...] = ()  # classes of small pieces on it
    text: Arg = ""  # the text of its tooltip
    style: str = ""
    option: str = ""  # the option that pressing the space chooses


@dataclass(slots=True)
class Track:
    """A track: spaces in their order."""

    label: Arg
    spaces: list[Space]
    note: Arg = ""  # a remark next to the label
    style: str = ""
    millimetres: tuple[float, float] = CELL  # width and height of a space on paper

    @property
    def is_tight(self) -> bool:
        """Return whether all spaces have names of at most three characters, so that they can be narrow."""
        return all(isinstance(space.name, str) and len(space.name) < 4 for space in self.spaces)


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """The reason why a place is marked: the label is common to all such places, the name belongs to this one."""

    label: Arg
    name: Arg


@dataclass(slots=True)
class Place:
    """A place of a map in the units of its drawing, and its contents."""

    id: str
    name: Arg
    x: float
    y: float
    label_x: float
    label_y: float
    anchor: str
    tone: Tone = NO_TONE
    note: Arg = ""  # a remark for the text table
    marks: list[PlaceMark] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    tokens: list[tuple[str, Arg]] = field(default_factory=list)  # other pieces there: one or two letters, and the name
    holds: list[Arg] = field(default_factory=list)  # things there, written instead of the place's name
    buttons: list[Button] = field(default_factory=list)

    @property
    def offered(self) -> bool:
        """Return whether an option names the place."""
        return any(not button.is_chain for button in self.buttons)

    @property
    def is_bare(self) -> bool:
        """Return whether the place is empty and has no buttons."""
        return not (self.marks or self.seats or self.tokens or self.holds or self.buttons)


@dataclass(slots=True)
class Piece:
    """A piece on a map: of a seat, or another with one or two letters. Pieces at one place are drawn side by side."""

    id: str
    x: float
    y: float
    seat: Seat | None
    text: str = ""


@dataclass(slots=True)
class Map:
    """Places and the lines between them, 1,000 units wide."""

    kind: str
    height: float
    lines: tuple[tuple[int, int], ...]
    places: list[Place]
    pieces: list[Piece] = field(default_factory=list)
    ground: str = ""  # a picture of the game under the places, with its position
    ground_transform: str = ""
    legend: list[Arg] = field(default_factory=list)  # the meaning of each kind of mark
    routes: str = ""  # for each place the number of the one before it on the viewer's shortest path; -: none

    @property
    def offered(self) -> int:
        return sum(1 for place in self.places if place.offered)

    @property
    def roads(self) -> str:
        """Return all lines as one SVG path."""
        ends = ((self.places[a], self.places[b]) for a, b in self.lines)
        return "".join([f"M{a.x} {a.y}L{b.x} {b.y}" for a, b in ends])


@dataclass(slots=True)
class Group:
    """Parts that belong together, under a heading."""

    label: Arg
    parts: "list[Part]"
    buttons: list[Button] = field(default_factory=list)
    own: bool = False


@dataclass(frozen=True, slots=True)
class PanelContent:
    """The content of a game's panel: its most important figures, which a wall shows too, and its parts."""

    figures: SeatFigures | None = None
    parts: "Sequence[Part]" = ()


@dataclass(slots=True)
class SeatPanel:
    """The parts that belong to one seat. The frame of the page adds name, colour, points, and whose turn it is."""

    seat: Seat
    marks: list[Arg] = field(default_factory=list)
    parts: "list[Part]" = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    # The fields below are for games that draw their own board.
    style: str = ""  # classes of the style sheet
    figures: SeatFigures | None = None  # the most important figures, which a wall shows too
    # Makes figures and parts in place of the fields, if the page has no drawing of this key yet.
    make_content: Callable[[], PanelContent] | None = None
    brief: tuple[SeatFigure, ...] = ()  # figures below the name where the seats are in one line
    actions: tuple[ActionButton, ...] = ()
    key: tuple[object, ...] = ()  # everything that the panel depends on; drawings are cached by this key


@dataclass(slots=True)
class SeatRow:
    """One row of the table of seats: a field, and its value for each seat."""

    label: Arg
    values: list[Arg]

    @property
    def is_long(self) -> bool:
        """Return whether a cell holds more than numbers and words."""
        return any(isinstance(value, JoinedList | Message) for value in self.values)


@dataclass(slots=True)
class SeatTable:
    """A table that compares all seats, with one row for each field; it replaces the panels where they have no room."""

    rows: list[SeatRow]


Part: TypeAlias = (
    Counter
    | Tally
    | Cards
    | Pile
    | Track
    | Map
    | Group
    | SeatFigures
    | CellRow
    | HandBacks
    | CardNames
    | CardList
    | TokenStack
)


@dataclass(slots=True)
class Board:
    """A whole table."""

    parts: list[Part]
    panels: list[SeatPanel]

    @property
    def seats(self) -> SeatTable:
        return build_seat_table(self.panels)


class RefusableOffer(Protocol):
    """An option of the question as a page has it."""

    @property
    def allowed(self) -> bool: ...


OfferT = TypeVar("OfferT")


def find_offer(options: Sequence[str], offers: Mapping[str, OfferT]) -> OfferT | None:
    """Return the first of these options that the question has, or None."""
    return next((offers[option] for option in options if option in offers), None)


def list_offered_actions(actions: Sequence[ActionButton], offers: Mapping[str, RefusableOffer]) -> list[ActionButton]:
    """Return the actions whose options the question has and the rules allow."""
    return [action for action in actions if action.option in offers and offers[action.option].allowed]


def group_by_type(parts: list[Part]) -> list[tuple[str, list[Part]]]:
    """Return runs of parts of one type, with the type's name, because they are drawn side by side."""
    return [(name, list(same)) for name, same in groupby(parts, lambda part: type(part).__name__)]


def build_seat_table(panels: list[SeatPanel]) -> SeatTable:
    """Return the facts about seats that are one number each, as a table."""
    rows: dict[object, SeatRow] = {}
    for place, panel in enumerate(panels):
        for key, (label, value) in _seat_numbers(panel).items():
            row = rows.setdefault(key, SeatRow(label, [""] * len(panels)))
            row.values[place] = value
    return SeatTable(list(rows.values()))


def _seat_numbers(panel: SeatPanel) -> dict[object, tuple[Arg, Arg]]:
    """Return the numbers of a panel by name. A name in two tallies gets the name of the tally in addition."""
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
