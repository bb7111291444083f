"""The score sheet, line by line."""

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
    """Whether nobody can have more of something than this seat."""
    own = points[seat]
    if own is None or get_lower_bound(own) <= 0:
        return False
    others = points[:seat] + points[seat + 1 :]
    return all(value is not None and get_upper_bound(value) <= get_lower_bound(own) for value in others)


def find_leaders(points: Sequence[VisibleNumber]) -> tuple[list[Seat], int]:
    """The seats that have most of something, and by how much; none where all have the same or not all is known."""
    known = [value for value in points if isinstance(value, int)]
    if len(known) < len(points) or len(set(known)) < 2:
        return [], 0
    most = max(known)
    return [seat for seat, value in enumerate(known) if value == most], most - max(n for n in known if n < most)


def build_final_lines(game: Game, points: Sequence[VisibleScore], reader: Reader, total: str) -> list[ScoreLine]:
    """The score sheet of a match that is over, with the total as its last line where the game counts points."""
    lines = build_score_lines(points, list_line_names(game, points, reader))
    return [*lines, ScoreLine(total, [score.total for score in points])] if game.has_points else lines


def build_contests(game: Game, s: State, reader: Reader) -> list[ScoreLine]:
    """What seats competed for, when the match is over: how much of it each has."""
    return [ScoreLine(reader.format_arg(contest.name), list(contest.counts)) for contest in game.contests(s)]


def compute_points_behind(points: Sequence[VisibleScore]) -> list[int]:
    """By how many points each seat was behind the winner; 0 where it was not, or where there are none."""
    totals = [score.total for score in points if isinstance(score.total, int)]
    best = [score.total for score in points if score.rank == 1 and isinstance(score.total, int)] or totals
    return [max(0, max(best) - total) for total in totals] if len(totals) == len(points) else [0] * len(points)


def list_line_names(game: Game, points: Sequence[VisibleScore], reader: Reader) -> dict[str, str]:
    """What the lines are called, in the order of the sheet."""
    names = dict.fromkeys(name for score in points for name in score.lines)
    return {name: fallback_text.format_score_line(game, name, reader) for name in names}


def build_score_lines(points: Sequence[VisibleScore], names: Mapping[str, str]) -> list[ScoreLine]:
    """The score sheet, its lines called by these names."""
    return [ScoreLine(label, [score.shown_lines.get(name, 0) for score in points]) for name, label in names.items()]
