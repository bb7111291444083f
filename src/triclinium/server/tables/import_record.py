"""Records that somebody uploads: each becomes a table, unless it cannot be replayed or would hold up the others."""

from triclinium.engine.core.errors import BadRecord
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game
from triclinium.engine.record import Record
from triclinium.server.errors import RequestError
from triclinium.server.server import Server
from triclinium.server.storage import components as files
from triclinium.server.tables.create import NewTable, title_on
from triclinium.server.tables.options import SeatOptions, TableOptions

LONGEST = 5_000  # moves: more than twice the longest match; each look at a longer one would hold up everybody


async def table_of(server: Server, text: str, language: str = "en") -> tuple[NewTable, Record]:
    """A table that holds an uploaded match: to look at, or to play on at one device. Its seats are named by number.

    For `open_table`, with whoever opens it: a stranger becomes somebody only when the record is found good.
    """
    return await server.in_thread(_uploaded, server, text, language)


def _uploaded(server: Server, text: str, language: str) -> tuple[NewTable, Record]:
    """The table that an uploaded record asks for, on an edited file if it is kept here; raises BadRecord."""
    record = Record.loads(text)
    if record.seed is None:
        raise BadRecord("the seed of this record is hidden: its match cannot be replayed")
    if len(record.options) > LONGEST:
        raise RequestError("this record has {0} moves: a table takes {1} at most", len(record.options), LONGEST)
    on, edited = _components_of(server, record)
    record.replay(game=on if edited else None)
    names = [on.words.reader(language).read(Message("Seat {0}", seat + 1)) for seat in range(record.seats)]
    seats = [SeatOptions("hot" if seat else "me", name=name) for seat, name in enumerate(names)]
    return NewTable(on, seats, TableOptions(record.variants), origin="record", components=edited), record


def _components_of(server: Server, record: Record) -> tuple[Game, str]:
    """The game that can replay a record: on a released file, or on an edited one that is kept here, with its text."""
    try:
        return record.title_for(), ""
    except BadRecord:
        with server.store.reading() as connection:
            edited = files.with_rules(connection, record.title, record.components)
        if not edited:
            raise
        return record.title_for(title_on(record.title, edited)), edited
