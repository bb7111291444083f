"""Timelines of finished matches: the win probabilities after every move, and the move that decided the match."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from triclinium.bots.analysis import estimate_win_probabilities
from triclinium.bots.core.value import compute_result_shares, evaluate_position, finish_action
from triclinium.bots.time_slices import Sliced, TaskClock, run_to_end
from triclinium.engine.core.errors import BadRecord
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record, replay_option

CHUNK_SECONDS = 1.0  # approximate duration of one piece of work

ESTIMATE_WORLDS = 2  # number of worlds for a first estimate of a decision's cost
MAX_COMPARED_OPTIONS = 24  # maximum number of options that this estimate compares with the played one
MAX_ESTIMATE_POSITIONS = 160  # approximate number of positions for finishing their actions
MAX_LAST_MOVES = 80  # number of last moves that are searched for the point where the match was decided
CHANCE_SAMPLES = 3  # number of random futures tried from each of these moves
MAX_ENDING_POSITIONS = 600  # maximum number of positions searched from one move
MAX_TOTAL_ENDING_POSITIONS = 4000  # maximum number of positions searched for the whole match


@dataclass(frozen=True)
class TimelinePoint:
    """The win probabilities at one point of a match, with a first estimate of the decision made there."""

    chances: list[float]  # each seat's share of the win
    decider: Seat  # the seat that chose among several options; NOBODY without a choice or for an auto-reply
    cost: float = 0.0  # estimated cost of the choice in points
    drew: bool = False  # whether the move revealed something: a card was drawn or a die was thrown


def compute_timeline(
    record: Record, first: int, game: Game | None = None, automatic: Collection[int] = ()
) -> list[TimelinePoint]:
    """Return the timeline of a finished match from move ``first``, for about one second of work.

    ``automatic`` holds the indexes of options that auto-replies gave, because a record does not contain them. Raise
    BadRecord if the match is not finished.
    """
    return run_to_end(compute_timeline_in_slices(record, first, game, automatic))


def compute_timeline_in_slices(
    record: Record, first: int, game: Game | None = None, automatic: Collection[int] = ()
) -> Sliced[list[TimelinePoint]]:
    """Return the result of `compute_timeline`, in slices."""
    clock = TaskClock()
    record_game = record.find_game(game)
    if not record.replay(game=record_game).over:
        raise BadRecord("only a match that is over can be reviewed")
    s = record.replay(first, record_game)
    points: list[TimelinePoint] = []
    for n in range(first, len(record.options) + 1):
        probabilities = [round(chance, 4) for chance in estimate_win_probabilities(record_game, s)]
        if s.over:
            points.append(TimelinePoint(probabilities, NOBODY))
            break
        o, barrier = record_game.read(record.options[n]), s.undo_barrier
        is_legal = o in s.legal
        decider = s.who if is_legal and len(s.legal) > 1 and n not in automatic else NOBODY
        cost = 0.0 if decider == NOBODY else round(estimate_cost(record_game, s, o), 3)
        replay_option(record_game, s, n + 1, record.options[n])
        points.append(TimelinePoint(probabilities, decider, cost, is_legal and s.undo_barrier != barrier))
        if clock.measure_wall_seconds() > CHUNK_SECONDS:
            break
        if clock.is_slice_over():
            yield from clock.suspend()
    return points


def estimate_cost(game: Game, s: State, o: Option) -> float:
    """Return a rough estimate of an option's cost in points. It selects the decisions for a search."""
    seat, ai, weights = s.who, game.evaluator, game.weights.values
    others = [other for other in s.legal if other != o]
    stride = max(1, -(-len(others) // MAX_COMPARED_OPTIONS))
    compared = [o, *others[::stride]]
    worth = [0.0] * len(compared)
    rng = Rng(1)
    each = MAX_ESTIMATE_POSITIONS // len(compared)
    for _ in range(ESTIMATE_WORLDS if game.has_secrets else 1):
        here = s.resample(seat, rng)
        for n, other in enumerate(compared):
            after = here.clone()
            after.choose(other)
            finish_action(ai, after, seat, weights, each)
            worth[n] += evaluate_position(ai, after, seat, weights)
    return max(worth) - worth[0]


def apply_final_result(timeline: Sequence[TimelinePoint], end: int) -> list[TimelinePoint]:
    """Return the timeline with the result in place of estimates after the match was decided."""
    return [*timeline[:end], *(replace(point, chances=timeline[-1].chances) for point in timeline[end:])]


def find_decided_move(record: Record, game: Game | None = None) -> int:
    """Return the number of moves after which no decision could change the winner with these cards.

    It plays out all possible choices, going back from the end as far as the limits allow.
    """
    return run_to_end(find_decided_move_in_slices(record, game))


def find_decided_move_in_slices(record: Record, game: Game | None = None) -> Sliced[int]:
    """Return the result of `find_decided_move`, in slices."""
    clock = TaskClock()
    record_game = record.find_game(game)
    first = max(0, len(record.options) - MAX_LAST_MOVES)
    s = record.replay(first, record_game)
    states: list[State] = []
    for n in range(first, len(record.options)):
        states.append(s.clone())
        replay_option(record_game, s, n + 1, record.options[n])
    result = compute_result_shares(record_game.evaluator, s)
    n, positions_seen = len(record.options), 0
    while states and positions_seen < MAX_TOTAL_ENDING_POSITIONS:
        position_count = _count_endings(record_game, states.pop(), result)
        if position_count is None:
            break
        positions_seen += position_count
        n -= 1
        if clock.is_slice_over():
            yield from clock.suspend()
    return n


def _count_endings(game: Game, s: State, result: list[float]) -> int | None:
    """Return the number of positions searched if every ending has this result. Otherwise return None.

    If random events are still to come, several random futures are tried.
    """
    positions_seen = 0
    for sample in range(CHANCE_SAMPLES):
        ahead, chance = [s.clone()], False
        ahead[0].rng = Rng(sample)
        while ahead:
            t = ahead.pop()
            if t.over and compute_result_shares(game.evaluator, t) != result:
                return None
            positions_seen += len(t.legal)
            if positions_seen > MAX_ENDING_POSITIONS:
                return None
            for o in t.legal:
                after = t.clone()
                after.choose(o)
                chance = chance or after.rng.state_key() != t.rng.state_key()
                ahead.append(after)
        if not chance:
            break
    return positions_seen
