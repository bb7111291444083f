"""Whether what was learnt is better: it meets the same bot without it, at the same budget, on deals that both play.

A sequential test: it ends as soon as the matches speak clearly for one of two beliefs, that nothing was gained, or that
every win against its rivals has become 1.22 times as likely (of two seats: 55 of 100).
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from triclinium.bots import Bot, create_bot, derive_seed, play_out
from triclinium.bots.core.value import compute_result_shares
from triclinium.engine.core.rng import Rng
from triclinium.engine.registry import load_game
from triclinium.lab.ratings import compute_wilson_interval
from triclinium.lab.simulation import map_in_order

TARGET_ODDS_RATIO = 11 / 9  # of 55 to 45
ERROR_RATE = 0.05  # of either kind
DECISION_BOUND = math.log((1 - ERROR_RATE) / ERROR_RATE)
MAX_MATCHES = 800  # matches
PLAYER_SEED_OFFSET = 6_000_000  # the first seed of the players
DEAL_SEED_OFFSET = 7_000_000  # the first seed of the deals; none of them was learnt from


@dataclass(frozen=True)
class AcceptanceTest:
    """Who meets whom, as plain data."""

    game_id: str
    seats: int
    new: str  # one seat
    old: str  # all others
    seed: int
    max_matches: int = MAX_MATCHES
    plays_all: bool = False  # all matches are played, also when they have spoken
    components: str | None = None  # an edited file that is played on


@dataclass(frozen=True)
class AcceptanceVerdict:
    """What came of it."""

    matches: int
    won: float
    low: float
    high: float
    passed: bool

    @property
    def share(self) -> float:
        return self.won / self.matches if self.matches else 0.0


def deal_seed(test: AcceptanceTest, number: int) -> int:
    """The seed of the match of this number: each deal is played from every seat."""
    return derive_seed(test.seed, DEAL_SEED_OFFSET + number // test.seats)


def play_test_match(test: AcceptanceTest, number: int) -> float:
    """What the newcomer won in the match of this number."""
    game = load_game(test.game_id, test.components)
    place = number % test.seats
    seed = deal_seed(test, number)
    s = game.deal(test.seats, seed, game.read_variants(game.proposed_variants()))
    players: list[Bot] = [create_bot(test.new if seat == place else test.old, game) for seat in range(test.seats)]
    play_out(s, players, [Rng(derive_seed(seed, PLAYER_SEED_OFFSET, seat)) for seat in range(test.seats)])
    return compute_result_shares(game.evaluator, s)[place]


def run_acceptance_test(
    test: AcceptanceTest,
    workers: int,
    on_progress: Callable[[int, float], None] | None = None,
    results_file: Path | None = None,
) -> AcceptanceVerdict:
    """Play until the matches have spoken; results that the file holds already are not played again."""
    most = -(-test.max_matches // test.seats) * test.seats
    shares = (
        map_in_order(play_test_match, test, range(most), workers)
        if results_file is None
        else _resume_shares(test, most, workers, results_file)
    )
    return run_sequential_test(shares, test.seats, test.plays_all, on_progress)


def _resume_shares(test: AcceptanceTest, most: int, workers: int, file: Path) -> Iterator[float]:
    """Results by number, one line each: the gate of a slow bot takes hours, and nobody shall have to play it twice."""
    before = file.read_text("ascii") if file.exists() else ""
    whole = before[: before.rfind("\n") + 1]  # without a last line that was cut off
    done = [float(line) for line in whole.splitlines()]
    file.write_text(whole, "ascii")
    yield from done[:most]
    with file.open("a", encoding="ascii") as out:
        for share in map_in_order(play_test_match, test, range(len(done), most), workers):
            out.write(f"{share!r}\n")
            out.flush()
            yield share


def run_sequential_test(
    shares: Iterable[float],
    seats: int,
    plays_all: bool = False,
    on_progress: Callable[[int, float], None] | None = None,
) -> AcceptanceVerdict:
    """What these results say, one after another; whole deals count."""
    fair = 1.0 / seats
    target = fair * TARGET_ODDS_RATIO / (fair * TARGET_ODDS_RATIO + 1 - fair)
    log_likelihood_ratio = won = 0.0
    matches = 0
    for share in shares:
        won += share
        matches += 1
        log_likelihood_ratio += share * math.log(target / fair) + (1 - share) * math.log((1 - target) / (1 - fair))
        if on_progress is not None:
            on_progress(matches, won)
        if not plays_all and matches % seats == 0 and abs(log_likelihood_ratio) >= DECISION_BOUND:
            break
    low, high = compute_wilson_interval(won / matches, matches)
    return AcceptanceVerdict(matches, won, low, high, log_likelihood_ratio >= DECISION_BOUND)
