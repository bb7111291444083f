"""HTTP API, version 1: exercises from the caller's own matches."""

from typing import Annotated, TypedDict

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from triclinium.server.http.api.players import require_person
from triclinium.server.http.api.tables import JsonObject, Language, build_json_response
from triclinium.server.http.auth import check_rate_limit, get_services
from triclinium.server.http.commands import PERSON, Api, Arguments, Caller, CommandList, Form
from triclinium.server.practice.exercises import (
    Exercise,
    add_prepared,
    list_exercises,
    list_losses,
    record_answer,
)
from triclinium.server.practice.positions import ExercisePosition, load_position
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.presenter.decision import build_decision
from triclinium.server.tables.create import require_game

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["practice"])
commands = CommandList(router)

ExerciseId = Annotated[int, Path(ge=1, lt=2**31)]
MAX_OPTION = 200  # characters


class GivenAnswer(Arguments):
    """Your answer to an exercise. Without an option you give up, and the exercise returns."""

    exercise: int = Field(ge=1, lt=2**31)
    option: str = Field("", max_length=MAX_OPTION, description="one of the options, in notation; empty: give up")


class PreparedChoice(Arguments):
    """The game whose prepared exercises you want."""

    game: str = Field(max_length=40)


class AnswerResult(TypedDict):
    """The result of an answer: whether it solves the exercise, and all options, the best first."""

    solved: bool
    played: str
    options: list[JsonObject]


@router.get("/practice", response_model=JsonObject)
async def get_practice(request: Request) -> Response:
    """List your exercises, those that are due first, and what your decisions cost in each reviewed match."""
    services, person = get_services(request), require_person(request)

    def build() -> JsonObject:
        with services.store.read_connection() as connection:
            exercises = list_exercises(connection, person.id)
            match_losses = list_losses(connection, person.id)
        return {
            "exercises": [build_exercise_json(exercise) for exercise in exercises],
            "losses": [
                {"game": loss.game, "ended_at": loss.at, "average": round(loss.average, 4)} for loss in match_losses
            ],
        }

    return await build_json_response(services.runtime, build)


@router.get("/practice/{id}", response_model=JsonObject)
async def get_exercise(request: Request, id: ExerciseId, language: Language = "en") -> Response:
    """Return an exercise: the position exactly as your seat knew it, with the question and its options."""
    check_rate_limit(request, "post")
    services, person = get_services(request), require_person(request)
    position = await load_position(services, person, id)

    def build() -> JsonObject:
        game, s = position.game, position.replay()
        decision = build_decision(game, s, game.words.reader(language, position.names))
        return {
            **build_exercise_json(position.exercise),
            "seat": s.who,
            "view": game.view_json(s, s.who),
            "question": decision.question,
            "options": [{"option": offer.option, "label": offer.label} for offer in decision.allowed],
        }

    return await build_json_response(services.runtime, build)


def build_exercise_json(exercise: Exercise) -> JsonObject:
    """Return an exercise as JSON, without its solution."""
    return {
        "id": exercise.id,
        "table": exercise.table,
        "game": exercise.game,
        "kind": exercise.kind,
        "cost": round(exercise.cost, 4),
        "solved": exercise.solved,
        "finished": exercise.is_finished,
        "due_at": exercise.due,
    }


def build_options_json(position: ExercisePosition) -> list[JsonObject]:
    """Return the ranked options as JSON, the best first."""
    return [
        {
            "option": advice.option,
            "win_probability": advice.chance,
            "error": advice.error,
            "solves": position.decision.is_solution(advice.option),
        }
        for advice in position.decision.options
    ]


# This command comes first, because the path of the other form would match its path.
@commands.add(
    "add-prepared-exercises",
    PERSON,
    api=Api("POST", "/practice/prepared"),
    form=Form("/me/practice/prepared", redirect="/me/practice?game={game}"),
)
async def add_prepared_exercises(caller: Caller, arguments: PreparedChoice) -> JsonObject:
    """Add the prepared exercises of a game to yours."""
    await add_prepared(caller.services.store, caller.me, require_game(arguments.game))
    return {"game": arguments.game}


@commands.add(
    "answer-exercise", PERSON, api=Api("POST", "/practice/{exercise}/answer"), form=Form("/me/practice/{exercise}")
)
async def answer_exercise(caller: Caller, arguments: GivenAnswer) -> AnswerResult:
    """Answer an exercise. It is solved if no other option is better by more than one standard error."""
    services = caller.services
    position = await load_position(services, caller.me, arguments.exercise)
    option, solved = "", False
    if arguments.option:
        option = position.game.format_option(
            await services.runtime.run_in_thread(position.read_option, arguments.option)
        )
        solved = position.decision.is_solution(option)
    await record_answer(services.store, position.exercise, option, solved)
    return {"solved": solved, "played": position.decision.played, "options": build_options_json(position)}
