"""Import of uploaded records. A record becomes a table if its match can be replayed and is not too long."""

from triclinium.engine.commitment import SealCheck
from triclinium.engine.core.errors import BadRecord
from triclinium.engine.core.text import Message, Reader
from triclinium.engine.game import Game
from triclinium.engine.match_file import MatchFile, check_match_file, is_match_file, read_match_file
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


async def check_uploaded_file(runtime: Runtime, text: str, language: str) -> tuple[MatchFile, list[SealCheck]]:
    """Return an uploaded match file and its checks. They name the seats by their numbers."""
    return await runtime.run_in_thread(_check_file, runtime.store, text, language)


def _check_file(store: Store, text: str, language: str) -> tuple[MatchFile, list[SealCheck]]:
    file = read_match_file(text)
    _check_length(file.record)
    game, edited = _find_components(store, file.record)
    reader = game.words.reader(language)
    names = _name_seats(reader, file.record.seats)
    return file, check_match_file(file, names, reader, game=game if edited else None)


def _parse_record(store: Store, text: str, language: str) -> tuple[NewTable, Record]:
    """Return the new table for an uploaded record or match file.

    Raise `BadRecord` if its match cannot be replayed or has been changed.
    """
    if is_match_file(text):
        file, checks = _check_file(store, text, language)
        if not checks[-1].holds:
            raise BadRecord(Reader().read(checks[-1].what))
        text = file.record.dumps()
    record = Record.loads(text)
    if record.seed is None:
        raise BadRecord("the match of this record cannot be replayed, because its seed is hidden")
    _check_length(record)
    game, edited = _find_components(store, record)
    record.replay(game=game if edited else None)
    names = _name_seats(game.words.reader(language), record.seats)
    seats = [SeatOptions("hot" if seat else "me", name=name) for seat, name in enumerate(names)]
    return NewTable(game, seats, TableOptions(record.variants), origin="record", components=edited), record


def _check_length(record: Record) -> None:
    if len(record.options) > MAX_MOVES:
        raise RequestError("This record has {0} moves. A table can hold {1} at most.", len(record.options), MAX_MOVES)


def _name_seats(reader: Reader, seats: int) -> list[str]:
    return [reader.read(Message("Seat {0}", seat + 1)) for seat in range(seats)]


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
