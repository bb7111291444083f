"""Edited components files, kept as long as a table may need them."""

import logging

from sqlalchemy import Connection, insert, select

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.server.storage.schema import components

log = logging.getLogger("triclinium.server")


def store_components(connection: Connection, game: Game, text: str) -> None:
    """Keep the file that this game was made of, unless it is there already."""
    known = select(components.c.hash).where(components.c.hash == game.file.hash)
    if connection.execute(known).one_or_none() is None:
        row = {"hash": game.file.hash, "game": game.id, "rules": game.hash, "text": text}
        connection.execute(insert(components).values(**row))


def load_components_text(connection: Connection, hash: str) -> str:
    """The text of the file with this hash; nothing: it is not kept here."""
    return connection.execute(select(components.c.text).where(components.c.hash == hash)).scalar_one_or_none() or ""


def find_text_by_rules_hash(connection: Connection, game_id: str, rules: str) -> str:
    """The text of a file in which rules read what a record of this hash was played with; nothing: none is kept."""
    query = select(components.c.text).where(components.c.game == game_id, components.c.rules == rules)
    return connection.execute(query.order_by(components.c.hash).limit(1)).scalar_one_or_none() or ""


def load_table_game(id: str, hash: str, text: str) -> Game | None:
    """The game of a table on its own components: an edited file, or that of the release it was begun under."""
    try:
        game = load_game(id)
    except TricliniumError as error:
        log.warning("a table needs a game that is not here: %s", error)
        return None
    try:
        return (
            game.with_components(ComponentsFile(text, "components.toml")) if text else game.find_release(hash) or game
        )
    except TricliniumError as error:
        log.warning("a table needs components that cannot be read any more: %s", error)
        return game
