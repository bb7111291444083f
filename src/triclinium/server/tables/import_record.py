"""Records that somebody uploads: each becomes a table, unless it cannot be replayed or would hold up the others."""

from triclinium.engine.core.errors import BadRecord
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game
from triclinium.engine.record import Record
from triclinium.server.errors import RequestError
from triclinium.server.runtime import Runtime
from triclinium.server.storage import components as files
from triclinium.server.storage.store import Store
from triclinium.server.tables.create import NewTable, find_edition
from triclinium.server.tables.options import SeatOptions, TableOptions

MAX_MOVES = 5_000  # moves: more than twice the longest match; each look at a longer one would hold up everybody


async def make_table_from_record(runtime: Runtime, text: str, language: str = "en") -> tuple[NewTable, Record]:
    """A table that holds an uploaded match: to look at, or to play on at one device. Its seats are named by number.

    For `open_table`, with whoever opens it: a stranger becomes somebody only when the record is found good.
    """
    return await runtime.run_in_thread(_parse_record, runtime.store, text, language)


def _parse_record(store: Store, text: str, language: str) -> tuple[NewTable, Record]:
    """The table that an uploaded record asks for, on an edited file if it is kept here; raises BadRecord."""
    record = Record.loads(text)
    if record.seed is None:
        raise BadRecord("the seed of this record is hidden: its match cannot be replayed")
    if len(record.options) > MAX_MOVES:
        raise RequestError("this record has {0} moves: a table takes {1} at most", len(record.options), MAX_MOVES)
    game, edited = _find_components(store, record)
    record.replay(game=game if edited else None)
    names = [game.words.reader(language).read(Message("Seat {0}", seat + 1)) for seat in range(record.seats)]
    seats = [SeatOptions("hot" if seat else "me", name=name) for seat, name in enumerate(names)]
    return NewTable(game, seats, TableOptions(record.variants), origin="record", components=edited), record


def _find_components(store: Store, record: Record) -> tuple[Game, str]:
    """The game that can replay a record: on a released file, or on an edited one that is kept here, with its text."""
    try:
        return record.find_game(), ""
    except BadRecord:
        with store.read_connection() as connection:
            edited = files.find_text_by_rules_hash(connection, record.game_id, record.components)
        if not edited:
            raise
        return record.find_game(find_edition(record.game_id, edited)), edited
