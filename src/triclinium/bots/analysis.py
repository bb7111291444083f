"""What the strong bot thinks, for people: a hint for the seat that is asked, and the review of a match that is over.

Both take a record, so that a worker process can be asked; a hint is computed as any choice of a bot, in worlds that
its seat cannot tell from the true one. A review is made in pieces that last about a second each, so that whoever asks
for one can show how far it is, and other work gets its turn in between.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from triclinium.bots.base import Asked
from triclinium.bots.budget import Budget
from triclinium.bots.core.tree import Tree
from triclinium.bots.core.value import ValueModel, result_shares, settle_down
from triclinium.bots.reasons import Reason, compare
from triclinium.bots.search import Strong
from triclinium.engine.core.errors import BadRecord
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record, replay_one

HINTS = 3
TOLD = 0.005  # chances are told in percent: what is nearer than this reads the same
FOR_REASONS = 0.1  # of the time that is searched, and what is begun is finished
SWINGS = 3
PIECE = 1.0  # seconds that a piece of a review takes, about
WORLDS = 4  # chance differs from world to world: the chances are averaged


@dataclass(frozen=True)
class Advice:
    """One option, as the bot sees it."""

    option: str  # in notation
    chance: float  # the seat's share of the win after it
    share: float  # of the search that went into it: how sure the bot is
    error: float = 0.0  # of the chance, as the search scattered
    equal: bool = False  # to the best, as far as the errors let the bot tell; both then have the same chance
    reasons: tuple[Reason, ...] = ()  # what the best has that this one has not, and its price


@dataclass(frozen=True)
class Swing:
    """A decision after which the chances stood differently."""

    move: int  # the position before it: the number of moves played until then
    seat: Seat
    played: str
    before: float  # the deciding seat's chance
    after: float
    better: tuple[Advice, ...]  # what the bot would have played, the best first


@dataclass(frozen=True)
class Moment:
    """How a match stood after some of its moves."""

    chances: list[float]  # each seat's share of the win
    decider: Seat  # who chose there among several options; NOBODY: there was nothing to choose


@dataclass(frozen=True)
class Review:
    """A match looked back upon."""

    chances: list[list[float]]  # each seat's chance after 0, 1, 2 ... moves
    swings: list[Swing]  # the largest, in the order of play


def hint(
    record: Record, budget: Budget, seed: int, most: int = HINTS, game: Game | None = None, mine: str = ""
) -> list[Advice]:
    """The best options of the seat that is asked, the best first; none when the match is over."""
    found = record.title_for(game)
    s = record.replay(game=found)
    return [] if s.over else advise(found, s, budget, seed, most, mine)


def advise(game: Game, s: State, budget: Budget, seed: int, most: int = HINTS, mine: str = "") -> list[Advice]:
    """The same from a state, which is not handed on; ``mine`` is an option, in notation, that is told of anyway."""
    rng = Rng(seed)
    if len(s.legal) == 1:
        chance = chances(game, s.resample(s.who, rng))[s.who]  # the open cards are nobody's to judge by
        return [Advice(game.say(s.legal[0]), round(chance, 4), 1.0)]
    world = s.resample(s.who, rng)
    tree = Strong(game).search(Asked(game, world, s.who, rng, budget))
    found = grouped(_tried(game, tree, world, most, mine))
    better, *others = [game.read(one.option) for one in found]
    whys = compare(game, world, s.who, better, others, seed, budget.seconds * FOR_REASONS)
    return [found[0], *(replace(one, reasons=tuple(why)) for one, why in zip(found[1:], whys, strict=True))]


def _tried(game: Game, tree: Tree, world: State, most: int, mine: str) -> list[Advice]:
    """The options that were tried most, and the reader's own: the evaluation speaks of it where it was never tried."""
    visits = max(1, tree.root.visits)
    found: list[Advice] = []
    for node in tree.ranked(world.legal):
        text = game.say(node.option)
        if node.visits and (len(found) < most or text == mine):
            error = tree.deviation / math.sqrt(node.visits)
            found.append(Advice(text, node.mean(), node.visits / visits, error))
        elif text == mine:
            after = world.clone()
            after.choose(node.option)
            found.append(Advice(text, chances(game, after)[tree.seat], 0.0, tree.deviation))
    return [_calibrated(game, world, one) for one in found]


def _calibrated(game: Game, world: State, one: Advice) -> Advice:
    """The chance as it comes true, and its error in proportion."""
    progress = game.evaluator.progress(world)  # of this world: the true one's may hang on hidden cards

    def true(chance: float) -> float:
        return game.calibration.chance(chance, world.seats, progress)

    error = (true(one.chance + one.error) - true(one.chance - one.error)) / 2 if game.calibration.lines else one.error
    return replace(one, chance=true(one.chance), error=error)


def grouped(tried: list[Advice]) -> list[Advice]:
    """What errors do not let the bot tell from the best stands right after it, with the same chance."""
    best, *others = tried
    alike = [best, *(one for one in others if best.chance - one.chance <= max(TOLD, math.hypot(one.error, best.error)))]
    chance = sum(one.chance * one.share for one in alike) / sum(one.share for one in alike)
    equal = [replace(one, chance=chance, equal=one is not best) for one in alike]
    worse = sorted((one for one in others if one not in alike), key=lambda one: -one.chance)
    return [
        replace(one, chance=round(one.chance, 4), share=round(one.share, 4), error=round(one.error, 4))
        for one in (*equal, *worse)
    ]


def percent(chance: float) -> int:
    """Out of a hundred; an estimate is never quite sure."""
    return min(99, max(1, round(chance * 100)))


def review(
    record: Record,
    budget: Budget,
    seed: int,
    game: Game | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Look back upon a match that is over, with open cards; raises BadRecord for one that is not."""
    positions = len(record.options) + 1
    course: list[Moment] = []
    while len(course) < positions:
        course += moments(record, len(course), game)
        if progress is not None:
            progress(len(course), positions)
    swings = [swing(record, course, n, budget, seed, game) for n in largest(course)]
    return Review([moment.chances for moment in course], swings)


def moments(record: Record, first: int, game: Game | None = None) -> list[Moment]:
    """The course of a finished match from so many moves on, as far as one piece of work goes."""
    found = record.title_for(game)
    if not record.replay(game=found).over:
        raise BadRecord("only a match that is over can be reviewed")
    s = record.replay(first, found)
    end = time.monotonic() + PIECE
    seen: list[Moment] = []
    for n in range(first, len(record.options) + 1):
        if n > first:
            replay_one(found, s, n, record.options[n - 1])
        stands = [round(chance, 4) for chance in chances(found, s)]
        seen.append(Moment(stands, s.who if not s.over and len(s.legal) > 1 else NOBODY))
        if time.monotonic() > end:
            break
    return seen


def chances(game: Game, s: State) -> list[float]:
    """Each seat's share of the win as the position stands, all cards open, what is half done finished."""
    if s.over:
        return result_shares(game.evaluator, s)
    model = ValueModel(game.evaluator, game.weights)
    total = [0.0 for _ in range(s.seats)]
    worlds = WORLDS if game.secrets else 1
    for world in range(worlds):
        t = s.clone()
        t.rng = Rng(world)  # chance to come is nobody's knowledge
        settle_down(game.evaluator, t, game.weights.each)
        for seat, share in enumerate(model.shares(t)):
            total[seat] += share / worlds
    return total


def largest(course: Sequence[Moment]) -> list[int]:
    """The decisions that changed their seat's chance most, in the order of play."""
    asked = [n for n, moment in enumerate(course[:-1]) if moment.decider != NOBODY]
    asked.sort(key=lambda n: (-abs(_change(course, n)), n))
    return sorted(asked[:SWINGS])


def _change(course: Sequence[Moment], n: int) -> float:
    """By how much the decision after n moves changed the chance of who made it."""
    who = course[n].decider
    return course[n + 1].chances[who] - course[n].chances[who]


def swing(
    record: Record, course: Sequence[Moment], n: int, budget: Budget, seed: int, game: Game | None = None
) -> Swing:
    """What was decided after n moves, and what the bot would have played there, knowing what the seat knew."""
    found = record.title_for(game)
    who = course[n].decider
    better = advise(found, record.replay(n, found), budget, seed + n)
    return Swing(n, who, record.options[n], course[n].chances[who], course[n + 1].chances[who], tuple(better))
