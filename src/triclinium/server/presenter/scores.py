"""The score sheet, line by line."""

from collections.abc import Mapping, Sequence

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.visible import Known, VisibleScore, greatest, least
from triclinium.server import saying


class ScoreLine:
    """One line of the score sheet."""

    def __init__(self, name: str, points: list[Known]) -> None:
        self.name = name
        self.points = points
        self.leads = [surely_leads(points, seat) for seat in range(len(points))]


def surely_leads(points: list[Known], seat: Seat) -> bool:
    """Whether nobody can have more of something than this seat."""
    own = points[seat]
    if own is None or least(own) <= 0:
        return False
    others = points[:seat] + points[seat + 1 :]
    return all(value is not None and greatest(value) <= least(own) for value in others)


def line_names(game: Game, points: Sequence[VisibleScore], reader: Reader) -> dict[str, str]:
    """What the lines are called, in the order of the sheet."""
    names = dict.fromkeys(name for score in points for name in score.lines)
    return {name: saying.score_line(game, name, reader) for name in names}


def score_lines(points: Sequence[VisibleScore], names: Mapping[str, str]) -> list[ScoreLine]:
    """The score sheet, its lines called by these names."""
    return [ScoreLine(told, [score.lines.get(name, 0) for score in points]) for name, told in names.items()]
