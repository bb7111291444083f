"""Drawing of every follower and shaman in play, each exactly once.

The view has only numbers of pieces at each place. Names such as ``f-2-7`` (follower 7 of seat 2) are assigned so that a
move takes the last of the waiting pieces. On the page they walk from home to their place.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from triclinium.games.testoftime.ui.testament_columns import LandMarkup
from triclinium.games.testoftime.ui.view import Player

Spot: TypeAlias = tuple[float, float]

FOLLOWER: Final = "follower"
SHAMAN: Final = "shaman"


class Figure:
    """A piece on the board."""

    def __init__(self, land: int, seat: int, piece: str, symbol: str, state: str, at: Spot, scale: float) -> None:
        self.land = land  # seat of the land on which the piece is
        self.seat = seat
        self.piece = piece  # "follower" or "shaman"
        self.symbol = symbol  # id of the piece's drawing
        self.state = state  # such as "waits", "works", "dies" or "new"
        self.x = round(at[0], 1)
        self.y = round(at[1], 1)
        self.scale = scale
        self.id = ""

    def to_svg(self) -> str:
        where = f'transform="translate({self.x} {self.y}) scale({self.scale})"'
        if self.state == "away":
            return f'<use class="away" href="#tt-{self.symbol}" {where}/>'
        return f'<use class="piece {self.state} s{self.seat}" id="{self.id}" href="#tt-{self.symbol}" {where}/>'


def draw_figures(figures: list[Figure]) -> LandMarkup:
    """Return the SVG of all figures without groups."""
    return LandMarkup("".join([figure.to_svg() for figure in figures]))


@dataclass(slots=True)
class GroundStretch:
    """A stretch of ground on which figures stand in rows, overlapping if there are many."""

    land: int
    left: float
    right: float
    y: float
    step: float
    scale: float
    from_right: bool = False  # True to fill from the right
    taken: int = 0

    def place_figures(
        self, seat: int, followers: int, shamans: int, symbol: str = FOLLOWER, state: str = "works"
    ) -> list[Figure]:
        """Return figures for some pieces on this stretch."""
        symbols = [(FOLLOWER, symbol)] * followers + [(SHAMAN, SHAMAN)] * shamans
        return [
            Figure(self.land, seat, piece, figure_symbol, state, self.take_next_spot(), self.scale)
            for piece, figure_symbol in symbols
        ]

    def take_next_spot(self) -> Spot:
        row_room = max(1, int((self.right - self.left) / self.step))
        row, at = divmod(self.taken, row_room)
        self.taken += 1
        x = self.right - self.step * (at + 0.5) if self.from_right else self.left + self.step * (at + 0.5)
        return (x, self.y - row * self.step * 1.25)


@dataclass(slots=True)
class HomeGrid:
    """A home zone with a place for every piece that could ever be in play, in groups of five columns."""

    x: float
    y: float
    columns: int
    step: float
    row_height: float
    scale: float

    def locate_spot(self, i: int) -> Spot:
        row, column = divmod(i, self.columns)
        return (self.x + column * self.step + column // 5 * self.step * 0.35, self.y + row * self.row_height)


class PeopleFigures:
    """The pieces of one seat: those waiting, those away at work, and those in the supply."""

    def __init__(self, seat: int, player: Player, followers: HomeGrid, shamans: HomeGrid) -> None:
        self.seat = seat
        self.waiting = {FOLLOWER: player.waiting.followers, SHAMAN: player.waiting.shamans}
        self.in_play = {FOLLOWER: player.in_play.followers, SHAMAN: player.in_play.shamans}
        self.supply_limit = {FOLLOWER: player.most.followers, SHAMAN: player.most.shamans}
        self.homes = {FOLLOWER: followers, SHAMAN: shamans}
        self.placed: dict[str, list[Figure]] = {FOLLOWER: [], SHAMAN: []}
        self.away = LandMarkup("")  # outlines at home of the pieces that work
        self.supply = ""  # SVG path of dots

    def add_figures(self, figures: list[Figure]) -> None:
        """Add figures in the order in which they usually leave home; the last ones get the lowest names."""
        for figure in figures:
            self.placed[figure.piece].append(figure)

    def arrange_figures(self) -> list[Figure]:
        """Return all figures in play, with their names."""
        all_figures: list[Figure] = []
        away: list[Figure] = []
        dots: list[str] = []
        for piece, home in self.homes.items():
            waiting = self.waiting[piece]
            present = self.in_play[piece]
            placed = self.placed[piece]
            assert waiting + len(placed) == present, (self.seat, piece, waiting, len(placed), present)
            figures: list[Figure] = []
            for i in range(waiting):
                figures.append(Figure(self.seat, self.seat, piece, piece, "waits", home.locate_spot(i), home.scale))
            figures += reversed(placed)
            for i, figure in enumerate(figures):
                figure.id = f"{piece[0] if piece == FOLLOWER else 'h'}-{self.seat}-{i}"
            all_figures += figures
            for i in range(waiting, present):
                away.append(Figure(self.seat, self.seat, piece, piece, "away", home.locate_spot(i), home.scale))
            for i in range(present, self.supply_limit[piece]):
                x, y = home.locate_spot(i)
                dots.append(f"M{x:.1f} {y - 3:.1f}h.01")
        self.away = draw_figures(away)
        self.supply = "".join(dots)
        return all_figures
