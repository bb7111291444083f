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
PLAYER: Final = "player"  # the kind of a thing that is a seat of the table


@dataclass(frozen=True, slots=True)
class CardFace:
    """The face of a card: heading, a short text in its corner, lines, and symbols from the game's `signs.svg`."""

    title: Arg
    corner: Arg = ""
    lines: tuple[Arg, ...] = ()
    signs: tuple[str, ...] = ()
    tone: Tone = NO_TONE
    about: Arg = ""  # the meaning of the symbols, for readers who cannot see them
    art: Arg = ""  # one or two letters that fill the card
    at: str = ""  # the id of the place on the map that the card refers to


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


@dataclass(frozen=True, slots=True, eq=False)
class ComponentKind:
    """A kind of component: ids and names by number, its shape, and the data that the shape needs.

    A pile is a deck of which only the number of cards is shown. The view has a field with the pile's id for this
    number. A card whose face is None shows its back. Places may be drawn on the map of another kind.
    A note is a short remark on a place, for readers who cannot see the board.
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
