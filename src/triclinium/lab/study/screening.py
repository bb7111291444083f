"""Screening: which numbers matter at all. Many editions with few matches each, all numbers set at once.

A Hadamard plan and its mirror set every number high in half of the editions and low in the other half, so that each
match tells something of each number. What would break a constraint stays printed. Errors come from the scatter of whole
editions about the model, since numbers work together: errors from matches would call nearly all of them certain.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import zip_longest
from typing import TypeAlias

import numpy as np

from triclinium.bots import seating
from triclinium.engine.core.errors import BadComponents, BadSetup, nearest
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game
from triclinium.engine.numbers import numbers
from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import Numbers, load
from triclinium.lab.study.figures import measure
from triclinium.lab.study.plan import Arm, Change, Edition, Plan, Value
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.store import Folder
from triclinium.lab.study.study_file import Study

STEP = 0.15  # of a number's value, one step of it at least
MATCHES = 1500  # at least, and
ROWS = 8  # editions for each number that is screened
EACH = 6  # matches of an edition
OFFERED = 8  # numbers of each figure that the report shows, and studies that confirm the first
USUAL = ("winner", "first", "decisions")

Making: TypeAlias = Callable[[int, int], None]  # editions that are made, and that will be


@dataclass(frozen=True)
class Lever:
    """A number and the two values that a screening gives it."""

    path: str
    name: Message
    printed: Value
    low: Value
    high: Value

    def code(self, value: Value) -> float:
        """-1 for low, 1 for high."""
        assert isinstance(value, (int, float))
        assert isinstance(self.low, (int, float))
        assert isinstance(self.high, (int, float))
        return 2 * (value - self.low) / (self.high - self.low) - 1


@dataclass(frozen=True)
class Effect:
    """What a figure does when a number goes from low to high; the interval holds for all numbers at once."""

    path: str
    low: Value
    high: Value
    estimate: Estimate
    p: float


@dataclass(frozen=True)
class Screening:
    """The effects of all numbers on each figure, the largest first."""

    levers: int
    editions: int
    matches: int
    kept: float  # numbers that an edition has set, on average
    effects: Mapping[str, Sequence[Effect]]
    confirm: tuple[str, ...]  # commands: a study of each of the first numbers alone, on fresh deals


def levers(game: Game, only: Sequence[str] = ()) -> list[Lever]:
    """The numbers that can be moved alone, in one direction at least."""
    known = [one for one in numbers(game) if not one.hidden]
    for pattern in only:
        if not any(fnmatchcase(one.path, pattern) for one in known):
            paths = [one.path for one in known]
            raise BadSetup(f"no number of {game.id} has the path {pattern!r}; {nearest(pattern, paths)}")
    found: list[Lever] = []
    for one in known:
        if only and not any(fnmatchcase(one.path, pattern) for pattern in only):
            continue
        reach = max(one.step, round(abs(one.value) * STEP / one.step) * one.step if one.step else 0)
        kind = type(one.value)
        low, high = (kind(max(one.low, min(one.high, one.value + sign * reach))) for sign in (-1, 1))
        low = low if low != one.value and loads(game, {one.path: low}) else one.value
        high = high if high != one.value and loads(game, {one.path: high}) else one.value
        if low != high:
            found.append(Lever(one.path, one.name, one.value, low, high))
    return found


def loads(game: Game, changes: Mapping[str, Value]) -> bool:
    """Whether the game can be played so."""
    try:
        game.on(game.file.edited(changes))
    except BadComponents:
        return False
    return True


def keeps(game: Game, changes: Mapping[str, Value]) -> bool:
    """Whether these values, each in its range, keep the constraints: quicker than to make the title of them."""
    try:
        return not game.constraints(game.file.edited(changes), printed=False)
    except BadComponents:
        return False


def hadamard(size: int) -> Numbers:
    """Sylvester's matrix of the next power of two."""
    found = np.ones((1, 1))
    while len(found) < size:
        found = np.block([[found, found], [found, -found]])
    return found


def rows_of(count: int, rows: int, seed: int) -> Numbers:
    """So many rows of high and low for each of ``count`` numbers: the plan, its mirror, then with columns shuffled."""
    rng = np.random.Generator(np.random.PCG64(seed % (1 << 63)))
    base = hadamard(count + 1)
    columns = np.arange(1, len(base))
    blocks: list[Numbers] = []
    while sum(map(len, blocks)) < rows:
        chosen = base[:, rng.permutation(columns)[:count]]
        blocks += [chosen, -chosen]
    return np.concatenate(blocks)[:rows]


def repaired(game: Game, wanted: Sequence[tuple[str, Value]], rng: Rng) -> dict[str, Value]:
    """As many of these changes as go together, tried in an order drawn from the seed."""
    places = list(range(len(wanted)))
    rng.shuffle(places)
    order = [wanted[place] for place in places]
    kept = together(game, order, keeps)
    if not loads(game, kept):  # something shows only when the title is made of it
        kept = together(game, order, loads)
    return {path: kept[path] for path, _ in wanted if path in kept}


def together(
    game: Game, order: Sequence[tuple[str, Value]], works: Callable[[Game, Mapping[str, Value]], bool]
) -> dict[str, Value]:
    """As many of these changes as work together, the earlier first: by halves, since most do."""
    kept: dict[str, Value] = {}
    waiting = [order]
    while waiting:
        block = waiting.pop(0)
        if works(game, {**kept, **dict(block)}):
            kept |= dict(block)
        elif len(block) > 1:
            waiting = [block[: len(block) // 2], block[len(block) // 2 :], *waiting]
    return kept


def usual_matches(numbers: int) -> int:
    """How many matches a screening of so many numbers has, if nobody says otherwise."""
    return max(MATCHES, ROWS * (numbers + 1) * EACH)


def screen_plan(study: Study, making: Making | None = None) -> Plan:
    """The plan of a screening, whose many editions take a while to make; raises BadSetup."""
    study = study.checked()
    game = study.game()
    free = levers(game, study.only)
    if not free:
        raise BadSetup(f"{study.title} has no number that can be moved alone")
    rows = (study.matches or usual_matches(len(free))) // EACH
    if rows < 2 * (len(free) + 1):
        needed = 2 * (len(free) + 1) * EACH
        raise BadSetup(
            f"{len(free)} numbers take {needed} matches at least; say --matches {needed}, or fewer with --only"
        )
    rng = Rng(study.seed)
    printed = {one.path: one.printed for one in free}
    editions = [Edition("printed", game.hash)]
    for i, row in enumerate(rows_of(len(free), rows - 1, study.seed)):
        wanted = [(one.path, one.high if level > 0 else one.low) for one, level in zip(free, row, strict=True)]
        changes = repaired(game, [pair for pair, one in zip(wanted, free, strict=True) if pair[1] != one.printed], rng)
        made = tuple(Change(path, printed[path], value) for path, value in changes.items())
        editions.append(Edition(f"row {i + 1}", game.on(game.file.edited(changes)).hash, changes=made))
        if making is not None:
            making(len(editions), rows)
    bots = tuple(seating(study.bots, study.places()))
    return study.base(editions, [Arm(i, bots, EACH) for i in range(len(editions))])


def screening(folder: Folder, study: Study) -> Screening:
    """What the matches of a screening say."""
    plan = folder.plan
    free = levers(study.game(), study.only)
    arms = measure(load(folder, plan.deals))
    design = np.array([[_level(one, edition) for one in free] for edition in plan.editions])
    wanted = study.figures or USUAL
    told: dict[str, list[Effect]] = {}
    for figure in wanted:
        if figure in arms[0].each:
            rows = np.array([statistics.mean_of([v for v in arm.values(figure) if v == v]) for arm in arms])
            told[figure] = effects(free, design, rows)
    kept = sum(len(edition.changes) for edition in plan.editions) / max(1, len(plan.editions) - 1)
    return Screening(len(free), len(plan.editions), plan.matches, kept, told, confirmations(study, free, told))


def confirmations(study: Study, free: Sequence[Lever], told: Mapping[str, Sequence[Effect]]) -> tuple[str, ...]:
    """The first numbers of every figure in turn, each as the command of a study that changes it alone."""
    ranks = zip_longest(*told.values())
    paths = dict.fromkeys(effect.path for rank in ranks for effect in rank if effect is not None)
    known = {one.path: one for one in free}
    words = ["triclinium", "study", "run", study.title, "--seats", str(study.places()), "--bots", ",".join(study.bots)]
    words += ["--seed", str(study.seed + 1)]
    if study.variants:
        words += ["--variant", *(f"{name}={value}" for name, value in study.variants.items())]
    found = []
    for lever in (known[path] for path in list(paths)[:OFFERED]):
        value = lever.low if lever.high == lever.printed else lever.high
        found.append(shlex.join([*words, "--set", f"{lever.path}={value}"]))
    return tuple(found)


def _level(lever: Lever, edition: Edition) -> float:
    value = next((change.value for change in edition.changes if change.path == lever.path), lever.printed)
    return lever.code(value)


def effects(free: Sequence[Lever], design: Numbers, rows: Numbers) -> list[Effect]:
    """Least squares on the means of editions; an effect is high less low."""
    values, errors, freedom = least_squares(design, rows)
    certainty = 1 - (1 - statistics.CERTAINTY) / len(free)
    reach = statistics.quantile((1 + certainty) / 2, freedom + 1)
    ps = [
        min(1.0, len(free) * statistics.two_sided(value / error if error else 0.0, freedom + 1))
        for value, error in zip(values, errors, strict=True)
    ]
    found = [
        Effect(
            one.path,
            one.low,
            one.high,
            Estimate(2 * value, 2 * (value - reach * error), 2 * (value + reach * error), len(rows), 2 * error),
            p,
        )
        for one, value, error, p in zip(free, values, errors, ps, strict=True)
    ]
    return sorted(found, key=lambda one: (-abs(one.estimate.value), one.path))


def least_squares(design: Numbers, rows: Numbers) -> tuple[list[float], list[float], int]:
    """The coefficient of each column, its standard error from the scatter of rows, and the degrees of freedom."""
    x = np.column_stack([np.ones(len(rows)), design])
    inverse = np.linalg.pinv(x.T @ x)
    found = inverse @ x.T @ rows
    freedom = max(1, len(rows) - x.shape[1])
    scatter = float(((rows - x @ found) ** 2).sum()) / freedom
    errors = np.sqrt(np.maximum(0.0, np.diag(inverse) * scatter))
    return [float(one) for one in found[1:]], [float(one) for one in errors[1:]], freedom
