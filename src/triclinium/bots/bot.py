"""A bot, and how it is asked.

No bot meets the true state. Whoever runs one calls ``choice``, which hands it another world that its seat cannot tell
from the true one.
"""

from collections.abc import Sequence

from triclinium.kernel.message import Name
from triclinium.kernel.rng import Rng
from triclinium.kernel.state import Option, Seat, State
from triclinium.kernel.title import Title


class Bot:
    """Chooses options for a seat. A bot keeps nothing between decisions, so that one may serve many seats."""

    name: str  # in the registry
    how: Name  # how it chooses, in one sentence

    def __init__(self, title: Title) -> None:
        self.title = title

    def choose(self, world: State, seat: Seat, rng: Rng) -> Option:
        """One of ``world.legal``. The world is the bot's own: it may play on in it or resample it again."""
        raise NotImplementedError


def choice(bot: Bot, s: State, rng: Rng) -> Option:
    """What the bot chooses for the seat that is asked. A lone option is taken without asking it."""
    legal = s.legal
    if len(legal) == 1:
        return legal[0]
    o = bot.choose(s.resample(s.who, rng), s.who, rng)
    assert o in legal, f"the bot {bot.name} chose {o}, which is not legal"
    return o


def play_out(s: State, bots: Sequence[Bot], rngs: Sequence[Rng]) -> int:
    """Play to the end, a bot and its chance for each seat, and say how many decisions were made."""
    made = 0
    while not s.over:
        s.choose(choice(bots[s.who], s, rngs[s.who]))
        made += 1
    return made
