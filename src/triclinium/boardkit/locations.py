"""Where cards are: as far as a viewer sees, and in hidden hands too when the match is over."""

from collections.abc import Iterator
from typing import NamedTuple

from triclinium.boardkit.cards import new_card
from triclinium.boardkit.default_board import default_board
from triclinium.boardkit.kind_lookup import kinds_of
from triclinium.boardkit.parts import Card, Cards, Group, Part, Pile
from triclinium.boardkit.revealed import opened
from triclinium.engine.core.state import Seat, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.view import View


class Whereabouts(NamedTuple):
    """A place in words, and whose it is; nobody's: it lies on the table."""

    seat: Seat | None
    place: str


def whereabouts(game: Game, s: State, kind: str, n: int, reader: Reader) -> list[Whereabouts]:
    """Every place where this card lies that the table knows. Raises ValueError while the match goes on."""
    if not s.over:
        raise ValueError("where a card lies is told when the match is over")
    cards = kinds_of(game)[kind]
    if cards.shape != "card":
        return []
    wanted = new_card(cards, n, [])
    board = default_board(game.view(s, None), kinds_of(game), {})
    found = [Whereabouts(None, place) for place in _places(board.parts, wanted, reader)]
    for panel in board.panels:
        found += [Whereabouts(panel.seat, place) for place in _places(panel.parts, wanted, reader)]
    name = reader.say(cards.names[n])
    for seat, several in opened(game, s, reader).items():
        found += [Whereabouts(seat, held.what) for held in several if name in held.things]
    return list(dict.fromkeys(found))


def lying(game: Game, view: View, reader: Reader) -> dict[tuple[str, str], Whereabouts]:
    """Where every card lies whose face a viewer sees, by its kind and its id; what is not here they do not know."""
    faces = {
        (str(id), kind.face_of(n)): (name, str(id))
        for name, kind in kinds_of(game).items()
        if kind.shape == "card"
        for n, id in enumerate(kind.ids)
    }
    board = default_board(view, kinds_of(game), {})
    found: dict[tuple[str, str], Whereabouts] = {}
    for seat, parts in [(None, board.parts), *((panel.seat, panel.parts) for panel in board.panels)]:
        for card, place in _faces(parts, reader):
            if (card.id, card.face) in faces:
                found.setdefault(faces[card.id, card.face], Whereabouts(seat, place))
    return found


def _faces(parts: list[Part], reader: Reader) -> Iterator[tuple[Card, str]]:
    for part in parts:
        match part:
            case Cards(label, cards):
                yield from ((card, reader.say(label)) for card in cards)
            case Pile(label, top=Card() as top):
                yield top, reader.say(label)
            case Group():
                yield from _faces(part.parts, reader)


def _places(parts: list[Part], wanted: Card, reader: Reader) -> Iterator[str]:
    for part in parts:
        match part:
            case Cards(label, cards) if any(_same(card, wanted) for card in cards):
                yield reader.say(label)
            case Pile(label, top=Card() as top) if _same(top, wanted):
                yield reader.say(label)
            case Group():
                yield from _places(part.parts, wanted, reader)


def _same(one: Card, wanted: Card) -> bool:
    return one.id == wanted.id and one.face == wanted.face
