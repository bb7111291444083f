"""Exercises: decisions that clearly cost win probability, with all their options ranked by a long search.

A review finds candidates. A search with ten times the budget of the review confirms them and ranks the options. Like
every choice of a bot, it only uses worlds that the seat could not distinguish from the true one.
"""

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

from triclinium.bots.analysis import Advice, group_equal_options, list_tried_options
from triclinium.bots.base import DecisionRequest
from triclinium.bots.budget import Budget
from triclinium.bots.explanations import compare_options
from triclinium.bots.review import balance_visits, read_advices
from triclinium.bots.search import Strong
from triclinium.bots.time_slices import Sliced, run_to_end
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record
from triclinium.engine.registry import find_game_folder
from triclinium.engine.rule_positions import read_match_start

FILE = "exercises.toml"  # the prepared exercises in a game's data folder
MAX_CACHED_GAMES = 16
MIN_COST = 0.05  # smallest cost of an exercise, in win probability
MIN_ERRORS = 3.0  # smallest cost of an exercise, in standard errors
BUDGET_FACTOR = 10  # ratio of the search time for an exercise to that for a review
REASONS_SHARE = 0.1  # share of the search time for reasons


def is_costly(best: Advice, played: Advice) -> bool:
    """Return whether the played option is clearly worse than the best one."""
    cost = best.chance - played.chance
    return cost >= MIN_COST and cost >= MIN_ERRORS * math.hypot(best.error, played.error)


@dataclass(frozen=True)
class RankedDecision:
    """A decision with its options by win probability, the best first."""

    seat: Seat
    kind: str  # the kind of the played option in words, a message of the game's catalogue
    played: str
    options: tuple[Advice, ...]
    iterations: int  # number of search iterations

    @property
    def best(self) -> Advice:
        return self.options[0]

    @property
    def cost(self) -> float:
        """The cost of the played option in win probability."""
        return max(0.0, self.best.chance - self.find(self.played).chance)

    @property
    def is_exercise(self) -> bool:
        return is_costly(self.best, self.find(self.played))

    def find(self, option: str) -> Advice:
        """Return an option's rating. Raise KeyError for an option that the search has not tried."""
        for advice in self.options:
            if advice.option == option:
                return advice
        raise KeyError(option)

    def is_solution(self, option: str) -> bool:
        """Return whether an option is the best one, or within one standard error of it."""
        return option in [advice.option for advice in self.options if advice is self.best or advice.equal]

    def dumps(self) -> dict[str, object]:
        """Return the decision as JSON data."""
        return asdict(self)

    @staticmethod
    def loads(facts: Mapping[str, object]) -> "RankedDecision":
        """Return the decision from the JSON data of `dumps`."""
        return RankedDecision(**{**facts, "options": read_advices(facts["options"])})  # type: ignore[arg-type]


def rank_decision(record: Record, n: int, budget: Budget, seed: int, game: Game | None = None) -> RankedDecision:
    """Return the ranked options of the decision after n moves, from the information that its seat had."""
    return run_to_end(rank_decision_in_slices(record, n, budget, seed, game))


def rank_decision_in_slices(
    record: Record, n: int, budget: Budget, seed: int, game: Game | None = None
) -> Sliced[RankedDecision]:
    """Return the result of `rank_decision`, in slices. The budget is that of a review."""
    longer = replace(budget, seconds=budget.seconds * BUDGET_FACTOR, iterations=budget.iterations * BUDGET_FACTOR)
    record_game = record.find_game(game)
    s, o = record.replay(n, record_game), record_game.read(record.options[n])
    rng, played = Rng(seed + n), record_game.format_option(o)
    request = DecisionRequest(record_game, s.resample(s.who, rng), s.who, rng, longer)
    tree = yield from Strong(record_game).search_in_slices(request)
    yield from balance_visits(tree, request, o)
    world = request.world
    ranked = group_equal_options(list_tried_options(record_game, tree, world, len(world.legal), played))
    best, *others = [record_game.read(advice.option) for advice in ranked]
    seconds = longer.seconds * REASONS_SHARE
    reasons = compare_options(record_game, world, s.who, best, others, seed, seconds) if others else []
    explained = [replace(advice, reasons=tuple(why)) for advice, why in zip(ranked[1:], reasons, strict=True)]
    kind = name_kind(record_game, s, o)
    return RankedDecision(s.who, kind, played, (ranked[0], *explained), tree.root.visits)


def name_kind(game: Game, s: State, o: Option) -> str:
    """Return what an option does in general, as a message of the game's catalogue: "Move", or the action it is part of.

    The notation is the last resort.
    """
    verb, action = game.notation.verb_of(o), s.asked.action
    if verb.word in game.words.verbs:
        return game.words.verbs[verb.word]
    label = game.words.label(s, o)
    if not verb.axes and not label.args:
        return label.text
    return verb.word if action is None else action.name


# -- prepared exercises ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PreparedExercise:
    """An exercise for people without mistakes of their own: a match between bots up to the decision."""

    record: Record
    decision: RankedDecision


@lru_cache(MAX_CACHED_GAMES)
def load_prepared_exercises(game: Game) -> tuple[PreparedExercise, ...]:
    """Return the prepared exercises of a game; none for other components than those of their matches."""
    path = find_game_folder(game, "data") / FILE
    if not path.is_file():
        return ()
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if data["components"] != game.hash:
        return ()
    return tuple(
        PreparedExercise(read_match_start(game, entry), RankedDecision.loads(json.loads(entry["decision"])))
        for entry in data["exercises"]
    )
