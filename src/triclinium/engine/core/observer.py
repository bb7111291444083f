"""Observers: they write everything that a seat knows as bytes. A game may have one in its folder `ai`.

A row is written cell by cell into librt's buffer. Converting a list of ints to bytes takes five times as long.
"""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import mypyc_attr

from triclinium.engine.core.encoding import COUNT, FLAG, ID, AttributeTable, CellBlock, Encoding
from triclinium.engine.core.state import NOBODY, Seat, State

MAX_CELL: Final = 255

# Kinds of step fields. `QuestionEncoder` receives them as letters.
FIELD_LETTERS: Final = "nsw-"
NUMBER: Final = 0  # a number from -1, stored with 1 added
SEAT: Final = 1
WIDE_NUMBER: Final = 2  # a number from -1, in two cells
NOT_WRITTEN: Final = 3  # a field that the row contains elsewhere
CELLS_PER_FIELD: Final = [1, 1, 2, 0]  # cells that each kind takes

MAX_ZERO_RUN: Final = 256  # length of the longest run of zeros that is written at once
ZEROS: Final = [bytes(n) for n in range(MAX_ZERO_RUN + 1)]


@mypyc_attr(allow_interpreted_subclasses=True)
class Observer:
    """Base class of the observers: writes all that a seat knows of a state as bytes. `encoding` describes the bytes.

    NOBODY is a spectator. A seat knows what `resample` keeps: everything that its view shows. At tables without the
    memory aid it also knows what it has seen before.
    """

    encoding: Encoding
    tables: dict[str, AttributeTable]  # attribute tables by the `id_table` of the blocks
    questions: "QuestionEncoder"

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        """Append the cells of an observation. Each game implements this."""
        raise NotImplementedError

    def observe(self, s: State, seat: Seat) -> bytes:
        row = BytesWriter()
        self.write(row, s, seat)
        return row.getvalue()


class QuestionEncoder:
    """The encoder of the current question: its number, the asked seat and the fields of its step.

    Example: ``{"Keep": "n", "Meet": "-sn"}`` gives the kind of each field of a step. The letters are a number (``n``),
    a seat (``s``), a wide number (``w``), or a field that the row contains elsewhere (``-``).
    """

    def __init__(self, steps: dict[str, str]) -> None:
        self.ids = list(steps)
        self.numbers = {step: n + 1 for n, step in enumerate(self.ids)}
        self.fields = {step: [FIELD_LETTERS.index(letter) for letter in letters] for step, letters in steps.items()}
        self.field_cells = max([sum([CELLS_PER_FIELD[kind] for kind in kinds]) for kinds in self.fields.values()])

    def blocks(self) -> list[CellBlock]:
        """Return the blocks of cells that `write` fills."""
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
        """Write the seats, whether a seat observes, the question, the asked seat and the fields of its step."""
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
    """Write this many cells of 0."""
    while cells > MAX_ZERO_RUN:
        row.write(ZEROS[MAX_ZERO_RUN])
        cells -= MAX_ZERO_RUN
    if cells > 0:
        row.write(ZEROS[cells])


def write_count(row: BytesWriter, n: int) -> None:
    """Write a number from 0 in one cell, cut to 255."""
    if n > MAX_CELL:
        n = MAX_CELL
    elif n < 0:
        n = 0
    row.append(n)


def write_counts(row: BytesWriter, numbers: list[int], first: int, size: int) -> None:
    """Write ``size`` numbers of a list, each as `write_count` does."""
    for i in range(first, first + size):
        n = numbers[i]
        row.append(MAX_CELL if n > MAX_CELL else max(n, 0))


def write_wide(row: BytesWriter, n: int) -> None:
    """Write a number from 0 in two cells."""
    if n < 0:
        n = 0
    row.append((n >> 8) & MAX_CELL)
    row.append(n & MAX_CELL)


def write_flag(row: BytesWriter, on: bool) -> None:
    row.append(1 if on else 0)


def relative_seat(seat: Seat, me: Seat, seats: int) -> int:
    """Return the seat number relative to the observer: 1 is the observer itself, 0 is NOBODY."""
    return (seat - me) % seats + 1 if seat >= 0 else 0


def relative_mask(mask: int, me: Seat, seats: int) -> int:
    """Return a mask of seats relative to the observer: bit 0 is the observer itself."""
    mask &= (1 << seats) - 1
    return ((mask >> me) | (mask << (seats - me))) & ((1 << seats) - 1)


def write_bits(row: BytesWriter, mask: int, cells: int) -> None:
    """Write a set with eight flags in each cell."""
    if mask == 0:
        write_zeros(row, cells)
        return
    for _ in range(cells):
        row.append(mask & MAX_CELL)
        mask >>= 8


def write_ids(row: BytesWriter, things: tuple[int, ...], room: int) -> None:
    """Write ids (-1 for none) into ``room`` cells and omit the ids that do not fit."""
    size = min(len(things), room)
    for i in range(size):
        row.append(things[i] + 1)
    write_zeros(row, room - size)


def write_id_list(row: BytesWriter, things: list[int], room: int) -> None:
    """Write ids of a list as `write_ids` does. Compiled code cannot index a union of list and tuple quickly."""
    size = min(len(things), room)
    for i in range(size):
        row.append(things[i] + 1)
    write_zeros(row, room - size)


def write_packed_ids(row: BytesWriter, things: bytes, room: int) -> None:
    """Write ids that are stored as bytes, as `write_ids` does."""
    size = min(len(things), room)
    for i in range(size):
        row.append(things[i] + 1)
    write_zeros(row, room - size)
