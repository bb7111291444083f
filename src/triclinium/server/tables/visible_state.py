"""Visible state: the view of a position and the scores, as far as a viewer may know them."""

from triclinium.engine.core.state import Seat, State
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.view import View, base_fields
from triclinium.engine.visible_scores import VisibleNumber, VisibleScore
from triclinium.server import plugin_errors
from triclinium.server.seat_ids import none_to_nobody
from triclinium.server.tables.table import Table


def get_view_or_base(game: Game, s: State, seat: Seat | None, ended: bool = False, past: bool = False) -> View:
    """Return the game's view for a seat or a spectator. If the game's code fails, return only the engine's part of it.

    ``ended`` means the last position of a finished match. ``past`` means an earlier position of a running match.
    """
    make_view = game.final_view if ended else game.view_without_reminders if past else game.view
    try:
        return make_view(s, seat)
    except Exception as error:
        plugin_errors.log_once(game.id, "view", error)
        return View(*base_fields(s, seat, game.notation))


def compute_visible_scores(table: Table, match: Match, seat: Seat | None) -> list[VisibleScore]:
    """Return the scores as far as this viewer knows them. They are cached for the current version."""
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
    """Return the totals after n moves as far as this seat knew them then.

    Those of earlier positions are cached, because they need a replay.
    """
    if n == table.moves:
        return [score.shown_total for score in compute_visible_scores(table, table.current_match, seat)]
    seat_totals = table.caches.totals.get((n, seat))
    if seat_totals is None:
        seat_totals = [score.shown_total for score in table.game.visible_scores(table.position(n).state, seat)]
        table.caches.totals[n, seat] = seat_totals
    return seat_totals
