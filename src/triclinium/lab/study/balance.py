"""Looking for values that make a game fair: a screening of the free numbers, a race of candidates, a confirmation.

The screening's linear model names the editions that should reach the goal; the nearest to the printed one race with
shared deals, and whoever is certainly out drops out. The best of a search looks better than it is: what is reported is
a study of its own on fresh deals.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from triclinium.bots import derive, seating
from triclinium.engine.core.errors import BadSetup, nearest
from triclinium.engine.game import Game
from triclinium.lab.study import run, statistics
from triclinium.lab.study.arrays import load
from triclinium.lab.study.engine import Engine
from triclinium.lab.study.figures import KINDS, Measured, band_of, measure
from triclinium.lab.study.plan import SCREEN, Arm, Value
from triclinium.lab.study.report import tried_question
from triclinium.lab.study.runner import Tell, play_study
from triclinium.lab.study.screening import EACH, least_squares, loads
from triclinium.lab.study.store import Folder
from triclinium.lab.study.study_file import Study, Wanted, edition_of, plain

MODELLED = 64  # editions that the model learns from
CANDIDATES = 16
RACE = (100, 200, 400, 800)  # deals of each round
GRID = 20_000  # editions that are looked through
FAIR, SAME = "fair", "same"


@dataclass(frozen=True)
class Free:
    """A number that may change, and how far."""

    path: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Search:
    """What came out: the editions that were tried, and the study that confirms the best."""

    tried: int
    best: Wanted
    confirmed: run.Conducted


def read_free(game: Game, text: str) -> Free:
    """``tokens.first=0..2``; raises BadSetup or BadComponents."""
    path, _, span = text.partition("=")
    low, dots, high = span.partition("..")
    if not dots:
        raise BadSetup(f"a free number is PATH=LOW..HIGH, not {text!r}")
    first, last = game.file.read(path.strip(), low), game.file.read(path.strip(), high)
    if not isinstance(first, int) or not isinstance(last, int) or isinstance(first, bool) or last <= first:
        raise BadSetup(f"{path}: a free number goes from a whole number to a higher one, not {span!r}")
    return Free(path.strip(), tuple(range(first, last + 1)))


def read_goal(text: str) -> dict[str, str]:
    """``first=fair,decisions=same``; raises BadSetup."""
    found: dict[str, str] = {}
    for pair in text.split(","):
        figure, _, wish = pair.strip().partition("=")
        if figure not in KINDS:
            raise BadSetup(f"there is no figure {figure!r}; {nearest(figure, KINDS)}")
        if wish not in (FAIR, SAME) or (wish == FAIR and figure not in ("first", "last")):
            raise BadSetup(f"a goal is first=fair, last=fair or FIGURE=same, not {pair.strip()!r}")
        found[figure] = wish
    return found


def feasible(game: Game, free: Sequence[Free]) -> list[dict[str, Value]]:
    """The editions that load, the printed one first, whether it is among them or not, then the nearer ones first."""
    printed = {one.path: plain(game.file.value_at(one.path)) for one in free}
    if len(printed) < len(free):
        raise BadSetup("a free number is named twice")
    size = math.prod(len(one.values) for one in free)
    if size > GRID:
        raise BadSetup(f"{size} editions are too many to look through; free fewer numbers, or less far")
    all_of = (dict(zip(printed, values, strict=True)) for values in product(*(one.values for one in free)))
    found = [changed for changed in all_of if changed != printed and loads(game, changed)]
    return [printed, *sorted(found, key=lambda changed: (_distance(changed, printed), str(changed)))]


def _distance(changed: Mapping[str, Value], printed: Mapping[str, object]) -> float:
    """How far an edition is from the printed one, each number by its own size."""
    total = 0.0
    for path, value in changed.items():
        before = printed[path]
        assert isinstance(before, (int, float))
        assert isinstance(value, (int, float))
        total += abs(value - before) / max(1.0, abs(before))
    return total


def search(
    study: Study, free: Sequence[Free], goal: Mapping[str, str], to: Path, engine: Engine, tell: Tell | None = None
) -> Search:
    """Screen, race and confirm; every step lies in a folder of its own, so that an interrupted search goes on."""
    if study.editions:
        raise BadSetup("a search makes its own editions of the printed one; leave the others out")
    game = study.checked().game()
    editions = feasible(game, free)
    if len(editions) < 2:
        raise BadSetup("no other edition can be played with these numbers")
    modelled = editions[:: _apart(editions)]
    learnt = _played(study, modelled, EACH, to / "model", engine, tell)
    chosen = best = _candidates(study, editions, goal, learnt)
    for round_, deals in enumerate(RACE):
        if len(best) < 2:
            break
        raced = _played(study, [editions[0], *best], deals, to / f"race-{round_ + 1}", engine, tell)
        best = _kept(study, best, goal, raced)
    name = ", ".join(f"{path.rpartition('.')[2]} {value}" for path, value in best[0].items())
    wanted = Wanted(name, best[0])
    tried = len(modelled) + len(chosen)
    question = tried_question(study.question, tried)
    fresh = replace(study, editions=(wanted,), seed=derive(study.seed, len(RACE)), question=question)
    return Search(tried, wanted, run.conduct(fresh, to / "confirmed", tell=tell, engine=nullcontext(engine)))


def _apart(editions: Sequence[object]) -> int:
    return max(1, len(editions) // MODELLED)


def _played(
    study: Study, editions: Sequence[Mapping[str, Value]], deals: int, path: Path, engine: Engine, tell: Tell | None
) -> list[Measured]:
    """Play these editions with shared deals."""
    game = study.game()
    made = [edition_of(game, Wanted(f"{i}", dict(changed))) for i, changed in enumerate(editions)]
    bots = tuple(seating(study.bots, study.places()))
    plan = replace(study.base(made, [Arm(i, bots, deals) for i in range(len(made))]), kind=SCREEN)
    folder = Folder(path, plan)
    folder.open(study)
    play_study(folder, engine, tell)
    return measure(load(folder, deals))


def _misses(
    study: Study, goal: Mapping[str, str], printed: Mapping[str, float]
) -> Callable[[Mapping[str, float]], float]:
    """How far figures are from the goal, each in bands; nought: within all."""

    def miss(figures: Mapping[str, float]) -> float:
        total = 0.0
        for figure, wish in goal.items():
            target = 1 / study.places() if wish == FAIR else printed[figure]
            band = band_of(figure, printed[figure], study.detect, study.bands)
            total += max(0.0, abs(figures[figure] - target) / band - 1)
        return total

    return miss


def _means(arm: Measured, goal: Mapping[str, str]) -> dict[str, float]:
    return {figure: statistics.mean_of([v for v in arm.values(figure) if v == v]) for figure in goal}


def _candidates(
    study: Study, editions: Sequence[dict[str, Value]], goal: Mapping[str, str], learnt: Sequence[Measured]
) -> list[dict[str, Value]]:
    """The editions that a linear model takes for good, the nearest to the printed one first."""
    numbers = np.array([[float(value) for value in changed.values()] for changed in editions])
    seen = numbers[:: _apart(editions)]
    means = [_means(arm, goal) for arm in learnt]
    foretold: dict[str, list[float]] = {}
    for figure in goal:
        rows = np.array([one[figure] for one in means])
        slopes = least_squares(seen, rows)[0]
        middle = float(rows.mean()) - float(seen.mean(axis=0) @ np.array(slopes))
        foretold[figure] = [float(middle + row @ np.array(slopes)) for row in numbers]
    miss = _misses(study, goal, {figure: foretold[figure][0] for figure in goal})
    scores = [miss({figure: values[i] for figure, values in foretold.items()}) for i in range(len(editions))]
    order = sorted(range(1, len(editions)), key=lambda i: (round(scores[i], 6), i))
    return [editions[i] for i in order[:CANDIDATES]]


def _kept(
    study: Study, runners: Sequence[dict[str, Value]], goal: Mapping[str, str], raced: Sequence[Measured]
) -> list[dict[str, Value]]:
    """The better half of those that are not certainly out of the goal; at least one."""
    printed = _means(raced[0], goal)
    miss = _misses(study, goal, printed)
    ranked = sorted(range(len(runners)), key=lambda i: (miss(_means(raced[i + 1], goal)), i))
    inside = [i for i in ranked if not _is_out(study, goal, printed, raced[i + 1], len(runners))]
    return [runners[i] for i in (inside or ranked)[: max(1, len(runners) // 2)]]


def _is_out(study: Study, goal: Mapping[str, str], printed: Mapping[str, float], arm: Measured, runners: int) -> bool:
    certainty = 1 - (1 - statistics.CERTAINTY) / runners
    for figure, wish in goal.items():
        target = 1 / study.places() if wish == FAIR else printed[figure]
        band = band_of(figure, printed[figure], study.detect, study.bands)
        one = statistics.mean([v for v in arm.values(figure) if v == v], certainty)
        if one.low > target + band or one.high < target - band:
            return True
    return False
