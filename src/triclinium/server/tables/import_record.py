"""Import of uploaded records. A record becomes a table if its match can be replayed and is not too long."""

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

MAX_MOVES = 5_000  # more than twice the longest known match; longer ones would slow down the server


async def make_table_from_record(runtime: Runtime, text: str, language: str = "en") -> tuple[NewTable, Record]:
    """Return a new table and the record of an uploaded match, for `open_table`.

    The seats share a device and are named by their numbers. No account is needed until the record has been checked.
    Raise `BadRecord` or `RequestError` if the match cannot be imported.
    """
    return await runtime.run_in_thread(_parse_record, runtime.store, text, language)


def _parse_record(store: Store, text: str, language: str) -> tuple[NewTable, Record]:
    """Return the new table for an uploaded record. Raise `BadRecord` if its match cannot be replayed."""
    record = Record.loads(text)
    if record.seed is None:
        raise BadRecord("the match of this record cannot be replayed, because its seed is hidden")
    if len(record.options) > MAX_MOVES:
        raise RequestError("This record has {0} moves. A table can hold {1} at most.", len(record.options), MAX_MOVES)
    game, edited = _find_components(store, record)
    record.replay(game=game if edited else None)
    names = [game.words.reader(language).read(Message("Seat {0}", seat + 1)) for seat in range(record.seats)]
    seats = [SeatOptions("hot" if seat else "me", name=name) for seat, name in enumerate(names)]
    return NewTable(game, seats, TableOptions(record.variants), origin="record", components=edited), record


def _find_components(store: Store, record: Record) -> tuple[Game, str]:
    """Return the game for a record and the text of an edited components file.

    The text is "" for released components.
    """
    try:
        return record.find_game(), ""
    except BadRecord:
        with store.read_connection() as connection:
            edited = files.find_text_by_rules_hash(connection, record.game_id, record.components)
        if not edited:
            raise
        return record.find_game(find_edition(record.game_id, edited)), edited
