"""What options are called, for the report: as their buttons say it, where they always say the same."""

from functools import lru_cache
from typing import TypeAlias

from triclinium.bots import bot, choice
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game

Labels: TypeAlias = dict[tuple[str, str], Message]

WALKS = 6  # matches of random bots that are listened to


@lru_cache(8)
def labels_of(game: Game, seats: int) -> Labels:
    """By step and option. One whose label hangs on the state (which card lies there) stays in notation."""
    found: dict[tuple[str, str], Message | None] = {}
    said: dict[tuple[str, str], str] = {}
    reader = game.words.reader()
    player = bot("random", game)
    for seed in range(WALKS):
        s, rng = game.deal(seats, seed), Rng(seed)
        while not s.over:
            for o in s.legal if len(s.legal) > 1 else ():
                key = (s.asked.id, game.say(o))
                if key in found and found[key] is None:
                    continue
                label = game.words.label(s, o)
                text = reader.read(label)
                found[key] = label if said.setdefault(key, text) == text else None
            s.choose(choice(player, s, rng))
    return {key: label for key, label in found.items() if label is not None}
