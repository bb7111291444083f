"""Acceptance test: a bot with a new network plays the same bot without it, at the same budget and on shared deals.

The test is sequential. It ends as soon as the matches clearly support one of two hypotheses: no gain, or odds of
winning 1.22 times as high (55 of 100 with two seats).
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

TARGET_ODDS_RATIO = 11 / 9  # odds of 55 to 45, relative to even odds
ERROR_RATE = 0.05  # probability of a wrong verdict of either kind
DECISION_BOUND = math.log((1 - ERROR_RATE) / ERROR_RATE)
MAX_MATCHES = 800  # maximum number of matches
PLAYER_SEED_OFFSET = 6_000_000  # first seed of the players
DEAL_SEED_OFFSET = 7_000_000  # first seed of the deals, none of which was used for training


@dataclass(frozen=True)
class AcceptanceTest:
    """An acceptance test as plain data: which bots meet."""

    game_id: str
    seats: int
    new: str  # bot at one seat
    old: str  # bot at all other seats
    seed: int
    max_matches: int = MAX_MATCHES
    plays_all: bool = False  # True to play all matches even after the test has reached a verdict
    components: str | None = None  # path of an edited components file to play on


@dataclass(frozen=True)
class AcceptanceVerdict:
    """The result of an acceptance test."""

    matches: int
    won: float
    low: float
    high: float
    passed: bool

    @property
    def share(self) -> float:
        return self.won / self.matches if self.matches else 0.0


def deal_seed(test: AcceptanceTest, number: int) -> int:
    """Return the seed of the match with this number. Each deal is played once for each seat of the new bot."""
    return derive_seed(test.seed, DEAL_SEED_OFFSET + number // test.seats)


def play_test_match(test: AcceptanceTest, number: int) -> float:
    """Play the match with this number and return the new bot's share of the win."""
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
    """Play matches until a verdict. Results that the file already contains are not played again."""
    most = -(-test.max_matches // test.seats) * test.seats
    shares = (
        map_in_order(play_test_match, test, range(most), workers)
        if results_file is None
        else _resume_shares(test, most, workers, results_file)
    )
    return run_sequential_test(shares, test.seats, test.plays_all, on_progress)


def _resume_shares(test: AcceptanceTest, most: int, workers: int, file: Path) -> Iterator[float]:
    """Yield results in order and append each to a file.

    The test of a slow bot takes hours, so an interrupted one must not start again.
    """
    before = file.read_text("ascii") if file.exists() else ""
    whole = before[: before.rfind("\n") + 1]  # All results except a last line that was cut off.
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
    """Return the verdict on these results, taken one after another. The test stops only after whole deals."""
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
