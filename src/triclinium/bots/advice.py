"""What the strong bot thinks, for people: a hint for the seat that is asked, and the review of a match that is over.

Both take a record, so that a worker process can be asked; a hint is computed as any choice of a bot, in worlds that
its seat cannot tell from the true one.
"""

from collections.abc import Callable
from dataclasses import dataclass

from triclinium.bots.bot import Asked
from triclinium.bots.budget import Budget
from triclinium.bots.judge import result_shares, settle_down, shares
from triclinium.bots.search import Strong
from triclinium.bots.tree import Tree
from triclinium.kernel.errors import BadRecord
from triclinium.kernel.record import Record, replay_one
from triclinium.kernel.rng import Rng
from triclinium.kernel.state import Option, Seat, State
from triclinium.kernel.title import Title

HINTS = 3
SWINGS = 3
WORLDS = 4  # chance differs from world to world: the chances are averaged


@dataclass(frozen=True)
class Advice:
    """One option, as the bot sees it."""

    option: str  # in notation
    chance: float  # the seat's share of the win after it
    share: float  # of the search that went into it: how sure the bot is


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
class Review:
    """A match looked back upon."""

    chances: list[list[float]]  # each seat's chance after 0, 1, 2 ... moves
    swings: list[Swing]  # the largest, in the order of play


def hint(record: Record, budget: Budget, seed: int, most: int = HINTS, title: Title | None = None) -> list[Advice]:
    """The best options of the seat that is asked, the best first; none when the match is over."""
    found = record.title_for(title)
    s = record.replay(title=found)
    return [] if s.over else advise(found, s, budget, seed, most)


def advise(title: Title, s: State, budget: Budget, seed: int, most: int = HINTS) -> list[Advice]:
    """The same from a state, which is not handed on."""
    if len(s.legal) == 1:
        return [Advice(title.say(s.legal[0]), chances(title, s)[s.who], 1.0)]
    rng = Rng(seed)
    tree = Strong(title).search(Asked(s.resample(s.who, rng), s.who, rng, budget))
    return _ranked(title, tree, s.legal, most)


def _ranked(title: Title, tree: Tree, legal: list[Option], most: int) -> list[Advice]:
    visits = max(1, tree.root.visits)
    return [
        Advice(title.say(node.option), round(node.mean(), 4), round(node.visits / visits, 4))
        for node in tree.ranked(legal)[:most]
        if node.visits
    ]


def review(
    record: Record,
    budget: Budget,
    seed: int,
    title: Title | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Look back upon a match that is over, with open cards; raises BadRecord for one that is not."""
    found = record.title_for(title)
    s = record.deal(found)
    positions: list[State] = []
    course: list[list[float]] = []
    for n, text in enumerate(record.options, start=1):
        positions.append(s.clone())
        course.append(chances(found, s))
        replay_one(found, s, n, text)
        if progress is not None:
            progress(n, len(record.options))
    if not s.over:
        raise BadRecord("only a match that is over can be reviewed")
    course.append(chances(found, s))
    swings = [_swing(found, record, positions[n], n, course, budget, seed) for n in _largest(positions, course)]
    return Review([[round(chance, 4) for chance in row] for row in course], swings)


def chances(title: Title, s: State) -> list[float]:
    """Each seat's share of the win as the position stands, all cards open, what is half done finished."""
    if s.over:
        return result_shares(s)
    total = [0.0 for _ in range(s.seats)]
    for world in range(WORLDS):
        t = s.clone()
        t.rng = Rng(world)  # chance to come is nobody's knowledge
        settle_down(t, title.weights)
        for seat, share in enumerate(shares(t, title.weights, title.scale)):
            total[seat] += share / WORLDS
    return total


def _largest(positions: list[State], course: list[list[float]]) -> list[int]:
    """The decisions that changed their seat's chance most, in the order of play."""
    asked = [n for n, s in enumerate(positions) if len(s.legal) > 1]
    asked.sort(key=lambda n: (-abs(course[n + 1][positions[n].who] - course[n][positions[n].who]), n))
    return sorted(asked[:SWINGS])


def _swing(
    title: Title, record: Record, s: State, n: int, course: list[list[float]], budget: Budget, seed: int
) -> Swing:
    before, after = round(course[n][s.who], 4), round(course[n + 1][s.who], 4)
    return Swing(n, s.who, record.options[n], before, after, tuple(advise(title, s, budget, seed + n)))
