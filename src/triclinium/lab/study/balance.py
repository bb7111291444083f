"""Balance search: a screening of the free numbers, a race of candidate editions, and a confirming study.

The linear model of the screening predicts which editions reach the goal. The most promising ones then race on shared
deals, and an edition that certainly misses the goal drops out. The best of a search looks better than it is, so the
result is reported from a study of its own on fresh deals.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from triclinium.bots import assign_bots, derive_seed
from triclinium.engine.core.errors import BadSetup, suggest_names
from triclinium.engine.game import Game
from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import load_arms
from triclinium.lab.study.editions import make_edition
from triclinium.lab.study.engine import StudyEngine
from triclinium.lab.study.figures import FIGURE_KINDS, MeasuredArm, get_minimum_difference, measure_arms
from triclinium.lab.study.plan import StudyArm, build_plan
from triclinium.lab.study.report import format_question_with_tries
from triclinium.lab.study.runner import StudyCallback, play_study
from triclinium.lab.study.screening import can_load, fit_least_squares
from triclinium.lab.study.screening_deals import MATCHES_PER_EDITION
from triclinium.lab.study.store import StudyFolder
from triclinium.lab.study.study_file import SCREEN, EditionRequest, Study, Value, to_plain_value

MODEL_EDITIONS = 64  # approximate number of editions that the linear model is fitted to
MAX_CANDIDATES = 16
RACE_DEALS = (100, 200, 400, 800)  # deals of each round of the race
MAX_EDITIONS = 20_000  # maximum number of editions to examine
FAIR, SAME = "fair", "same"


@dataclass(frozen=True)
class FreeNumber:
    """A number that may change, and the values it may take."""

    path: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class BalanceCandidate:
    """The best edition of a search, the number of editions tried, and the study that confirms it on fresh deals."""

    tried: int
    best: EditionRequest
    study: Study


def parse_free_number(game: Game, text: str) -> FreeNumber:
    """Parse a free number such as ``tokens.first=0..2``. Raise BadSetup or BadComponents if it is not valid."""
    path, _, span = text.partition("=")
    low, dots, high = span.partition("..")
    if not dots:
        raise BadSetup(f"a free number must be given as PATH=LOW..HIGH, not {text!r}")
    first, last = game.file.read(path.strip(), low), game.file.read(path.strip(), high)
    if not isinstance(first, int) or not isinstance(last, int) or isinstance(first, bool) or last <= first:
        raise BadSetup(f"{path}: a range must be two whole numbers, the lower one first, not {span!r}")
    return FreeNumber(path.strip(), tuple(range(first, last + 1)))


def parse_goal(text: str) -> dict[str, str]:
    """Parse a goal such as ``first=fair,decisions=same``. Raise BadSetup if it is not valid."""
    goal: dict[str, str] = {}
    for pair in text.split(","):
        figure, _, aim = pair.strip().partition("=")
        if figure not in FIGURE_KINDS:
            raise BadSetup(f"there is no figure {figure!r}; {suggest_names(figure, FIGURE_KINDS)}")
        if aim not in (FAIR, SAME) or (aim == FAIR and figure not in ("first", "last")):
            raise BadSetup(f"a goal must be first=fair, last=fair or FIGURE=same, not {pair.strip()!r}")
        goal[figure] = aim
    return goal


def find_feasible_editions(game: Game, free: Sequence[FreeNumber]) -> list[dict[str, Value]]:
    """Return the editions that load, nearest to the printed one first.

    The printed edition is always the first entry, even if it is outside the given ranges.
    """
    printed = {number.path: to_plain_value(game.file.value_at(number.path)) for number in free}
    if len(printed) < len(free):
        raise BadSetup("a free number is given twice")
    size = math.prod(len(number.values) for number in free)
    if size > MAX_EDITIONS:
        raise BadSetup(f"{size} editions are too many to search; free fewer numbers, or use smaller ranges")
    combinations = (dict(zip(printed, values, strict=True)) for values in product(*(number.values for number in free)))
    playable = [changed for changed in combinations if changed != printed and can_load(game, changed)]
    return [printed, *sorted(playable, key=lambda changed: (_measure_edition_distance(changed, printed), str(changed)))]


def _measure_edition_distance(changed: Mapping[str, Value], printed: Mapping[str, object]) -> float:
    """Return the distance of an edition from the printed one, each change relative to the printed number."""
    total = 0.0
    for path, value in changed.items():
        before = printed[path]
        assert isinstance(before, (int, float))
        assert isinstance(value, (int, float))
        total += abs(value - before) / max(1.0, abs(before))
    return total


def find_balanced_edition(
    study: Study,
    free: Sequence[FreeNumber],
    goal: Mapping[str, str],
    to: Path,
    engine: StudyEngine,
    on_progress: StudyCallback | None = None,
) -> BalanceCandidate:
    """Screen the free numbers and race the candidates.

    Every step has a folder of its own, so that an interrupted search can continue.
    """
    if study.editions:
        raise BadSetup("a search creates its own editions of the printed game; leave out other editions")
    game = study.validate().load_game()
    editions = find_feasible_editions(game, free)
    if len(editions) < 2:
        raise BadSetup("no other edition can be played with these numbers")
    modelled = editions[:: _choose_model_stride(editions)]
    model_arms = _play_editions(study, modelled, MATCHES_PER_EDITION, to / "model", engine, on_progress)
    chosen = best = _choose_candidates(study, editions, goal, model_arms)
    for round_, deals in enumerate(RACE_DEALS):
        if len(best) < 2:
            break
        raced = _play_editions(study, [editions[0], *best], deals, to / f"race-{round_ + 1}", engine, on_progress)
        best = _select_runners(study, best, goal, raced)
    name = ", ".join(f"{path.rpartition('.')[2]} {value}" for path, value in best[0].items())
    wanted = EditionRequest(name, best[0])
    tried = len(modelled) + len(chosen)
    question = format_question_with_tries(study.question, tried)
    fresh = replace(study, editions=(wanted,), seed=derive_seed(study.seed, len(RACE_DEALS)), question=question)
    return BalanceCandidate(tried, wanted, fresh)


def _choose_model_stride(editions: Sequence[object]) -> int:
    return max(1, len(editions) // MODEL_EDITIONS)


def _play_editions(
    study: Study,
    editions: Sequence[Mapping[str, Value]],
    deals: int,
    path: Path,
    engine: StudyEngine,
    on_progress: StudyCallback | None,
) -> list[MeasuredArm]:
    """Play these editions with shared deals and return their measured arms."""
    game = study.load_game()
    made = [make_edition(game, EditionRequest(f"{i}", dict(changed))) for i, changed in enumerate(editions)]
    bots = tuple(assign_bots(study.bots, study.get_seat_count()))
    plan = replace(build_plan(study, made, [StudyArm(i, bots, deals) for i in range(len(made))]), kind=SCREEN)
    folder = StudyFolder(path, plan)
    folder.open(study)
    play_study(folder, engine, on_progress)
    return measure_arms(load_arms(folder, deals))


def _make_goal_distance(
    study: Study, goal: Mapping[str, str], printed: Mapping[str, float]
) -> Callable[[Mapping[str, float]], float]:
    """Return a function that measures the distance of figures from the goal, in units of the minimum difference.

    The distance is 0 if every figure is within its minimum difference.
    """

    def measure_distance(figures: Mapping[str, float]) -> float:
        total = 0.0
        for figure, aim in goal.items():
            target = 1 / study.get_seat_count() if aim == FAIR else printed[figure]
            min_difference = get_minimum_difference(figure, printed[figure], study.detect, study.bands)
            total += max(0.0, abs(figures[figure] - target) / min_difference - 1)
        return total

    return measure_distance


def _compute_figure_means(arm: MeasuredArm, goal: Mapping[str, str]) -> dict[str, float]:
    return {
        figure: statistics.compute_exact_mean([v for v in arm.list_deal_values(figure) if v == v]) for figure in goal
    }


def _choose_candidates(
    study: Study, editions: Sequence[dict[str, Value]], goal: Mapping[str, str], model_arms: Sequence[MeasuredArm]
) -> list[dict[str, Value]]:
    """Return the editions with the best predictions of the linear model, in doubt those nearest to the printed one."""
    numbers = np.array([[float(value) for value in changed.values()] for changed in editions])
    seen = numbers[:: _choose_model_stride(editions)]
    means = [_compute_figure_means(arm, goal) for arm in model_arms]
    predicted: dict[str, list[float]] = {}
    for figure in goal:
        rows = np.array([edition_means[figure] for edition_means in means])
        slopes = fit_least_squares(seen, rows)[0]
        middle = float(rows.mean()) - float(seen.mean(axis=0) @ np.array(slopes))
        predicted[figure] = [float(middle + row @ np.array(slopes)) for row in numbers]
    goal_distance = _make_goal_distance(study, goal, {figure: predicted[figure][0] for figure in goal})
    scores = [goal_distance({figure: values[i] for figure, values in predicted.items()}) for i in range(len(editions))]
    order = sorted(range(1, len(editions)), key=lambda i: (round(scores[i], 6), i))
    return [editions[i] for i in order[:MAX_CANDIDATES]]


def _select_runners(
    study: Study, runners: Sequence[dict[str, Value]], goal: Mapping[str, str], raced: Sequence[MeasuredArm]
) -> list[dict[str, Value]]:
    """Return the better half of the candidates that may still reach the goal, at least one."""
    printed = _compute_figure_means(raced[0], goal)
    goal_distance = _make_goal_distance(study, goal, printed)
    ranked = sorted(range(len(runners)), key=lambda i: (goal_distance(_compute_figure_means(raced[i + 1], goal)), i))
    inside = [i for i in ranked if not _is_ruled_out(study, goal, printed, raced[i + 1], len(runners))]
    return [runners[i] for i in (inside or ranked)[: max(1, len(runners) // 2)]]


def _is_ruled_out(
    study: Study, goal: Mapping[str, str], printed: Mapping[str, float], arm: MeasuredArm, runners: int
) -> bool:
    confidence = 1 - (1 - statistics.CONFIDENCE) / runners
    for figure, aim in goal.items():
        target = 1 / study.get_seat_count() if aim == FAIR else printed[figure]
        min_difference = get_minimum_difference(figure, printed[figure], study.detect, study.bands)
        estimate = statistics.estimate_mean([v for v in arm.list_deal_values(figure) if v == v], confidence)
        if estimate.low > target + min_difference or estimate.high < target - min_difference:
            return True
    return False
