"""The chance of a true match: SHA-256 in counter mode over a key of 128 bits.

Whoever sees any number of its draws can tell neither the ones before nor the ones to come without the key; the linear
generator of `rng.py` can be solved from a dozen open cards, so it serves only worlds that are imagined (`resample`,
search, bots' own luck). Anybody can compute the stream by hand: block n is SHA-256 of the key and of n as eight bytes,
cut into eight words of 32 bits, all of them big-endian; a draw below n takes the next word, throws it away if it lies
in the incomplete last run of n numbers, and keeps its remainder. A shuffle fills a list from its end; one draw tells as
many places as fit below 2^30, the last place first. Changing anything here changes every record: don't.
"""

from hashlib import sha256
from struct import Struct
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng

KEY_BYTES: Final = 16
KEY_LIMIT: Final = 1 << 128
_WORD_VALUES: Final = 1 << 32  # values of one word
_MAX_ORDERS: Final = 1 << 30  # orders that one draw tells apart: hashing is what a deal costs
_counter = Struct(">Q").pack
_words = Struct(">8I").unpack


@mypyc_attr(acyclic=True)
class KeyedRng(Rng):
    """A stream of chance that only its key can tell."""

    key: bytes
    words_drawn: i64  # words taken so far
    words: tuple[int, ...]  # of the block that the last one came from

    def __init__(self, key: bytes, words_drawn: i64 = 0, words: tuple[int, ...] = ()) -> None:
        self.key = key
        self.words_drawn = words_drawn
        self.words = words

    def below(self, n: i64) -> i64:
        """A whole number from 0 to n - 1, each as likely as the others."""
        most: i64 = _WORD_VALUES - _WORD_VALUES % n
        while True:
            place: i64 = self.words_drawn & 7
            if place == 0:
                self.words = _words(sha256(self.key + _counter(self.words_drawn >> 3)).digest())
            self.words_drawn += 1
            word: i64 = self.words[place]
            if word < most:
                return word % n

    def shuffle(self, items: list[int]) -> None:
        """Put the items into random order, in place."""
        boxed = cast("list[object]", items)  # as in the fast generator
        size: i64 = len(items)
        while size > 1:
            orders: i64 = size
            places: i64 = 1
            while places < size - 1 and orders * (size - places) <= _MAX_ORDERS:
                orders *= size - places
                places += 1
            drawn: i64 = self.below(orders)
            while places > 0:
                i: i64 = drawn % size
                drawn //= size
                places -= 1
                size -= 1
                item = boxed[i]
                boxed[i] = boxed[size]
                boxed[size] = item

    def copy(self) -> Rng:
        """The same stream from the same place."""
        return KeyedRng(self.key, self.words_drawn, self.words)

    def fork(self) -> Rng:
        """Another stream, drawn from this one, and no easier to foretell."""
        key = b""
        while len(key) < KEY_BYTES:
            word: int = self.below(_WORD_VALUES)
            key += word.to_bytes(4, "big")
        return KeyedRng(key)

    def __reduce__(self) -> tuple[object, ...]:
        return (KeyedRng, (self.key, self.words_drawn, self.words))

    def state_key(self) -> tuple[int, ...]:
        """The key and the place in its stream, for digests."""
        return (int.from_bytes(self.key, "big"), self.words_drawn)


def create_keyed_rng(seed: int) -> KeyedRng:
    """The stream of a seed: the number is the key. A house draws all 128 bits of it; ``--seed 7`` is one to repeat."""
    if seed < 0 or seed >= KEY_LIMIT:
        raise BadSetup(f"a seed is a whole number from 0 to 2^128 - 1, not {seed}")
    return KeyedRng(seed.to_bytes(KEY_BYTES, "big"))
