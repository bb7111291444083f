"""The course of a match that is over: how it stood after every move, and from where on nothing was left to decide."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from triclinium.bots.analysis import chances
from triclinium.bots.core.value import finish, result_shares, value
from triclinium.bots.time_slices import Sliced, TaskClock, complete
from triclinium.engine.core.errors import BadRecord
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record, replay_one

PIECE = 1.0  # seconds that a piece takes, about

GLANCES = 2  # worlds in which a decision is looked at for a first estimate
OPTIONS = 24  # options, at most, that this estimate compares with the one that was played
POSITIONS = 160  # positions, about, that finishing their actions takes
LAST = 80  # last moves, at most, among which the search looks for the point where nothing was left to decide
WAYS = 3  # courses of chance that are tried from each of these moves
ENDINGS = 600  # positions, at most, that are searched from one move
ALL_ENDINGS = 4000  # positions, at most, that are searched for the whole match


@dataclass(frozen=True)
class Moment:
    """How a match stood after some of its moves, and a glance at what was decided there."""

    chances: list[float]  # each seat's share of the win
    decider: Seat  # who chose there among several options; NOBODY: nothing was to choose, or it was answered unasked
    cost: float = 0.0  # points that the choice seems to have cost
    drew: bool = False  # something came to light by it: a card was drawn, a die was thrown


def moments(record: Record, first: int, game: Game | None = None, automatic: Collection[int] = ()) -> list[Moment]:
    """The course of a finished match from so many moves on, as far as one piece of work goes.

    ``automatic`` are the options, from 0, that were given unasked: a record does not tell.
    """
    return complete(moments_in_slices(record, first, game, automatic))


def moments_in_slices(
    record: Record, first: int, game: Game | None = None, automatic: Collection[int] = ()
) -> Sliced[list[Moment]]:
    """Return the same as `moments`, in slices."""
    clock = TaskClock()
    found = record.title_for(game)
    if not record.replay(game=found).over:
        raise BadRecord("only a match that is over can be reviewed")
    s = record.replay(first, found)
    seen: list[Moment] = []
    for n in range(first, len(record.options) + 1):
        stands = [round(chance, 4) for chance in chances(found, s)]
        if s.over:
            seen.append(Moment(stands, NOBODY))
            break
        o, barrier = found.read(record.options[n]), s.undo_barrier
        offered = o in s.legal
        decider = s.who if offered and len(s.legal) > 1 and n not in automatic else NOBODY
        cost = 0.0 if decider == NOBODY else round(glance(found, s, o), 3)
        replay_one(found, s, n + 1, record.options[n])
        seen.append(Moment(stands, decider, cost, offered and s.undo_barrier != barrier))
        if clock.wall() > PIECE:
            break
        if clock.is_due():
            yield from clock.suspend()
    return seen


def glance(game: Game, s: State, o: Option) -> float:
    """What an option seems to cost, in points: a guess by the evaluation, which says where to search."""
    seat, ai, weights = s.who, game.evaluator, game.weights.each
    others = [other for other in s.legal if other != o]
    apart = max(1, -(-len(others) // OPTIONS))
    compared = [o, *others[::apart]]
    worth = [0.0] * len(compared)
    rng = Rng(1)
    each = POSITIONS // len(compared)
    for _ in range(GLANCES if game.secrets else 1):
        here = s.resample(seat, rng)
        for n, other in enumerate(compared):
            after = here.clone()
            after.choose(other)
            finish(ai, after, seat, weights, each)
            worth[n] += value(ai, after, seat, weights)
    return max(worth) - worth[0]


def exact(course: Sequence[Moment], end: int) -> list[Moment]:
    """The course with the result in place of estimates from where nothing is left to decide."""
    return [*course[:end], *(replace(moment, chances=course[-1].chances) for moment in course[end:])]


def settled(record: Record, game: Game | None = None) -> int:
    """After how many moves no decision could change who wins any more, the cards lying as they lay.

    Found by playing out everything that could have been chosen, back from the end as far as that goes.
    """
    return complete(settled_in_slices(record, game))


def settled_in_slices(record: Record, game: Game | None = None) -> Sliced[int]:
    """Return the same as `settled`, in slices."""
    clock = TaskClock()
    found = record.title_for(game)
    first = max(0, len(record.options) - LAST)
    s = record.replay(first, found)
    line: list[State] = []
    for n in range(first, len(record.options)):
        line.append(s.clone())
        replay_one(found, s, n + 1, record.options[n])
    result = result_shares(found.evaluator, s)
    n, looked = len(record.options), 0
    while line and looked < ALL_ENDINGS:
        came = _endings(found, line.pop(), result)
        if came is None:
            break
        looked += came
        n -= 1
        if clock.is_due():
            yield from clock.suspend()
    return n


def _endings(game: Game, s: State, result: list[float]) -> int | None:
    """How many positions were looked at until every ending was seen to have this result; None: not every one has.

    Where chance is still to come, it comes in several ways.
    """
    looked = 0
    for way in range(WAYS):
        ahead, chance = [s.clone()], False
        if way:
            ahead[0].rng = Rng(way)
        while ahead:
            t = ahead.pop()
            if t.over and result_shares(game.evaluator, t) != result:
                return None
            looked += len(t.legal)
            if looked > ENDINGS:
                return None
            for o in t.legal:
                after = t.clone()
                after.choose(o)
                chance = chance or after.rng.state_key() != t.rng.state_key()
                ahead.append(after)
        if not chance:
            break
    return looked
