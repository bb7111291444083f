"""The newcomer's guide of a game, from its guide.toml.

The opening is a few steps that explain what the game is about. After that, each kind of decision is explained when the
reader first meets it. `pages/guide.py` keeps what a reader has already seen.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from triclinium.engine.core.text import Name
from triclinium.engine.game import Game
from triclinium.server import plugin_errors
from triclinium.web import assets

GUIDE_FILE = "guide.toml"


@dataclass(frozen=True, slots=True)
class GuideHint:
    """A step of the opening, or the explanation of a kind of decision: a heading and two or three sentences."""

    key: str
    kinds: tuple[str, ...]  # classes of the steps that the hint explains; none for a step of the opening
    heading: Name
    text: Name
    position: str = ""  # place in the opening, for instance `1 / 4`


class GameGuide:
    """The guide to one game."""

    def __init__(self, opening: list[GuideHint], hints: list[GuideHint]) -> None:
        self.opening = opening
        self.hints = hints
        self._by_kind = {kind: hint for hint in hints for kind in hint.kinds}

    def all_hints(self) -> list[GuideHint]:
        return self.opening + self.hints

    def next_hint(self, seen: Iterable[str], decision_kind: str) -> GuideHint | None:
        """Return the next step of the opening.

        After the opening, return a new explanation of this kind of decision, or None.
        """
        for step in self.opening:
            if step.key not in seen:
                return step
        hint = self._by_kind.get(decision_kind)
        return hint if hint is not None and hint.key not in seen else None


@lru_cache(assets.MAX_CACHED_GAMES)
def load_guide(game: Game) -> GameGuide:
    """Return the guide from the game's guide.toml, or an empty guide if there is none."""
    path = assets.game_folder(game, "data") / GUIDE_FILE
    if not path.exists():
        return GameGuide([], [])
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        steps = data["opening"]
        opening = [_read_hint(entry, f"step{n}", (), f"{n} / {len(steps)}") for n, entry in enumerate(steps, start=1)]
        hints = [_read_hint(entry, str(entry["kinds"][0]), tuple(entry["kinds"])) for entry in data["hint"]]
        return GameGuide(opening, hints)
    except Exception as error:  # the file comes from another package, so it can contain anything
        plugin_errors.log_once(game.id, GUIDE_FILE, error)
        return GameGuide([], [])


def _read_hint(entry: Mapping[str, str], key: str, kinds: tuple[str, ...], position: str = "") -> GuideHint:
    return GuideHint(key, kinds, Name(entry["heading"], "guide heading"), Name(entry["text"], "guide"), position)
