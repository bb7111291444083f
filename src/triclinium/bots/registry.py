"""The bots by name."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from triclinium.bots.bot import Bot
from triclinium.bots.greedy import Greedy
from triclinium.bots.random import Random
from triclinium.bots.search import Strong
from triclinium.bots.steady import Steady
from triclinium.kernel.errors import BadSetup, nearest
from triclinium.kernel.title import Title

BOTS: Mapping[str, type[Bot]] = MappingProxyType({kind.name: kind for kind in (Random, Greedy, Steady, Strong)})


def bots() -> list[str]:
    """The names of all bots, the simplest first."""
    return list(BOTS)


def bot(name: str, title: Title) -> Bot:
    """A bot for a title; raises BadSetup."""
    if name not in BOTS:
        raise BadSetup(f"there is no bot {name!r}; {nearest(name, BOTS)}")
    return BOTS[name](title)


def seating(names: Sequence[str], places: int) -> list[str]:
    """A bot's name for each of so many places: one name for all, or one for each; raises BadSetup."""
    for name in names:
        if name not in BOTS:
            raise BadSetup(f"there is no bot {name!r}; {nearest(name, BOTS)}")
    if len(names) == 1:
        return [names[0]] * places
    if len(names) != places:
        raise BadSetup(f"{len(names)} bots are named for {places} places; name one for all, or one for each")
    return list(names)
