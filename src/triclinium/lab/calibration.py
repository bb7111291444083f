"""Calibration of the win probabilities that hints show: reliability measurement and fitted calibration lines.

Steady bots play. At several moments of each match the search runs as it does for a hint. Its estimate for the best
option is recorded, and that option is played. The estimates are then compared with the results of the seats.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from triclinium.bots import Budget, DecisionRequest, choose_option, create_bot, derive_seed
from triclinium.bots.core.value import compute_result_shares
from triclinium.bots.search import Strong
from triclinium.engine.calibration import (
    MIN_PROBABILITY,
    STAGES,
    Calibration,
    CalibrationLine,
    compute_relative_log_odds,
    match_stage,
)
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.lab.simulation import ProgressCallback, map_in_order

MOMENTS = 8  # samples in a match, evenly spread over its progress
PLAYER = "steady+plain"  # plain bots, so that a line stays valid when networks improve
BINS = 10
FOLDS = 5  # Each fold is predicted by a line fitted to the other folds.
SELECTION_FOLDS = 3  # folds for choosing how close the lines of stages stay to the line of whole matches
MAX_NEWTON_STEPS = 25  # maximum number of Newton steps
TOLERANCE = 1e-5
MIN_SLOPE = 0.05  # minimum slope, so that a higher estimate never means a lower probability
# Prior deviations of a line from the one above it: first the line of all matches from the raw estimates, then the line
# of a number of seats from that. The deviation of stages is chosen from the candidates below.
PRIOR_DEVIATIONS = (CalibrationLine(0.2, 0.25), CalibrationLine(0.1, 0.12))
STAGE_PRIOR_DEVIATIONS = (
    CalibrationLine(0.02, 0.025),
    CalibrationLine(0.08, 0.1),
    CalibrationLine(0.2, 0.25),
    CalibrationLine(0.5, 0.6),
)
MAX_CALIBRATION_ERROR = 0.03  # largest expected calibration error that passes
MAX_BIN_ERROR = 0.07  # largest error of a single bin that passes
MIN_BIN_MATCHES = 300  # minimum number of matches for a bin to be judged


class CalibrationSample(NamedTuple):
    """An estimate at one moment of a match, and the result of the seat."""

    match: int
    seats: int
    progress: float
    predicted: float
    outcome: float


@dataclass(frozen=True)
class CalibrationTrial:
    """A calibration trial as plain data: which matches to play."""

    game_id: str
    seats: tuple[int, ...]  # numbers of seats, between which the matches alternate
    matches: int
    budget: Budget
    seed: int

    def check(self) -> Game:
        """Return the game if the trial is valid. Raise BadSetup otherwise."""
        game = load_game(self.game_id)
        if self.matches < 1:
            raise BadSetup(f"at least one match is needed, not {self.matches}")
        for seats in self.seats:
            game.deal(seats, self.seed, game.preselected_variants)
        return game


class CalibrationBin(TypedDict):
    """A group of samples with similar estimates."""

    samples: int
    matches: int
    said: float
    came: float
    error: float  # standard error of the observed share, with matches as clusters


class Reliability(TypedDict):
    """The reliability of win probabilities."""

    samples: int
    brier: float
    expected_error: float  # expected calibration error: mean deviation of the bins
    worst: float  # largest error of a bin with at least MIN_BIN_MATCHES matches; 0 if there is no such bin
    reaches_bar: bool | None  # None if the errors pass but no bin has enough matches to be judged
    bins: list[CalibrationBin]


class CalibrationReport(TypedDict):
    """The result of a calibration trial, ready for JSON."""

    game: str
    seats: list[int]
    asked: int
    played: int
    budget: str
    seed: int
    found: Reliability  # reliability of the search's estimates without calibration
    told: Reliability  # reliability of the estimates with the shipped calibration, as hints show them
    fitted: Reliability | None  # reliability of the estimates with new lines, cross-validated
    lines: dict[str, list[list[float]]] | None  # offset and slope, by number of seats and stage


# -- playing --------------------------------------------------------------------------------------------------------


def sample_match(trial: CalibrationTrial, game: Game, index: int) -> list[CalibrationSample]:
    """Play one match and return its samples."""
    seats = trial.seats[index % len(trial.seats)]
    s = game.deal(
        seats, derive_seed(trial.seed, index), game.preselected_variants
    )  # the variants that new tables select, where players ask for hints
    rng = Rng(derive_seed(trial.seed, index, seats))
    player, searcher = create_bot(PLAYER, game), Strong(game)
    due = rng.below(1000) / 1000 / MOMENTS
    noted: list[tuple[int, float, float]] = []
    while not s.over:
        progress = game.evaluator.progress(s)
        if progress < due or len(s.legal) == 1 or game.ruled_option(s) is not None:
            s.choose(choose_option(player, s, rng))
            continue
        while due <= progress:
            due += 1 / MOMENTS
        world = s.resample(s.who, rng)
        best = searcher.search(DecisionRequest(game, world, s.who, rng, trial.budget)).rank_nodes(s.legal)[0]
        noted.append((s.who, game.evaluator.progress(world), best.compute_mean()))
        s.choose(best.option)
    shares = compute_result_shares(game.evaluator, s)
    return [CalibrationSample(index, seats, progress, predicted, shares[who]) for who, progress, predicted in noted]


def sample_match_in_worker(trial: CalibrationTrial, index: int) -> list[CalibrationSample]:
    """Sample a match in a worker process."""
    return sample_match(trial, load_game(trial.game_id), index)


def sample_matches(
    trial: CalibrationTrial, workers: int, progress: ProgressCallback | None = None
) -> Iterator[list[CalibrationSample]]:
    """Yield the samples of each match, in the order of their numbers."""
    trial.check()
    for index, match_samples in enumerate(map_in_order(sample_match_in_worker, trial, range(trial.matches), workers)):
        yield match_samples
        if progress is not None:
            progress(index + 1, trial.matches)


# -- measuring ------------------------------------------------------------------------------------------------------


def measure_reliability(
    samples: Sequence[CalibrationSample], chance: Callable[[CalibrationSample], float]
) -> Reliability:
    """Return the reliability of these probabilities."""
    predictions = [(chance(sample), sample) for sample in samples]
    bins = [
        _make_bin(
            [(predicted, sample) for predicted, sample in predictions if min(BINS - 1, int(predicted * BINS)) == place]
        )
        for place in range(BINS)
    ]
    there = [each for each in bins if each is not None]
    off = sum(each["samples"] * abs(each["said"] - each["came"]) for each in there) / len(predictions)
    heavy = [abs(each["said"] - each["came"]) for each in there if each["matches"] >= MIN_BIN_MATCHES]
    worst = max(heavy, default=0.0)
    reached: bool | None = off <= MAX_CALIBRATION_ERROR and worst <= MAX_BIN_ERROR
    if reached and not heavy:
        reached = None
    return {
        "samples": len(predictions),
        "brier": round(
            sum((predicted - sample.outcome) ** 2 for predicted, sample in predictions) / len(predictions), 4
        ),
        "expected_error": round(off, 4),
        "worst": round(worst, 4),
        "reaches_bar": reached,
        "bins": there,
    }


def _make_bin(predictions: list[tuple[float, CalibrationSample]]) -> CalibrationBin | None:
    """Return one bin.

    The clusters of its standard error are matches, because all moments of a match share one result.
    """
    if not predictions:
        return None
    size = len(predictions)
    came = sum(sample.outcome for _, sample in predictions) / size
    by_match: dict[int, float] = {}
    for _, sample in predictions:
        by_match[sample.match] = by_match.get(sample.match, 0.0) + sample.outcome - came
    return {
        "samples": size,
        "matches": len(by_match),
        "said": round(sum(predicted for predicted, _ in predictions) / size, 4),
        "came": round(came, 4),
        "error": round(math.sqrt(sum(off * off for off in by_match.values())) / size, 4),
    }


# -- fitting --------------------------------------------------------------------------------------------------------


def fit_calibration(samples: Sequence[CalibrationSample]) -> Calibration:
    """Return a line for each number of seats and stage.

    A line stays near that of whole matches, which stays near that of all matches together.
    """
    return fit_stages(samples, fit_whole_matches(samples), choose_stage_deviation(samples))


def fit_whole_matches(samples: Sequence[CalibrationSample]) -> dict[int, CalibrationLine]:
    """Return the line of whole matches for each number of seats."""
    common = fit_line(samples, CalibrationLine(), PRIOR_DEVIATIONS[0])
    numbers = sorted({sample.seats for sample in samples})
    return {
        seats: fit_line([sample for sample in samples if sample.seats == seats], common, PRIOR_DEVIATIONS[1])
        for seats in numbers
    }


def fit_stages(
    samples: Sequence[CalibrationSample], whole: Mapping[int, CalibrationLine], prior_deviation: CalibrationLine
) -> Calibration:
    """Return the lines of stages, with the given prior deviation from the lines of whole matches."""
    there: dict[tuple[int, int], list[CalibrationSample]] = {}
    for sample in samples:
        there.setdefault((sample.seats, match_stage(sample.progress)), []).append(sample)
    return Calibration(
        {
            seats: [fit_line(there.get((seats, n), []), line, prior_deviation) for n in range(STAGES)]
            for seats, line in whole.items()
        }
    )


def choose_stage_deviation(samples: Sequence[CalibrationSample]) -> CalibrationLine:
    """Return the prior deviation of stages that predicts held-out matches best."""
    losses = [0.0] * len(STAGE_PRIOR_DEVIATIONS)
    for fitted, rest in split_folds(samples, SELECTION_FOLDS):
        whole = fit_whole_matches(fitted)
        for n, prior_deviation in enumerate(STAGE_PRIOR_DEVIATIONS):
            losses[n] += log_loss(rest, fit_stages(fitted, whole, prior_deviation))
    return STAGE_PRIOR_DEVIATIONS[losses.index(min(losses))]


def split_folds(
    samples: Sequence[CalibrationSample], folds: int
) -> Iterator[tuple[list[CalibrationSample], list[CalibrationSample]]]:
    """Yield pairs of training and validation samples; every match is in one validation set."""
    numbers = len({sample.seats for sample in samples})  # Matches alternate between the numbers of seats.
    for n in range(folds):
        inside = [sample.match // numbers % folds == n for sample in samples]
        fitted = [sample for sample, out in zip(samples, inside, strict=True) if not out]
        yield fitted, [sample for sample, out in zip(samples, inside, strict=True) if out]


def log_loss(samples: Sequence[CalibrationSample], calibration: Calibration) -> float:
    """Return the total log loss of the calibrated probabilities."""
    total = 0.0
    for sample in samples:
        chance = min(
            1.0 - MIN_PROBABILITY,
            max(MIN_PROBABILITY, calibration.calibrate(sample.predicted, sample.seats, sample.progress)),
        )
        total -= sample.outcome * math.log(chance) + (1.0 - sample.outcome) * math.log(1.0 - chance)
    return total


def fit_line(
    samples: Sequence[CalibrationSample], prior: CalibrationLine, prior_deviation: CalibrationLine
) -> CalibrationLine:
    """Return the most likely line, drawn towards a prior where data is scarce, by Newton's method."""
    offset, slope = prior
    weight = len({sample.match for sample in samples}) / max(
        1, len(samples)
    )  # Each match counts once, however many samples it has.
    leads = [
        (compute_relative_log_odds(sample.predicted, sample.seats), sample.seats - 1, sample.outcome)
        for sample in samples
    ]
    pull_offset, pull_slope = prior_deviation.offset**-2, prior_deviation.slope**-2
    for _ in range(MAX_NEWTON_STEPS):
        down, across = pull_offset * (offset - prior.offset), pull_slope * (slope - prior.slope)
        aa, ab, bb = pull_offset, 0.0, pull_slope
        for lead, others, came in leads:
            # The calibrated probability, inlined to avoid a call for each sample
            chance = 1.0 / (1.0 + others * math.exp(-offset - slope * lead))
            miss, steep = weight * (chance - came), weight * chance * (1.0 - chance)
            down, across = down + miss, across + miss * lead
            aa, ab, bb = aa + steep, ab + steep * lead, bb + steep * lead * lead
        det = aa * bb - ab * ab
        before = offset, slope
        offset -= (bb * down - ab * across) / det
        slope = max(MIN_SLOPE, slope - (aa * across - ab * down) / det)
        if abs(offset - before[0]) + abs(slope - before[1]) < TOLERANCE:
            break
    return CalibrationLine(round(offset, 3), round(slope, 3))


def cross_validate(samples: Sequence[CalibrationSample]) -> Reliability:
    """Return the cross-validated reliability of fitted probabilities."""
    predictions: dict[CalibrationSample, float] = {}
    for fitted, rest in split_folds(samples, FOLDS):
        made = fit_calibration(fitted)
        predictions |= {sample: made.calibrate(sample.predicted, sample.seats, sample.progress) for sample in rest}
    return measure_reliability(samples, predictions.__getitem__)


def make_report(
    trial: CalibrationTrial, budget: str, samples: Sequence[CalibrationSample], played: int, fitting: bool
) -> CalibrationReport:
    """Return the report of a trial. Raise BadSetup if there is no sample."""
    if not samples:
        raise BadSetup("these matches have no decision with several options")
    shipped = load_game(trial.game_id).calibration
    lines = fit_calibration(samples).lines if fitting else None
    return {
        "game": trial.game_id,
        "seats": list(trial.seats),
        "asked": trial.matches,
        "played": played,
        "budget": budget,
        "seed": trial.seed,
        "found": measure_reliability(samples, lambda sample: sample.predicted),
        "told": measure_reliability(
            samples, lambda sample: shipped.calibrate(sample.predicted, sample.seats, sample.progress)
        ),
        "fitted": cross_validate(samples) if fitting else None,
        "lines": None if lines is None else {str(seats): [list(line) for line in lines[seats]] for seats in lines},
    }


def format_calibration_toml(report: CalibrationReport, how: str) -> str:
    """Return a calibration.toml with the lines of a report."""
    assert report["lines"] is not None
    rows = [f"{seats} = {pairs}" for seats, pairs in report["lines"].items()]
    head = "# Calibration lines: offset and slope of the log odds in each third of a match, by number of seats."
    return "\n".join([head, *(f"# {line}" for line in how.splitlines()), "", "[seats]", *rows, ""])
