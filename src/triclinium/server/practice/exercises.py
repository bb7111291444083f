"""Exercises of people: the decisions that cost them most, which return until they are solved twice.

An exercise returns 1, 3, 7 and 21 days after it was answered for the first, second, third and fourth time, and then
every 21 days. It is finished as soon as it was solved twice.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from triclinium.bots.exercises import PreparedExercise, RankedDecision, load_prepared_exercises
from triclinium.engine.game import Game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, NotFound
from triclinium.server.storage.schema import tables
from triclinium.server.storage.schema_practice import exercises, losses
from triclinium.server.storage.store import Store

DAY = 86400.0
INTERVALS = (1, 3, 7, 21)  # days until an exercise returns after each answer
SOLVED_TWICE = 2


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise of a person. Those that a game brings belong to no table."""

    id: int
    person: int
    table: str | None
    table_name: str
    place: int  # number of moves before the decision, or number of the game's exercise
    game: str
    kind: str  # a message of the game's catalogue
    cost: float
    made: float
    due: float
    solved: int
    answers: int
    answer: str  # the last answer, in notation; empty: the person gave up
    answered: float

    @property
    def is_finished(self) -> bool:
        return self.solved >= SOLVED_TWICE

    def is_due(self, now: float) -> bool:
        return not self.is_finished and self.due <= now

    @property
    def prepared(self) -> bool:
        return self.table is None


@dataclass(frozen=True, slots=True)
class MatchLoss:
    """The average cost of a person's decisions in one match, in win probability."""

    game: str
    at: float
    average: float


COLUMNS = (
    exercises.c.id,
    exercises.c.person,
    exercises.c.table,
    func.coalesce(tables.c.name, "").label("table_name"),
    exercises.c.place,
    exercises.c.game,
    exercises.c.kind,
    exercises.c.cost,
    exercises.c.made,
    exercises.c.due,
    exercises.c.solved,
    exercises.c.answers,
    exercises.c.answer,
    exercises.c.answered,
)
IS_FINISHED: ColumnElement[bool] = exercises.c.solved >= SOLVED_TWICE


def list_exercises(connection: Connection, person: int) -> list[Exercise]:
    """Return all exercises of a person: those that are due next first, finished ones last."""
    rows = select(*COLUMNS).select_from(exercises.outerjoin(tables, tables.c.id == exercises.c.table))
    ordered = rows.where(exercises.c.person == person).order_by(IS_FINISHED, exercises.c.due, exercises.c.id)
    return [Exercise(**row) for row in connection.execute(ordered).mappings()]


def load_exercise(connection: Connection, person: int, id: int) -> tuple[Exercise, str]:
    """Return an exercise of a person, and its decision as JSON. Raise NotFound if the person has no such exercise."""
    rows = select(*COLUMNS, exercises.c.decision).select_from(
        exercises.outerjoin(tables, tables.c.id == exercises.c.table)
    )
    wanted = rows.where(exercises.c.person == person, exercises.c.id == id)
    row = connection.execute(wanted).mappings().one_or_none()
    if row is None:
        raise NotFound("There is no such exercise.")
    columns = dict(row)
    decision = columns.pop("decision")
    return Exercise(**columns), str(decision)


def find_prepared(game: Game, exercise: Exercise) -> PreparedExercise:
    """Return the game's exercise. Raise Conflict if the game has changed and does not bring it any more."""
    prepared = load_prepared_exercises(game)
    if exercise.place >= len(prepared):
        raise Conflict("This exercise no longer exists because the game has changed.")
    return prepared[exercise.place]


def read_decision(game: Game, exercise: Exercise, text: str) -> RankedDecision:
    """Return the ranked options of an exercise."""
    return find_prepared(game, exercise).decision if exercise.prepared else RankedDecision.loads(json.loads(text))


async def record_answer(store: Store, exercise: Exercise, option: str, solved: bool) -> None:
    """Store an answer, and when the exercise returns. An answer to an exercise that is not due changes no interval."""
    now = server_time.now()
    values: dict[str, object] = {"answer": option, "answered": now}
    if exercise.is_due(now):
        days = INTERVALS[min(exercise.answers, len(INTERVALS) - 1)]
        values |= {
            "answers": exercise.answers + 1,
            "solved": exercise.solved + solved,
            "due": now + days * DAY,
        }
    changed = update(exercises).where(exercises.c.id == exercise.id).values(**values)
    await store.write(lambda connection: connection.execute(changed))


async def add_prepared(store: Store, person: Person, game: Game) -> None:
    """Give a person the exercises that a game brings, unless they have them. Raise NotFound if there are none."""
    prepared = load_prepared_exercises(game)
    if not prepared:
        raise NotFound("This game has no prepared exercises.")
    now = server_time.now()

    def job(connection: Connection) -> None:
        own = (exercises.c.person == person.id, exercises.c.game == game.id, exercises.c.table.is_(None))
        known = set(connection.execute(select(exercises.c.place).where(*own)).scalars())
        rows = [
            make_row(person.id, None, place, game.id, entry.decision, now)
            for place, entry in enumerate(prepared)
            if place not in known
        ]
        if rows:
            connection.execute(insert(exercises), rows)

    await store.write(job)


def make_row(
    person: int, table: str | None, place: int, game: str, decision: RankedDecision, now: float
) -> dict[str, object]:
    """Return the database row of a new exercise, which is due at once."""
    text = "" if table is None else json.dumps(decision.dumps(), separators=(",", ":"))
    return {
        "person": person,
        "table": table,
        "place": place,
        "game": game,
        "kind": decision.kind,
        "cost": decision.cost,
        "decision": text,
        "made": now,
        "due": now,
    }


def list_losses(connection: Connection, person: int) -> Sequence[MatchLoss]:
    """Return the average cost of a person's decisions in each reviewed match, the oldest first."""
    rows = select(losses.c.game, losses.c.at, losses.c.loss, losses.c.decisions).where(
        losses.c.person == person, losses.c.decisions > 0
    )
    return [
        MatchLoss(row.game, row.at, row.loss / row.decisions) for row in connection.execute(rows.order_by(losses.c.at))
    ]
