"""Simulation of playtests with people: false alarms, and how often a difference is found.

    python -m bench.playtests                                          # the tables of docs/studies/playtests.md

Each simulated playtest has 80 tables in 40 pairs, with an interim analysis after every pair. A player's answer is drawn
from a normal distribution and rounded to a step from 1 to 5. Its mean is that of the edition plus a random effect of
the table, which all players of a table share.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median, pstdev

from triclinium.server.workshop.confidence_sequence import MAX_STAKE, find_alarm
from triclinium.server.workshop.playtests import STEPS, scale_answers

TABLES = 80
NULL_PLAYTESTS, POWER_PLAYTESTS = 400, 200
SIZES = (2, 3, 3, 4, 4, 5)  # players of a table, each equally likely
CAPS = (0.5, 0.75, MAX_STAKE)


@dataclass(frozen=True, slots=True)
class Spread:
    """The answers of simulated players: their mean, and the standard deviations of tables and of players at a table."""

    name: str
    mean: float
    tables: float
    players: float


SPREADS = (
    Spread("usual", 3.5, 0.5, 0.9),
    Spread("pleased players", 4.2, 0.5, 0.9),
    Spread("wide", 3.5, 0.7, 1.2),
)


def draw_table(chance: random.Random, spread: Spread, mean: float) -> list[int]:
    """Return the answers of the players of one table."""
    mood = chance.gauss(mean, spread.tables)
    players = chance.choice(SIZES)
    return [min(STEPS, max(1, round(chance.gauss(mood, spread.players)))) for _ in range(players)]


def draw_playtest(chance: random.Random, spread: Spread, difference: float, tables: int = TABLES) -> list[float]:
    """Return the difference of each pair of tables, second edition less first, between -1 and 1."""
    half = difference / 2
    return [
        scale_answers(draw_table(chance, spread, spread.mean + half))
        - scale_answers(draw_table(chance, spread, spread.mean - half))
        for _ in range(tables // 2)
    ]


def find_alarms(spread: Spread, difference: float, playtests: int, cap: float = MAX_STAKE, seed: int = 1) -> list[int]:
    """Return, for each simulated playtest, the number of pairs after which zero was excluded, or 0 if it never was."""
    chance = random.Random(f"{seed} {spread.name} {difference}")
    return [find_alarm(draw_playtest(chance, spread, difference), cap) for _ in range(playtests)]


def format_row(spread: Spread, difference: float, playtests: int) -> str:
    """Return a row of the report."""
    chance = random.Random(f"sample {spread.name} {difference}")
    sample = [gap * (STEPS - 1) for _ in range(50) for gap in draw_playtest(chance, spread, difference)]
    cells = [spread.name, f"{difference:g}", f"{fmean(sample):.2f}", f"{pstdev(sample):.2f}", str(playtests)]
    for cap in CAPS:
        alarms = find_alarms(spread, difference, playtests, cap)
        cells.append(f"{100 * fmean(alarm > 0 for alarm in alarms):.1f}%")
    found = [2 * alarm for alarm in alarms if alarm]
    cells.append(f"{median(found):g}" if difference and len(found) * 2 >= playtests else "-")
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables of the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--differences", type=float, nargs="+", default=[0.0, 0.5, 0.75, 1.0])
    options = parser.parse_args(arguments)
    caps = " | ".join(f"cap {cap:g}" for cap in CAPS)
    lines = [f"| answers | difference | seen | spread of pairs | playtests | {caps} | median tables |"]
    lines.append("|---" * (6 + len(CAPS)) + "|")
    for spread in SPREADS:
        for difference in options.differences:
            lines.append(format_row(spread, difference, POWER_PLAYTESTS if difference else NULL_PLAYTESTS))
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
