"""What the bytes of an observation mean: blocks of cells, common ones first, then one row of blocks a player.

A cell is a byte. Seats are told as the observer counts them: 1 is itself, 2 its left neighbour. For n seats an
observation ends after n players, so that one padded to more seats differs by zeros at its end alone. `docs/research.md`
is written from these objects.
"""

import json
from hashlib import sha256
from typing import Final

FLAG: Final = "flag"  # 0 or 1
COUNT: Final = "count"  # 0 to 255, cut there; `top` is what a network may take for 1
WIDE: Final = "wide"  # two cells, 256 times the first plus the second; the last axis of the shape is the 2
ID: Final = "id"  # 0 is nothing, n the n-th of `of`, which names an attribute table or a list of ids; `top` is the last
MASK: Final = "mask"  # seats as bits: bit 0 the observer, bit 1 its left neighbour
BITS: Final = "bits"  # eight things of `of` a cell, the first in bit 0 of the first cell; `top` is how many things

HASH_DIGITS: Final = 16


class CellBlock:
    """Cells of one kind: ``CellBlock("slots", ID, 10, top=36, id_table="tradition")``."""

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
        self.note = note  # what no other word says, in English
        self.size = 1
        for axis in self.shape:
            self.size *= axis

    def to_json(self) -> dict[str, object]:
        return {"name": self.name, "kind": self.kind, "shape": list(self.shape), "top": self.top, "of": self.id_table}


class Encoding:
    """All blocks of a game, the same for every number of seats."""

    def __init__(self, common: list[CellBlock], player: list[CellBlock]) -> None:
        self.common = common
        self.player = player
        self.common_size = sum([block.size for block in common])
        self.player_size = sum([block.size for block in player])
        self.hash = sha256(json.dumps(self.to_json()).encode()).hexdigest()[:HASH_DIGITS]

    def width(self, seats: int) -> int:
        """How many bytes an observation has."""
        return self.common_size + seats * self.player_size

    def block_offsets(self, seats: int) -> list[tuple[int, str, CellBlock]]:
        """Where each block begins, with its name: ``hand`` of the common ones, ``2.hand`` of the second player."""
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
    """What a network should know of an id instead of its number: a row of numbers for each, row 0 for nothing.

    Made from the components, so that an edited card changes what is seen of it.
    """

    def __init__(self, names: list[str], rows: list[list[int]]) -> None:
        self.names = names
        self.rows = [[0] * len(names), *rows]

    def __len__(self) -> int:
        return len(self.rows)


def count_bytes(bits: int) -> int:
    """How many bytes hold so many bits."""
    return (bits + 7) // 8


def mask_to_bits(mask: int, size: int) -> list[int]:
    """A mask as numbers, 0 or 1: attributes of an `AttributeTable`."""
    return [(mask >> i) & 1 for i in range(size)]


def one_hot(n: int, size: int) -> list[int]:
    """A number from 0 to size - 1 as so many numbers of which one is 1; none, for -1."""
    return [1 if i == n else 0 for i in range(size)]
