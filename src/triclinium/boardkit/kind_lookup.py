"""Every kind of thing that a game's views name: as the game describes it, or a token with its name."""

from collections.abc import Mapping
from functools import lru_cache

from triclinium.engine.component_kinds import ComponentKind
from triclinium.engine.game import Game
from triclinium.engine.option_components import name_or_id

GAME_CACHE_SIZE = 100  # whose kinds are kept: every game, and each on some edited files


@lru_cache(GAME_CACHE_SIZE)
def map_kinds_by_name(game: Game) -> Mapping[str, ComponentKind]:
    """By the names that `Ref` and `By` say; none is missing that the game gives ids."""
    described = game.kinds()
    kinds_with_ids = {kind: described.get(kind) or _build_plain_kind(game, kind) for kind in game.ids}
    return {**kinds_with_ids, **described}  # some are no part of JSON: places of a seat, spaces of a track


def _build_plain_kind(game: Game, kind: str) -> ComponentKind:
    ids = game.ids[kind]
    return ComponentKind(ids, [name_or_id(game.words, kind, n, id) for n, id in enumerate(ids)])
