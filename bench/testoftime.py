"""Choose the reconstructed numbers of Test of Time: the sections and gold dots of its cards, and open questions.

    python -m bench.testoftime judge --attacks unlimited
    python -m bench.testoftime search --cards small --chains 30 --workers 2 --seconds 1750 --out FOLDER

`search` tries candidates on even seeds, keeps the best and judges them on odd seeds, on which nothing was chosen. It
writes every candidate with its figures to `candidates.json`, best first. `judge` prints the figures of one set.

A person’s decisions are counted as a table asks them. The player takes the option of the bot, and each plan that begins
with it: all upkeep and all children of a round at once, or passing until attacked. A payment with as few shamans as
possible is part of the option before it. One option in fifty is random, so that matches differ.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

from triclinium.bots import create_bot, derive_seed
from triclinium.bots.base import ask_bot
from triclinium.engine.auto_replies import AutoReplies, choose_reply_option, create_plan, find_applicable_reply
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat
from triclinium.engine.variant import Choice
from triclinium.games.testoftime.game import GAME, TestOfTimeGame
from triclinium.games.testoftime.rules.components import ATTACK, KINDS, PASS, PRESERVE, SIRE
from triclinium.games.testoftime.rules.events import CREATED
from triclinium.games.testoftime.rules.scoring import count_testament_points
from triclinium.games.testoftime.rules.state import NONE, TestOfTime
from triclinium.games.testoftime.rules.turn import Move
from triclinium.lab.learn.weights import with_weights

SLIP: Final = 50  # one option in this many is random
ROUNDS: Final = 10
Result = TypeVar("Result")
USUAL_SEATS: Final = 3
BOT: Final = "steady+plain"
PLANS: Final[Mapping[Option, tuple[str, ...]]] = {
    PRESERVE: ("preserve_sire", "preserve"),
    SIRE: ("preserve_sire", "sire"),
    PASS: ("pass",),
}


@dataclass(frozen=True)
class Candidate:
    """One set of numbers: the cards from Tools to Monument, the weights that bots use for them, and the variants."""

    name: str
    sections: tuple[tuple[int, ...], ...] = ()  # the printed ones if empty
    weights: Mapping[str, float] = field(default_factory=dict)  # by feature
    variants: Mapping[str, Choice] = field(default_factory=dict)

    def load(self) -> TestOfTimeGame:
        """Return the game with these cards and weights."""
        game = GAME
        if self.sections:
            changes: dict[str, object] = {
                f"testament.{kind}.sections": list(s) for kind, s in zip(KINDS, self.sections, strict=True)
            }
            changes |= {
                f"testament.{kind}.most_dots": max(dots for sections in self.sections for dots in sections)
                for kind in KINDS
            }
            game = TestOfTimeGame(GAME.file.with_changes(changes))
        names = game.weights.names
        weighed = with_weights(game, [self.weights.get(n, w) for n, w in zip(names, game.weights.values, strict=True)])
        assert isinstance(weighed, TestOfTimeGame)
        return weighed


@dataclass
class MatchFigures:
    """The figures of one match."""

    decisions: list[int]  # by seat, as a table asks them
    points: list[int]
    wins: list[float]
    built: list[int]  # Testaments of each kind
    points_by_kind: list[int]
    attacks: int = 0
    halfway_leader: int = -1
    built_by: set[tuple[Seat, int]] = field(default_factory=set)  # seat and kind


class StudyPerson:
    """A seat that plays like a bot, and takes plans as a person at a table does."""

    def __init__(self, game: TestOfTimeGame, bot: str, seat: Seat, forbidden: tuple[str, ...], plans: bool) -> None:
        self.bot = create_bot(bot, game)
        self.seat = seat
        self.forbidden = forbidden
        self.plans = plans
        self.replies: AutoReplies = {}
        self.decisions = 0

    def choose(self, s: TestOfTime, rng: Rng) -> Option:
        """Return the option of a plan, or the bot's choice, which may begin a plan."""
        reply = find_applicable_reply(s, self.replies)
        if reply is not None:
            return choose_reply_option(s, reply)
        if rng.below(SLIP) == 0:
            legal = [o for o in s.legal if o != ATTACK] if "attack" in self.forbidden else s.legal
            o = rng.pick(legal)
        else:
            o = ask_bot(self.bot, s, rng, forbidden_verbs=self.forbidden).option
        self.decisions += o != s.asked.auto_reply_option(s) or isinstance(s.asked, Move)
        if self.plans and isinstance(s.asked, Move):
            o = self.begin_plan(s, o)
        return o

    def begin_plan(self, s: TestOfTime, o: Option) -> Option:
        """Return the first option of the largest plan that begins with this kind of move."""
        offered = s.asked.list_plans(s)
        for plan in offered:
            if plan.split()[0] in PLANS.get(o, ()):
                reply = create_plan(s, plan)
                self.replies = {(self.seat, reply.step): reply}
                return s.asked.plan_option(s, plan)
        return o


def play_match(
    game: TestOfTimeGame,
    bots: Sequence[str],
    seed: int,
    variants: Mapping[str, Choice],
    peaceful: Sequence[Seat] = (),
    planners: Sequence[Seat] = (),
    rivals: Mapping[Seat, TestOfTimeGame] = MappingProxyType({}),
) -> MatchFigures:
    """Play a match and return its figures.

    The peaceful seats never attack, the planners take plans, and the rivals use the weights of other games.
    """
    seats = len(bots)
    s = game.deal(seats, seed, variants, listen=True)
    assert isinstance(s, TestOfTime)
    assert s.events is not None
    players = [
        StudyPerson(rivals.get(i, game), bots[i], i, ("attack",) if i in peaceful else (), i in planners)
        for i in range(seats)
    ]
    rng = Rng(derive_seed(seed, 1))
    figures = MatchFigures([], [], [], [0] * len(KINDS), [0] * len(KINDS))
    while not s.over:
        if figures.halfway_leader < 0 and s.round > s.rounds // 2:
            totals = [score.total or 0 for score in game.scores(s)]
            figures.halfway_leader = totals.index(max(totals))
        o = players[s.who].choose(s, rng)
        figures.attacks += isinstance(s.asked, Move) and o == ATTACK
        s.choose(o)
        for event in s.events:
            if event.type is CREATED:
                figures.built[event.facts[0]] += 1
                figures.built_by.add((event.seat, event.facts[0]))
        s.events.clear()
    scores = game.scores(s)
    winners = [score.seat for score in scores if score.rank == 1]
    figures.decisions = [player.decisions for player in players]
    figures.points = [score.total or 0 for score in scores]
    figures.wins = [1 / len(winners) if i in winners else 0.0 for i in range(seats)]
    for slot, kind in enumerate(s.kind):
        if kind != NONE:
            figures.points_by_kind[kind] += count_testament_points(s, slot)
    return figures


def measure_lead(points: Sequence[int]) -> float:
    """Return the lead of the winner over the second, as a share of the winner's points."""
    first, second = sorted(points, reverse=True)[:2]
    return (first - second) / first if first else 1.0


@dataclass
class Figures:
    """Figures of a candidate at one number of seats, or against a player who never attacks."""

    matches: int
    lead: float  # median
    built: list[float]  # share of matches, by kind
    shares_built: list[float]  # share of all Testaments that are built, by kind
    share: list[float]  # share of all points, by kind
    zeros: float
    leader_wins: float
    attacks: float  # attacks of a person
    points: float  # mean points of the winner
    success: list[float]  # wins of the seats that build a kind, as a multiple of a fair share


def summarise(played: Sequence[MatchFigures]) -> Figures:
    """Return the figures of these matches."""
    n = len(played)
    seats = len(played[0].points)
    built = [sum(match.built[k] for match in played) for k in range(len(KINDS))]
    points = [sum(match.points_by_kind[k] for match in played) for k in range(len(KINDS))]
    return Figures(
        n,
        round(statistics.median(measure_lead(match.points) for match in played), 3),
        [round(sum(match.built[k] > 0 for match in played) / n, 3) for k in range(len(KINDS))],
        [round(count / sum(built), 3) for count in built],
        [round(p / max(1, sum(points)), 3) for p in points],
        round(sum(p == 0 for match in played for p in match.points) / n / seats, 4),
        round(sum(match.wins[match.halfway_leader] for match in played) / n, 3),
        round(sum(match.attacks for match in played) / n / seats, 2),
        round(statistics.fmean(max(match.points) for match in played), 1),
        [measure_success(played, kind) for kind in range(len(KINDS))],
    )


def measure_success(played: Sequence[MatchFigures], kind: int) -> float:
    """Return the wins of the seats that build a kind, as a multiple of a fair share; 0 if nobody builds it."""
    wins = [match.wins[seat] for match in played for seat, built in match.built_by if built == kind]
    return round(statistics.fmean(wins) * len(played[0].points), 2) if wins else 0.0


def list_variants(candidate: Candidate) -> dict[str, Choice]:
    return {"rounds": ROUNDS, **candidate.variants}


def measure(candidate: Candidate, seats: int, seeds: Sequence[int], bot: str = BOT) -> Figures:
    """Return the figures of equal bots on these seeds."""
    game = candidate.load()
    return summarise([play_match(game, [bot] * seats, seed, list_variants(candidate)) for seed in seeds])


def measure_peaceful(candidate: Candidate, seeds: Sequence[int]) -> float:
    """Return the share of wins of a bot that never attacks, against one that may. It has each seat on every seed."""
    game = candidate.load()
    wins = [
        play_match(game, [BOT, BOT], seed, list_variants(candidate), peaceful=[seat]).wins[seat]
        for seed in seeds
        for seat in range(2)
    ]
    return round(statistics.fmean(wins), 3)


def measure_person(candidate: Candidate, seats: int, seeds: Sequence[int]) -> tuple[float, float]:
    """Return the decisions of a person among bots, and the share of wins as a multiple of a fair share."""
    game = candidate.load()
    decisions: list[int] = []
    wins: list[float] = []
    for n, seed in enumerate(seeds):
        seat = n % seats
        match = play_match(game, [BOT] * seats, seed, list_variants(candidate), planners=[seat])
        decisions.append(match.decisions[seat])
        wins.append(match.wins[seat])
    return round(statistics.fmean(decisions), 1), round(statistics.fmean(wins) * seats, 2)


def measure_weights(candidate: Candidate, other: Mapping[str, float], seeds: Sequence[int]) -> float:
    """Return the share of wins of the candidate's weights against others on the same cards, with two seats."""
    game = candidate.load()
    against = replace(candidate, weights=other).load()
    wins = [
        play_match(game, [BOT, BOT], seed, list_variants(candidate), rivals={1 - seat: against}).wins[seat]
        for seed in seeds
        for seat in range(2)
    ]
    return round(statistics.fmean(wins), 3)


# -- the search -------------------------------------------------------------------------------------------------------

# Numbers of sections from Tools to Monument: few, as in the oldest draft of the cards, or many.
SIZES: Final[Mapping[str, tuple[tuple[int, ...], ...]]] = {
    "small": (
        (4, 8, 12, 16, 20),
        (5, 8, 12, 20, 24),
        (6, 10, 14, 18, 22),
        (8, 12, 16, 20, 24),
        (12, 16, 20, 24, 28),
    ),
    "large": (
        (12, 16, 20, 24, 28),
        (14, 18, 22, 26, 30),
        (16, 20, 24, 28, 32),
        (18, 22, 26, 30, 34),
        (20, 24, 28, 32, 36),
    ),
}
# First gold dots of small cards, and of large ones by how many more dots than Tools a kind has.
FIRST_DOTS: Final = (7.5, 21.5, 30.5, 36, 55)
MORE_DOTS: Final = (0, 11, 20.5, 25.5, 43.5)
ATTACKS: Final[tuple[Choice, ...]] = ("unlimited", 1, 1, 1, 2)
# Range of the weights that bots give to four effects
EFFECTS: Final[Mapping[str, tuple[float, float]]] = {
    "cheaper": (13.0, 21.0),
    "lives": (5.0, 7.5),
    "converts": (7.5, 10.0),
    "power": (1.3, 2.1),
}
MOST_DOTS: Final = 3


def spread_dots(size: int, dots: int, steep: bool) -> tuple[int, ...]:
    """Return the dots of each section from the top, at most 3 and in falling order.

    A steep card has threes at the top and ones below; another differs by one dot at most, but for its top. With fewer
    dots than sections the lowest sections are bare.
    """
    if dots < size:
        return (1,) * dots + (0,) * (size - dots)
    more = max(1, min(dots, MOST_DOTS * size) - size)
    if steep:
        sections = [1] * size
        for i in range(size):
            given = min(MOST_DOTS - 1, more)
            sections[i] += given
            more -= given
    else:
        each, rest = divmod(size + more, size)
        sections = [each + (i < rest) for i in range(size)]
    if 3 not in (sum(sections[:n]) for n in range(4)):  # TT-C2: a Temple can show three dots
        sections[0] += 1
        sections[sections.index(min(sections)) - 1] -= 1
        sections.sort(reverse=True)
    return tuple(sections)


@dataclass(frozen=True)
class Chain:
    """A row of candidates: after a few matches a kind that is built too seldom gets more dots, and one too often fewer.

    Few bots are needed to see what they prefer, and dots near a balance are rare among those drawn at random.
    """

    number: int
    seed: int
    cards: str = "large"
    rounds: int = 8
    matches: int = 5

    def play(self) -> "list[Judged]":
        """Return the candidates in the order of play, each with the figures of its few matches."""
        rng = Rng(derive_seed(self.seed, self.number))
        families = SIZES[self.cards]
        sizes = families[rng.below(len(families))]
        steep = rng.below(2) == 1
        attacks: Choice = ATTACKS[rng.below(len(ATTACKS))]
        fitted = rng.below(2) == 1
        weights = {
            name: round(low + (high - low) * int(rng.below(17)) / 16, 2) for name, (low, high) in EFFECTS.items()
        }
        starts = FIRST_DOTS if self.cards == "small" else [sizes[0] + 1 + more for more in MORE_DOTS]
        dots = [start * (0.96 + rng.below(9) / 100) for start in starts]
        most = 1.5 if self.cards == "small" else 1.2  # dots that a kind gains or loses at once
        tried: list[Judged] = []
        for n in range(self.rounds):
            card_dots = round_dots(dots, sizes)
            sections = tuple(spread_dots(size, each, steep) for size, each in zip(sizes, card_dots, strict=True))
            name = f"{self.number}.{n}"
            candidate = Candidate(name, sections, weights if fitted else {}, {"attacks_per_round": attacks})
            first = 500_000 + 2 * self.matches * n
            judged = Judged(candidate, 1, measure(candidate, USUAL_SEATS, range(first, first + 2 * self.matches, 2)))
            tried.append(judged)
            assert judged.usual is not None
            step = 7 / (1 + n / 5)
            for kind, share in enumerate(judged.usual.shares_built):
                dots[kind] = max(sizes[kind] + 1, dots[kind] + max(-most, min(most, step * (0.2 - share))))
        return tried


def round_dots(dots: Sequence[float], sizes: Sequence[int]) -> list[int]:
    """Return whole numbers of dots that rise from kind to kind and fit on the cards."""
    card_dots: list[int] = []
    for each, size in zip(dots, sizes, strict=True):
        least = card_dots[-1] + 1 if card_dots else size
        card_dots.append(max(least, min(round(each), MOST_DOTS * size)))
    return card_dots


@dataclass
class Judged:
    """A candidate with everything that is known about it."""

    candidate: Candidate
    stage: int = 0
    usual: Figures | None = None
    two: Figures | None = None
    peaceful: float | None = None
    decisions: float | None = None
    person_wins: float | None = None
    against_shipped: float | None = None  # its weights against the shipped ones on its cards

    def miss(self) -> float:
        """Return by how much the aims are missed; a margin is wanted, because the next seeds will differ."""
        missed = 0.0
        if self.usual is not None:
            missed += sum(max(0.0, 0.75 - share) for share in self.usual.built)
            missed += 2 * max(0.0, self.usual.lead - 0.2)
        if self.peaceful is not None:
            missed += 2 * max(0.0, 0.44 - self.peaceful)
        if self.decisions is not None:
            missed += max(0.0, self.decisions - 105) / 50
        return missed

    def reaches(self) -> bool:
        """Return whether all aims are reached."""
        return (
            self.usual is not None
            and self.peaceful is not None
            and self.decisions is not None
            and min(self.usual.built) >= 0.6
            and self.usual.lead < 0.25
            and self.peaceful >= 0.4
            and self.decisions <= 110
        )


@dataclass(frozen=True)
class StudyStage:
    """The matches for a candidate: numbers of seeds, and whether they are those of the judgement."""

    kept: int
    usual: int
    peaceful: int = 0
    two: int = 0
    person: int = 0
    weights: int = 0
    odd: bool = False

    def list_seeds(self, number: int) -> list[int]:
        return [500_000 + 2 * n + self.odd for n in range(number)]

    def shorten(self) -> "StudyStage":
        """Return the stage with two matches of each kind, to try the command."""
        return replace(
            self, **{name: min(2, getattr(self, name)) for name in ("usual", "peaceful", "two", "person", "weights")}
        )


STAGES: Final = (
    StudyStage(24, usual=12, peaceful=10),
    StudyStage(8, usual=30, peaceful=30, person=6),
    StudyStage(3, usual=100, peaceful=150, two=60, person=30, weights=30, odd=True),
)
SHARES: Final = (0.4, 0.55, 0.7)  # share of the time after which the chains and the stages but the last end


PARTS: Final = ("peaceful", "usual", "weights", "two", "person")  # the longest first


def play_part(stage: StudyStage, candidate: Candidate, part: str) -> Figures | float | tuple[float, float]:
    """Return one part of the figures of a stage."""
    seeds = stage.list_seeds(getattr(stage, part))
    if part == "peaceful":
        return measure_peaceful(candidate, seeds)
    if part == "weights":
        return measure_weights(candidate, {}, seeds)
    if part == "person":
        return measure_person(candidate, USUAL_SEATS, seeds)
    return measure(candidate, USUAL_SEATS if part == "usual" else 2, seeds)


def fill_in(judged: Judged, results: Mapping[str, Figures | float | tuple[float, float]]) -> Judged:
    """Return the candidate with the figures of these parts."""
    for part, result in results.items():
        if isinstance(result, Figures):
            if part == "usual":
                judged.usual = result
            else:
                judged.two = result
        elif isinstance(result, tuple):
            judged.decisions, judged.person_wins = result
        elif part == "peaceful":
            judged.peaceful = result
        else:
            judged.against_shipped = result
    return judged


def play_stage(pool: ProcessPoolExecutor, stage: StudyStage, kept: Sequence[Judged], deadline: float) -> list[Judged]:
    """Return the candidates that finish the stage before the deadline, with their figures."""
    parts = [part for part in PARTS if getattr(stage, part)]
    tasks = [[pool.submit(play_part, stage, judged.candidate, part) for part in parts] for judged in kept]
    found: list[Judged] = []
    for judged, row in zip(kept, tasks, strict=True):
        results = dict(zip(parts, collect(row, deadline), strict=False))
        if len(results) == len(parts):
            found.append(fill_in(Judged(judged.candidate, judged.stage + 1), results))
    return found


def search(chains: Sequence[Chain], workers: int, seconds: float, out: Path, trial: bool) -> list[Judged]:
    """Search, and write all candidates after each stage. The shipped game is the control of chain 0."""
    began = time.monotonic()
    out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(workers, get_context("fork")) as pool:
        tasks = [pool.submit(chain.play) for chain in chains]
        left = [judged for tried in collect(tasks, began + seconds * SHARES[0]) for judged in tried]
        done: list[Judged] = []
        for n, planned in enumerate(STAGES):
            left.sort(key=Judged.miss)
            write_candidates(out, left + done)
            sys.stderr.write(f"{len(left)} candidates after {time.monotonic() - began:.0f} s\n")
            stage = planned.shorten() if trial else planned
            kept, rest = left[: stage.kept], left[stage.kept :]
            if stage.odd and not chains[0].number:
                kept.append(Judged(Candidate("shipped")))
            last = n == len(STAGES) - 1
            deadline = began + seconds * (1.2 if last else SHARES[n + 1])
            left = play_stage(pool, stage, kept, deadline)
            finished = {judged.candidate.name for judged in left}
            done += rest + [judged for judged in kept if judged.candidate.name not in finished]
    left.sort(key=Judged.miss)
    write_candidates(out, left + done)
    return left


def collect(tasks: Sequence[Future[Result]], deadline: float) -> Iterator[Result]:
    """Yield the results that are there before the deadline. Later ones are dropped."""
    for task in tasks:
        try:
            yield task.result(max(0.0, deadline - time.monotonic()))
        except (TimeoutError, CancelledError):
            task.cancel()


def write_candidates(out: Path, judged: Sequence[Judged]) -> None:
    """Write all candidates, best first: the latest stage, then the smallest miss."""
    rows = [asdict(each) | {"miss": round(each.miss(), 3), "reaches": each.reaches()} for each in judged]
    rows.sort(key=lambda row: (-row["stage"], row["miss"]))
    (out / "candidates.json").write_text("[" + ",\n".join(json.dumps(row) for row in rows) + "]\n")


def measure_set(candidate: Candidate, matches: int) -> Judged:
    """Return all figures of a candidate on odd seeds."""
    stage = StudyStage(1, usual=matches, peaceful=3 * matches // 2, two=matches * 3 // 5, person=30, odd=True)
    judged = Judged(candidate, len(STAGES) + 1, measure(candidate, USUAL_SEATS, stage.list_seeds(stage.usual)))
    judged.two = measure(candidate, 2, stage.list_seeds(stage.two))
    judged.decisions, judged.person_wins = measure_person(candidate, USUAL_SEATS, stage.list_seeds(stage.person))
    judged.peaceful = measure_peaceful(candidate, stage.list_seeds(stage.peaceful))
    return judged


def read_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("judge")
    one.add_argument(
        "--sections", type=read_numbers, default=(), help="from Tools to Monument; the shipped ones if left out"
    )
    one.add_argument("--dots", type=read_numbers, default=(), help="gold dots of the same kinds")
    one.add_argument("--attacks", default="unlimited", choices=("1", "2", "3", "unlimited"))
    one.add_argument("--matches", type=int, default=100)
    many = commands.add_parser("search")
    many.add_argument("--chains", type=int, default=30)
    many.add_argument("--first", type=int, default=0, metavar="CHAIN", help="number of the first chain")
    many.add_argument("--cards", choices=SIZES, default="large")
    many.add_argument("--trial", action="store_true", help="play two matches of each kind, to try the command")
    many.add_argument("--seed", type=int, default=1)
    many.add_argument("--workers", type=int, default=2)
    many.add_argument("--seconds", type=float, default=420)
    many.add_argument("--out", type=Path, default=Path("out/testoftime"))
    asked = parser.parse_args()
    if asked.command == "judge":
        attacks: Choice = asked.attacks if asked.attacks == "unlimited" else int(asked.attacks)
        cards = [spread_dots(size, dots, True) for size, dots in zip(asked.sections, asked.dots, strict=True)]
        judged = measure_set(Candidate("judged", tuple(cards), {}, {"attacks_per_round": attacks}), asked.matches)
        sys.stdout.write(json.dumps(asdict(judged) | {"reaches": judged.reaches()}) + "\n")
        return
    size = {"rounds": 2, "matches": 1} if asked.trial else {}
    chains = [
        Chain(number, asked.seed, asked.cards, **size) for number in range(asked.first, asked.first + asked.chains)
    ]
    search(chains, asked.workers, asked.seconds, asked.out, asked.trial)


if __name__ == "__main__":
    main()
