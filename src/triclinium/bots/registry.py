"""The bots by name: our own, and those of other packages.

Another package adds a bot by an entry point of the group ``triclinium.bots``; for a try, the environment variable
TRICLINIUM_BOTS names classes (``first:First``). A name may carry a budget: ``strong@300ms``, ``strong@500x``; and
``+plain`` leaves out what was learnt: ``steady+plain``, ``master+plain@5s``.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType

from triclinium.bots.base import Bot
from triclinium.bots.budget import Budget
from triclinium.bots.greedy import Greedy, Novice
from triclinium.bots.networks import found_for
from triclinium.bots.random import Random
from triclinium.bots.search import Master, Strong
from triclinium.bots.steady import Steady
from triclinium.engine.core.errors import BadSetup, nearest
from triclinium.engine.game import Game

GROUP = "triclinium.bots"
PLAIN = "plain"
VARIABLE = "TRICLINIUM_BOTS"
OURS = (Random, Novice, Greedy, Steady, Strong, Master)
LEVELS = ("novice", "steady", "strong", "master")  # what a table offers, the weakest first

BOTS: Mapping[str, type[Bot]] = MappingProxyType({kind.name: kind for kind in OURS})


@cache
def kinds() -> Mapping[str, type[Bot]]:
    """All bots at hand: ours, the weakest first, then the guests."""
    found = dict(BOTS)
    for kind in _guests():
        found.setdefault(kind.name, kind)
    return found


def bots() -> list[str]:
    """The names of all bots, the weakest first."""
    return list(kinds())


def bot(name: str, game: Game) -> Bot:
    """A bot for a game; raises BadSetup."""
    kind, plain, budget = _read(name)
    found = kind(game)
    found.plain = plain
    if budget is not None:
        found.budget = budget
    return found


def seating(names: Sequence[str], places: int) -> list[str]:
    """A bot's name for each of so many places: one name for all, or one for each; raises BadSetup."""
    for name in names:
        _read(name)
    if len(names) == 1:
        return [names[0]] * places
    if len(names) != places:
        raise BadSetup(f"{len(names)} bots are named for {places} places; name one for all, or one for each")
    return list(names)


def plainly(name: str) -> str:
    """The name of the same bot without what was learnt; one that uses nothing keeps its own."""
    word, at, budget = name.partition("@")
    learns = word in kinds() and kinds()[word].learns
    return f"{word}+{PLAIN}{at}{budget}" if learns else name


def net_used(names: Iterable[str], game: Game) -> str:
    """How a report names what these bots have learnt; empty: none of them uses anything."""
    words = {name.partition("@")[0] for name in names}
    found = found_for(game)
    return found.used if any(one in words and found.serves(one) for one in learners()) else ""


def _read(name: str) -> tuple[type[Bot], bool, Budget | None]:
    """The class that a name means, whether it leaves out what was learnt, and the budget it carries."""
    called, at, budget = name.partition("@")
    word, plus, how = called.partition("+")
    if word not in kinds():
        raise BadSetup(f"there is no bot {word!r}; {nearest(word, kinds())}")
    if plus and (how != PLAIN or not kinds()[word].learns):
        named = ", ".join(f"{one}+{PLAIN}" for one in learners())
        raise BadSetup(f"only {PLAIN!r} can be added to a bot, to one that learns: {named}")
    return kinds()[word], bool(plus), Budget.read(budget) if at else None


def learners() -> list[str]:
    """The bots that use what was learnt, by name."""
    return [name for name, kind in kinds().items() if kind.learns]


def _guests() -> list[type[Bot]]:
    """The classes that other packages and the environment name; raises BadSetup for one that does not load."""
    places = [point.value for point in entry_points(group=GROUP)]
    places += [place for place in os.environ.get(VARIABLE, "").split(",") if place]
    return [_load(place) for place in places]


def _load(place: str) -> type[Bot]:
    module, _, name = place.partition(":")
    try:
        kind: object = getattr(import_module(module), name)
    except Exception as error:  # somebody else's module may fail in any way
        raise BadSetup(f"the bot {place} does not load: {type(error).__name__}: {error}") from None
    if not isinstance(kind, type) or not issubclass(kind, Bot):
        raise BadSetup(f"the bot {place} does not load: it is no Bot")
    return kind
