"""Locations of a game's components: those that a viewer sees, and all of them once the match is over."""

from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.locations import find_card_locations, locate_visible_cards
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Message
from triclinium.server.tables.table import Table
from triclinium.server.tables.visible_state import get_view_or_base


def list_places_at_end(table: Table, kind: str, thing: str, language: str) -> list[tuple[str, str]]:
    """Return the places of a component, each with its owner's name or "".

    The list is empty while the match runs, and if the game's edition does not contain the component.
    """
    ids = [str(thing_id) for thing_id in map_kinds_by_name(table.game)[kind].ids] if kind in table.game.gallery else []
    if table.status != "over" or not table.current_match.state.over or thing not in ids:
        return []
    names = table.names()
    reader = table.game.words.reader(language, names)
    places = find_card_locations(table.game, table.current_match.state, kind, ids.index(thing), reader)
    return [("" if seat is None else names[seat], place) for seat, place in places]


def map_visible_places(table: Table, seat: Seat | None, language: str) -> dict[tuple[str, str], str]:
    """Return the place of every card that a seat, or a spectator, sees. Keys are the card's kind and id."""
    names = table.names()
    reader = table.game.words.reader(language, names)
    s = table.current_match.state
    places = locate_visible_cards(table.game, get_view_or_base(table.game, s, seat, s.over), reader)
    return {
        thing: place if whose is None else reader.read(Message("{0}: {1}", names[whose], place))
        for thing, (whose, place) in places.items()
    }
