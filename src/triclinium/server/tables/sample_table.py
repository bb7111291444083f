"""Tables that exist only in memory: one position of a match, to be looked at and tried by one reader."""

from collections.abc import Sequence

from triclinium.engine.core.state import Seat
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.server.tables.options import TableOptions
from triclinium.server.tables.table import Occupant, Table, TableProgress, TableRow


def make_sample_table(game: Game, record: Record, names: Sequence[str], title: str) -> Table:
    """Return a table whose match has reached the end of this record. Nobody owns its seats, and nothing is stored."""
    occupants = tuple(_make_occupant(seat, name) for seat, name in enumerate(names))
    row = TableRow(
        id="",
        game_or_none=game,
        game_id=game.id,
        rules=record.version,
        components=record.components,
        file="",
        components_text="",
        code="",
        name=title,
        host=0,
        opener="",
        options=TableOptions(variants=record.variants, hints=False),
        seed=record.seed or 0,
        salt="",
        seal="",
        status="playing",
        made=0.0,
        rematch_id="",
        origin="",
        practice=False,
        undone_by_consent=False,
        hinted=False,
        watch_generation=0,
        ended_early=False,
        abandoned=False,
        reassigned=False,
        paused_until=0.0,
        result=[],
        occupants=occupants,
        departed={},
        opened_late=False,
        opened_seats=frozenset(),
        deal="",
        deal_until=0.0,
        revealed=False,
    )
    table = Table(row, TableProgress(0, len(record.options), 0.0, None, None))
    table._runtime.match = Match.resume(record, game)
    return table


def _make_occupant(seat: Seat, name: str) -> Occupant:
    return Occupant(
        seat=seat,
        kind="person",
        person=None,
        name=name,
        bot="",
        taken=True,
        substitute="",
        generation=0,
        token="",
        timed_out=False,
        awaited=0.0,
        helped=False,
    )
