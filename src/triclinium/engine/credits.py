"""Credits of a game as its rulebook prints them, and a list of reconstructed components: `data/credits.toml`.

The file is optional. A game whose file names no author says so. A game without the file shows no credits.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from triclinium.engine.core.text import Message, Name
from triclinium.engine.game import Game
from triclinium.engine.registry import find_game_folder

CACHE_SIZE: Final = 100  # maximum number of games in the cache
RECONSTRUCTED: Final = "reconstructed"  # a value of `source` and `..._source` in components, and a translation context
NOBODY_NAMED: Final = Message("The rulebook does not name its authors.")


@dataclass(frozen=True, slots=True)
class Credits:
    """The authors and the reconstructed parts of one game."""

    has_credits: bool = False  # whether the game has a credits file
    lines: tuple[str, ...] = ()  # lines as the rulebook prints them
    thanks: tuple[str, ...] = ()
    reconstructed: Name | None = None  # one sentence about everything that is reconstructed
    # a sentence about what is reconstructed for each kind of component
    box: Mapping[str, Name] = field(default_factory=dict)
    reconstructed_things: frozenset[tuple[str, str]] = frozenset()  # kind and id of each reconstructed component


@lru_cache(CACHE_SIZE)
def read_credits(game: Game) -> Credits:
    """Return the content of a game's credits.toml. Raise ValueError if it cannot be read."""
    path = find_game_folder(game, "data") / "credits.toml"
    if not path.exists():
        return Credits()
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    box = {kind: Name(str(text), RECONSTRUCTED) for kind, text in data.get("box", {}).items()}
    reconstructed_text = str(data.get("reconstructed", ""))
    return Credits(
        True,
        tuple(data.get("credits", ())),
        tuple(data.get("thanks", ())),
        Name(reconstructed_text, RECONSTRUCTED) if reconstructed_text else None,
        box,
        frozenset(_find_reconstructed_things(game, box, data.get("printed", {}))),
    )


def build_credits_messages(game: Game) -> list[Message]:
    """Return the credits and the reconstructed parts as sentences. The list is empty for a game without credits."""
    game_credits = read_credits(game)
    if not game_credits.has_credits:
        return []
    messages: list[Message] = [
        Message("Credits: {0}", " · ".join(game_credits.lines)) if game_credits.lines else NOBODY_NAMED
    ]
    messages += (
        [] if game_credits.reconstructed is None else [Message("Reconstructed: {0}", game_credits.reconstructed)]
    )
    return messages


def _find_reconstructed_things(
    game: Game, box: Mapping[str, Name], printed: Mapping[str, list[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the components of these kinds whose source is not the rulebook."""
    sources = dict[str, set[bool]]()
    _read_sources(game.file.data, "", False, sources)
    kinds = game.kinds()
    for kind in box:
        for id in map(str, kinds[kind].ids if kind in kinds else game.ids.get(kind, ())):
            if id not in printed.get(kind, ()) and (id not in sources or True in sources[id]):
                yield kind, id


def _read_sources(data: object, source: str, partly: bool, sources: dict[str, set[bool]]) -> None:
    """Store for every entry with an id whether it is reconstructed. Entries inherit the source of their tables."""
    if isinstance(data, list):
        for entry in data:
            _read_sources(entry, source, partly, sources)
    elif isinstance(data, dict):
        source = str(data.get("source", source))
        partly = partly or any(key.endswith("_source") and value == RECONSTRUCTED for key, value in data.items())
        if "id" in data:
            sources.setdefault(str(data["id"]), set()).add(partly or source == RECONSTRUCTED)
        for value in data.values():
            _read_sources(value, source, partly, sources)
