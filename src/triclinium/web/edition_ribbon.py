"""The ribbon of a table with an edition: its name, and the numbers that differ from the printed game.

At a table of a playtest, the ribbon names no edition until the reader has answered the questions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from triclinium.engine.core.state import Seat
from triclinium.engine.game import Game
from triclinium.engine.numbers import find_changed_numbers, read_number
from triclinium.engine.registry import load_game
from triclinium.server.tables.table import Table
from triclinium.server.workshop import playtests
from triclinium.web.i18n import get_cached_reader
from triclinium.web.page_context import PageContext


@dataclass(frozen=True, slots=True)
class ChangedNumber:
    """A number that an edition changes, as text."""

    name: str
    printed: str
    value: str


@dataclass(frozen=True, slots=True)
class EditionRibbon:
    """The name of an edition, its changed numbers, and whether bots play, which learnt the printed game."""

    name: str
    changes: tuple[ChangedNumber, ...]
    has_bots: bool
    playtest_path: str = ""  # address of the playtest's page; empty without a playtest
    is_secret: bool = False  # the reader may not know the edition
    asked_seat: Seat | None = None  # the reader's seat that has not answered the questions
    place: int = 0  # number of the table in the playtest, from 1, if the reader may know it
    questions: Mapping[str, str] = field(default_factory=lambda: playtests.QUESTIONS)


def make_edition_ribbon(context: PageContext, table: Table, own_seats: Sequence[Seat]) -> EditionRibbon | None:
    """Return the ribbon of a table, or None if it has the printed components and belongs to no playtest."""
    if table.options.playtest:
        return _make_playtest_ribbon(context, table, own_seats)
    if not table.file:
        return None
    name = table.options.edition or context.localize("Edited components")
    return EditionRibbon(name, list_changes(context, table.game), _has_bots(table))


def _make_playtest_ribbon(context: PageContext, table: Table, own_seats: Sequence[Seat]) -> EditionRibbon:
    with context.services.store.read_connection() as connection:
        placed = playtests.find_table_edition(connection, table)
        path = "" if placed is None else placed.playtest.invitation_path
        asked = None
        if placed is not None and placed.playtest.is_open and table.takes_answers:
            answered = playtests.list_answered_seats(connection, table)
            asked = next(
                (seat for seat in playtests.list_asked_seats(table) if seat in set(own_seats) - answered), None
            )
        if not playtests.knows_edition(connection, table, own_seats):
            return EditionRibbon(context.localize("Playtest edition"), (), False, path, True, asked)
    fallback = context.localize("Edited components") if table.file else context.localize("Printed game")
    name = fallback if placed is None else placed.edition.name or context.localize("Printed game")
    place = 0 if placed is None else placed.place + 1
    return EditionRibbon(name, list_changes(context, table.game), _has_bots(table), path, False, asked, place)


def list_changes(context: PageContext, game: Game) -> tuple[ChangedNumber, ...]:
    """Return the numbers of an edition that differ from the printed game."""
    reader = get_cached_reader(context.language, game.words).reader
    return tuple(
        ChangedNumber(reader.read(number.name), f"{number.value:g}", f"{read_number(game.file, number):g}")
        for number in find_changed_numbers(load_game(game.id), game.file)
    )


def _has_bots(table: Table) -> bool:
    return any(occupant.kind == "bot" for occupant in table.occupants)
