"""The print list of a game: the parts to print and cut out for play on a table.

A game that has one defines ``print_list(c)`` in its `board.py`. The server lays out the parts in the same way for all
games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from triclinium.boardkit.parts import Space, Track
from triclinium.engine.component_kinds import CELL, NO_TONE, POKER_CARD, CardFace, ComponentKind, Thing, Tone
from triclinium.engine.core.text import Arg

# Usual sizes of small parts and of spaces, in millimetres. The style sheet has a rule for each, because some browsers
# lack typed `attr()`.
CUBE, SPACE, TOKEN = (10.0, 10.0), (14.0, 14.0), (20.0, 20.0)


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    """A card, tile or token: its face, and its back if it has one."""

    face: CardFace
    back: CardFace | None = None
    thing: Thing | None = None  # kind and number, for its drawing in the gallery and its source in the credits


@dataclass(frozen=True, slots=True)
class PrintedPieces:
    """Pieces of one size, with every copy listed."""

    id: str
    label: Arg
    pieces: Sequence[PrintedPiece]
    millimetres: tuple[float, float] = POKER_CARD

    @property
    def count(self) -> int:
        return len(self.pieces)


@dataclass(frozen=True, slots=True)
class PrintedBoard:
    """A drawing of the table at the start of a match, without the elements whose class or id is in `without`."""

    id: str
    label: Arg
    drawing: str  # the class of its SVG
    width: float  # in millimetres; the height follows from the drawing
    without: Sequence[str] = ()
    kinds: Sequence[str] = ()  # kinds of components on it, for its source in the credits
    count: int = 1


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A page with tracks, for instance the board of each player."""

    id: str
    label: Arg
    rows: Sequence[Track]
    count: int = 1
    kinds: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Unprinted:
    """A part that is not printed, and what players can use instead."""

    label: Arg
    reason: Arg


PrintPart: TypeAlias = PrintedPieces | PrintedBoard | PrintedSheet


@dataclass(frozen=True, slots=True)
class PrintList:
    """The parts of a game on paper, and those that are not printed."""

    parts: Sequence[PrintPart]
    unprinted: Sequence[Unprinted] = ()
    note: Arg = ""  # a sentence about the counts, for the cover


def make_tokens(title: Arg, count: int, tone: Tone = NO_TONE, sign: str = "", style: str = "") -> list[PrintedPiece]:
    """Return identical tokens with a title, a colour and a sign of the game."""
    return [PrintedPiece(CardFace(title, tone=tone, emblem=sign, style=style))] * count


def list_pieces(
    name: str, kind: ComponentKind, numbers: Sequence[int], back: CardFace | None = None
) -> list[PrintedPiece]:
    """Return pieces with the faces of a kind."""
    faces = [(n, kind.get_face(n)) for n in numbers]
    return [PrintedPiece(face, back, (name, n)) for n, face in faces if face is not None]


def make_track(label: Arg, names: Sequence[Arg], millimetres: tuple[float, float] = CELL) -> Track:
    """Return a track to print, with a space for each name."""
    return Track(label, [Space("", name) for name in names], millimetres=millimetres)
