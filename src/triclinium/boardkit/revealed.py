"""All cards open, for a match that is over: what each seat held at a position that the others could not see.

Worked out from the views: what a seat sees of its own and a spectator does not.
"""

from typing import Final, NamedTuple

from triclinium.boardkit.preview import Teller
from triclinium.boardkit.view_diff import Moved, changes
from triclinium.engine.core.state import Seat, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game

NAMES: Final = 100  # nothing is cut


class Held(NamedTuple):
    """What lay hidden at one place of a seat."""

    what: str
    things: tuple[str, ...]


def opened(game: Game, s: State, reader: Reader) -> dict[Seat, list[Held]]:
    """What each seat held hidden; a seat that held nothing has no entry. Only for a match that is over."""
    teller = Teller(game, reader, NAMES)
    spectator = game.view(s, None)
    found: dict[Seat, list[Held]] = {}
    for seat in range(s.seats):
        for change in changes(spectator, game.view(s, seat)):
            if isinstance(change, Moved) and change.come and change.at.seat in (seat, None):
                found.setdefault(seat, []).append(Held(teller.path(change.at.path), teller.things(change, come=True)))
    return found
