"""Conversion of observations to network inputs: numbers of about 0 to 1, with ids replaced by attributes."""

from functools import cache

from triclinium.engine.core.encoding import BITS, COUNT, ID, MASK, WIDE, CellBlock
from triclinium.engine.extras import name_extra
from triclinium.engine.game import Game

with name_extra("research", "triclinium.research.network_inputs"):
    import numpy as np
    from numpy.typing import NDArray

Rows = NDArray[np.uint8]
Numbers = NDArray[np.float32]


class NetworkInputs:
    """The inputs of a network, made from observations.

    ``NetworkInputs(game, seats).expand(rows)`` gives one row of `size` numbers per observation. An id with an attribute
    table is replaced by the attributes of its component, each divided by its maximum. Therefore an edited card has
    different inputs. Any other id is one-hot encoded.
    """

    def __init__(self, game: Game, seats: int) -> None:
        game.check_seats(seats)
        self.seats = seats
        self.cells = game.encoding.block_offsets(seats)
        self.width = game.encoding.width(seats)
        self.tables = {of: _scale_columns(table.rows) for of, table in game.required_observer.tables.items()}
        self.size = self.expand(np.zeros((1, self.width), np.uint8)).shape[1]

    def expand(self, rows: Rows) -> Numbers:
        """Return rows of bytes as rows of numbers, block by block in order."""
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
    """Return attributes, each divided by the largest value in its column."""
    table = np.array(rows, np.float32)
    most: Numbers = np.maximum(np.abs(table).max(axis=0), 1).astype(np.float32)
    return (table / most).astype(np.float32)


@cache
def _build_one_hot_table(top: int) -> Numbers:
    """Return the one-hot table for ids up to ``top``. Row 0 is all zeros."""
    return np.eye(top + 1, dtype=np.float32)[:, 1:]
