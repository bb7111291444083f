"""Reasons for the rank of a seat in a game without points (LM-9.2, LM-R16)."""

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Message
from triclinium.games.missionnaires.rules.ranks import make_rank_key, unpack_rank_key
from triclinium.games.missionnaires.rules.state import Missionnaires


def explain_rank(s: Missionnaires, seat: Seat) -> Message:
    """Return the number of turns to come home, including missed ones, or the reasons why the seat is not home."""
    if (s.resigned >> seat) & 1:
        return Message("left the match")
    if s.rank[seat] > 0:
        return Message("back home in {0} {0:turn|turns}", s.ended_round[seat])
    left, bons, away = unpack_rank_key(make_rank_key(s, seat))
    lacking = Message("{0} {0:congregation|congregations} left", left) if left else Message("everything visited")
    if bons:
        lacking = Message("{0}, {1}", lacking, Message("{0} {0:voucher|vouchers}", bons))
    return Message("{0}, {1}", lacking, Message("{0} {0:space|spaces} from the Bethel", away))
