"""The Meeting of the Sanhedrin and its Judgments (IE-4.10, IE-5.1 to IE-5.8)."""

from triclinium.engine.core.state import Seat
from triclinium.games.ierusalem.rules.constants import (
    JUDGES_CALLS,
    JUDGES_FAVORS,
    JUDGES_GOODS,
    JUDGES_OFFERINGS,
    JUDGES_PARABLES,
)
from triclinium.games.ierusalem.rules.events import JUDGED, MARKER_MOVED
from triclinium.games.ierusalem.rules.impossible_actions import MEETINGS_OVER, emit_obstacle
from triclinium.games.ierusalem.rules.state import FROM_JUDGMENTS, Ierusalem


def hold_meeting(s: Ierusalem, who: Seat) -> None:
    """IE-4.10  Move the marker 1 space; a Judgment tile there scores. On the last space the marker stays (IE-R10)."""
    c = s.c
    if s.marker >= c.last:
        emit_obstacle(s, who, MEETINGS_OVER)
        return
    s.marker += 1
    if s.events is not None:
        s.emit(MARKER_MOVED, who, (s.marker, c.last - s.marker), "IE-4.10")
    tile = c.tile_at[s.marker]
    if tile >= 0 and s.has_judgments:
        apply_judgment(s, who, s.tiles[tile])


def apply_judgment(s: Ierusalem, who: Seat, tile: int) -> None:
    """IE-5.1, IE-R11  Score a Judgment for all players at once.

    The player who moved the marker scores in full, each other player half, rounded down.
    """
    if s.events is not None:
        s.emit(JUDGED, who, (tile,), "IE-5.1")
    for seat in range(s.seats):
        points = count_judgment_points(s, seat, tile)
        if seat != who:
            points //= 2
        if points > 0:
            s.score_points(seat, points, FROM_JUDGMENTS, "IE-5.1")


def count_judgment_points(s: Ierusalem, seat: Seat, tile: int) -> int:
    """Return the full score of a Judgment for a player."""
    if tile == JUDGES_PARABLES:
        return s.parables[seat]  # IE-5.2
    if tile == JUDGES_OFFERINGS:
        return s.offerings[seat]  # IE-5.3
    if tile == JUDGES_GOODS:
        return s.count_goods(seat)  # IE-5.4
    if tile == JUDGES_CALLS:
        return s.at_location[seat * 3] + s.at_location[seat * 3 + 1] + s.at_location[seat * 3 + 2]  # IE-5.5
    if tile == JUDGES_FAVORS:
        return s.favors[seat]  # IE-5.6
    return s.count_at_supper(seat)  # IE-5.8
