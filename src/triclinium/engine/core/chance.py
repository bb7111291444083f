"""The random generator of real matches: SHA-256 in counter mode with a 128-bit key.

Without the key, nobody can predict or reconstruct draws from other draws. The linear generator of `rng.py` can be
solved from a dozen revealed cards. It therefore only serves possible worlds (`resample`), search and the bots' own
random choices.

Anyone can compute the stream by hand. Block n is SHA-256 of the key followed by n as eight bytes. It is cut into eight
words of 32 bits. All numbers are big-endian. A draw below n takes the next word and returns its remainder. A word in
the incomplete last run of n numbers is discarded. A shuffle fills a list from its end. One draw decides as many
positions as fit below 2^30, the last position first.

The set-up draws from this stream. Later chance has a stream for each purpose and number, for example for the second
shuffle of a deck, so that a draw does not depend on what happened elsewhere in the match. The key of such a stream is
the key of the match followed by the purpose as four bytes and the number as eight. A deck that is shuffled again is
sorted: each card takes the word of the stream whose place is the card's number. Two piles that differ in one card
therefore come in the same order except for that card. From 1.0.0 on nothing here may change, because every change
breaks every record.
"""

from hashlib import sha256
from struct import Struct
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng

KEY_BYTES: Final = 16
KEY_LIMIT: Final = 1 << 128
_WORD_VALUES: Final = 1 << 32  # number of different values of one word
# A shuffle packs up to this many orders into one draw, because hashing dominates the cost of a deal.
_MAX_ORDERS: Final = 1 << 30
_ITEM_BITS: Final = 24  # `order` packs the word and the item into one number
_ITEM_MASK: Final = (1 << 24) - 1
_counter = Struct(">Q").pack
_purpose = Struct(">IQ").pack
_words = Struct(">8I").unpack


@mypyc_attr(acyclic=True)
class KeyedRng(Rng):
    """A random stream that cannot be predicted without its key."""

    key: bytes
    words_drawn: i64  # number of words taken so far
    words: tuple[int, ...]  # the words of the current block

    def __init__(self, key: bytes, words_drawn: i64 = 0, words: tuple[int, ...] = ()) -> None:
        self.key = key
        self.words_drawn = words_drawn
        self.words = words

    def below(self, n: i64) -> i64:
        """Return a random whole number from 0 to n - 1, all equally likely."""
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
        """Shuffle the list in place."""
        boxed = cast("list[object]", items)  # The cast keeps mypyc from unboxing the items, as in `Rng.shuffle`.
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

    def of(self, purpose: int, n: int) -> Rng:
        """Return the stream of one purpose and number, which does not depend on any other draw."""
        return KeyedRng(self.key + _purpose(purpose, n))

    def order(self, purpose: int, n: int, items: list[int]) -> None:
        """Sort different items from 0 on by their words in the stream of this purpose and number, in place."""
        key = self.key + _purpose(purpose, n)
        blocks: dict[int, tuple[int, ...]] = {}
        numbered: list[int] = []
        for item in items:
            place: int = item >> 3
            words = blocks.get(place)
            if words is None:
                words = _words(sha256(key + _counter(place)).digest())
                blocks[place] = words
            numbered.append(words[item & 7] << _ITEM_BITS | item)
        numbered.sort()
        for i in range(len(items)):
            items[i] = numbered[i] & _ITEM_MASK

    def copy(self) -> Rng:
        """Return an independent copy that continues at the same place of the stream."""
        return KeyedRng(self.key, self.words_drawn, self.words)

    def fork(self) -> Rng:
        """Return a new stream with a key drawn from this one. It is equally hard to predict."""
        key = b""
        while len(key) < KEY_BYTES:
            word: int = self.below(_WORD_VALUES)
            key += word.to_bytes(4, "big")
        return KeyedRng(key)

    def __reduce__(self) -> tuple[object, ...]:
        return (KeyedRng, (self.key, self.words_drawn, self.words))

    def state_key(self) -> tuple[int, ...]:
        """Return the key and the place in the stream, for digests."""
        return (int.from_bytes(self.key, "big"), self.words_drawn)


def create_keyed_rng(seed: int) -> KeyedRng:
    """Return the stream whose key is the given number.

    Servers draw all 128 bits of the seed. A small seed such as ``--seed 7`` makes a match that can be repeated. Raise
    BadSetup if the seed is out of range.
    """
    if seed < 0 or seed >= KEY_LIMIT:
        raise BadSetup(f"a seed is a whole number from 0 to 2^128 - 1, not {seed}")
    return KeyedRng(seed.to_bytes(KEY_BYTES, "big"))
