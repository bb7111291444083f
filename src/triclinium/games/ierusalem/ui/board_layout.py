"""Layout of the board, and the objects that templates draw.

The same arguments return the same object, so that `once` can cache its drawing.
"""

from functools import lru_cache
from typing import Final

from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    GOODS,
    REWARDS,
    SHADES,
)
from triclinium.games.ierusalem.rules.scoring import compute_apostle_value
from triclinium.games.ierusalem.ui.reward_text import join_plus, name_reward
from triclinium.games.ierusalem.ui.supper_spaces import compute_value_range
from triclinium.games.ierusalem.ui.view import Owner, Supper

CACHE_SIZE = 4_000  # maximum number of cached objects

# The room has ten columns, and rows as in the components file. The table is between rows 3 and 5.
ROOM_LEFT, COLUMN_PITCH, SPACE_WIDTH, SPACE_HEIGHT = 169.0, 61.0, 59.0, 39.0
ROW_TOPS: Final = {0: 107.5, 1: 148.5, 2: 189.5, 3: 233.5, 5: 337.5, 6: 381.5, 7: 422.5, 8: 463.5}
FOLLOWER_INSET = 19.0  # offset of a Follower to the left in a space that shows its final value

# The corners of the panels around the room. The contents of a panel are drawn from its corner.
PANEL_CORNERS: Final = {
    "market": (4, 4),
    "desert": (4, 178),
    "mountain": (4, 292),
    "lake": (4, 406),
    "temple": (4, 520),
    "favors": (166, 530),
    "xxxiii": (436, 530),
    "parables": (492, 530),
    "sanhedrin": (786, 4),
}
APOSTLE_COLUMNS: Final = ((168, 4), (374, 4), (580, 4))  # the corners of the Apostle columns

SQUARE, SQUARE_PITCH = 33, 36  # size of a Location's square, and distance between two squares
COVERED_SQUARES: Final = (3, 7)  # the squares of a Location that are covered with 3 players
UNCOVERED_COUNT = 6
CARD_PITCH = 50  # distance between two Mahane cards in the display
TRACK_FOOT, TRACK_STEP = 589.0, 22.2  # the middle of the Sanhedrin's bottom space, and the distance between two spaces
TRACK_LONG = 24  # A track with more spaces than this has shorter distances.
FAVOR_LEFT, FAVOR_PITCH, FAVOR_DISK = 19, 28, 41


class SupperSpace:
    """A space at the Supper: its price, its reward, and the points of a Follower there if the game ended now."""

    def __init__(
        self,
        c: Components,
        space: int,
        owner: Owner | None,
        shade: int,
        jesus_vp: int,
        waiting: int,
        lacks: tuple[tuple[str, int], ...],
    ) -> None:
        row, column = c.space_y[space], c.space_x[space]
        self.nth = space
        self.id = c.space_ids[space]
        self.name = self.id[:2].upper() + self.id[2:]
        self.kind = c.space_kind[space]
        self.at = f"r{row} k{column}"  # CSS classes for the position on phones
        self.x = ROOM_LEFT + COLUMN_PITCH * column
        self.y = ROW_TOPS[row]
        goods = [good for good in range(3) for _ in range(c.space_cost[space][good])]
        self.cost = [GOODS[good] for good in goods]
        self.price = join_plus([c.good_names[good] for good in goods])
        self.reward = REWARDS[c.space_reward[space]]
        self.amount = c.space_amount[space]
        self.gives = self.reward not in ("none", "jesus")
        self.gift = name_reward(c, c.space_reward[space], self.amount)
        self.owner = owner  # None if the space is empty
        self.shows_gift = self.gives and owner is None
        self.lacks = lacks if owner is None else ()  # goods that the player who goes does not have
        self.seat = ""
        self.shade = ""
        self.value: int | None = None
        self.low = self.high = 0
        seat = c.space_seat[space]
        if self.reward == "jesus":
            self.value = jesus_vp
        elif seat >= 0:
            self.seat = c.seat_ids[seat].upper()
            if shade >= 0:
                self.shade = SHADES[shade]
                self.value = compute_apostle_value(c.shade_value[shade], c.space_distance[space])
            else:
                self.low, self.high = compute_value_range(c, space, waiting)
        self.stand_x = self.x + (SPACE_WIDTH / 2 if self.value is None else FOLLOWER_INSET)
        self.stand_y = self.y + SPACE_HEIGHT / 2


@lru_cache(CACHE_SIZE)
def build_supper_space(
    c: Components,
    nth: int,
    owner: Owner | None,
    shade: int,
    jesus_vp: int,
    waiting: int,
    lacks: tuple[tuple[str, int], ...] = (),
) -> SupperSpace:
    """Return the space with its current value.

    ``shade`` is the colour of the Apostle who values the space, or -1 while the seat is open. ``waiting`` is a bitmask
    of the colours of the Apostles who can still sit there.
    """
    return SupperSpace(c, nth, owner, shade, jesus_vp, waiting, lacks)


class Chair:
    """A seat at the table, with the points that an Apostle of each colour would bring to each player."""

    def __init__(self, c: Components, seat: int, taken: bool, worths: tuple[tuple[int, tuple[int, ...]], ...]) -> None:
        row, column = c.seat_y[seat], c.seat_x[seat]
        self.id = c.seat_ids[seat]
        self.name = self.id.upper()
        self.at = f"r{row} k{column}"
        self.x = ROOM_LEFT + COLUMN_PITCH * column
        self.y = ROW_TOPS[row]
        self.upper = row == 3
        self.taken = taken
        self.worth = worths


@lru_cache(CACHE_SIZE)
def build_table_chair(c: Components, nth: int, taken: bool, worths: tuple[tuple[int, tuple[int, ...]], ...]) -> Chair:
    return Chair(c, nth, taken, worths)


@lru_cache(100)
def list_space_values(c: Components, seat: int) -> list[tuple[int, list[int]]]:
    """Return the spaces at a seat, each with the value of an Apostle of each colour."""
    spaces = [*c.seat_behind[seat]] + ([c.seat_corner[seat]] if c.seat_corner[seat] >= 0 else [])
    return [
        (space, [compute_apostle_value(value, c.space_distance[space]) for value in c.shade_value]) for space in spaces
    ]


def list_seat_values(c: Components, seat: int, supper: Supper) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return for each player with Followers at a seat the value of an Apostle of each colour there."""
    sums: dict[int, list[int]] = {}
    for space, values in list_space_values(c, seat):
        who = supper.get(space)
        if isinstance(who, int):
            old = sums.get(who)
            sums[who] = values if old is None else [a + b for a, b in zip(old, values, strict=True)]
    return tuple((who, tuple(sums[who])) for who in sorted(sums))


class ApostleFigure:
    """An Apostle, seated or waiting in his column."""

    def __init__(self, c: Components, apostle: int, chair: Chair | None, column: int, nth: int, crowded: bool) -> None:
        self.id = c.apostle_ids[apostle]
        self.name = c.apostle_names[apostle]
        self.shade = SHADES[c.shade[apostle]]
        self.value = c.shade_value[c.shade[apostle]]
        self.chair = chair
        self.column = column  # the Apostle's column from 0; -1 for a seated Apostle
        self.crowded = crowded  # whether there is no room for his name
        if chair is not None:
            self.at = f"seated {chair.at}"
            self.x, self.y = chair.x + SPACE_WIDTH / 2, chair.y + SPACE_HEIGHT / 2 - 0.5
        else:
            self.at = f"waits w{column}"
            x, y = APOSTLE_COLUMNS[column]
            self.x = float(x + (27 + 49 * nth if crowded else 34 + 66 * nth))
            self.y = float(y + (57 if crowded else 52))


@lru_cache(CACHE_SIZE)
def build_seated_apostle(c: Components, apostle: int, chair: Chair) -> ApostleFigure:
    return ApostleFigure(c, apostle, chair, -1, 0, False)


@lru_cache(CACHE_SIZE)
def build_waiting_apostle(c: Components, apostle: int, column: int, nth: int, crowded: bool) -> ApostleFigure:
    return ApostleFigure(c, apostle, None, column, nth, crowded)


class FavorDisk:
    """A seat's disk on the Favor track, positioned from the track's corner. Several disks on one space are in pairs."""

    def __init__(self, seat: int, space: int, nth: int, of: int) -> None:
        dx, dy = (0.0, 0.0) if of == 1 else (-6.5 + 13 * (nth % 2), -6.0 + 13 * (nth // 2))
        self.seat = seat
        self.x = FAVOR_LEFT + FAVOR_PITCH * space + dx
        self.y = FAVOR_DISK + dy
        self.size = 23 if of == 1 else 14


def build_favor_disks(done: tuple[int, ...]) -> list[FavorDisk]:
    """Return the disks. ``done`` is the number of Favors that each seat has done."""
    return [FavorDisk(seat, n, done[:seat].count(n), done.count(n)) for seat, n in enumerate(done)]


def list_location_squares(number: int) -> list[tuple[int, int]]:
    """Return the open squares of a Location, in the order in which they fill. More squares are closer together."""
    columns = max(4, (number + 1) // 2)
    pitch = SQUARE_PITCH * 3 // (columns - 1)
    open_ones = [nth for nth in range(8) if nth not in COVERED_SQUARES] if number == UNCOVERED_COUNT else range(number)
    return [(7 + pitch * (nth % columns), 32 + SQUARE_PITCH * (nth // columns)) for nth in open_ones]


def compute_card_pitch(cards: int) -> int:
    """Return the distance between two Mahane cards in the display. More than two overlap, next to the deck."""
    return CARD_PITCH if cards < 3 else CARD_PITCH // (cards - 1)


def compute_track_y(space: int, last: int) -> float:
    """Return the y of the middle of a space of the Sanhedrin, from the track's corner."""
    return round(TRACK_FOOT - TRACK_STEP * min(1.0, TRACK_LONG / last) * space, 1)
