"""Openings: the first decisions of a seat in a match, in the words of the game."""

from triclinium.engine.core.state import Seat
from triclinium.engine.match import Match
from triclinium.server import fallback_text, plugin_errors
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.results import OPENING_DECISIONS, OPENING_SEPARATOR
from triclinium.server.tables.table import drop_undone

MAX_CACHED = 2_000
_cached_texts: dict[tuple[str, Seat, str], str] = {}  # a finished match never changes, so the texts stay valid


def format_opening(repository: TableRepository, table: str, seat: Seat, opening: str, language: str) -> str:
    """Return an opening as text, such as ``Antioch, Tradition``.

    If the match cannot be replayed, return it in notation.
    """
    key = (table, seat, language)
    if key not in _cached_texts:
        plain = opening.replace(OPENING_SEPARATOR, ", ")
        if len(_cached_texts) >= MAX_CACHED:
            _cached_texts.clear()
        try:
            _cached_texts[key] = ", ".join(_label_decisions(repository, table, seat, language)) or plain
        except Exception as error:  # a fault in the game's code must not prevent the page
            plugin_errors.log_once("", "opening", error, table)
            _cached_texts[key] = plain
    return _cached_texts[key]


def _label_decisions(repository: TableRepository, id: str, seat: Seat, language: str) -> list[str]:
    table = repository.load_table(id)
    moves = drop_undone(repository.load_history(id))
    own = [n for n, row in enumerate(moves) if row.seat == seat and not row.bot and not row.automatic][
        :OPENING_DECISIONS
    ]
    labels: list[str] = []
    for n in own:
        record = table.make_opening_record()
        record.options = [row.option for row in moves[:n]]
        match = Match.resume(record, table.game)
        reader = table.game.words.reader(language, table.names())
        labels.append(fallback_text.format_option(table.game, match.state, table.game.read(moves[n].option), reader))
    return labels
