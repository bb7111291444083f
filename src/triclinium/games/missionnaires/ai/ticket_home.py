"""Search for a voucher that reaches the Bethel once everything is visited (LM-8.4, LM-9.2)."""

from triclinium.engine.core.state import Option, Seat
from triclinium.games.missionnaires.rules.actions.bons import BonWindow
from triclinium.games.missionnaires.rules.actions.obstacles import Onward
from triclinium.games.missionnaires.rules.components import ADVANCE, GO, OFF, PLAY, STOP
from triclinium.games.missionnaires.rules.state import Missionnaires


def find_ticket_home(s: Missionnaires) -> Option:
    """Return an option with which the player reaches the Bethel in this coup, or OFF.

    A search of one option ahead would not find it, because the voucher is spent before the first step.
    """
    who = s.who
    step = s.stack[-1]
    if s.hand[who]:
        return OFF
    if isinstance(step, BonWindow) and s.at[who] != s.c.bethel:
        for card in s.bons[who]:
            if s.c.effect[card] == ADVANCE and find_first_step(s, who, s.c.number[card]) != OFF:
                return PLAY + card
    elif isinstance(step, Onward) and step.road_only:
        if s.at[who] == s.c.bethel:
            return STOP
        to = find_first_step(s, who, step.limit - step.used)
        if to != OFF:
            return GO + to
    return OFF


def find_first_step(s: Missionnaires, who: Seat, spaces: int) -> int:
    """Return the first space of a way home over empty spaces with at most this many steps, or OFF if there is none."""
    here = s.at[who]
    reached = [s.c.bethel]
    for _ in range(spaces):
        farther: list[int] = []
        for space in reached:
            if here in s.c.roads[space]:
                return space
            farther += [town for town in s.c.roads[space] if s.is_empty(town)]
        reached = farther
    return OFF
