"""The appearance of a game's components as data. The board kit draws them and the terminal describes them.

A game needs no drawing code for this. For each kind of thing that its view names (`Ref`, `PerKind`) it gives the shape,
the text on it and the positions of its places. A kind without a description is a token with a name.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from triclinium.engine.core.text import Arg, Name

KindShape: TypeAlias = Literal["card", "pile", "place", "track", "token"]
Tone: TypeAlias = int  # 0 to 7 is a colour of the board kit, -1 is none

Thing: TypeAlias = tuple[str, int]  # a kind and the number of the thing

NO_TONE: Final = -1
POKER_CARD: Final = (63.0, 88.0)  # the usual size of cards, in millimetres
CELL: Final = (27.0, 20.0)  # the usual size of a space of a track, in millimetres
PLAYER: Final = "player"  # the kind of a thing that is a seat of the table


@dataclass(frozen=True, slots=True)
class Sign:
    """A symbol of the game's `signs.svg`: its id, its meaning, and a class of the game's style sheet."""

    id: str
    name: Arg = ""
    style: str = ""
    short: Arg = ""  # the meaning in one or two words
    rule: str = ""  # the rule that explains it, a link next to the enlarged sign
    number: str = ""  # a number that is written on the sign


@dataclass(frozen=True, slots=True)
class SignRow:
    """Signs of one sort, for instance the fuel of a card. The id is a class of the style sheet."""

    signs: tuple[Sign, ...]
    id: str = ""
    has_words: bool = False  # the short name is written next to each sign


@dataclass(frozen=True, slots=True)
class Fact:
    """A line next to an enlarged thing: a word, its value, and the rule that states it."""

    word: Arg
    value: Arg
    rule: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class CardFace:
    """The face of a card. All drawings of the card are made from it: small, large, in a list, on a wall and on paper.

    Faces are compared by identity, because drawings of them are cached: make each face once.
    """

    title: Arg
    corner: Arg = ""  # a short text, for instance the points
    corner_sign: str = ""  # a sign in the corner: the corner's text is written on it, or it stands alone
    lines: tuple[Arg, ...] = ()
    signs: tuple[SignRow, ...] = ()
    tone: Tone = NO_TONE
    about: Arg = ""  # the meaning of the symbols, for readers who cannot see them
    art: Arg = ""  # one or two letters that fill the card
    at: str = ""  # the id of the place on the map that the card refers to
    style: str = ""  # classes of the game's style sheet
    title_sign: str = ""  # a sign in front of the title; where the card is one line, it is a tile
    band: Arg = ""  # the text above the title, for instance the deck
    brief: Arg = ""  # one line in place of the band and the lines, where a card is small
    details: tuple[Arg, ...] = ()  # lines that only a large card has room for
    emblem: str = ""  # a sign that fills the card
    picture: str = ""  # a drawing of `signs.svg` along the foot of the card
    drawing: str = ""  # SVG of the game's own, as `Markup`
    foot: Arg = ""
    foot_sign: str = ""  # a sign in front of the foot
    facts: tuple[Fact, ...] = ()  # facts that are shown next to the enlarged card
    caption: Arg = ""  # printed in place of the title, if the band or the foot has the rest of the title
    source: Arg = ""  # the passage or place that the card refers to, written below it in the gallery

    @property
    def texts(self) -> tuple[Arg, ...]:
        """Return the lines below the title where a card is written in words."""
        return (self.band, *self.lines) if self.band and not self.caption else self.lines


@dataclass(frozen=True, slots=True)
class Layout:
    """The positions of places: a window (x, y, width, height), a point for each place, lines between them, and labels.

    A label has an offset from the point and an anchor: ``(13, 5, "start")``. The ground is a shape of one of the game's
    pictures, for example ``coast.svg#coast``, in the units of the window.
    """

    window: tuple[float, float, float, float]
    points: Sequence[tuple[float, float]]
    lines: Sequence[tuple[int, int]] = ()
    labels: Sequence[tuple[float, float, str]] = ()
    ground: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Facet:
    """A criterion to sort the things of a kind: its values by id with their names, and the values of each thing."""

    id: str
    label: Name
    values: Sequence[tuple[str, Arg]]
    values_of: Callable[[int], Sequence[str]]
    sign: Callable[[str], Sign] | None = None  # the sign of a value by its id


@dataclass(frozen=True, slots=True, eq=False)
class ComponentKind:
    """A kind of component: ids and names by number, its shape, and the data that the shape needs.

    A pile is a deck of which only the number of cards is shown. The view has a field with the pile's id for this
    number. A card whose face is None shows its back. Places may be drawn on the map of another kind.
    A note is a short remark on a thing: the gallery shows it, and the table in words shows those of places.
    """

    ids: Sequence[str | int]
    names: Sequence[Arg]
    shape: KindShape = "token"
    face: Callable[[int], CardFace | None] | None = None
    layout: Layout | None = None
    tones: Sequence[Tone] = ()
    map_kind: str = ""
    facets: Sequence[Facet] = ()
    notes: Sequence[Arg] = ()
    sign: Callable[[str], Sign] | None = None  # the sign of a thing by its id
    millimetres: tuple[float, float] = POKER_CARD  # width and height of a card on paper
    _faces: dict[int, CardFace | None] = field(default_factory=dict, init=False, repr=False)

    def tone(self, n: int) -> Tone:
        return self.tones[n] if n < len(self.tones) else NO_TONE

    def note(self, n: int) -> Arg:
        return self.notes[n] if n < len(self.notes) else ""

    def get_face(self, n: int) -> CardFace | None:
        """Return the face of a card, or None for its back. Without a description, the face shows the name."""
        if n not in self._faces:  # The cached face is always the same object, so drawings of it can be cached too.
            self._faces[n] = CardFace(self.names[n], tone=self.tone(n)) if self.face is None else self.face(n)
        return self._faces[n]
