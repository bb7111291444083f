"""Result: ranks by arrival, and by what is missing for players not home (LM-9.2, LM-R15, LM-R16, LM-R24)."""

from triclinium.engine.core.score import Score, ScoreSheetLine
from triclinium.engine.core.state import Seat
from triclinium.games.missionnaires.rules.ranks import count_home, make_rank_key, unpack_rank_key
from triclinium.games.missionnaires.rules.state import Missionnaires


def scores(s: Missionnaires) -> list[Score]:
    """Return the ranks, which are the result of this game without points (LM-9.2), with the facts behind them."""
    home = count_home(s)
    lacking = [make_rank_key(s, seat) for seat in range(s.seats) if s.rank[seat] <= 0]
    seat_scores: list[Score] = []
    for seat in range(s.seats):
        rank = s.rank[seat]
        if rank <= 0:
            mine = make_rank_key(s, seat)
            rank = home + 1 + sum([1 for other in lacking if other < mine])
        lines = [ScoreSheetLine("visited", s.visited[seat].bit_count()), *rank_score_lines(s, seat)]
        seat_scores.append(Score(seat, rank, None, lines))
    return seat_scores


def rank_score_lines(s: Missionnaires, seat: Seat) -> list[ScoreSheetLine]:
    """LM-9.2, LM-R16  Return the facts behind a rank: turns, including missed ones, and what is missing to be home."""
    lacking = (0, 0, 0) if s.rank[seat] > 0 else unpack_rank_key(make_rank_key(s, seat))
    turns = s.ended_round[seat] or s.round
    return [
        ScoreSheetLine("turns", turns),
        ScoreSheetLine("left", lacking[0]),
        ScoreSheetLine("bons", lacking[1]),
        ScoreSheetLine("away", lacking[2]),
    ]
