"""What options are called, for the report: as their buttons say it, where they always say the same."""

from functools import lru_cache
from typing import TypeAlias

from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game

Labels: TypeAlias = dict[tuple[str, str], Message]

RANDOM_MATCHES = 6  # matches of random bots that are listened to


@lru_cache(8)
def find_stable_labels(game: Game, seats: int) -> Labels:
    """By step and option. One whose label hangs on the state (which card lies there) stays in notation."""
    labels: dict[tuple[str, str], Message | None] = {}
    texts: dict[tuple[str, str], str] = {}
    reader = game.words.reader()
    player = create_bot("random", game)
    for seed in range(RANDOM_MATCHES):
        s, rng = game.deal(seats, seed), Rng(seed)
        while not s.over:
            for o in s.legal if len(s.legal) > 1 else ():
                key = (s.asked.id, game.format_option(o))
                if key in labels and labels[key] is None:
                    continue
                label = game.words.label(s, o)
                text = reader.read(label)
                labels[key] = label if texts.setdefault(key, text) == text else None
            s.choose(choose_option(player, s, rng))
    return {key: label for key, label in labels.items() if label is not None}
