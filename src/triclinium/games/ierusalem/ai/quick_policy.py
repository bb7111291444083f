"""Quick policy that finishes a turn in the rollouts of a search.

It answers only the questions that take most of the time: the space at the Supper, and the steps at the end of nearly
every turn.
"""

from typing import Final

from triclinium.engine.core.state import ASK, Option, Seat
from triclinium.games.ierusalem.ai.card_values import DENARIUS_VALUE, estimate_space
from triclinium.games.ierusalem.rules.actions.favor import DoFavor, FavorTo
from triclinium.games.ierusalem.rules.actions.parable import Listen
from triclinium.games.ierusalem.rules.actions.redistribute import Rearrange
from triclinium.games.ierusalem.rules.actions.reward import TakeOffering
from triclinium.games.ierusalem.rules.actions.supper import Go, Leave
from triclinium.games.ierusalem.rules.actions.visit import SeatApostle
from triclinium.games.ierusalem.rules.constants import GIVES_DENARII, GIVES_JESUS, GIVES_VP
from triclinium.games.ierusalem.rules.scoring import count_shade_points
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.turn import BuyMahane, Warehouse
from triclinium.games.ierusalem.rules.verbs import GO, LISTEN, OFFERING, SEAT, SKIP, TO, WASTE

REWARD_VALUE: Final = 1.0  # approximate value in VP of a card, a call or an Offering
RIVAL_WEIGHT: Final = 0.3  # cost in VP of one VP for a rival
ARRIVAL_VALUE: Final = 2.0  # value in VP of a Follower at the Supper on any space, for Parables, Judgments and the end


def choose_quick_option(s: Ierusalem) -> Option:
    """Return the option of the quick policy, or ASK if the question needs more than it offers."""
    step = s.stack[-1]
    if isinstance(step, BuyMahane):
        return SKIP
    if isinstance(step, TakeOffering):
        return OFFERING if s.count_filled_spaces(step.who) < s.count_camp_spaces(step.who) else SKIP
    if isinstance(step, Go):
        return choose_space(s, step.free)
    if isinstance(step, Leave):
        return s.legal[1]  # Tied Locations are nearly equivalent.
    if isinstance(step, Rearrange):
        return s.legal[0]  # The remaining cards stay where they are.
    if isinstance(step, Listen):
        return LISTEN
    if isinstance(step, DoFavor):
        return s.legal[1] if len(s.legal) > 1 else SKIP  # Markers are equivalent before the receiver is known.
    if isinstance(step, FavorTo):
        return choose_poorest_rival(s)
    if isinstance(step, SeatApostle):
        return choose_seat(s, step.who, s.c.shade[step.apostle])
    if isinstance(step, Warehouse):
        return choose_cheapest_good(s)
    return ASK


def choose_space(s: Ierusalem, free: bool) -> Option:
    """IE-4.2  Return the space with the highest final value and reward minus its price."""
    c = s.c
    best = SKIP
    most = -ARRIVAL_VALUE
    for o in s.legal:
        if o != SKIP:
            space = o - GO
            total = estimate_space(s, space) + estimate_reward(s, space)
            if not free:
                for good in range(3):
                    total -= c.space_cost[space][good] * c.price[good] * DENARIUS_VALUE
            if total > most:
                most = total
                best = o
    return best


def estimate_reward(s: Ierusalem, space: int) -> float:
    """IE-4.3  Return the value of a space's reward in VP."""
    kind = s.c.space_reward[space]
    amount = s.c.space_amount[space]
    if kind < GIVES_DENARII:
        return amount * s.c.price[kind] * DENARIUS_VALUE
    if kind == GIVES_DENARII:
        return amount * DENARIUS_VALUE
    if kind == GIVES_VP:
        return float(amount)
    return 0.0 if kind >= GIVES_JESUS else REWARD_VALUE


def choose_seat(s: Ierusalem, who: Seat, shade: int) -> Option:
    """IE-2.10  Return the seat where an Apostle of this colour helps the player most and the rivals least."""
    best = s.legal[0]
    most = -1e30
    for o in s.legal:
        total = 0.0
        for other in range(s.seats):
            total += (1.0 if other == who else -RIVAL_WEIGHT) * count_shade_points(s, other, o - SEAT, shade)
        if total > most:
            most = total
            best = o
    return best


def choose_poorest_rival(s: Ierusalem) -> Option:
    """IE-4.5  Return the rival with the fewest VP, to whom a Favor does least harm."""
    best = s.legal[0]
    for o in s.legal[1:]:
        if s.get_vp(o - TO) < s.get_vp(best - TO):
            best = o
    return best


def choose_cheapest_good(s: Ierusalem) -> Option:
    """IE-2.18  Return the cheapest good to discard."""
    best = s.legal[0]
    for o in s.legal[1:]:
        if s.c.price[o - WASTE] < s.c.price[best - WASTE]:
            best = o
    return best
