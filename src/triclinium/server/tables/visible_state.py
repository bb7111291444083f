"""What a viewer may know of a position: the view, and the scores as far as it can tell them."""

from triclinium.engine.core.state import Seat, State
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.view import View, base_fields
from triclinium.engine.visible_scores import VisibleNumber, VisibleScore
from triclinium.server import plugin_errors
from triclinium.server.seat_ids import none_to_nobody
from triclinium.server.tables.table import Table


def get_view_or_base(game: Game, s: State, seat: Seat | None, ended: bool = False, past: bool = False) -> View:
    """The game's view of this seat or of a spectator; should it fail, the engine's part of it: who decides what.

    ``ended``: the match is over, and this is its last position. ``past``: the match has gone on since, and is not over.
    """
    make_view = game.final_view if ended else game.view_without_reminders if past else game.view
    try:
        return make_view(s, seat)
    except Exception as error:
        plugin_errors.log_once(game.id, "view", error)
        return View(*base_fields(s, seat, game.notation))


def compute_visible_scores(table: Table, match: Match, seat: Seat | None) -> list[VisibleScore]:
    """The scores as this viewer can tell them; kept until the table moves on."""
    if match is not table.match:
        return table.game.visible_scores(match.state, none_to_nobody(seat))
    caches = table.caches
    if caches.points_at != table.version:
        caches.points_at = table.version
        caches.points.clear()
    if seat not in caches.points:
        caches.points[seat] = table.game.visible_scores(match.state, none_to_nobody(seat))
    return caches.points[seat]


def compute_visible_totals(table: Table, n: int, seat: Seat) -> list[VisibleNumber]:
    """The totals after n moves as this seat was told them then; kept, because it takes a replay."""
    seat_totals = table.caches.totals.get((n, seat))
    if seat_totals is None:
        seat_totals = [score.shown_total for score in table.game.visible_scores(table.position(n).state, seat)]
        table.caches.totals[n, seat] = seat_totals
    return seat_totals
