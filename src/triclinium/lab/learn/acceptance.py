"""Whether what was learnt is better: it meets the same bot without it, at the same budget, on deals that both play.

A sequential test: it ends as soon as the matches speak clearly for one of two beliefs, that nothing was gained, or that
every win against its rivals has become 1.22 times as likely (of two seats: 55 of 100).
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from triclinium.bots import Bot, bot, derive, play_out
from triclinium.bots.core.value import result_shares
from triclinium.engine.core.rng import Rng
from triclinium.engine.registry import find_game
from triclinium.lab.ratings import interval
from triclinium.lab.simulate import in_order

ODDS = 11 / 9  # of 55 to 45
ERROR = 0.05  # of either kind
CLEAR = math.log((1 - ERROR) / ERROR)
MOST = 800  # matches
PLAYERS = 6_000_000  # the first seed of the players
DEALS = 7_000_000  # the first seed of the deals; none of them was learnt from


@dataclass(frozen=True)
class Gate:
    """Who meets whom, as plain data."""

    title: str
    seats: int
    new: str  # one seat
    old: str  # all others
    seed: int
    most: int = MOST
    whole: bool = False  # all matches are played, also when they have spoken
    components: str | None = None  # an edited file that is played on


@dataclass(frozen=True)
class Verdict:
    """What came of it."""

    matches: int
    won: float
    low: float
    high: float
    passed: bool

    @property
    def share(self) -> float:
        return self.won / self.matches if self.matches else 0.0


def deal_of(gate: Gate, number: int) -> int:
    """The seed of the match of this number: each deal is played from every seat."""
    return derive(gate.seed, DEALS + number // gate.seats)


def share_of(gate: Gate, number: int) -> float:
    """What the newcomer won in the match of this number."""
    game = find_game(gate.title, gate.components)
    place = number % gate.seats
    seed = deal_of(gate, number)
    s = game.deal(gate.seats, seed, game.read_variants(game.proposed()))
    players: list[Bot] = [bot(gate.new if seat == place else gate.old, game) for seat in range(gate.seats)]
    play_out(s, players, [Rng(derive(seed, PLAYERS, seat)) for seat in range(gate.seats)])
    return result_shares(game.evaluator, s)[place]


def judge(
    gate: Gate, workers: int, tell: Callable[[int, float], None] | None = None, kept: Path | None = None
) -> Verdict:
    """Play until the matches have spoken; results that the file holds already are not played again."""
    most = -(-gate.most // gate.seats) * gate.seats
    shares = in_order(share_of, gate, range(most), workers) if kept is None else _kept(gate, most, workers, kept)
    return decided(shares, gate.seats, gate.whole, tell)


def _kept(gate: Gate, most: int, workers: int, file: Path) -> Iterator[float]:
    """Results by number, one line each: the gate of a slow bot takes hours, and nobody shall have to play it twice."""
    before = file.read_text("ascii") if file.exists() else ""
    whole = before[: before.rfind("\n") + 1]  # without a last line that was cut off
    done = [float(line) for line in whole.splitlines()]
    file.write_text(whole, "ascii")
    yield from done[:most]
    with file.open("a", encoding="ascii") as out:
        for share in in_order(share_of, gate, range(len(done), most), workers):
            out.write(f"{share!r}\n")
            out.flush()
            yield share


def decided(
    shares: Iterable[float], seats: int, whole: bool = False, tell: Callable[[int, float], None] | None = None
) -> Verdict:
    """What these results say, one after another; whole deals count."""
    fair = 1.0 / seats
    hoped = fair * ODDS / (fair * ODDS + 1 - fair)
    spoken = won = 0.0
    matches = 0
    for share in shares:
        won += share
        matches += 1
        spoken += share * math.log(hoped / fair) + (1 - share) * math.log((1 - hoped) / (1 - fair))
        if tell is not None:
            tell(matches, won)
        if not whole and matches % seats == 0 and abs(spoken) >= CLEAR:
            break
    low, high = interval(won / matches, matches)
    return Verdict(matches, won, low, high, spoken >= CLEAR)
