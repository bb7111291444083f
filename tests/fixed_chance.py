"""The same deal for every match of the tests, so that they check the same positions every time and in any order."""

import random
import secrets
from typing import Any

from triclinium.server import crypto

SEED = 20261118


class FixedChance:
    """The module `secrets` as the server uses it for chance: match keys and seeds are constant, seats are reversed.

    Tokens, codes and salts stay random, because they have to differ.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(secrets, name)

    def randbelow(self, limit: int) -> int:
        return random.Random(SEED).randrange(limit)

    class SystemRandom:
        def shuffle(self, order: list[int]) -> None:
            order.reverse()


def fix_chance() -> None:
    """Make chance repeatable in all servers of this process."""
    crypto.secrets = FixedChance()  # type: ignore[assignment]
