"""Pages of exercises: the list with its chart, an exercise before its answer, and after it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from triclinium.bots.analysis import Advice, to_percent
from triclinium.bots.exercises import RankedDecision, load_prepared_exercises
from triclinium.bots.explanations import describe_reasons
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.registry import list_games, load_game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NoNickname
from triclinium.server.fallback_text import format_option
from triclinium.server.http.api import practice as api
from triclinium.server.http.auth import check_rate_limit
from triclinium.server.http.commands import Caller
from triclinium.server.practice.exercises import (
    INTERVALS,
    Exercise,
    MatchLoss,
    list_exercises,
    list_losses,
)
from triclinium.server.practice.positions import ExercisePosition, load_position
from triclinium.web.forms import FormPost, FormRoutes
from triclinium.web.page_context import PageContext, load_all_games
from triclinium.web.pages.sample_position import make_query_link, make_sample_view, render_sample_page
from triclinium.web.practice_chart import NARROW, WIDE, draw_chart

router = APIRouter(include_in_schema=False)
forms = FormRoutes(api.commands)
PATH = "/me/practice"
SHOWN = 30  # exercises on the page; the others are behind a link
LISTED_OPTIONS = 8  # options of an answer that are not folded
MONTH = 30 * 86400.0


@dataclass(frozen=True, slots=True)
class ExerciseLine:
    """An exercise in the list."""

    exercise: Exercise
    game: str
    kind: str
    due: bool
    days: int  # until it is due


@dataclass(frozen=True, slots=True)
class ExerciseFilter:
    """The game and the kind of decision that the reader wants to see; empty: all."""

    game: str
    kind: str

    def matches(self, exercise: Exercise) -> bool:
        return self.game in ("", exercise.game) and self.kind in ("", exercise.kind)

    @property
    def query(self) -> str:
        chosen = {name: value for name, value in (("game", self.game), ("kind", self.kind)) if value}
        return f"?{urlencode(chosen)}" if chosen else ""


@dataclass(frozen=True, slots=True)
class RankedOption:
    """An option of an answered exercise."""

    label: str
    percent: int
    error: int
    loss: int  # against the best option, in percent
    why: str
    is_answer: bool
    was_played: bool
    is_equal: bool  # equal to the best option, within the error


@dataclass(frozen=True)
class ExerciseVariables:
    """The variables of an exercise in addition to those of the table."""

    exercise: Exercise
    kind: str
    chosen_label: str  # the option that a reader without script has pressed and must confirm
    chosen_option: str
    query: str  # the filter, for the next exercise
    due_count: int  # exercises that are due, including this one
    ranking: Sequence[RankedOption] = ()  # empty: the exercise was not answered
    solved: bool = False
    best: str = ""
    played: str = ""
    cost: int = 0
    untried: str = ""  # the answer, if the search has not tried it
    iterations: int = 0
    intervals: Sequence[int] = INTERVALS


def require_person(context: PageContext) -> Person:
    """Return the reader. Raise NoNickname for a newcomer, who has no exercises."""
    if context.person is None:
        raise NoNickname()
    return context.person


def read_filter(context: PageContext) -> ExerciseFilter:
    """Return the filter in the address."""
    query = context.request.query_params
    return ExerciseFilter(query.get("game", ""), query.get("kind", ""))


def translate_kind(game: str, kind: str, readers: dict[str, Reader], language: str) -> str:
    """Return a kind of decision in the reader's language, with a capital letter."""
    if game not in readers and game in list_games():
        readers[game] = load_game(game).words.reader(language)
    text = readers[game].translate(kind) if game in readers else kind
    return text[:1].upper() + text[1:]


# -- the list ----------------------------------------------------------------------------------------------------------


@router.get(PATH)
async def get_practice(request: Request) -> Response:
    """Return the list of the reader's exercises, with a chart of the average loss per decision."""
    context = PageContext(request)
    return await context.services.runtime.run_in_thread(_render_list, context)


def _render_list(context: PageContext) -> Response:
    person, chosen, now = require_person(context), read_filter(context), server_time.now()
    with context.services.store.read_connection() as connection:
        exercises = list_exercises(connection, person.id)
        match_losses = list_losses(connection, person.id)
    readers: dict[str, Reader] = {}
    kind_of = partial(translate_kind, readers=readers, language=context.language)
    games = {game.id: context.localize.name(game.name, game) for game in load_all_games()}
    wanted = [exercise for exercise in exercises if chosen.matches(exercise)]
    shown = wanted if context.request.query_params.get("all") == "on" else wanted[:SHOWN]
    of_game = [loss for loss in match_losses if chosen.game in ("", loss.game)]
    recent = [exercise for exercise in exercises if exercise.answered > now - MONTH]
    return context.render_page(
        "practice.html.jinja",
        lines=[_make_line(exercise, games, kind_of(exercise.game, exercise.kind), now) for exercise in shown],
        hidden_count=len(wanted) - len(shown),
        due_count=sum(exercise.is_due(now) for exercise in wanted),
        chosen=chosen,
        games=games,
        own_games=list(dict.fromkeys([*(e.game for e in exercises), *(loss.game for loss in match_losses)])),
        kinds={e.kind: kind_of(e.game, e.kind) for e in exercises if chosen.game in ("", e.game)},
        charts=[chart for size in (WIDE, NARROW) if (chart := draw_chart(of_game, size)) is not None],
        losses=_summarize_losses(of_game),
        solved=sum(bool(exercise.solved) for exercise in recent),
        finished=sum(exercise.is_finished for exercise in recent),
        commonest=_find_commonest(exercises, games, kind_of),
        prepared=_list_prepared_games(exercises),
    )


def _make_line(exercise: Exercise, games: dict[str, str], kind: str, now: float) -> ExerciseLine:
    days = max(1, round((exercise.due - now) / 86400))
    return ExerciseLine(exercise, games.get(exercise.game, exercise.game), kind, exercise.is_due(now), days)


def _summarize_losses(losses: Iterable[MatchLoss]) -> list[tuple[float, str, int]]:
    """Return the data of the chart as a table: the time, the game and the loss in tenths of a percent."""
    return [(loss.at, loss.game, round(1000 * loss.average)) for loss in losses]


def _find_commonest(
    exercises: Sequence[Exercise], games: dict[str, str], kind_of: "partial[str]"
) -> tuple[str, str, int] | None:
    """Return the commonest kind of mistake with its game and number; None if none occurred twice."""
    counts = Counter((e.game, e.kind) for e in exercises if not e.prepared)
    if not counts or counts.most_common(1)[0][1] < 2:
        return None
    (game, kind), count = counts.most_common(1)[0]
    return kind_of(game, kind), games.get(game, game), count


def _list_prepared_games(exercises: Sequence[Exercise]) -> list[Game]:
    """Return the games whose prepared exercises the reader has not added."""
    added = {exercise.game for exercise in exercises if exercise.prepared}
    return [game for game in load_all_games() if game.id not in added and load_prepared_exercises(game)]


# -- an exercise -------------------------------------------------------------------------------------------------------


@router.get(f"{PATH}/next")
async def redirect_to_next(request: Request) -> Response:
    """Redirect to the exercise that has been due longest, except the one that the reader skips."""
    context = PageContext(request)
    person, chosen = require_person(context), read_filter(context)
    skipped = request.query_params.get("skip", "")

    def find() -> int | None:
        due = [exercise for exercise in _list_due(context, person, chosen) if str(exercise.id) != skipped]
        return due[0].id if due else None

    id = await context.services.runtime.run_in_thread(find)
    return context.redirect(f"{PATH}{chosen.query}" if id is None else f"{PATH}/{id}{chosen.query}")


def _list_due(context: PageContext, person: Person, chosen: ExerciseFilter) -> list[Exercise]:
    now = server_time.now()
    with context.services.store.read_connection() as connection:
        exercises = list_exercises(connection, person.id)
    return [exercise for exercise in exercises if exercise.is_due(now) and chosen.matches(exercise)]


@router.get(PATH + "/{id:int}")
async def get_exercise(request: Request, id: int) -> Response:
    """Return the position of an exercise and its question, or the answer with the ranking of all options."""
    check_rate_limit(request, "post")
    context = PageContext(request)
    position = await load_position(context.services, require_person(context), id)
    return await context.services.runtime.run_in_thread(_render_exercise, context, position)


def _render_exercise(context: PageContext, position: ExercisePosition) -> Response:
    exercise, chosen, query = position.exercise, read_filter(context), context.request.query_params
    game, s = position.game, position.replay()
    title = context.localize("Exercise")
    table_view = make_sample_view(context, game, position.record, s.who, title, position.names)
    reader = table_view.reader
    answered = query.get("answered") == "on" and bool(exercise.answered)
    option = query.get("option", "")
    option = "" if answered or not option else game.format_option(position.read_option(option))
    variables = ExerciseVariables(
        exercise=exercise,
        kind=translate_kind(game.id, exercise.kind, {}, context.language),
        chosen_label=format_option(game, s, game.read(option), reader) if option else "",
        chosen_option=option,
        query=chosen.query,
        due_count=len(_list_due(context, require_person(context), chosen)),
        **(_build_answer(position, reader) if answered else {}),  # type: ignore[arg-type]
    )
    path = f"{PATH}/{exercise.id}{chosen.query}"
    return render_sample_page(
        context,
        table_view,
        "exercise.html.jinja",
        make_query_link(path, "option"),
        position.decision.best.option if answered else option,
        context.localize("the best move") if answered else context.localize("your choice"),
        asks=not answered,
        **vars(variables),
    )


def _build_answer(position: ExercisePosition, reader: Reader) -> dict[str, object]:
    """Return the variables of an answered exercise."""
    game, decision, s = position.game, position.decision, position.replay()

    def label(option: str) -> str:
        return format_option(game, s, game.read(option), reader)

    answer = position.exercise.answer
    ranking = [
        RankedOption(
            label(advice.option),
            to_percent(advice.chance),
            max(1, round(100 * advice.error)),
            round(100 * (decision.best.chance - advice.chance)),
            _explain(game, decision, advice, reader),
            advice.option == answer,
            advice.option == decision.played,
            advice.equal,
        )
        for advice in decision.options
    ]
    return {
        "ranking": ranking,
        "solved": decision.is_solution(answer),
        "best": label(decision.best.option),
        "played": label(decision.played),
        "cost": round(100 * decision.cost),
        "untried": label(answer) if answer and not any(entry.is_answer for entry in ranking) else "",
        "iterations": decision.iterations,
    }


def _explain(game: Game, decision: RankedDecision, advice: Advice, reader: Reader) -> str:
    """Return what the best option achieves and this one does not, or "" if they are equal within the error."""
    if advice.equal or not advice.reasons:
        return ""
    sentence = describe_reasons(game, advice.reasons, decision.seat)
    return "" if sentence is None else reader.read(sentence)


@forms.answer(api.answer_exercise)
async def redirect_to_answer(post: FormPost[Caller, api.GivenAnswer, api.AnswerResult]) -> Response:
    """Redirect to the exercise, which then shows the answer and the ranking of all options."""
    chosen = ExerciseFilter(post.form.text("game"), post.form.text("kind"))
    sign = "&" if chosen.query else "?"
    return post.context.redirect(f"{PATH}/{post.arguments.exercise}{chosen.query}{sign}answered=on")
