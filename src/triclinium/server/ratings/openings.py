"""How somebody begins, in the words of the game: the first decisions of a seat, labelled where they were made."""

from triclinium.engine.core.state import Seat
from triclinium.engine.match import Match
from triclinium.server import plugin_errors
from triclinium.server.presenter import fallback_text
from triclinium.server.ratings.results import APART, OPENING
from triclinium.server.server import Server
from triclinium.server.tables.table import standing

KEPT = 2_000
_said: dict[tuple[str, Seat, str], str] = {}  # a match that is over never changes


def opening_said(server: Server, table: str, seat: Seat, opening: str, language: str) -> str:
    """``Antioch, Tradition``; where the match cannot be replayed any more, as it was noted."""
    key = (table, seat, language)
    if key not in _said:
        plain = opening.replace(APART, ", ")
        if len(_said) >= KEPT:
            _said.clear()
        try:
            _said[key] = ", ".join(_labels(server, table, seat, language)) or plain
        except Exception as error:  # of a game, whatever it is: the page goes on
            plugin_errors.note("", "opening", error, table)
            _said[key] = plain
    return _said[key]


def _labels(server: Server, id: str, seat: Seat, language: str) -> list[str]:
    table = server.stored(id)
    moves = standing(server.history(id))
    own = [n for n, one in enumerate(moves) if one.seat == seat and not one.bot and not one.automatic][:OPENING]
    found: list[str] = []
    for n in own:
        record = table.opening()
        record.options = [one.option for one in moves[:n]]
        match = Match.resume(record, table.game)
        reader = table.game.words.reader(language, table.names())
        found.append(fallback_text.label(table.game, match.state, table.game.read(moves[n].option), reader))
    return found
