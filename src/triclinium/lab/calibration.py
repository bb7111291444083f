"""How often the chances that hints tell come true, and the lines that make them come true more often.

Steady bots play; at some moments of each match the search thinks as it does for a hint, what it finds of its best
option is noted, and that option is played. What is noted is set against how the match ended for the seat.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from triclinium.bots import Asked, Budget, bot, choice, derive
from triclinium.bots.core.value import result_shares
from triclinium.bots.search import Strong
from triclinium.engine.calibration import STAGES, SURE, Calibration, Line, ahead, stage
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.registry import find_game
from triclinium.lab.simulate import Progress, in_order

MOMENTS = 8  # of a match, evenly spread by its progress
PLAYER = "steady+plain"  # so that a line stays true when bots have learnt more
BINS = 10
FOLDS = 5  # a line is measured on the fifth of the matches that it was not fitted to
CHOOSING = 3  # how near the lines of stages stay to the common one is chosen on the third they were not fitted to
NEWTON = 25  # rounds, at most
CLOSE = 1e-5
FLATTEST = 0.05  # slope: what is said to be better never comes less often
# How far, about, a line may be expected from the one that it is a part of: the line of all matches from what is said,
# and that of a number of seats from it. How far that of a stage may be from that one is chosen among these.
DOUBTS = (Line(0.2, 0.25), Line(0.1, 0.12))
STAGE_DOUBTS = (Line(0.02, 0.025), Line(0.08, 0.1), Line(0.2, 0.25), Line(0.5, 0.6))
ERROR_BAR = 0.03  # the largest expected calibration error that passes
BIN_BAR = 0.07  # the largest error of a single bin that passes
BIN_MATCHES = 300  # if so many matches speak of it


class Sample(NamedTuple):
    """What was said at one moment of a match, and what came."""

    match: int
    seats: int
    progress: float
    said: float
    came: float


@dataclass(frozen=True)
class Trial:
    """Which matches to play, as plain data."""

    title: str
    seats: tuple[int, ...]  # in turn
    matches: int
    budget: Budget
    seed: int

    def check(self) -> Game:
        """The game, if everything asked for exists; raises BadSetup."""
        game = find_game(self.title)
        if self.matches < 1:
            raise BadSetup(f"at least one match is needed, not {self.matches}")
        for seats in self.seats:
            game.deal(seats, self.seed, game.preselected)
        return game


class Bin(TypedDict):
    """The samples of which about the same was said."""

    samples: int
    matches: int
    said: float
    came: float
    error: float  # of what came, from match to match


class Reliability(TypedDict):
    """How true chances are."""

    samples: int
    brier: float
    expected_error: float  # how far bins are off, on average
    worst: float  # bin of BIN_MATCHES matches; 0: there is none
    reaches_bar: bool | None  # None: no bin has matches enough to say so
    bins: list[Bin]


class CalibrationReport(TypedDict):
    """What a trial found, JSON-ready."""

    title: str
    seats: list[int]
    asked: int
    played: int
    budget: str
    seed: int
    found: Reliability  # as the search says it
    told: Reliability  # as hints tell it with the lines that are shipped
    fitted: Reliability | None  # with new lines, each on matches that it was not fitted to
    lines: dict[str, list[list[float]]] | None  # offset and slope, by seats and stage


# -- playing --------------------------------------------------------------------------------------------------------


def play(trial: Trial, game: Game, index: int) -> list[Sample]:
    """The moments of one match."""
    seats = trial.seats[index % len(trial.seats)]
    s = game.deal(seats, derive(trial.seed, index), game.preselected)  # as tables are set up where hints are asked for
    rng = Rng(derive(trial.seed, index, seats))
    player, searcher = bot(PLAYER, game), Strong(game)
    due = rng.below(1000) / 1000 / MOMENTS
    noted: list[tuple[int, float, float]] = []
    while not s.over:
        progress = game.evaluator.progress(s)
        if progress < due or len(s.legal) == 1 or game.agreed(s) is not None:
            s.choose(choice(player, s, rng))
            continue
        while due <= progress:
            due += 1 / MOMENTS
        world = s.resample(s.who, rng)
        best = searcher.search(Asked(game, world, s.who, rng, trial.budget)).ranked(s.legal)[0]
        noted.append((s.who, game.evaluator.progress(world), best.mean()))
        s.choose(best.option)
    shares = result_shares(game.evaluator, s)
    return [Sample(index, seats, progress, said, shares[who]) for who, progress, said in noted]


def play_apart(trial: Trial, index: int) -> list[Sample]:
    """The same in a process of its own."""
    return play(trial, find_game(trial.title), index)


def samples(trial: Trial, workers: int, progress: Progress | None = None) -> Iterator[list[Sample]]:
    """Match by match, in the order of their numbers."""
    trial.check()
    for index, found in enumerate(in_order(play_apart, trial, range(trial.matches), workers)):
        yield found
        if progress is not None:
            progress(index + 1, trial.matches)


# -- measuring ------------------------------------------------------------------------------------------------------


def reliability(heard: Sequence[Sample], chance: Callable[[Sample], float]) -> Reliability:
    """How true these chances are."""
    told = [(chance(one), one) for one in heard]
    bins = [
        _bin([(said, one) for said, one in told if min(BINS - 1, int(said * BINS)) == place]) for place in range(BINS)
    ]
    there = [each for each in bins if each is not None]
    off = sum(each["samples"] * abs(each["said"] - each["came"]) for each in there) / len(told)
    heavy = [abs(each["said"] - each["came"]) for each in there if each["matches"] >= BIN_MATCHES]
    worst = max(heavy, default=0.0)
    reached: bool | None = off <= ERROR_BAR and worst <= BIN_BAR
    if reached and not heavy:
        reached = None
    return {
        "samples": len(told),
        "brier": round(sum((said - one.came) ** 2 for said, one in told) / len(told), 4),
        "expected_error": round(off, 4),
        "worst": round(worst, 4),
        "reaches_bar": reached,
        "bins": there,
    }


def _bin(told: list[tuple[float, Sample]]) -> Bin | None:
    """One row of the table; moments of one match have one end, so that matches count, not samples."""
    if not told:
        return None
    size = len(told)
    came = sum(one.came for _, one in told) / size
    by_match: dict[int, float] = {}
    for _, one in told:
        by_match[one.match] = by_match.get(one.match, 0.0) + one.came - came
    return {
        "samples": size,
        "matches": len(by_match),
        "said": round(sum(said for said, _ in told) / size, 4),
        "came": round(came, 4),
        "error": round(math.sqrt(sum(off * off for off in by_match.values())) / size, 4),
    }


# -- fitting --------------------------------------------------------------------------------------------------------


def fit(heard: Sequence[Sample]) -> Calibration:
    """A line for each number of seats and stage: near that of whole matches, which is near that of all of them."""
    return staged(heard, wholes(heard), stage_doubt(heard))


def wholes(heard: Sequence[Sample]) -> dict[int, Line]:
    """The line of whole matches for each number of seats."""
    common = fit_line(heard, Line(), DOUBTS[0])
    numbers = sorted({one.seats for one in heard})
    return {seats: fit_line([one for one in heard if one.seats == seats], common, DOUBTS[1]) for seats in numbers}


def staged(heard: Sequence[Sample], whole: Mapping[int, Line], doubt: Line) -> Calibration:
    """The lines of stages, so far from those of whole matches as is to be expected."""
    there: dict[tuple[int, int], list[Sample]] = {}
    for one in heard:
        there.setdefault((one.seats, stage(one.progress)), []).append(one)
    return Calibration(
        {
            seats: [fit_line(there.get((seats, n), []), line, doubt) for n in range(STAGES)]
            for seats, line in whole.items()
        }
    )


def stage_doubt(heard: Sequence[Sample]) -> Line:
    """How far stages are from their whole, as foretells best what came in matches that were not looked at."""
    lost = [0.0] * len(STAGE_DOUBTS)
    for fitted, rest in parts(heard, CHOOSING):
        whole = wholes(fitted)
        for n, doubt in enumerate(STAGE_DOUBTS):
            lost[n] += surprise(rest, staged(fitted, whole, doubt))
    return STAGE_DOUBTS[lost.index(min(lost))]


def parts(heard: Sequence[Sample], folds: int) -> Iterator[tuple[list[Sample], list[Sample]]]:
    """All samples but a part of the matches, and that part; every match is in one."""
    numbers = len({one.seats for one in heard})  # of seats, which matches have in turn
    for n in range(folds):
        inside = [one.match // numbers % folds == n for one in heard]
        fitted = [one for one, out in zip(heard, inside, strict=True) if not out]
        yield fitted, [one for one, out in zip(heard, inside, strict=True) if out]


def surprise(heard: Sequence[Sample], told: Calibration) -> float:
    """The logarithm of how unlikely what came was said to be."""
    total = 0.0
    for one in heard:
        chance = min(1.0 - SURE, max(SURE, told.chance(one.said, one.seats, one.progress)))
        total -= one.came * math.log(chance) + (1.0 - one.came) * math.log(1.0 - chance)
    return total


def fit_line(heard: Sequence[Sample], near: Line, doubt: Line) -> Line:
    """The line by which what came is likeliest, drawn to another where there is little to go by: Newton's method."""
    offset, slope = near
    weight = len({one.match for one in heard}) / max(1, len(heard))  # a match counts once, whatever was noted of it
    leads = [(ahead(one.said, one.seats), one.seats - 1, one.came) for one in heard]
    pull_offset, pull_slope = doubt.offset**-2, doubt.slope**-2
    for _ in range(NEWTON):
        down, across = pull_offset * (offset - near.offset), pull_slope * (slope - near.slope)
        aa, ab, bb = pull_offset, 0.0, pull_slope
        for lead, others, came in leads:
            chance = 1.0 / (1.0 + others * math.exp(-offset - slope * lead))  # `even`, without a call for each sample
            miss, steep = weight * (chance - came), weight * chance * (1.0 - chance)
            down, across = down + miss, across + miss * lead
            aa, ab, bb = aa + steep, ab + steep * lead, bb + steep * lead * lead
        det = aa * bb - ab * ab
        before = offset, slope
        offset -= (bb * down - ab * across) / det
        slope = max(FLATTEST, slope - (aa * across - ab * down) / det)
        if abs(offset - before[0]) + abs(slope - before[1]) < CLOSE:
            break
    return Line(round(offset, 3), round(slope, 3))


def held_out(heard: Sequence[Sample]) -> Reliability:
    """How true fitted chances are in matches that nothing of them was fitted to or chosen by."""
    told: dict[Sample, float] = {}
    for fitted, rest in parts(heard, FOLDS):
        made = fit(fitted)
        told |= {one: made.chance(one.said, one.seats, one.progress) for one in rest}
    return reliability(heard, told.__getitem__)


def report(trial: Trial, budget: str, heard: Sequence[Sample], played: int, fitting: bool) -> CalibrationReport:
    """All that a trial found; raises BadSetup if nothing was asked."""
    if not heard:
        raise BadSetup("no moment of these matches asked for a choice")
    shipped = find_game(trial.title).calibration
    lines = fit(heard).lines if fitting else None
    return {
        "title": trial.title,
        "seats": list(trial.seats),
        "asked": trial.matches,
        "played": played,
        "budget": budget,
        "seed": trial.seed,
        "found": reliability(heard, lambda one: one.said),
        "told": reliability(heard, lambda one: shipped.chance(one.said, one.seats, one.progress)),
        "fitted": held_out(heard) if fitting else None,
        "lines": None if lines is None else {str(seats): [list(line) for line in lines[seats]] for seats in lines},
    }


def calibration_toml(made: CalibrationReport, how: str) -> str:
    """A calibration.toml with the lines of a report."""
    assert made["lines"] is not None
    rows = [f"{seats} = {pairs}" for seats, pairs in made["lines"].items()]
    head = (
        "# What chances come to: offset and slope in logarithms of odds, in each third of a match, by number of seats."
    )
    return "\n".join([head, *(f"# {line}" for line in how.splitlines()), "", "[seats]", *rows, ""])
