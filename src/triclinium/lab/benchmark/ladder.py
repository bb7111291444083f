"""The deals and the rivals of the benchmark. A checksum proves that they are unchanged."""

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from triclinium.bots import derive_seed
from triclinium.engine.core.errors import BadComponents, BadSetup, suggest_names

FILE: Final = Path(__file__).parent / "deals.toml"
CHECKSUM: Final = "ff696fa9e002776bf082663e2cdda9113a634d0127ae40ac0dd49973f37ccc80"


@dataclass(frozen=True)
class LadderGame:
    """A game of the benchmark with its rivals, the weakest first."""

    id: str
    seats: int
    ladder: tuple[str, ...]  # rivals over which the score of the bot is averaged
    more: tuple[str, ...]  # slow rivals, and rivals that need other libraries


@dataclass(frozen=True)
class Ladder:
    """The committed deals of the benchmark, and its games with their rivals."""

    version: int
    games: tuple[LadderGame, ...]
    seeds: tuple[int, ...]

    def find_game(self, id: str) -> LadderGame:
        """Return a game of the benchmark. Raise BadSetup if there is none with this id."""
        games = {game.id: game for game in self.games}
        if id not in games:
            raise BadSetup(f"the benchmark has no game {id!r}; {suggest_names(id, games)}")
        return games[id]

    def find_seed(self, deal: int, key: int | None) -> int:
        """Return the seed of a deal: a committed one, or one derived from the key of a verifier."""
        if key is not None:
            return derive_seed(key, deal)
        if deal >= len(self.seeds):
            raise BadSetup(f"the benchmark has {len(self.seeds)} deals, and each is played from every seat")
        return self.seeds[deal]


@cache
def load_ladder() -> Ladder:
    """Return the ladder. Raise BadComponents if its file has been changed."""
    content = FILE.read_bytes().replace(b"\r\n", b"\n")
    found = hashlib.sha256(content).hexdigest()
    if found != CHECKSUM:
        raise BadComponents(f"{FILE.name} has been changed: its SHA-256 is {found}, not {CHECKSUM}")
    data = tomllib.loads(content.decode())
    games = (LadderGame(one["id"], one["seats"], tuple(one["ladder"]), tuple(one["more"])) for one in data["game"])
    return Ladder(data["version"], tuple(games), tuple(int(seed, 16) for seed in data["deals"]["seeds"]))
