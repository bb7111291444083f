"""Editions of a study: components that load, and the numbers in which each edition differs from the printed game."""

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents
from triclinium.engine.game import Game
from triclinium.engine.numbers import list_numbers
from triclinium.lab.study.plan import Edition, NumberChange
from triclinium.lab.study.study_file import EditionRequest, Value, to_plain_value


def make_edition(game: Game, request: EditionRequest) -> Edition:
    """Return the requested edition. Raise BadComponents with every broken constraint if its components do not load."""
    printed = game.file
    file = ComponentsFile(request.components, request.name) if request.components else printed.with_changes(request.set)
    try:
        edited_game = game.with_components(file)
    except BadComponents as error:
        raise make_components_error(request.name, error, game, file) from None
    values = find_changed_numbers(game, edited_game) if request.components else request.set
    changes = tuple(NumberChange(path, to_plain_value(printed.value_at(path)), value) for path, value in values.items())
    return Edition(request.name, edited_game.hash, request.components, changes)


def find_changed_numbers(game: Game, edited_game: Game) -> dict[str, Value]:
    """Return the numbers whose values in an edited file differ from the printed ones, by path."""
    printed = {number.path: number.value for number in list_numbers(game) if not number.hidden}
    own = {number.path: number.value for number in list_numbers(edited_game)}
    return {path: own[path] for path, value in printed.items() if path in own and own[path] != value}


def make_components_error(name: str, error: BadComponents, game: Game, file: ComponentsFile) -> BadComponents:
    """Return an error whose message names every broken constraint."""
    faults = game.find_faults(file) or error.faults
    reasons = "; ".join(str(fault) for fault in faults)
    return BadComponents(f"the edition {name!r} cannot be played: {reasons}", faults)
