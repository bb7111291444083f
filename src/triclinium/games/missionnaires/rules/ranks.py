"""Ranks of players at home and of those still on the way (LM-R15, LM-R16)."""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.games.missionnaires.rules.state import STOPPED, Missionnaires
from triclinium.games.missionnaires.rules.table_rules import EACH

HOLDINGS_BASE: Final = 128  # base above any number of periodicals or BONS that a player can hold
DISTANCE_BASE: Final = 256  # base above any distance home


def count_home(s: Missionnaires) -> int:
    """Return the number of players who came home; players who resigned have a rank too, but do not count."""
    home = 0
    for seat in range(s.seats):
        if s.rank[seat] > 0 and not (s.resigned >> seat) & 1:
            home += 1
    return home


def is_decided(s: Missionnaires) -> bool:
    """LM-R15, LM-R24  Return whether the ranks are final.

    They are final if no player plays on. They are also final if one player plays on and no other player, with whom that
    player would be compared, has stopped.
    """
    playing = s.list_unfinished_seats()
    return not playing or (len(playing) == 1 and STOPPED not in s.rank)


def may_stop(s: Missionnaires) -> bool:
    """LM-R15  Return whether players may stop now: by default, as soon as one player is home."""
    return s.v.play_on == EACH and count_home(s) > 0


def make_rank_key(s: Missionnaires, seat: Seat) -> int:
    """LM-R16  Return the rank key of a player who is not home; smaller is better.

    It packs unvisited congregations, BONS, the distance home and missing periodicals.
    """
    if s.rank[seat] == STOPPED:
        return s.rank_key_at_stop[seat]
    way_home = s.c.distance[s.at[seat]][s.c.bethel]
    lacking = s.c.periodicals_max - s.periodicals[seat]
    return (
        (len(s.hand[seat]) * HOLDINGS_BASE + len(s.bons[seat])) * DISTANCE_BASE + way_home
    ) * HOLDINGS_BASE + lacking


def unpack_rank_key(key: int) -> tuple[int, int, int]:
    """Return the parts of a rank key: congregations left, BONS left, and spaces from the Bethel."""
    return (
        key // (HOLDINGS_BASE * DISTANCE_BASE * HOLDINGS_BASE),
        key // (HOLDINGS_BASE * DISTANCE_BASE) % HOLDINGS_BASE,
        key // HOLDINGS_BASE % DISTANCE_BASE,
    )
