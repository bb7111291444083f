"""How often what bots expect comes true: a game's `data/calibration.toml`, measured by `triclinium lab calibration`.

A search is too sure of itself, more so in one game than in another, and more at the beginning than at the end. What it
says is therefore stretched or shrunk before people read it: in logarithms of odds, against those of a seat that knows
nothing, by a slope and an offset for each number of seats and each third of a match.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from triclinium.engine.core.errors import BadComponents

FILE = "calibration.toml"
STAGES = 3
MIN_PROBABILITY = 1e-4  # nobody is surer than this


class CalibrationLine(NamedTuple):
    """What is said, in logarithms of odds, times the slope and with the offset added is what comes."""

    offset: float = 0.0
    slope: float = 1.0


class Calibration:
    """The lines of a game, by number of seats and stage; without any, chances are told as they are found."""

    def __init__(self, lines: Mapping[int, Sequence[CalibrationLine]] | None = None) -> None:
        self.lines = lines or {}

    def calibrate(self, probability: float, seats: int, progress: float) -> float:
        """What a chance that a search finds comes to."""
        if not self.lines:
            return probability
        nearest = min(self.lines, key=lambda known: (abs(known - seats), known))
        offset, slope = self.lines[nearest][match_stage(progress)]
        return compute_win_probability(offset + slope * compute_relative_log_odds(probability, seats), seats)


def match_stage(progress: float) -> int:
    """The third of a match: 0, 1 or 2."""
    return max(0, min(STAGES - 1, int(STAGES * progress)))


def compute_relative_log_odds(probability: float, seats: int) -> float:
    """A chance in logarithms of odds, against those of one seat among so many."""
    bounded = min(1.0 - MIN_PROBABILITY, max(MIN_PROBABILITY, probability))
    return math.log(bounded / (1.0 - bounded)) + math.log(seats - 1)


def compute_win_probability(lead: float, seats: int) -> float:
    """The chance that is so far ahead."""
    return 1.0 / (1.0 + (seats - 1) * math.exp(-lead))


def read_calibration(folder: Path) -> Calibration:
    """What a game's data folder says; raises BadComponents."""
    path = folder / FILE
    if not path.is_file():
        return Calibration()
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("seats", {})
    lines = {int(seats): [CalibrationLine(*map(float, pair)) for pair in pairs] for seats, pairs in rows.items()}
    for seats, stage_lines in lines.items():
        if len(stage_lines) != STAGES or any(line.slope <= 0 for line in stage_lines):
            raise BadComponents(f"{FILE}: {seats} seats need {STAGES} pairs of an offset and a slope above 0")
    return Calibration(lines)
