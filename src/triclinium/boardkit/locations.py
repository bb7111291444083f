"""The locations of cards: those that a viewer can see, and those in hidden hands after the end of the match."""

from collections.abc import Iterator
from typing import NamedTuple

from triclinium.boardkit.cards import make_card
from triclinium.boardkit.default_board import build_default_board
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.parts import Card, Cards, Group, Part, Pile
from triclinium.boardkit.revealed import reveal_hidden_things
from triclinium.engine.core.state import Seat, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.view import View


class CardLocation(NamedTuple):
    """A place in words with its owner; a place without an owner is on the table."""

    seat: Seat | None
    place: str


def find_card_locations(game: Game, s: State, kind: str, n: int, reader: Reader) -> list[CardLocation]:
    """Return every location of a card that the table knows. Raise `ValueError` before the match is over."""
    if not s.over:
        raise ValueError("the places of all cards are known only when the match is over")
    cards = map_kinds_by_name(game)[kind]
    if cards.shape != "card":
        return []
    wanted = make_card(cards, n, [])
    board = build_default_board(game.view(s, None), map_kinds_by_name(game), {})
    locations = [CardLocation(None, place) for place in _iterate_matching_places(board.parts, wanted, reader)]
    for panel in board.panels:
        locations += [
            CardLocation(panel.seat, place) for place in _iterate_matching_places(panel.parts, wanted, reader)
        ]
    name = reader.format_arg(cards.names[n])
    for seat, several in reveal_hidden_things(game, s, reader).items():
        locations += [CardLocation(seat, held.what) for held in several if name in held.things]
    return list(dict.fromkeys(locations))


def locate_visible_cards(game: Game, view: View, reader: Reader) -> dict[tuple[str, str], CardLocation]:
    """Return the location of each card whose face a viewer can see, by kind and id."""
    faces = {
        (str(id), kind.get_face(n)): (name, str(id))
        for name, kind in map_kinds_by_name(game).items()
        if kind.shape == "card"
        for n, id in enumerate(kind.ids)
    }
    board = build_default_board(view, map_kinds_by_name(game), {})
    locations: dict[tuple[str, str], CardLocation] = {}
    for seat, parts in [(None, board.parts), *((panel.seat, panel.parts) for panel in board.panels)]:
        for card, place in _iterate_visible_cards(parts, reader):
            if (card.id, card.face) in faces:
                locations.setdefault(faces[card.id, card.face], CardLocation(seat, place))
    return locations


def _iterate_visible_cards(parts: list[Part], reader: Reader) -> Iterator[tuple[Card, str]]:
    for part in parts:
        match part:
            case Cards(label, cards):
                yield from ((card, reader.format_arg(label)) for card in cards)
            case Pile(label, top=Card() as top):
                yield top, reader.format_arg(label)
            case Group():
                yield from _iterate_visible_cards(part.parts, reader)


def _iterate_matching_places(parts: list[Part], wanted: Card, reader: Reader) -> Iterator[str]:
    for part in parts:
        match part:
            case Cards(label, cards) if any(_is_same_card(card, wanted) for card in cards):
                yield reader.format_arg(label)
            case Pile(label, top=Card() as top) if _is_same_card(top, wanted):
                yield reader.format_arg(label)
            case Group():
                yield from _iterate_matching_places(part.parts, wanted, reader)


def _is_same_card(card: Card, wanted: Card) -> bool:
    return card.id == wanted.id and card.face == wanted.face
