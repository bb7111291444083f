"""What the components of a game look like, as data: the board kit draws them, and the terminal tells them.

A game brings no drawing for this. It says of each kind of thing that its view names (`Ref`, `By`) which shape it has,
what stands on it, and where its places lie. A kind that is not described is a token: its name, and no more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from triclinium.engine.core.text import Arg, Name

KindShape: TypeAlias = Literal["card", "pile", "place", "track", "token"]
Tone: TypeAlias = int  # 0 to 7, a colour of the kit; -1: none

Thing: TypeAlias = tuple[str, int]  # a kind, and the number of the thing

NO_TONE: Final = -1
PLAYER: Final = "player"  # the kind of a thing that is a seat of the table


@dataclass(frozen=True, slots=True)
class CardFace:
    """What stands on a card: its heading, a short text in its corner, lines, signs of the game's `signs.svg`."""

    title: Arg
    corner: Arg = ""
    lines: tuple[Arg, ...] = ()
    signs: tuple[str, ...] = ()
    tone: Tone = NO_TONE
    about: Arg = ""  # what the signs mean, for readers who cannot see them
    art: Arg = ""  # a letter or two that fill the card
    at: str = ""  # the id of the place on the map that it speaks of


@dataclass(frozen=True, slots=True)
class Layout:
    """Where places lie: a window (x, y, width, height), a point for each, lines between two of them, and their names.

    A label is its offset from the point and the side that it is set on: ``(13, 5, "start")``. The ground is a shape of
    one of the game's pictures, in the units of the window: ``coast.svg#coast``.
    """

    window: tuple[float, float, float, float]
    points: Sequence[tuple[float, float]]
    lines: Sequence[tuple[int, int]] = ()
    labels: Sequence[tuple[float, float, str]] = ()
    ground: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Facet:
    """One way to sort the things of a kind: its values by id, each in words, and which of them a thing has."""

    id: str
    label: Name
    values: Sequence[tuple[str, Arg]]
    values_of: Callable[[int], Sequence[str]]


@dataclass(frozen=True, slots=True, eq=False)
class ComponentKind:
    """One kind of component: ids and names by number, its shape, and what the shape needs.

    A pile is a deck by its number of cards: a field of the view that is called like its id says how many. A card whose
    face is None is known by its back alone. Places may lie on the map of another kind.
    """

    ids: Sequence[str | int]
    names: Sequence[Arg]
    shape: KindShape = "token"
    face: Callable[[int], CardFace | None] | None = None
    layout: Layout | None = None
    tones: Sequence[Tone] = ()
    map_kind: str = ""
    facets: Sequence[Facet] = ()
    _faces: dict[int, CardFace | None] = field(default_factory=dict, init=False, repr=False)

    def tone(self, n: int) -> Tone:
        return self.tones[n] if n < len(self.tones) else NO_TONE

    def get_face(self, n: int) -> CardFace | None:
        """The face of a card; without one that the game describes, its name; of a back, None."""
        if n not in self._faces:  # the same one each time: what is drawn of it can be kept
            self._faces[n] = CardFace(self.names[n], tone=self.tone(n)) if self.face is None else self.face(n)
        return self._faces[n]
