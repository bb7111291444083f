"""Score sheet, line by line."""

from collections.abc import Mapping, Sequence

from triclinium.engine.core.state import Seat, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.visible_scores import VisibleNumber, VisibleScore, get_lower_bound, get_upper_bound
from triclinium.server import fallback_text


class ScoreLine:
    """One line of the score sheet."""

    def __init__(self, name: str, points: list[VisibleNumber]) -> None:
        self.name = name
        self.points = points
        self.leads = [is_certain_leader(points, seat) for seat in range(len(points))]
        self.best, self.margin = find_leaders(points)


def is_certain_leader(points: list[VisibleNumber], seat: Seat) -> bool:
    """Return whether certainly no other seat has more than this one."""
    own = points[seat]
    if own is None or get_lower_bound(own) <= 0:
        return False
    others = points[:seat] + points[seat + 1 :]
    return all(value is not None and get_upper_bound(value) <= get_lower_bound(own) for value in others)


def find_leaders(points: Sequence[VisibleNumber]) -> tuple[list[Seat], int]:
    """Return the seats with the highest number and their lead. Return [] and 0 if all are equal or some are unknown."""
    known = [value for value in points if isinstance(value, int)]
    if len(known) < len(points) or len(set(known)) < 2:
        return [], 0
    most = max(known)
    return [seat for seat, value in enumerate(known) if value == most], most - max(n for n in known if n < most)


def build_final_lines(game: Game, points: Sequence[VisibleScore], reader: Reader, total: str) -> list[ScoreLine]:
    """Return the score sheet of a finished match. The total is the last line if the game counts points."""
    lines = build_score_lines(points, list_line_names(game, points, reader))
    return [*lines, ScoreLine(total, [score.total for score in points])] if game.has_points else lines


def build_contests(game: Game, s: State, reader: Reader) -> list[ScoreLine]:
    """Return the contests of a finished match, with the count of each seat."""
    return [ScoreLine(reader.format_arg(contest.name), list(contest.counts)) for contest in game.contests(s)]


def compute_points_behind(points: Sequence[VisibleScore]) -> list[int]:
    """Return the number of points by which each seat lost. It is 0 for winners and in games without points."""
    totals = [score.total for score in points if isinstance(score.total, int)]
    best = [score.total for score in points if score.rank == 1 and isinstance(score.total, int)] or totals
    return [max(0, max(best) - total) for total in totals] if len(totals) == len(points) else [0] * len(points)


def list_line_names(game: Game, points: Sequence[VisibleScore], reader: Reader) -> dict[str, str]:
    """Return the names of the lines, in the order of the sheet."""
    names = dict.fromkeys(name for score in points for name in score.lines)
    return {name: fallback_text.format_score_line(game, name, reader) for name in names}


def build_score_lines(points: Sequence[VisibleScore], names: Mapping[str, str]) -> list[ScoreLine]:
    """Return the score sheet, with these names for the lines."""
    return [ScoreLine(label, [score.shown_lines.get(name, 0) for score in points]) for name, label in names.items()]
