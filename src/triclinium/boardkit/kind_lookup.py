"""Every kind of thing that a game's views name: as the game describes it, or a token with its name."""

from collections.abc import Mapping
from functools import lru_cache

from triclinium.engine.component_kinds import Kind
from triclinium.engine.game import Game
from triclinium.engine.option_components import name_or_id

GAMES = 100  # whose kinds are kept: every game, and each on some edited files


@lru_cache(GAMES)
def kinds_of(game: Game) -> Mapping[str, Kind]:
    """By the names that `Ref` and `By` say; none is missing that the game gives ids."""
    described = game.kinds()
    named = {kind: described.get(kind) or _plain(game, kind) for kind in game.ids}
    return {**named, **described}  # some are no part of JSON: places of a seat, spaces of a track


def _plain(game: Game, kind: str) -> Kind:
    ids = game.ids[kind]
    return Kind(ids, [name_or_id(game.words, kind, n, id) for n, id in enumerate(ids)])
