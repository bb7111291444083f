"""The result: ranks by arrival, and for those not home by what they lack (LM-9.2, LM-R15, LM-R16, LM-R24)."""

from triclinium.engine.core.score import Line, Score
from triclinium.engine.core.state import Seat
from triclinium.games.missionnaires.rules.ranks import finished, standing, unpacked
from triclinium.games.missionnaires.rules.state import Missionnaires


def scores(s: Missionnaires) -> list[Score]:
    """The rank is the result of this game, which knows no points (LM-9.2); beside it, what it goes by."""
    home = finished(s)
    lacking = [standing(s, seat) for seat in range(s.seats) if s.rank[seat] <= 0]
    found: list[Score] = []
    for seat in range(s.seats):
        rank = s.rank[seat]
        if rank <= 0:
            mine = standing(s, seat)
            rank = home + 1 + sum([1 for other in lacking if other < mine])
        lines = [Line("visited", s.visited[seat].bit_count()), *reasons(s, seat)]
        found.append(Score(seat, rank, None, lines))
    return found


def reasons(s: Missionnaires, seat: Seat) -> list[Line]:
    """LM-9.2, LM-R16  What the rank goes by: turns, missed ones included, and what is lacking to be home."""
    lacking = (0, 0, 0) if s.rank[seat] > 0 else unpacked(standing(s, seat))
    turns = s.ended[seat] or s.round
    return [Line("turns", turns), Line("left", lacking[0]), Line("bons", lacking[1]), Line("away", lacking[2])]
