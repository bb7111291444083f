"""The progress of a reader through the newcomer's guide of a game.

It is kept in a cookie of the reader, one for each game: ``off``, or ``on`` and the keys of what the reader has seen.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fastapi import Response
from sqlalchemy import bindparam, select

from triclinium.server.accounts.users import Person
from triclinium.server.storage.schema import seats, tables
from triclinium.server.storage.store import Store

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
class GuideProgress:
    """The state of the guide for one reader: whether it is on, and the keys of what the reader has seen."""

    enabled: bool
    seen: tuple[str, ...] = ()

    def with_seen(self, keys: Iterable[str]) -> "GuideProgress":
        return GuideProgress(self.enabled, tuple(dict.fromkeys([*self.seen, *keys])))

    def save_to_cookie(self, response: Response, game_id: str) -> None:
        """Store the progress in the reader's cookie."""
        text = ".".join(["on", *self.seen]) if self.enabled else "off"
        response.set_cookie(f"guide-{game_id}", text, COOKIE_SECONDS, samesite="lax", httponly=True)


def load_guide_progress(
    store: Store, person: Person | None, cookies: Mapping[str, str], game_id: str, table: str = ""
) -> GuideProgress:
    """Return the progress from the cookie; without one, the guide is on in a person's first match of the game."""
    text = cookies.get(f"guide-{game_id}", "")
    if COOKIE_PATTERN.fullmatch(text):
        return GuideProgress(True, tuple(text.split(".")[1:]))
    return GuideProgress(text == "" and not _has_played(store, person, game_id, table))


def _has_played(store: Store, person: Person | None, game_id: str, except_table: str) -> bool:
    """Return whether this person plays or has played at another table of the game."""
    if person is None:
        return False
    with store.read_connection() as connection:
        result = connection.execute(_OTHER_TABLES, {"b_person": person.id, "b_game": game_id, "b_but": except_table})
        return result.first() is not None
