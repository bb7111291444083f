"""Who is home, who plays on, and how those who are not home stand (LM-R15, LM-R16)."""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.games.missionnaires.rules.state import STOPPED, Missionnaires
from triclinium.games.missionnaires.rules.table_rules import EACH

HOLDINGS_BASE: Final = 128  # more than anybody holds of periodicals or BONS
DISTANCE_BASE: Final = 256  # more than any way home has spaces


def count_home(s: Missionnaires) -> int:
    """How many have come home; those who resigned have a rank too."""
    home = 0
    for seat in range(s.seats):
        if s.rank[seat] > 0 and not (s.resigned >> seat) & 1:
            home += 1
    return home


def is_decided(s: Missionnaires) -> bool:
    """LM-R15, LM-R24  Nobody plays on; or one does, whom nobody who stopped waits to be compared with."""
    playing = s.list_unfinished_seats()
    return not playing or (len(playing) == 1 and STOPPED not in s.rank)


def may_stop(s: Missionnaires) -> bool:
    """LM-R15  Once somebody is home, by the default each may stop."""
    return s.v.play_on == EACH and count_home(s) > 0


def make_rank_key(s: Missionnaires, seat: Seat) -> int:
    """LM-R16  What ranks one who is not home, the smaller the better: unvisited, BONS, way, periodicals lacking."""
    if s.rank[seat] == STOPPED:
        return s.rank_key_at_stop[seat]
    way_home = s.c.distance[s.at[seat]][s.c.bethel]
    lacking = s.c.periodicals_max - s.periodicals[seat]
    return (
        (len(s.hand[seat]) * HOLDINGS_BASE + len(s.bons[seat])) * DISTANCE_BASE + way_home
    ) * HOLDINGS_BASE + lacking


def unpack_rank_key(key: int) -> tuple[int, int, int]:
    """Of a standing: congregations left, BONS left, spaces from the Bethel."""
    return (
        key // (HOLDINGS_BASE * DISTANCE_BASE * HOLDINGS_BASE),
        key // (HOLDINGS_BASE * DISTANCE_BASE) % HOLDINGS_BASE,
        key // HOLDINGS_BASE % DISTANCE_BASE,
    )
