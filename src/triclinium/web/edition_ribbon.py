"""The ribbon of a table with an edition: its name, and the numbers that differ from the printed game."""

from dataclasses import dataclass

from triclinium.engine.game import Game
from triclinium.engine.numbers import find_changed_numbers, read_number
from triclinium.engine.registry import load_game
from triclinium.server.tables.table import Table
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


def make_edition_ribbon(context: PageContext, table: Table) -> EditionRibbon | None:
    """Return the ribbon of a table, or None if it has the printed components."""
    if not table.file:
        return None
    changes = list_changes(context, table.game)
    has_bots = any(occupant.kind == "bot" for occupant in table.occupants)
    return EditionRibbon(table.options.edition or context.localize("Edited components"), changes, has_bots)


def list_changes(context: PageContext, game: Game) -> tuple[ChangedNumber, ...]:
    """Return the numbers of an edition that differ from the printed game."""
    reader = get_cached_reader(context.language, game.words).reader
    return tuple(
        ChangedNumber(reader.read(number.name), f"{number.value:g}", f"{read_number(game.file, number):g}")
        for number in find_changed_numbers(load_game(game.id), game.file)
    )
