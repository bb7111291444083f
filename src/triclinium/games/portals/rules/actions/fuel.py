"""Exchange for fuel (PP-8.5 to PP-8.9): a free step that gives up a card with fuel icons."""

from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat
from triclinium.games.portals.rules.components import BURN, Card, insert_sorted
from triclinium.games.portals.rules.events import BURNT
from triclinium.games.portals.rules.refusals import GAUGE_FULL, NO_EXCHANGE, NO_FUEL, SAME_COLOUR, TWO_BURNT
from triclinium.games.portals.rules.state import Portals


def can_burn_any(s: Portals) -> bool:
    """PP-R24  Return whether, by public facts alone, the active player may still be able to burn a card."""
    if s.gauge == s.c.full or s.v.simplified or s.burnt == s.c.all_colours:
        return False
    return not (s.v.two_burns and has_burnt_two(s))


def has_burnt_two(s: Portals) -> bool:
    """Return whether two cards were burnt this turn. They always have two colours (PP-8.7)."""
    return s.burnt & (s.burnt - 1) != 0


def list_burns(s: Portals, who: Seat, legal: list[Option]) -> None:
    """PP-8.5, PP-8.7  Add to ``legal`` the cards in the hand whose fuel colour was not burnt this turn."""
    first = len(legal)
    colour_bit = s.c.colour_bit
    burnt = s.burnt
    for card in s.hands[who]:
        bit = colour_bit[card]
        if bit != 0 and bit & burnt == 0:
            insert_sorted(legal, BURN + card, first)


def forbids_burn(s: Portals, card: Card) -> Rule | None:
    """PP-8.5 to PP-8.7, PP-R16, PP-R17  Return the rule against burning a card, or None.

    The card needs fuel icons of a colour that was not burnt this turn, and the gauge must not be full. In the
    simplified variant there is no exchange (PP-12.2).
    """
    if s.v.simplified:
        return NO_EXCHANGE
    bit = s.c.colour_bit[card]
    if bit == 0:
        return NO_FUEL
    if s.gauge == s.c.full:
        return GAUGE_FULL
    if s.burnt & bit:
        return SAME_COLOUR
    if s.v.two_burns and has_burnt_two(s):
        return TWO_BURNT
    return None


def burn_card(s: Portals, who: Seat, card: Card) -> None:
    """PP-8.5, PP-8.6  Remove a card and raise the gauge by its icons, to Full at most."""
    s.remove_card(who, card)
    s.gone.append(card)
    s.burnt |= s.c.colour_bit[card]
    s.gauge = min(s.c.full, s.gauge + s.c.fuel[card])
    if s.events is not None:
        s.emit(BURNT, who, (card, s.gauge), "PP-8.5")
