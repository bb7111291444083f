"""The fast random generator: seeded, copied with the state, and stable on every machine.

A few draws are enough to predict all others. It therefore only serves possible worlds (`resample`), random play and the
bots' own random choices. A real match draws from `chance.py`.

It is L'Ecuyer's combination of two multiplicative generators (Communications of the ACM 31, 1988) with two lanes of 31
bits and a period of 2.3e18. Every product stays below 2^62, so a compiled draw never leaves machine integers. Changing
anything here changes the choices of bots and of random play.
"""

from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from triclinium.engine.core.errors import BadSetup

SEED_LIMIT: Final = 1 << 60

_M1: Final = 2147483563
_M2: Final = 2147483399
_SPAN: Final = 2147483562  # the number of values that a draw can take: _M1 - 1


@mypyc_attr(acyclic=True)
class Rng:
    """A random stream. ``Rng(seed)`` starts one, and the same seed gives the same stream."""

    a: i64
    b: i64

    def __init__(self, seed: int = 0, a: i64 = 0, b: i64 = 0) -> None:
        if a > 0:  # copies pass the two lanes instead of a seed
            self.a = a
            self.b = b
            return
        if seed < 0 or seed >= SEED_LIMIT:
            raise BadSetup(f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {seed}")
        # Two rounds of multiply and fold (splitmix64), so that neighbouring seeds start far apart.
        mixed = (seed + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        mixed ^= mixed >> 31
        self.a = (mixed >> 32) % (_M1 - 1) + 1
        self.b = (mixed & 0xFFFFFFFF) % (_M2 - 1) + 1

    def below(self, n: i64) -> i64:
        """Return a random whole number from 0 to n - 1.

        n must not exceed 2^31, or the product would not fit into 64 bits.
        """
        a: i64 = self.a * 40014 % _M1
        b: i64 = self.b * 40692 % _M2
        self.a = a
        self.b = b
        z: i64 = a - b
        if z < 1:
            z += _SPAN
        return (z - 1) * n // _SPAN

    def shuffle(self, items: list[int]) -> None:
        """Shuffle the list in place. One draw places two items, because resampling spends most of its time here."""
        boxed = cast("list[object]", items)  # The cast keeps mypyc from unboxing every int and boxing it again.
        size: i64 = len(items)
        while size > 1:
            last: i64 = size - 1
            both: i64 = self.below(size * last)
            i: i64 = both // last
            item = boxed[i]
            boxed[i] = boxed[last]
            boxed[last] = item
            i = both % last
            item = boxed[i]
            boxed[i] = boxed[last - 1]
            boxed[last - 1] = item
            size -= 2

    def of(self, purpose: int, n: int) -> "Rng":
        """Return the stream for one purpose of a game and number n. Imagined worlds use one stream for everything."""
        return self

    def order(self, purpose: int, n: int, items: list[int]) -> None:
        """Put different items from 0 on into random order, in place."""
        self.shuffle(items)

    def pick(self, items: list[int]) -> int:
        """Return one of the items at random."""
        return items[self.below(len(items))]

    def copy(self) -> "Rng":
        """Return an independent copy that continues at the same place of the stream."""
        return Rng(0, self.a, self.b)

    def fork(self) -> "Rng":
        """Return a new stream, seeded by a draw from this one."""
        return Rng(0, self.below(_M1 - 1) + 1, self.below(_M2 - 1) + 1)

    def __copy__(self) -> "Rng":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Rng":
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as the place in the stream, because compiled classes have no default form."""
        return (Rng, (0, self.a, self.b))

    def state_key(self) -> tuple[int, ...]:
        """Return the two internal numbers of the generator, for digests."""
        return (self.a, self.b)
