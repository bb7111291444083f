"""The newcomer's guide: a game's guide.toml, and what a reader has already seen of it.

An opening of a few steps says what the game is about; then each kind of decision is explained when the reader first
meets it. What was seen lies in a cookie of the reader, one for each game: ``off``, or ``on`` and the keys seen.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from fastapi import Response
from sqlalchemy import bindparam, select

from triclinium.engine.core.text import Name
from triclinium.engine.game import Game
from triclinium.server import plugin_errors
from triclinium.server.accounts.users import Person
from triclinium.server.storage.schema import seats, tables
from triclinium.server.storage.store import Store
from triclinium.web import assets

GUIDE_FILE = "guide.toml"
COOKIE_SECONDS = 365 * 86400
COOKIE_PATTERN = re.compile(r"on(\.\w{1,40})*")
_OTHER_TABLES = (
    select(seats.c.table)
    .join(tables, tables.c.id == seats.c.table)
    .where(
        seats.c.person == bindparam("b_person"),
        tables.c.game == bindparam("b_game"),
        tables.c.id != bindparam("b_but"),
    )
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class GuideHint:
    """A heading and two or three sentences: a step of the opening, or what a kind of decision is about."""

    key: str
    kinds: tuple[str, ...]  # the classes of the steps it explains; none for a step of the opening
    heading: Name
    text: Name
    position: str = ""  # in the opening: 1 / 4


class GameGuide:
    """All that is told to a newcomer of one game."""

    def __init__(self, opening: list[GuideHint], hints: list[GuideHint]) -> None:
        self.opening = opening
        self.hints = hints
        self._by_kind = {kind: hint for hint in hints for kind in hint.kinds}

    def all_hints(self) -> list[GuideHint]:
        return self.opening + self.hints

    def next_hint(self, seen: Iterable[str], decision_kind: str) -> GuideHint | None:
        """What to tell now: the opening step by step, then what is asked of this reader (``""``: nothing)."""
        for step in self.opening:
            if step.key not in seen:
                return step
        hint = self._by_kind.get(decision_kind)
        return hint if hint is not None and hint.key not in seen else None


@dataclass(frozen=True, slots=True)
class GuideProgress:
    """Whether a reader is guided, and what they have been told."""

    enabled: bool
    seen: tuple[str, ...] = ()

    def with_seen(self, keys: Iterable[str]) -> "GuideProgress":
        return GuideProgress(self.enabled, tuple(dict.fromkeys([*self.seen, *keys])))

    def save_to_cookie(self, response: Response, game_id: str) -> None:
        """Write it into the reader's cookie."""
        text = ".".join(["on", *self.seen]) if self.enabled else "off"
        response.set_cookie(f"guide-{game_id}", text, COOKIE_SECONDS, samesite="lax", httponly=True)


@lru_cache(assets.MAX_CACHED_GAMES)
def load_guide(game: Game) -> GameGuide:
    """The game's guide.toml; a game may have none."""
    path = assets.game_folder(game, "data") / GUIDE_FILE
    if not path.exists():
        return GameGuide([], [])
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        steps = data["opening"]
        opening = [_read_hint(entry, f"step{n}", (), f"{n} / {len(steps)}") for n, entry in enumerate(steps, start=1)]
        hints = [_read_hint(entry, str(entry["kinds"][0]), tuple(entry["kinds"])) for entry in data["hint"]]
        return GameGuide(opening, hints)
    except Exception as error:  # another package's file, whatever is in it
        plugin_errors.log_once(game.id, GUIDE_FILE, error)
        return GameGuide([], [])


def _read_hint(entry: Mapping[str, str], key: str, kinds: tuple[str, ...], position: str = "") -> GuideHint:
    return GuideHint(key, kinds, Name(entry["heading"], "guide heading"), Name(entry["text"], "guide"), position)


def load_guide_progress(
    store: Store, person: Person | None, cookies: Mapping[str, str], game_id: str, table: str = ""
) -> GuideProgress:
    """What the reader's cookie says; without one, the guide is on in a person's first match of the game."""
    text = cookies.get(f"guide-{game_id}", "")
    if COOKIE_PATTERN.fullmatch(text):
        return GuideProgress(True, tuple(text.split(".")[1:]))
    return GuideProgress(text == "" and not _has_played(store, person, game_id, table))


def _has_played(store: Store, person: Person | None, game_id: str, except_table: str) -> bool:
    """Whether this person sits or sat at another table of the game."""
    if person is None:
        return False
    with store.read_connection() as connection:
        result = connection.execute(_OTHER_TABLES, {"b_person": person.id, "b_game": game_id, "b_but": except_table})
        return result.first() is not None
