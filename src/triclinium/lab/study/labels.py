"""Labels of options for the report: the texts of their buttons, if a button always shows the same text."""

from functools import lru_cache
from typing import TypeAlias

from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game

Labels: TypeAlias = dict[tuple[str, str], Message]

RANDOM_MATCHES = 6  # random matches from which labels are collected


@lru_cache(8)
def find_stable_labels(game: Game, seats: int) -> Labels:
    """Return labels by step and option, without options whose label depends on the state."""
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
