"""The hidden things of each seat at a position, for a match that is over.

They are the differences between what a seat sees of its own things and what a spectator sees.
"""

from typing import Final, NamedTuple

from triclinium.boardkit.preview import ChangeFormatter
from triclinium.boardkit.view_diff import ThingMove, diff_views
from triclinium.engine.core.state import Seat, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game

MAX_NAMES: Final = 100  # high enough that no name is left out


class HiddenThings(NamedTuple):
    """The hidden things at one place of a seat."""

    what: str
    things: tuple[str, ...]


def reveal_hidden_things(game: Game, s: State, reader: Reader) -> dict[Seat, list[HiddenThings]]:
    """Return the hidden things of each seat that has any. It is only for a match that is over."""
    formatter = ChangeFormatter(game, reader, MAX_NAMES)
    spectator = game.view(s, None)
    hidden_by_seat: dict[Seat, list[HiddenThings]] = {}
    for seat in range(s.seats):
        for change in diff_views(spectator, game.view(s, seat)):
            if isinstance(change, ThingMove) and change.added and change.field_path.seat in (seat, None):
                hidden_by_seat.setdefault(seat, []).append(
                    HiddenThings(
                        formatter.format_path(change.field_path.path), formatter.format_things(change, come=True)
                    )
                )
    return hidden_by_seat
