"""Sensitivity screening: it finds the numbers that affect the game at all.

All numbers vary at once over many small editions. A Hadamard design and its mirror image set every number high in half
of the editions and low in the other half, so that each match says something about each number. A change that would
break a constraint is left out.

Standard errors come from the scatter of whole editions around the model, because numbers interact. Errors computed from
single matches would make nearly all effects look significant.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import zip_longest
from typing import TypeAlias

import numpy as np

from triclinium.bots import assign_bots
from triclinium.engine.core.errors import BadComponents, BadSetup, suggest_names
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game
from triclinium.engine.numbers import list_numbers
from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import Numbers, load_arms
from triclinium.lab.study.figures import measure_arms
from triclinium.lab.study.plan import Edition, NumberChange, StudyArm, StudyPlan, build_plan
from triclinium.lab.study.screening_deals import MATCHES_PER_EDITION, SharedVariance, measure_shared_variance
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.store import StudyFolder
from triclinium.lab.study.study_file import SHARED_DEALS, Study, Value

RELATIVE_STEP = 0.15  # change of a number relative to its value; at least one step of the number
MIN_MATCHES = 1500  # minimum number of matches of a screening
EDITIONS_PER_NUMBER = 8  # editions for each number that is screened
SHOWN_NUMBERS = 8  # numbers shown for each figure in the report, and number of confirming studies proposed
DEFAULT_FIGURES = ("winner", "first", "decisions")

EditionProgress: TypeAlias = Callable[[int, int], None]  # called with the number of editions made and planned


@dataclass(frozen=True)
class ScreeningFactor:
    """A number, and the two values that a screening gives it."""

    path: str
    name: Message
    printed: Value
    low: Value
    high: Value

    def code_level(self, value: Value) -> float:
        """Return a value on the scale where -1 is low and 1 is high."""
        assert isinstance(value, (int, float))
        assert isinstance(self.low, (int, float))
        assert isinstance(self.high, (int, float))
        return 2 * (value - self.low) / (self.high - self.low) - 1


@dataclass(frozen=True)
class ScreeningEffect:
    """An effect on a figure of moving a number from low to high.

    The interval is valid for all numbers of the screening together.
    """

    path: str
    low: Value
    high: Value
    estimate: Estimate
    p: float


@dataclass(frozen=True)
class Screening:
    """The effects of all numbers on each figure, largest first."""

    levers: int
    editions: int
    matches: int
    kept: float  # mean number of changed numbers in an edition
    shares_deals: bool  # True if all editions play the same deals
    shared_variance: float  # variance of an effect with shared deals, relative to own ones, by a pilot; 0: not measured
    effects: Mapping[str, Sequence[ScreeningEffect]]
    confirm: tuple[str, ...]  # commands that study each of the strongest numbers separately, on fresh deals


def find_factors(game: Game, only: Sequence[str] = ()) -> list[ScreeningFactor]:
    """Return the numbers that can change alone in at least one direction, with their low and high values."""
    known = [number for number in list_numbers(game) if not number.hidden]
    for pattern in only:
        if not any(fnmatchcase(number.path, pattern) for number in known):
            paths = [number.path for number in known]
            raise BadSetup(f"no number of {game.id} has the path {pattern!r}; {suggest_names(pattern, paths)}")
    factors: list[ScreeningFactor] = []
    for number in known:
        if only and not any(fnmatchcase(number.path, pattern) for pattern in only):
            continue
        distance = max(
            number.step, round(abs(number.value) * RELATIVE_STEP / number.step) * number.step if number.step else 0
        )
        kind = type(number.value)
        low, high = (kind(max(number.low, min(number.high, number.value + sign * distance))) for sign in (-1, 1))
        low = low if low != number.value and can_load(game, {number.path: low}) else number.value
        high = high if high != number.value and can_load(game, {number.path: high}) else number.value
        if low != high:
            factors.append(ScreeningFactor(number.path, number.name, number.value, low, high))
    return factors


def can_load(game: Game, changes: Mapping[str, Value]) -> bool:
    """Return whether the game loads with these changes."""
    try:
        game.with_components(game.file.with_changes(changes))
    except BadComponents:
        return False
    return True


def meets_constraints(game: Game, changes: Mapping[str, Value]) -> bool:
    """Return whether these values are in range and keep the constraints, without building the game, which is slower."""
    try:
        return not game.find_broken_constraints(game.file.with_changes(changes), printed=False)
    except BadComponents:
        return False


def build_hadamard_matrix(size: int) -> Numbers:
    """Return Sylvester's Hadamard matrix of the next power of two."""
    matrix = np.ones((1, 1))
    while len(matrix) < size:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


def make_design(count: int, rows: int, seed: int) -> Numbers:
    """Return ``rows`` rows of high (1) and low (-1) levels for ``count`` numbers.

    The rows are a Hadamard design and its mirror image, repeated with shuffled columns until there are enough.
    """
    rng = np.random.Generator(np.random.PCG64(seed % (1 << 63)))
    base = build_hadamard_matrix(count + 1)
    columns = np.arange(1, len(base))
    blocks: list[Numbers] = []
    while sum(map(len, blocks)) < rows:
        chosen = base[:, rng.permutation(columns)[:count]]
        blocks += [chosen, -chosen]
    return np.concatenate(blocks)[:rows]


def repair_changes(game: Game, wanted: Sequence[tuple[str, Value]], rng: Rng) -> dict[str, Value]:
    """Return as many of the wanted changes as are compatible, tried in an order drawn from the seed."""
    places = list(range(len(wanted)))
    rng.shuffle(places)
    order = [wanted[place] for place in places]
    compatible = combine_changes(game, order, meets_constraints)
    if not can_load(game, compatible):  # Some faults appear only when the game is built from the components.
        compatible = combine_changes(game, order, can_load)
    return {path: compatible[path] for path, _ in wanted if path in compatible}


def combine_changes(
    game: Game, order: Sequence[tuple[str, Value]], works: Callable[[Game, Mapping[str, Value]], bool]
) -> dict[str, Value]:
    """Return as many of these changes as work together, preferring earlier ones.

    The changes are tried in blocks that are halved on failure, because most of them are compatible.
    """
    compatible: dict[str, Value] = {}
    waiting = [order]
    while waiting:
        block = waiting.pop(0)
        if works(game, {**compatible, **dict(block)}):
            compatible |= dict(block)
        elif len(block) > 1:
            waiting = [block[: len(block) // 2], block[len(block) // 2 :], *waiting]
    return compatible


def compute_default_matches(numbers: int) -> int:
    """Return the default number of matches of a screening with this many numbers."""
    return max(MIN_MATCHES, EDITIONS_PER_NUMBER * (numbers + 1) * MATCHES_PER_EDITION)


def make_screening_plan(study: Study, on_edition: EditionProgress | None = None) -> StudyPlan:
    """Return the plan of a screening, whose many editions take a while to make.

    Raise BadSetup if no number can change.
    """
    study = study.validate()
    game = study.load_game()
    factors = find_factors(game, study.only)
    if not factors:
        raise BadSetup(f"{study.game} has no number that can be changed alone")
    rows = (study.matches or compute_default_matches(len(factors))) // MATCHES_PER_EDITION
    if rows < 2 * (len(factors) + 1):
        needed = 2 * (len(factors) + 1) * MATCHES_PER_EDITION
        raise BadSetup(
            f"{len(factors)} numbers need at least {needed} matches; use --matches {needed}, "
            "or choose fewer numbers with --only"
        )
    rng = Rng(study.seed)
    printed = {factor.path: factor.printed for factor in factors}
    editions = [Edition("printed", game.hash)]
    for i, row in enumerate(make_design(len(factors), rows - 1, study.seed)):
        wanted = [
            (factor.path, factor.high if level > 0 else factor.low) for factor, level in zip(factors, row, strict=True)
        ]
        changes = repair_changes(
            game, [pair for pair, factor in zip(wanted, factors, strict=True) if pair[1] != factor.printed], rng
        )
        made = tuple(NumberChange(path, printed[path], value) for path, value in changes.items())
        editions.append(
            Edition(f"row {i + 1}", game.with_components(game.file.with_changes(changes)).hash, changes=made)
        )
        if on_edition is not None:
            on_edition(len(editions), rows)
    bots = tuple(assign_bots(study.bots, study.get_seat_count()))
    shared = build_plan(study, editions, [StudyArm(i, bots, MATCHES_PER_EDITION) for i in range(len(editions))])
    variance = SharedVariance(study.shared_variance, study.deals == SHARED_DEALS)
    if not study.deals:
        pair = editions[0], max(editions, key=lambda edition: len(edition.changes))
        variance = measure_shared_variance(study, pair, bots, study.figures or DEFAULT_FIGURES, shared.matches)
    if variance.is_smaller:
        return replace(shared, shared_variance=variance.value)
    arms = [replace(arm, first_deal=i * MATCHES_PER_EDITION) for i, arm in enumerate(shared.arms)]
    return replace(shared, arms=tuple(arms), shared_variance=variance.value)


def analyze_screening(folder: StudyFolder, study: Study) -> Screening:
    """Return the estimated effects of a played screening."""
    plan = folder.plan
    factors = find_factors(study.load_game(), study.only)
    arms = measure_arms(load_arms(folder, plan.deals))
    design = np.array([[_get_factor_level(factor, edition) for factor in factors] for edition in plan.editions])
    wanted = study.figures or DEFAULT_FIGURES
    effects: dict[str, list[ScreeningEffect]] = {}
    for figure in wanted:
        if figure in arms[0].figures:
            rows = np.array(
                [statistics.compute_exact_mean([v for v in arm.list_deal_values(figure) if v == v]) for arm in arms]
            )
            effects[figure] = estimate_effects(factors, design, rows)
    mean_changes = sum(len(edition.changes) for edition in plan.editions) / max(1, len(plan.editions) - 1)
    return Screening(
        len(factors),
        len(plan.editions),
        plan.matches,
        mean_changes,
        plan.shares_deals,
        plan.shared_variance,
        effects,
        list_confirmation_commands(study, factors, effects),
    )


def list_confirmation_commands(
    study: Study, factors: Sequence[ScreeningFactor], effects: Mapping[str, Sequence[ScreeningEffect]]
) -> tuple[str, ...]:
    """Return the commands that study each of the strongest numbers alone.

    The strongest numbers of all figures take turns in the list.
    """
    ranks = zip_longest(*effects.values())
    paths = dict.fromkeys(effect.path for rank in ranks for effect in rank if effect is not None)
    known = {each.path: each for each in factors}
    words = [
        "triclinium",
        "study",
        "run",
        study.game,
        "--seats",
        str(study.get_seat_count()),
        "--bots",
        ",".join(study.bots),
    ]
    words += ["--seed", str(study.seed + 1)]
    if study.variants:
        words += ["--variant", *(f"{name}={value}" for name, value in study.variants.items())]
    commands = []
    for factor in (known[path] for path in list(paths)[:SHOWN_NUMBERS]):
        value = factor.low if factor.high == factor.printed else factor.high
        commands.append(shlex.join([*words, "--set", f"{factor.path}={value}"]))
    return tuple(commands)


def _get_factor_level(factor: ScreeningFactor, edition: Edition) -> float:
    value = next((change.value for change in edition.changes if change.path == factor.path), factor.printed)
    return factor.code_level(value)


def estimate_effects(factors: Sequence[ScreeningFactor], design: Numbers, rows: Numbers) -> list[ScreeningEffect]:
    """Return the effects by least squares on the edition means.

    An effect is the value at high minus the value at low.
    """
    values, errors, freedom = fit_least_squares(design, rows)
    confidence = 1 - (1 - statistics.CONFIDENCE) / len(factors)
    critical_value = statistics.compute_t_quantile((1 + confidence) / 2, freedom + 1)
    ps = [
        min(1.0, len(factors) * statistics.compute_two_sided_p(value / error if error else 0.0, freedom + 1))
        for value, error in zip(values, errors, strict=True)
    ]
    results = [
        ScreeningEffect(
            item.path,
            item.low,
            item.high,
            Estimate(
                2 * value,
                2 * (value - critical_value * error),
                2 * (value + critical_value * error),
                len(rows),
                2 * error,
            ),
            p,
        )
        for item, value, error, p in zip(factors, values, errors, ps, strict=True)
    ]
    return sorted(results, key=lambda item: (-abs(item.estimate.value), item.path))


def fit_least_squares(design: Numbers, rows: Numbers) -> tuple[list[float], list[float], int]:
    """Return the coefficients, their standard errors from the scatter of the rows, and the degrees of freedom."""
    x = np.column_stack([np.ones(len(rows)), design])
    inverse = np.linalg.pinv(x.T @ x)
    coefficients = inverse @ x.T @ rows
    freedom = max(1, len(rows) - x.shape[1])
    scatter = float(((rows - x @ coefficients) ** 2).sum()) / freedom
    errors = np.sqrt(np.maximum(0.0, np.diag(inverse) * scatter))
    return [float(number) for number in coefficients[1:]], [float(number) for number in errors[1:]], freedom
