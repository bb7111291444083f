"""Observations as what a network takes: numbers of about 0 to 1, ids replaced by their attributes."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from triclinium.engine.core.encoding import BITS, COUNT, ID, MASK, WIDE, CellBlock
from triclinium.engine.game import Game

Rows = NDArray[np.uint8]
Numbers = NDArray[np.float32]


class NetworkInputs:
    """``Inputs(game, seats).expand(rows)``: one row of `size` numbers for each observation.

    An id with an attribute table becomes the attributes of its component, each divided by the greatest; any other id
    becomes as many numbers as there are ids, of which one is 1. So an edited card changes what a network is told of it.
    """

    def __init__(self, game: Game, seats: int) -> None:
        game.check_seats(seats)
        self.seats = seats
        self.cells = game.encoding.block_offsets(seats)
        self.width = game.encoding.width(seats)
        self.tables = {of: _scale_columns(table.rows) for of, table in game.required_observer.tables.items()}
        self.size = self.expand(np.zeros((1, self.width), np.uint8)).shape[1]

    def expand(self, rows: Rows) -> Numbers:
        """Rows of bytes as rows of numbers, block by block in their order."""
        parts = [self._expand_block(block, rows[:, at : at + block.size]) for at, _, block in self.cells]
        return np.concatenate(parts, axis=1)

    def _expand_block(self, block: CellBlock, cells: Rows) -> Numbers:
        if block.kind == ID:
            return self._expand_ids(block, cells)
        if block.kind == WIDE:
            return (cells[:, ::2] * np.float32(256) + cells[:, 1::2]) / np.float32(block.top)
        if block.kind == BITS:
            several = cells.reshape(len(cells), -1, block.shape[-1])
            flags = np.unpackbits(several, axis=2, bitorder="little")[:, :, : block.top]
            return flags.reshape(len(cells), -1).astype(np.float32)
        if block.kind == MASK:
            flags = np.unpackbits(cells[:, :, None], axis=2, bitorder="little")[:, :, : self.seats]
            return flags.reshape(len(cells), -1).astype(np.float32)
        return cells.astype(np.float32) / np.float32(block.top if block.kind == COUNT else 1)

    def _expand_ids(self, block: CellBlock, cells: Rows) -> Numbers:
        table = self.tables[block.id_table] if block.id_table in self.tables else _build_one_hot_table(block.top)
        return table[cells].reshape(len(cells), -1)


def _scale_columns(rows: list[list[int]]) -> Numbers:
    """Attributes, each divided by the greatest of its column."""
    table = np.array(rows, np.float32)
    most: Numbers = np.maximum(np.abs(table).max(axis=0), 1).astype(np.float32)
    return (table / most).astype(np.float32)


@cache
def _build_one_hot_table(top: int) -> Numbers:
    """Row 0 is nothing."""
    return np.eye(top + 1, dtype=np.float32)[:, 1:]
