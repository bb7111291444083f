"""Observers write what a seat knows as bytes; each game may have one, in its folder `ai`.

A row is written cell by cell into librt's buffer: a list of ints turned into bytes takes five times as long.
"""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import mypyc_attr

from triclinium.engine.core.encoding import COUNT, FLAG, ID, AttributeTable, CellBlock, Encoding
from triclinium.engine.core.state import NOBODY, Seat, State

MAX_CELL: Final = 255

# What the fields of a step are, by their letters in `Questions`.
FIELD_LETTERS: Final = "nsw-"
NUMBER: Final = 0  # a number from -1, told one higher
SEAT: Final = 1
WIDE_NUMBER: Final = 2  # a number from -1 in two cells
NOT_WRITTEN: Final = 3  # told elsewhere in the row
CELLS_PER_FIELD: Final = [1, 1, 2, 0]  # of each

MAX_ZERO_RUN: Final = 256  # cells of the longest run of zeros that is written at once
ZEROS: Final = [bytes(n) for n in range(MAX_ZERO_RUN + 1)]


@mypyc_attr(allow_interpreted_subclasses=True)
class Observer:
    """Tells a seat (NOBODY: a spectator) all that it knows of a state, as bytes whose meaning `encoding` says.

    That is what `resample` keeps: what the view shows and, where a table plays without the memory aid, what was seen.
    """

    encoding: Encoding
    tables: dict[str, AttributeTable]  # by the `id_table` of blocks
    questions: "QuestionEncoder"

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        """Add the cells of an observation; a game writes this."""
        raise NotImplementedError

    def observe(self, s: State, seat: Seat) -> bytes:
        row = BytesWriter()
        self.write(row, s, seat)
        return row.getvalue()


class QuestionEncoder:
    """The question that is asked, as cells: its number, whose it is, and the fields of its step.

    ``{"Keep": "n", "Meet": "-sn"}`` says what each field of a step is: a number, a seat, a wide number (``w``), or
    told elsewhere in the row (``-``).
    """

    def __init__(self, steps: dict[str, str]) -> None:
        self.ids = list(steps)
        self.numbers = {step: n + 1 for n, step in enumerate(self.ids)}
        self.fields = {step: [FIELD_LETTERS.index(letter) for letter in letters] for step, letters in steps.items()}
        self.field_cells = max([sum([CELLS_PER_FIELD[kind] for kind in kinds]) for kinds in self.fields.values()])

    def blocks(self) -> list[CellBlock]:
        """What `write` writes."""
        blocks = [
            CellBlock("seats", COUNT, 1, top=5),
            CellBlock("seated", FLAG, 1, note="0 for a spectator"),
            CellBlock("question", ID, 1, top=len(self.ids), id_table="question"),
            CellBlock("asked", ID, 1, top=5, id_table="seat"),
        ]
        if self.field_cells:
            blocks.append(CellBlock("figures", COUNT, self.field_cells, top=MAX_CELL, note="numbers in the question"))
        return blocks

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        """Seats, whether a seat looks, the question, who is asked, and the fields of its step."""
        row.append(s.seats)
        row.append(0 if seat == NOBODY else 1)
        if s.who < 0:
            write_zeros(row, 2 + self.field_cells)
            return
        step = s.stack[-1]
        name = step.id
        row.append(self.numbers[name])
        me = 0 if seat == NOBODY else seat
        row.append((s.who - me) % s.seats + 1)
        written = 0
        kinds = self.fields[name]
        if kinds:
            values = step.fields()
            for i in range(len(kinds)):
                kind = kinds[i]
                if kind == NUMBER:
                    write_count(row, values[i] + 1)
                    written += 1
                elif kind == SEAT:
                    row.append(relative_seat(values[i], me, s.seats))
                    written += 1
                elif kind == WIDE_NUMBER:
                    write_wide(row, values[i] + 1)
                    written += 2
        write_zeros(row, self.field_cells - written)


def write_zeros(row: BytesWriter, cells: int) -> None:
    """So many cells of 0."""
    while cells > MAX_ZERO_RUN:
        row.write(ZEROS[MAX_ZERO_RUN])
        cells -= MAX_ZERO_RUN
    if cells > 0:
        row.write(ZEROS[cells])


def write_count(row: BytesWriter, n: int) -> None:
    """A number from 0, cut at 255."""
    if n > MAX_CELL:
        n = MAX_CELL
    elif n < 0:
        n = 0
    row.append(n)


def write_counts(row: BytesWriter, numbers: list[int], first: int, size: int) -> None:
    """So many numbers of a list, each as `count` tells it."""
    for i in range(first, first + size):
        n = numbers[i]
        row.append(MAX_CELL if n > MAX_CELL else max(n, 0))


def write_wide(row: BytesWriter, n: int) -> None:
    """A number from 0 in two cells."""
    if n < 0:
        n = 0
    row.append((n >> 8) & MAX_CELL)
    row.append(n & MAX_CELL)


def write_flag(row: BytesWriter, on: bool) -> None:
    row.append(1 if on else 0)


def relative_seat(seat: Seat, me: Seat, seats: int) -> int:
    """A seat as this one counts: 1 is itself; 0 for NOBODY."""
    return (seat - me) % seats + 1 if seat >= 0 else 0


def relative_mask(mask: int, me: Seat, seats: int) -> int:
    """A mask of seats as this one counts: bit 0 is itself."""
    mask &= (1 << seats) - 1
    return ((mask >> me) | (mask << (seats - me))) & ((1 << seats) - 1)


def write_bits(row: BytesWriter, mask: int, cells: int) -> None:
    """A set as eight things a cell."""
    if mask == 0:
        write_zeros(row, cells)
        return
    for _ in range(cells):
        row.append(mask & MAX_CELL)
        mask >>= 8


def write_ids(row: BytesWriter, things: tuple[int, ...], room: int) -> None:
    """Things by their numbers, -1 for none; so many cells, those beyond are cut."""
    size = min(len(things), room)
    for i in range(size):
        row.append(things[i] + 1)
    write_zeros(row, room - size)


def write_id_list(row: BytesWriter, things: list[int], room: int) -> None:
    """`ids` of a list: of either, compiled code would not know how to reach an item."""
    size = min(len(things), room)
    for i in range(size):
        row.append(things[i] + 1)
    write_zeros(row, room - size)


def write_packed_ids(row: BytesWriter, things: bytes, room: int) -> None:
    """`ids` of things that are held as bytes."""
    size = min(len(things), room)
    for i in range(size):
        row.append(things[i] + 1)
    write_zeros(row, room - size)
