"""A match that is over, looked back upon: what each seat's decisions cost it, and what chance did.

The course is each seat's chance after every move, all cards open. A decision is judged by search from what its seat
could know then: what the best option promised, and what the one that was played did. Chance is judged by what came of
the same option in worlds that the seat could not tell from the true one. From where no decision can change who wins,
the chances are the result itself.

It is made in pieces that last about a second each, so that whoever asks for one can show how far it is, and other work
gets its turn in between. Every piece takes a record, so that a worker process can be asked.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from triclinium.bots.analysis import Advice, chances, grouped, tried
from triclinium.bots.base import Asked
from triclinium.bots.budget import Budget
from triclinium.bots.core.tree import Tree
from triclinium.bots.explanations import Reason, why
from triclinium.bots.search import Strong
from triclinium.bots.time_slices import Sliced, TaskClock, complete
from triclinium.bots.timeline import Moment, exact, moments, settled
from triclinium.engine.core.event import Event
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record, replay_one

SWINGS = 3
DEAREST = 3  # costliest decisions of a seat that the review tells
JUDGED = 5  # decisions of a seat, the costliest by the first estimate, that are searched
FELT = 0.02  # a cost of a decision that is worth telling, in chance of winning
LUCKY = 0.03  # a change by luck that is worth telling, in chance of winning
STROKES = 40  # moves, at most, whose luck is measured
WORLDS = 6  # worlds in which the luck of a move is measured
KEPT = 12  # strokes of luck that a review keeps


@dataclass(frozen=True)
class Judged:
    """A decision as the bot sees it, by what its seat could know."""

    move: int  # the position before it: the number of moves played until then
    seat: Seat
    played: Advice
    better: tuple[Advice, ...]  # what the bot would have played, the best first

    @property
    def cost(self) -> float:
        """What it cost the seat, in chance to win."""
        return max(0.0, self.better[0].chance - self.played.chance) if self.better else 0.0


@dataclass(frozen=True)
class Swing:
    """A decision after which the chances stood differently."""

    move: int
    seat: Seat
    played: str
    before: float  # the deciding seat's chance
    after: float
    better: tuple[Advice, ...]


@dataclass(frozen=True)
class Stroke:
    """What chance did."""

    move: int
    seat: Seat  # whose decision it came with
    luck: list[float]  # by how much more, or less, than was to be expected each seat's chance changed
    events: list[int]  # the places of those events of the move that chance brought about


@dataclass(frozen=True)
class Review:
    """A match looked back upon."""

    chances: list[list[float]]  # each seat's chance after 0, 1, 2 ... moves
    settled: int  # after so many moves no decision could change who wins: from there on the chances are exact
    swings: list[Swing]  # the largest that were decided, in the order of play
    dearest: list[Judged]  # of each seat those that cost it most, the dearest first
    strokes: list[Stroke]  # in the order of play

    def dumps(self) -> dict[str, object]:
        """As JSON holds it."""
        return asdict(self)

    @staticmethod
    def loads(facts: Mapping[str, list[dict[str, object]]]) -> "Review":
        """Return the review that `dumps` has written."""
        told = [Stroke(**one) for one in facts["strokes"]]  # type: ignore[arg-type]
        swings = [Swing(**{**one, "better": _advices(one["better"])}) for one in facts["swings"]]  # type: ignore[arg-type]
        dearest = [
            Judged(**{**one, "played": _advices([one["played"]])[0], "better": _advices(one["better"])})  # type: ignore[arg-type]
            for one in facts["dearest"]
        ]
        return Review(facts["chances"], facts["settled"], swings, dearest, told)  # type: ignore[arg-type]

    def of_seat(self, seat: Seat) -> list[Judged]:
        """The dearest decisions of one seat."""
        return [one for one in self.dearest if one.seat == seat]

    def luck_of(self, seat: Seat, most: int = DEAREST) -> list[Stroke]:
        """What chance did to one seat, the largest strokes, in the order of play."""
        felt = [one for one in self.strokes if abs(one.luck[seat]) >= LUCKY]
        felt.sort(key=lambda one: -abs(one.luck[seat]))
        return sorted(felt[:most], key=lambda one: one.move)


def _advices(facts: object) -> tuple[Advice, ...]:
    assert isinstance(facts, list | tuple)
    return tuple(Advice(**{**one, "reasons": tuple(map(_reason, one["reasons"]))}) for one in facts)


def _reason(facts: Mapping[str, object]) -> Reason:
    return Reason(**{**facts, "facts": tuple(facts["facts"])})  # type: ignore[arg-type]


def review(
    record: Record,
    budget: Budget,
    seed: int,
    game: Game | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Look back upon a match that is over; raises BadRecord for one that is not."""
    tell = progress or (lambda done, whole: None)
    positions = len(record.options) + 1
    course: list[Moment] = []
    while len(course) < positions:
        course += moments(record, len(course), game)
        tell(len(course), positions + 1)  # the decisions are still to come
    end = settled(record, game)
    course = exact(course, end)
    came = strokes(record, course, drawn(course), game)
    moves = to_judge(course, end, came)
    judged: dict[int, Judged] = {}
    for n in moves:
        judged[n] = judge(record, n, budget, seed, game)
        tell(positions + len(judged), positions + len(moves))
    return summed(course, end, came, judged)


# -- what chance did -------------------------------------------------------------------------------------------------


def drawn(course: Sequence[Moment]) -> list[int]:
    """The moves at which chance may have changed most, in the order of play."""
    found = [n for n, moment in enumerate(course[:-1]) if moment.drew]
    found.sort(key=lambda n: (-max(map(abs, _changes(course, n))), n))
    return sorted(found[:STROKES])


def _changes(course: Sequence[Moment], n: int) -> list[float]:
    """By how much the move after n moves changed each seat's chance."""
    return [after - before for before, after in zip(course[n].chances, course[n + 1].chances, strict=True)]


def strokes(record: Record, course: Sequence[Moment], moves: Sequence[int], game: Game | None = None) -> list[Stroke]:
    """What chance did at these moves, which are in the order of play."""
    return complete(strokes_in_slices(record, course, moves, game))


def strokes_in_slices(
    record: Record, course: Sequence[Moment], moves: Sequence[int], game: Game | None = None
) -> Sliced[list[Stroke]]:
    """Return the same as `strokes`, in slices."""
    clock = TaskClock()
    found = record.title_for(game)
    s = record.replay(0, found)
    told: list[Stroke] = []
    for n, text in enumerate(record.options[: moves[-1] + 1] if moves else ()):
        if n in moves:
            if clock.is_due():
                yield from clock.suspend()
            told.append(stroke(found, s, course, n, found.read(text)))
        replay_one(found, s, n + 1, text)
    return told


def stroke(game: Game, s: State, course: Sequence[Moment], n: int, o: Option) -> Stroke:
    """What chance did at one move, against what the same option does in other worlds of the seat that chose it."""
    who, rng = s.who, Rng(n + 1)
    last = n + 2 == len(course)  # the end itself is no estimate: results are compared, not how far they are from one
    expected = [0.0] * s.seats
    elsewhere: list[set[object]] = []
    for _ in range(WORLDS):
        t = s.resample(who, rng)
        before = [0.0] * s.seats if last else chances(game, t, 1)
        elsewhere.append({_fact(event) for event in _played(t, o)})
        for seat, chance in enumerate(chances(game, t, 1)):
            expected[seat] += (chance - before[seat]) / WORLDS
    events = _played(s.clone(), o)
    real = course[n + 1].chances if last else _changes(course, n)
    luck = [round(came - usual, 4) for came, usual in zip(real, expected, strict=True)]
    came = [i for i, event in enumerate(events) if 2 * sum(_fact(event) in heard for heard in elsewhere) < WORLDS]
    return Stroke(n, who, luck, came)


def _played(s: State, o: Option) -> list[Event]:
    """Play an option and listen."""
    s.events = []
    s.choose(o)
    return s.events


def _fact(event: Event) -> object:
    return event.kind, event.seat, event.facts, event.secrets


# -- decisions -------------------------------------------------------------------------------------------------------


def to_judge(course: Sequence[Moment], end: int, came: Iterable[Stroke]) -> list[int]:
    """The decisions that a search looks at: of every seat those that seem dearest, and the largest swings."""
    moves = set(largest(course, came))
    for seat in range(len(course[0].chances)):
        moves.update(_seem_dear(course[:end], seat))
    return sorted(moves)


def _seem_dear(course: Sequence[Moment], seat: Seat) -> list[int]:
    """The decisions of a seat that seem to have cost it most, no more than one of those that it made in a row."""
    best: dict[int, int] = {}
    row = 0
    for n, moment in enumerate(course):
        if moment.decider not in (seat, NOBODY):
            row = n
        if moment.decider == seat and moment.cost > 0 and (row not in best or moment.cost > course[best[row]].cost):
            best[row] = n
    return sorted(best.values(), key=lambda n: (-course[n].cost, n))[:JUDGED]


def judge(record: Record, n: int, budget: Budget, seed: int, game: Game | None = None) -> Judged:
    """What was decided after n moves, and what the bot would have played there, knowing what the seat knew."""
    return complete(judge_in_slices(record, n, budget, seed, game))


def judge_in_slices(record: Record, n: int, budget: Budget, seed: int, game: Game | None = None) -> Sliced[Judged]:
    """Return the same as `judge`, in slices."""
    found = record.title_for(game)
    s, o = record.replay(n, found), found.read(record.options[n])
    return (yield from judge_choice_in_slices(found, s, n, o, budget, seed + n))


def judge_choice(game: Game, s: State, n: int, o: Option, budget: Budget, seed: int) -> Judged:
    """The same from a state, which is not handed on."""
    return complete(judge_choice_in_slices(game, s, n, o, budget, seed))


def judge_choice_in_slices(game: Game, s: State, n: int, o: Option, budget: Budget, seed: int) -> Sliced[Judged]:
    """Return the same as `judge_choice`, in slices."""
    rng, own = Rng(seed), game.say(o)
    asked = Asked(game, s.resample(s.who, rng), s.who, rng, budget)
    tree = yield from Strong(game).search_in_slices(asked)
    yield from _try_as_often(tree, asked, o)
    best = grouped(tried(game, tree, asked.world, DEAREST, own))
    played = next(one for one in best if one.option == own)
    if played is not best[0]:
        reasons = why(game, asked.world, s.who, game.read(best[0].option), o, seed)
        played = replace(played, reasons=tuple(reasons))
    return Judged(n, s.who, played, tuple(best[:DEAREST]))


def _try_as_often(tree: Tree, asked: Asked, o: Option) -> Sliced[None]:
    """An option that was hardly tried has hardly been judged: it is tried half as often as the best one, in its worlds.

    That takes half as long as the search did, at most.
    """
    node = tree.ranked([o])[0]
    most = tree.ranked(asked.world.legal)[0].visits // 2
    clock, end = TaskClock(), asked.budget.seconds / 2
    while node.visits < max(1, most) and (asked.budget.iterations or clock.processor() < end or not node.visits):
        tree.walk(node, asked.world)
        if clock.is_due():
            yield from clock.suspend()


def largest(course: Sequence[Moment], came: Iterable[Stroke]) -> list[int]:
    """The decisions that changed their seat's chance most, but for what chance did, in the order of play."""
    lucky = {one.move: one.luck for one in came}

    def decided(n: int) -> float:
        who = course[n].decider
        change = _changes(course, n)[who]
        return abs(change - lucky[n][who] if n in lucky else change)

    asked = [n for n, moment in enumerate(course[:-1]) if moment.decider != NOBODY]
    asked.sort(key=lambda n: (-decided(n), n))
    return sorted(asked[:SWINGS])


def summed(course: Sequence[Moment], end: int, came: Sequence[Stroke], judged: Mapping[int, Judged]) -> Review:
    """The review, when every piece of it is there."""
    swings: list[Swing] = []
    for n in largest(course, came):
        who, found = course[n].decider, judged[n]
        before, after = course[n].chances[who], course[n + 1].chances[who]
        swings.append(Swing(n, who, found.played.option, before, after, found.better))
    dearest: list[Judged] = []
    for seat in range(len(course[0].chances)):
        own = [one for n, one in judged.items() if one.seat == seat and n < end and one.cost >= FELT]
        dearest += sorted(own, key=lambda one: (-one.cost, one.move))[:DEAREST]
    felt = [one for one in came if one.events and max(map(abs, one.luck)) >= LUCKY]
    felt.sort(key=lambda one: -max(map(abs, one.luck)))
    kept = sorted(felt[:KEPT], key=lambda one: one.move)
    return Review([moment.chances for moment in course], end, swings, dearest, kept)
