"""The same deals every time, so that tests check the same positions on every run and in any order."""

import random
import secrets
from typing import Any

from triclinium.server import crypto

SEED = 20261118


class FixedChance:
    """The module `secrets` as the server uses it for chance. Match keys and seeds are a fixed sequence.

    Seats are drawn in reverse order. Tokens, codes and salts stay random, because they have to differ.
    """

    def __init__(self, constant: bool) -> None:
        self._constant = constant
        self._numbers = random.Random(SEED)

    def __getattr__(self, name: str) -> Any:
        return getattr(secrets, name)

    def randbelow(self, limit: int) -> int:
        numbers = random.Random(SEED) if self._constant else self._numbers
        return numbers.randrange(limit)

    class SystemRandom:
        def shuffle(self, order: list[int]) -> None:
            order.reverse()


def fix_chance(constant: bool = False) -> None:
    """Make chance in all servers of this process repeatable, from the beginning of the sequence.

    ``constant`` is for a server that many tests share: every match has the same deal, whichever tests came before.
    """
    vars(crypto)["secrets"] = FixedChance(constant)
