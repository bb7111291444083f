"""Storage of edited components files, as long as a table may need them."""

import logging

from sqlalchemy import Connection, insert, select

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.server.storage.schema import components

log = logging.getLogger("triclinium.server")


def store_components(connection: Connection, game: Game, text: str) -> None:
    """Store the text of a game's edited components file, unless it is stored already."""
    known = select(components.c.hash).where(components.c.hash == game.file.hash)
    if connection.execute(known).one_or_none() is None:
        row = {"hash": game.file.hash, "game": game.id, "rules": game.hash, "text": text}
        connection.execute(insert(components).values(**row))


def load_components_text(connection: Connection, hash: str) -> str:
    """Return the text of the components file with this hash, or "" if it is not stored."""
    return connection.execute(select(components.c.text).where(components.c.hash == hash)).scalar_one_or_none() or ""


def find_text_by_rules_hash(connection: Connection, game_id: str, rules: str) -> str:
    """Return the text of a components file whose rules hash matches that of a record, or "" if none is stored."""
    query = select(components.c.text).where(components.c.game == game_id, components.c.rules == rules)
    return connection.execute(query.order_by(components.c.hash).limit(1)).scalar_one_or_none() or ""


def load_table_game(id: str, hash: str, text: str) -> Game | None:
    """Return the game of a table with its own components, or None if the game is not installed.

    The components come from the edited file, or from the release under which the table was created. If they can no
    longer be read, return the game with its current components.
    """
    try:
        game = load_game(id)
    except TricliniumError as error:
        log.warning("a table needs a game that is not installed: %s", error)
        return None
    try:
        return (
            game.with_components(ComponentsFile(text, "components.toml")) if text else game.find_release(hash) or game
        )
    except TricliniumError as error:
        log.warning("a table needs components that can no longer be read: %s", error)
        return game
