"""Draw (PP-4): one action for a card from the row or the top card of a deck."""

from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat
from triclinium.games.portals.rules.components import DRAW, NEW, NONE, OLD, TAKE, Card, insert_sorted
from triclinium.games.portals.rules.events import DREW, REFILLED, TOOK
from triclinium.games.portals.rules.refusals import DECK_EMPTY, HAND_FULL, NEW_TOO_EARLY, NO_ACTION_LEFT
from triclinium.games.portals.rules.state import Portals


def list_draws(s: Portals, legal: list[Option]) -> None:
    """PP-4.1, PP-4.6  Add to ``legal`` the cards in the row and the top card of each open deck that is not empty."""
    for card in s.row:
        if card != NONE:
            insert_sorted(legal, TAKE + card, 0)
    if s.old:
        legal.append(DRAW)
    if s.new and s.capsule >= s.v.new_from:
        legal.append(DRAW + 1)


def forbids_take(s: Portals, who: Seat) -> Rule | None:
    """PP-4.1, PP-4.2  Return the rule against taking a card from the row, or None. It takes an action and room."""
    if s.actions == 0:
        return NO_ACTION_LEFT
    if len(s.hands[who]) >= s.c.hand_limit:
        return HAND_FULL
    return None


def forbids_draw(s: Portals, who: Seat, deck: int) -> Rule | None:
    """PP-4.1, PP-4.2, PP-4.6  Return the rule against drawing from a deck, or None.

    A draw costs an action, needs room in the hand, and needs a deck that is not empty and not closed (PP-R9).
    """
    rule = forbids_take(s, who)
    if rule is not None:
        return rule
    if not (s.old if deck == OLD else s.new):
        return DECK_EMPTY
    if deck == NEW and s.capsule < s.v.new_from:
        return NEW_TOO_EARLY
    return None


def take_card(s: Portals, who: Seat, card: Card) -> None:
    """PP-4.3, PP-4.4  Take a card from the row; the Old Testament deck fills the gap at once, unless it is empty."""
    s.actions -= 1
    space = 0
    while s.row[space] != card:
        space += 1
    s.add_card(who, card, True)
    filled = s.draw_top(OLD)
    s.row[space] = filled
    if filled != NONE:
        s.undo_barrier += 1
    if s.events is not None:
        s.emit(TOOK, who, (card,), "PP-4.1")
        if filled != NONE:
            s.emit(REFILLED, who, (filled,), "PP-4.3")


def draw_card(s: Portals, who: Seat, deck: int) -> None:
    """PP-4.1, PP-R32  Draw the top card of a deck. All players see its back, and only the drawer sees its face."""
    s.actions -= 1
    card = s.draw_top(deck)
    s.add_card(who, card, False)
    s.undo_barrier += 1
    if s.events is not None:
        s.emit(DREW, who, (deck,), "PP-4.1", (card,), 1 << who)
