"""The layout of observation bytes: blocks of cells, first the common ones, then one row of blocks for each player.

A cell is a byte. Seats are numbered from the observer: 1 is the observer, 2 its left neighbour. With n seats an
observation ends after n players, so padding to more seats only adds zeros at the end. `docs/research.md` is generated
from these objects.
"""

import json
from hashlib import sha256
from typing import Final

FLAG: Final = "flag"  # 0 or 1
COUNT: Final = "count"  # 0 to 255, larger numbers are cut to 255; `top` is the value that a network may scale to 1
WIDE: Final = "wide"  # two cells: 256 times the first plus the second; the last axis of the shape is 2
# 0 is nothing, n is the n-th entry of `id_table`, an attribute table or a list of ids; `top` is the last id
ID: Final = "id"
MASK: Final = "mask"  # seats as bits: bit 0 is the observer, bit 1 its left neighbour
BITS: Final = "bits"  # eight flags in each cell, the first one in bit 0 of the first cell; `top` is the number of flags

HASH_DIGITS: Final = 16


class CellBlock:
    """A block of cells of one kind, for example ``CellBlock("slots", ID, 10, top=36, id_table="tradition")``."""

    def __init__(self, name: str, kind: str, *shape: int, top: int = 1, id_table: str = "", note: str = "") -> None:
        self.name = name
        self.kind = kind
        axes = list(shape)
        if kind == WIDE:
            axes.append(2)
        if kind == BITS:
            axes.append(count_bytes(top))
        self.shape = tuple(axes)
        self.top = top
        self.id_table = id_table
        self.note = note  # an English note on anything that the other fields do not say
        self.size = 1
        for axis in self.shape:
            self.size *= axis

    def to_json(self) -> dict[str, object]:
        return {"name": self.name, "kind": self.kind, "shape": list(self.shape), "top": self.top, "of": self.id_table}


class Encoding:
    """All blocks of a game. They are the same for every number of seats."""

    def __init__(self, common: list[CellBlock], player: list[CellBlock]) -> None:
        self.common = common
        self.player = player
        self.common_size = sum([block.size for block in common])
        self.player_size = sum([block.size for block in player])
        self.hash = sha256(json.dumps(self.to_json()).encode()).hexdigest()[:HASH_DIGITS]

    def width(self, seats: int) -> int:
        """Return the number of bytes of an observation."""
        return self.common_size + seats * self.player_size

    def block_offsets(self, seats: int) -> list[tuple[int, str, CellBlock]]:
        """Return the offset and name of each block: ``hand`` for a common block, ``2.hand`` for the second player's."""
        offsets: list[tuple[int, str, CellBlock]] = []
        at = 0
        for block in self.common:
            offsets.append((at, block.name, block))
            at += block.size
        for player in range(seats):
            for block in self.player:
                offsets.append((at, f"{player + 1}.{block.name}", block))
                at += block.size
        return offsets

    def to_json(self) -> dict[str, object]:
        return {
            "common": [block.to_json() for block in self.common],
            "player": [block.to_json() for block in self.player],
        }


class AttributeTable:
    """The attributes of the components behind an id, for networks: one row of numbers for each id, row 0 for "nothing".

    The rows are made from the components, so an edited card changes its row.
    """

    def __init__(self, names: list[str], rows: list[list[int]]) -> None:
        self.names = names
        self.rows = [[0] * len(names), *rows]

    def __len__(self) -> int:
        return len(self.rows)


def count_bytes(bits: int) -> int:
    """Return the number of bytes that hold this many bits."""
    return (bits + 7) // 8


def mask_to_bits(mask: int, size: int) -> list[int]:
    """Return the bits of a mask as a list of 0 and 1, to use as attributes in an `AttributeTable`."""
    return [(mask >> i) & 1 for i in range(size)]


def one_hot(n: int, size: int) -> list[int]:
    """Return a list of ``size`` numbers in which number n is 1 and the others are 0. For -1 all are 0."""
    return [1 if i == n else 0 for i in range(size)]
