"""The result: ranks by arrival, and for those still under way by what they lack (LM-9.2, LM-R16, LM-R24)."""

from triclinium.engine.core.score import Line, Score
from triclinium.engine.core.state import Seat
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.missionnaires.rules.turn import finished


def scores(s: Missionnaires) -> list[Score]:
    """The rank is the result of this game, which knows no points (LM-9.2); beside it, the congregations visited."""
    home = finished(s)
    under_way = s.unfinished()
    found: list[Score] = []
    for seat in range(s.seats):
        rank = s.rank[seat]
        if rank == 0:
            mine = standing(s, seat)
            rank = home + 1 + sum([1 for other in under_way if standing(s, other) < mine])
        visited = s.visited[seat].bit_count()
        found.append(Score(seat, rank, None, [Line("visited", visited)]))
    return found


def standing(s: Missionnaires, seat: Seat) -> tuple[int, int, int, int]:
    """LM-R16  What ranks one who has not finished, the smaller the better."""
    way_home = s.c.distance[s.at[seat]][s.c.bethel]
    return (len(s.hand[seat]), len(s.bons[seat]), way_home, -s.periodicals[seat])
