"""Digests of states: 62 bits that are equal on every machine, build and Python version.

Never change anything here: every change breaks every digest.
"""

from typing import Final

from mypy_extensions import i64

_ONE_LIMB: Final = 1 << 60
_FURTHER: Final = 1 << 33  # larger than anything that the first limb can add


def compute_digest(parts: list[int]) -> int:
    """Return a polynomial hash of whole numbers in two 31-bit lanes. Every sum of products stays below 2^63.

    A number from -1 to 2^60 - 1 is one limb of 60 bits. A larger or smaller number adds further limbs. A mark on these
    limbs distinguishes them from separate numbers.
    """
    a: i64 = 17
    b: i64 = 29
    for part in parts:
        low: i64 = part & 0x3FFFFFFF
        high: i64 = (part >> 30) & 0x3FFFFFFF
        a = (a * 1103515245 + low + high * 7) % 2147483563
        b = (b * 1220703125 + low * 3 + high) % 2147483399
        if part < -1 or part >= _ONE_LIMB:
            rest = part >> 60
            while True:
                low = rest & 0x3FFFFFFF
                high = (rest >> 30) & 0x3FFFFFFF
                a = (a * 1103515245 + low + high * 7 + _FURTHER) % 2147483563
                b = (b * 1220703125 + low * 3 + high + _FURTHER) % 2147483399
                if -1 <= rest < _ONE_LIMB:
                    break
                rest >>= 60
    return (int(a) << 31) + int(b)


def hash_name(name: str) -> int:
    """Return the number that represents the id of a step in digests."""
    number = 7
    for letter in name:
        number = (number * 131 + ord(letter)) % 1000000007
    return number
