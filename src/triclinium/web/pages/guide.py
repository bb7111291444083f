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
from triclinium.server.server import Server
from triclinium.server.storage.schema import seats, tables
from triclinium.web import assets

GUIDE = "guide.toml"
YEAR = 365 * 86400
KEYS = re.compile(r"on(\.\w{1,40})*")
_OTHER_TABLES = (
    select(seats.c.table)
    .join(tables, tables.c.id == seats.c.table)
    .where(
        seats.c.person == bindparam("b_person"),
        tables.c.title == bindparam("b_title"),
        tables.c.id != bindparam("b_but"),
    )
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Hint:
    """A heading and two or three sentences: a step of the opening, or what a kind of decision is about."""

    key: str
    kinds: tuple[str, ...]  # the classes of the steps it explains; none for a step of the opening
    heading: Name
    text: Name
    place: str = ""  # in the opening: 1 / 4


class Guide:
    """All that is told to a newcomer of one game."""

    def __init__(self, opening: list[Hint], hints: list[Hint]) -> None:
        self.opening = opening
        self.hints = hints
        self._by_kind = {kind: hint for hint in hints for kind in hint.kinds}

    def all(self) -> list[Hint]:
        return self.opening + self.hints

    def next(self, seen: Iterable[str], asked: str) -> Hint | None:
        """What to tell now: the opening step by step, then what is asked of this reader (``""``: nothing)."""
        for step in self.opening:
            if step.key not in seen:
                return step
        hint = self._by_kind.get(asked)
        return hint if hint is not None and hint.key not in seen else None


@dataclass(frozen=True, slots=True)
class Memory:
    """Whether a reader is guided, and what they have been told."""

    on: bool
    seen: tuple[str, ...] = ()

    def told(self, keys: Iterable[str]) -> "Memory":
        return Memory(self.on, tuple(dict.fromkeys([*self.seen, *keys])))

    def keep(self, response: Response, title: str) -> None:
        """Write it into the reader's cookie."""
        text = ".".join(["on", *self.seen]) if self.on else "off"
        response.set_cookie(f"guide-{title}", text, YEAR, samesite="lax", httponly=True)


@lru_cache(assets.TITLES)
def guide(game: Game) -> Guide:
    """The game's guide.toml; a game may have none."""
    path = assets.folder(game, "data") / GUIDE
    if not path.exists():
        return Guide([], [])
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        steps = data["opening"]
        opening = [_hint(entry, f"step{n}", (), f"{n} / {len(steps)}") for n, entry in enumerate(steps, start=1)]
        hints = [_hint(entry, str(entry["kinds"][0]), tuple(entry["kinds"])) for entry in data["hint"]]
        return Guide(opening, hints)
    except Exception as error:  # another package's file, whatever is in it
        plugin_errors.note(game.id, GUIDE, error)
        return Guide([], [])


def _hint(entry: Mapping[str, str], key: str, kinds: tuple[str, ...], place: str = "") -> Hint:
    return Hint(key, kinds, Name(entry["heading"], "guide heading"), Name(entry["text"], "guide"), place)


def memory(server: Server, person: Person | None, cookies: Mapping[str, str], title: str, table: str = "") -> Memory:
    """What the reader's cookie says; without one, the guide is on in a person's first match of the game."""
    text = cookies.get(f"guide-{title}", "")
    if KEYS.fullmatch(text):
        return Memory(True, tuple(text.split(".")[1:]))
    return Memory(text == "" and not _has_played(server, person, title, table))


def _has_played(server: Server, person: Person | None, title: str, but: str) -> bool:
    """Whether this person sits or sat at another table of the game."""
    if person is None:
        return False
    with server.store.reading() as connection:
        found = connection.execute(_OTHER_TABLES, {"b_person": person.id, "b_title": title, "b_but": but})
        return found.first() is not None
