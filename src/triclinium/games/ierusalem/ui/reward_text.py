"""Rewards of Supper spaces, of the Parable track and of Favors in words; and lists of words."""

from collections.abc import Sequence
from functools import reduce
from typing import Final

from triclinium.engine.core.text import Arg, JoinedList, Message, msgid
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    GIVES_CALL,
    GIVES_DENARII,
    GIVES_MAHANE,
    GIVES_MEETING,
    GIVES_OFFERING,
    GIVES_VP,
)

REWARD_TEMPLATES: Final = {
    GIVES_DENARII: msgid("{0} {0:Denarius|Denarii}"),
    GIVES_VP: msgid("{0} VP"),
    GIVES_MEETING: msgid("Meeting of the Sanhedrin"),
    GIVES_MAHANE: msgid("a Mahane card"),
    GIVES_CALL: msgid("call a Follower"),
    GIVES_OFFERING: msgid("an Offering"),
}


def name_reward(c: Components, kind: int, amount: int) -> Arg:
    """Return a reward in words, or "". A good has only its name, because there is one of it in these texts."""
    if kind < GIVES_DENARII:
        return c.good_names[kind]
    return Message(REWARD_TEMPLATES[kind], amount) if kind in REWARD_TEMPLATES else ""


def list_reward_texts(kind: int, amount: int) -> list[Arg]:
    """Return the reward of a space or a Favor; empty for a place at Jesus."""
    if kind < GIVES_DENARII:
        return [format_goods(amount, kind)]
    return [Message(REWARD_TEMPLATES[kind], amount)] if kind in REWARD_TEMPLATES else []


def name_benefit(c: Components, marker: int) -> JoinedList:
    """Return what a Favor gives to the player who receives it."""
    return JoinedList([gift for kind, amount in c.marker_benefit[marker] for gift in list_reward_texts(kind, amount)])


def name_favor(c: Components, marker: int) -> Message:
    """Return the benefit of a Favor, and the symbol on its other side."""
    symbol = c.location_names[c.marker_location[marker]]
    return Message("{0} ({1}; {2})", c.marker_ids[marker].upper(), name_benefit(c, marker), symbol)


def format_goods(amount: int, good: int) -> Message:
    return Message("{0} {1:good}", amount, good)


def join_commas(items: Sequence[Arg]) -> Arg:
    """Return the items, joined by commas."""
    return reduce(lambda before, item: Message("{0}, {1}", before, item), items) if items else ""


def join_semicolons(items: Sequence[Arg]) -> Arg:
    """Return the items, joined by semicolons because they may contain "and"."""
    return reduce(lambda before, item: Message("{0}; {1}", before, item), items) if items else ""


def join_plus(items: Sequence[Arg]) -> Arg:
    """Return the items, joined by plus signs."""
    return reduce(lambda before, item: Message("{0} + {1}", before, item), items) if items else ""
