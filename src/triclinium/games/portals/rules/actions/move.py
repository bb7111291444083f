"""Move (PP-6): one action for one road, or from portal to portal."""

from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import NOBODY, Option, Seat
from triclinium.games.portals.rules.components import MOVE, Place
from triclinium.games.portals.rules.events import MOVED, PORTALLED
from triclinium.games.portals.rules.refusals import NO_ACTION_LEFT, NO_ROAD, OCCUPIED
from triclinium.games.portals.rules.state import Portals


def list_moves(s: Portals, who: Seat, legal: list[Option]) -> None:
    """PP-6.1, PP-6.2  Add to ``legal`` every free neighbouring place and, from a portal, every free portal place."""
    here = s.pawns[who]
    blocked = s.compute_occupied_mask()
    near = s.c.neighbour_masks[here]
    if (s.portals >> here) & 1:
        near |= s.portals
    elif near & blocked == 0:  # No pawn blocks a neighbouring place, which is the usual case.
        legal += s.c.road_moves[here]
        return
    near &= ~blocked
    while near != 0:
        lowest = near & -near
        legal.append(MOVE + lowest.bit_length() - 1)
        near ^= lowest


def forbids_move(s: Portals, who: Seat, place: Place) -> Rule | None:
    """PP-6.1, PP-6.2  Return the rule against a move, or None.

    A road or two portals must join the places, and no pawn may be on the destination.
    """
    if s.actions == 0:
        return NO_ACTION_LEFT
    here = s.pawns[who]
    by_portal = place != here and (s.portals >> here) & (s.portals >> place) & 1 == 1
    if not by_portal and place not in s.c.neighbours[here]:
        return NO_ROAD
    if s.find_pawn(place) != NOBODY:
        return OCCUPIED
    return None


def move_pawn(s: Portals, who: Seat, place: Place) -> None:
    """PP-6.3  Move a pawn one step."""
    s.actions -= 1
    here = s.pawns[who]
    s.pawns[who] = place
    if s.events is not None:
        by_road = place in s.c.neighbours[here]
        s.emit(MOVED if by_road else PORTALLED, who, (place,), "PP-6.1")
