"""Calibration of the bots' win probabilities: a game's `data/calibration.toml`, made by `triclinium lab calibration`.

A search is overconfident, in some games more than in others, and more at the beginning of a match than at the end. Its
win probabilities are therefore corrected before people see them. The correction works on log odds relative to the prior
of an equal chance for every seat. It has a slope and an offset for each number of seats and each third of a match.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from triclinium.engine.core.errors import BadComponents

FILE = "calibration.toml"
STAGES = 3
MIN_PROBABILITY = 1e-4  # probabilities are limited to this distance from 0 and 1


class CalibrationLine(NamedTuple):
    """A correction: calibrated log odds = offset + slope * raw log odds."""

    offset: float = 0.0
    slope: float = 1.0


class Calibration:
    """The corrections of a game by number of seats and stage. Without any, probabilities stay unchanged."""

    def __init__(self, lines: Mapping[int, Sequence[CalibrationLine]] | None = None) -> None:
        self.lines = lines or {}

    def calibrate(self, probability: float, seats: int, progress: float) -> float:
        """Return the calibrated win probability for a raw one."""
        if not self.lines:
            return probability
        nearest = min(self.lines, key=lambda known: (abs(known - seats), known))
        offset, slope = self.lines[nearest][match_stage(progress)]
        return compute_win_probability(offset + slope * compute_relative_log_odds(probability, seats), seats)


def match_stage(progress: float) -> int:
    """Return the third of the match: 0, 1 or 2."""
    return max(0, min(STAGES - 1, int(STAGES * progress)))


def compute_relative_log_odds(probability: float, seats: int) -> float:
    """Return the log odds of a probability relative to an equal chance for every seat."""
    bounded = min(1.0 - MIN_PROBABILITY, max(MIN_PROBABILITY, probability))
    return math.log(bounded / (1.0 - bounded)) + math.log(seats - 1)


def compute_win_probability(lead: float, seats: int) -> float:
    """Return the win probability for relative log odds, the inverse of `compute_relative_log_odds`."""
    return 1.0 / (1.0 + (seats - 1) * math.exp(-lead))


def read_calibration(folder: Path) -> Calibration:
    """Read the calibration of a game's data folder. Raise BadComponents if it is malformed."""
    path = folder / FILE
    if not path.is_file():
        return Calibration()
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("seats", {})
    lines = {int(seats): [CalibrationLine(*map(float, pair)) for pair in pairs] for seats, pairs in rows.items()}
    for seats, stage_lines in lines.items():
        if len(stage_lines) != STAGES or any(line.slope <= 0 for line in stage_lines):
            raise BadComponents(f"{FILE}: {seats} seats need {STAGES} pairs of an offset and a slope above 0")
    return Calibration(lines)
