"""The position of an exercise: the match up to the decision, as the person's seat knew it."""

from dataclasses import dataclass

from triclinium.bots.exercises import RankedDecision
from triclinium.engine.core.errors import BadNotation
from triclinium.engine.core.state import Option, State
from triclinium.engine.game import Game
from triclinium.engine.match import split_options
from triclinium.engine.record import Record
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, NotFound
from triclinium.server.practice.exercises import Exercise, find_prepared, load_exercise, read_decision
from triclinium.server.services import Services
from triclinium.server.tables.create import require_game


@dataclass(frozen=True)
class ExercisePosition:
    """An exercise with its position and the ranked options. Only a view of the seat may be shown."""

    exercise: Exercise
    game: Game
    record: Record
    names: tuple[str, ...]  # names of the players; empty in a match between bots
    decision: RankedDecision

    def replay(self) -> State:
        return self.record.replay(game=self.game)

    def read_option(self, text: str) -> Option:
        """Return the option that a person chooses, the first of a chain. Raise NotFound if it is not allowed here."""
        try:
            o = self.game.read(split_options(text)[0])
        except (BadNotation, IndexError):
            raise NotFound("This option is not available now.") from None
        if o not in self.replay().legal:
            raise NotFound("This option is not available now.")
        return o


async def load_position(services: Services, person: Person, id: int) -> ExercisePosition:
    """Return an exercise of a person with its position. Raise NotFound or Conflict if it cannot be shown."""

    def load() -> tuple[Exercise, str]:
        with services.store.read_connection() as connection:
            return load_exercise(connection, person.id, id)

    exercise, text = await services.runtime.run_in_thread(load)
    if exercise.table is None:
        game = require_game(exercise.game)
        return ExercisePosition(
            exercise, game, find_prepared(game, exercise).record, (), read_decision(game, exercise, text)
        )
    table = await services.tables.get_table(exercise.table)
    async with services.tables.locked(table) as locked:
        if locked.stranded is not None or locked.match is None:
            raise Conflict("The match of this exercise cannot be replayed.")
        record, game, names = locked.current_match.record.truncate(exercise.place), locked.game, locked.names()
    return ExercisePosition(exercise, game, record, names, read_decision(game, exercise, text))
