"""Price, reward and value of a space at the Supper, in numbers and in words."""

from collections.abc import Iterable

from triclinium.engine.core.text import Arg, JoinedList, Message, SeatName
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import GIVES_VP, list_members
from triclinium.games.ierusalem.rules.scoring import compute_apostle_value
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.ui.reward_text import format_goods, list_reward_texts


def collect_apostle_colours(c: Components, apostles: Iterable[int]) -> int:
    """Return a bitmask of the colours of these Apostles."""
    mask = 0
    for apostle in apostles:
        mask |= 1 << c.shade[apostle]
    return mask


def compute_value_range(c: Components, space: int, colours: int) -> tuple[int, int]:
    """Return the lowest and highest value of a space while its seat is open.

    An Apostle of one of these colours may sit there, or none.
    """
    values = [
        0,
        *(compute_apostle_value(c.shade_value[shade], c.space_distance[space]) for shade in list_members(colours, 0)),
    ]
    return min(values), max(values)


def format_price(c: Components, space: int) -> Message:
    return Message(
        "costs {0}", JoinedList([format_goods(n, good) for good, n in enumerate(c.space_cost[space]) if n > 0])
    )


def format_value(s: Ierusalem, space: int) -> Message:
    """IE-6.2 to IE-6.4  Return the points of a Follower on a space if the game ended now."""
    c = s.c
    seat = c.space_seat[space]
    if (c.jesus_spaces >> space) & 1:
        low = high = s.jesus_vp
    elif seat < 0:
        low = high = 0
    elif s.seated[seat] >= 0:
        low = high = compute_apostle_value(c.shade_value[c.shade[s.seated[seat]]], c.space_distance[space])
    else:
        low, high = compute_value_range(
            c, space, collect_apostle_colours(c, list_members(s.waiting[0] | s.waiting[1] | s.waiting[2], 0))
        )
    if low < high:
        return Message("{0} to {1} VP at the end", low, high)
    return Message("{0} VP at the end", low) if low else Message("no VP at the end")


def list_space_rewards(c: Components, space: int) -> list[Arg]:
    """Return the immediate rewards of a space."""
    kind, amount = c.space_reward[space], c.space_amount[space]
    return [Message("{0} VP at once", amount)] if kind == GIVES_VP else list_reward_texts(kind, amount)


def list_owner_names(s: Ierusalem, space: int) -> list[Arg]:
    """Return the owner of the Follower on a space as a list, which is empty for an empty space."""
    return [SeatName(who) for who in range(s.seats) if (s.supper[who] >> space) & 1]
