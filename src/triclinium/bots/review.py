"""Reviews of finished matches: the cost of each seat's decisions, and luck.

The timeline holds each seat's win probability after every move, computed with all cards open. The cost of a decision is
the difference between the best and the played option. A search estimates it from the information that the seat had at
that time. Luck is measured against the results of the same option in worlds that the seat could not distinguish from
the true one. After the point where no decision can change the winner, the probabilities equal the result.

A review is computed in pieces of about one second, so that a caller can show progress and other work can run between
them. Every piece takes a record, so that a worker process can compute it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from triclinium.bots.analysis import Advice, estimate_win_probabilities, group_equal_options, list_tried_options
from triclinium.bots.base import DecisionRequest
from triclinium.bots.budget import Budget
from triclinium.bots.core.tree import SearchTree
from triclinium.bots.explanations import Reason, explain_choice
from triclinium.bots.search import Strong
from triclinium.bots.time_slices import Sliced, TaskClock, run_to_end
from triclinium.bots.timeline import TimelinePoint, apply_final_result, compute_timeline, find_decided_move
from triclinium.engine.core.event import Event
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record, replay_option

SWING_COUNT = 3
COSTLIEST_COUNT = 3  # number of a seat's costliest decisions in a review
SEARCHED_PER_SEAT = 5  # number of decisions of each seat that are searched; a first estimate of the cost selects them
MIN_COST = 0.005  # smallest cost worth a mention, in win probability
CLEAR_CHANCE = 0.05  # below this and above its complement, a loss of points counts as well
MIN_POINT_COST = 1.0  # smallest estimated cost worth a mention, in points, for a seat that has almost lost or won
MIN_GAIN = 0.01  # smallest gain worth a mention, in win probability
MIN_LUCK = 0.03  # smallest change by luck worth a mention, in win probability
MAX_LUCK_MOVES = 40  # maximum number of moves whose luck is measured
LUCK_WORLDS = 6  # number of worlds to measure the luck of a move
MAX_LUCK_EVENTS = 12  # maximum number of luck events in a review


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision and its rating by the bot, from the information that its seat had."""

    move: int  # number of moves played before the decision
    seat: Seat
    played: Advice
    better: tuple[Advice, ...]  # the bot's best options, the best first
    points: float = 0.0  # first estimate of the cost, in points

    @property
    def cost(self) -> float:
        """The cost of the decision in win probability."""
        return max(0.0, self.better[0].chance - self.played.chance) if self.better else 0.0

    @property
    def is_mistake(self) -> bool:
        """True if the decision cost something worth a mention.

        Where a seat has almost lost or won, the win probability hardly changes, so lost points count.
        """
        if self.cost >= MIN_COST:
            return True
        is_clear = not CLEAR_CHANCE <= self.played.chance <= 1 - CLEAR_CHANCE
        has_better = bool(self.better) and self.better[0].option != self.played.option
        return is_clear and has_better and self.points >= MIN_POINT_COST


@dataclass(frozen=True)
class GoodDecision:
    """A seat's own decision that raised its win probability, and that no other option beats by the first estimate."""

    move: int
    seat: Seat
    played: str
    before: float  # the seat's win probability
    after: float  # without the effect of luck


@dataclass(frozen=True)
class Swing:
    """A decision that changed the win probabilities strongly."""

    move: int
    seat: Seat
    played: str
    before: float  # the deciding seat's win probability
    after: float
    better: tuple[Advice, ...]


@dataclass(frozen=True)
class LuckEvent:
    """A move with an unexpected random result."""

    move: int
    seat: Seat  # the seat that decided the move
    luck: list[float]  # the unexpected change of each seat's win probability
    events: list[int]  # indexes of the random events among the move's events


@dataclass(frozen=True)
class Review:
    """The review of a match."""

    chances: list[list[float]]  # each seat's win probability after 0, 1, 2 ... moves
    settled: int  # number of moves after which no decision could change the winner, so that the probabilities are exact
    swings: list[Swing]  # the decisions with the largest changes, in the order of play
    costliest: list[ReviewedDecision]  # the costliest decisions of each seat, the costliest first
    luck_events: list[LuckEvent]  # the luck events in the order of play
    good: list[GoodDecision] = field(default_factory=list)  # the best decision of each seat that has one

    def dumps(self) -> dict[str, object]:
        """Return the review as JSON data."""
        return asdict(self)

    @staticmethod
    def loads(facts: Mapping[str, list[dict[str, object]]]) -> "Review":
        """Return the review from the JSON data of `dumps`."""
        luck_events = [LuckEvent(**entry) for entry in facts["luck_events"]]  # type: ignore[arg-type]
        swings = [
            Swing(**{**entry, "better": _read_advices(entry["better"])})  # type: ignore[arg-type]
            for entry in facts["swings"]
        ]
        decisions = [
            ReviewedDecision(**{**entry, **_read_choices(entry)})  # type: ignore[arg-type]
            for entry in facts["costliest"]
        ]
        good = [GoodDecision(**entry) for entry in facts.get("good", [])]  # type: ignore[arg-type]
        return Review(facts["chances"], facts["settled"], swings, decisions, luck_events, good)  # type: ignore[arg-type]

    def list_costliest_decisions(self, seat: Seat) -> list[ReviewedDecision]:
        """Return the costliest decisions of one seat."""
        return [decision for decision in self.costliest if decision.seat == seat]

    def find_good_decision(self, seat: Seat) -> GoodDecision | None:
        """Return the best decision of one seat, or None."""
        return next((decision for decision in self.good if decision.seat == seat), None)

    def list_luck_events(self, seat: Seat, max_events: int = COSTLIEST_COUNT) -> list[LuckEvent]:
        """Return the largest luck events for one seat, in the order of play."""
        events = [event for event in self.luck_events if abs(event.luck[seat]) >= MIN_LUCK]
        events.sort(key=lambda event: -abs(event.luck[seat]))
        return sorted(events[:max_events], key=lambda event: event.move)


def _read_choices(entry: Mapping[str, object]) -> dict[str, object]:
    return {"played": _read_advices([entry["played"]])[0], "better": _read_advices(entry["better"])}


def _read_advices(facts: object) -> tuple[Advice, ...]:
    assert isinstance(facts, list | tuple)
    return tuple(Advice(**{**entry, "reasons": tuple(map(_read_reason, entry["reasons"]))}) for entry in facts)


def _read_reason(facts: Mapping[str, object]) -> Reason:
    return Reason(**{**facts, "facts": tuple(facts["facts"])})  # type: ignore[arg-type]


def review_match(
    record: Record,
    budget: Budget,
    seed: int,
    game: Game | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Return the review of a finished match. Raise BadRecord for a match that is not finished."""
    report_progress = progress or (lambda done, whole: None)
    positions = len(record.options) + 1
    timeline: list[TimelinePoint] = []
    while len(timeline) < positions:
        timeline += compute_timeline(record, len(timeline), game)
        report_progress(len(timeline), positions + 1)  # one more step is counted for the decisions
    end = find_decided_move(record, game)
    timeline = apply_final_result(timeline, end)
    luck_events = measure_luck(record, timeline, find_chance_moves(timeline), game)
    moves = select_decisions(timeline, end, luck_events)
    decisions: dict[int, ReviewedDecision] = {}
    for n in moves:
        decisions[n] = review_decision(record, n, budget, seed, game)
        report_progress(positions + len(decisions), positions + len(moves))
    return assemble_review(timeline, end, luck_events, decisions, record.options)


# -- luck --------------------------------------------------------------------------------------------------------


def find_chance_moves(timeline: Sequence[TimelinePoint]) -> list[int]:
    """Return the random moves with the largest changes, in the order of play."""
    moves = [n for n, point in enumerate(timeline[:-1]) if point.drew]
    moves.sort(key=lambda n: (-max(map(abs, _compute_probability_changes(timeline, n))), n))
    return sorted(moves[:MAX_LUCK_MOVES])


def _compute_probability_changes(timeline: Sequence[TimelinePoint], n: int) -> list[float]:
    """Return the change of each seat's win probability by the move after n moves."""
    return [after - before for before, after in zip(timeline[n].chances, timeline[n + 1].chances, strict=True)]


def measure_luck(
    record: Record, timeline: Sequence[TimelinePoint], moves: Sequence[int], game: Game | None = None
) -> list[LuckEvent]:
    """Return the luck of these moves, which must be in the order of play."""
    return run_to_end(measure_luck_in_slices(record, timeline, moves, game))


def measure_luck_in_slices(
    record: Record, timeline: Sequence[TimelinePoint], moves: Sequence[int], game: Game | None = None
) -> Sliced[list[LuckEvent]]:
    """Return the result of `measure_luck`, in slices."""
    clock = TaskClock()
    record_game = record.find_game(game)
    s = record.replay(0, record_game)
    luck_events: list[LuckEvent] = []
    for n, text in enumerate(record.options[: moves[-1] + 1] if moves else ()):
        if n in moves:
            if clock.is_slice_over():
                yield from clock.suspend()
            luck_events.append(measure_move_luck(record_game, s, timeline, n, record_game.read(text)))
        replay_option(record_game, s, n + 1, text)
    return luck_events


def measure_move_luck(game: Game, s: State, timeline: Sequence[TimelinePoint], n: int, o: Option) -> LuckEvent:
    """Return the luck of one move, compared with the same option in other worlds of the seat that chose it."""
    who, rng = s.who, Rng(n + 1)
    last = n + 2 == len(timeline)  # at the end of the match the results themselves are compared, because they are exact
    expected = [0.0] * s.seats
    elsewhere: list[set[object]] = []
    for _ in range(LUCK_WORLDS):
        t = s.resample(who, rng)
        before = [0.0] * s.seats if last else estimate_win_probabilities(game, t, 1)
        elsewhere.append({_make_event_key(event) for event in _play_with_events(t, o)})
        for seat, chance in enumerate(estimate_win_probabilities(game, t, 1)):
            expected[seat] += (chance - before[seat]) / LUCK_WORLDS
    events = _play_with_events(s.clone(), o)
    real = timeline[n + 1].chances if last else _compute_probability_changes(timeline, n)
    luck = [round(chance_events - usual, 4) for chance_events, usual in zip(real, expected, strict=True)]
    chance_events = [
        i
        for i, event in enumerate(events)
        if 2 * sum(_make_event_key(event) in heard for heard in elsewhere) < LUCK_WORLDS
    ]
    return LuckEvent(n, who, luck, chance_events)


def _play_with_events(s: State, o: Option) -> list[Event]:
    """Play an option and return its events."""
    s.events = []
    s.choose(o)
    return s.events


def _make_event_key(event: Event) -> object:
    return event.kind, event.seat, event.facts, event.secrets


# -- decisions -------------------------------------------------------------------------------------------------------


def select_decisions(timeline: Sequence[TimelinePoint], end: int, luck_events: Iterable[LuckEvent]) -> list[int]:
    """Return the decisions to search: the costliest of every seat by a first estimate, and the largest swings."""
    moves = set(find_largest_swings(timeline, luck_events))
    for seat in range(len(timeline[0].chances)):
        moves.update(_rank_by_estimated_cost(timeline[:end], seat))
    return sorted(moves)


def _rank_by_estimated_cost(timeline: Sequence[TimelinePoint], seat: Seat) -> list[int]:
    """Return the costliest decisions of a seat by the first estimate, at most one of several in a row."""
    best: dict[int, int] = {}
    row_start = 0
    for n, point in enumerate(timeline):
        if point.decider not in (seat, NOBODY):
            row_start = n
        if (
            point.decider == seat
            and point.cost > 0
            and (row_start not in best or point.cost > timeline[best[row_start]].cost)
        ):
            best[row_start] = n
    return sorted(best.values(), key=lambda n: (-timeline[n].cost, n))[:SEARCHED_PER_SEAT]


def review_decision(record: Record, n: int, budget: Budget, seed: int, game: Game | None = None) -> ReviewedDecision:
    """Return the rating of the decision after n moves, from the information that the seat had."""
    return run_to_end(review_decision_in_slices(record, n, budget, seed, game))


def review_decision_in_slices(
    record: Record, n: int, budget: Budget, seed: int, game: Game | None = None
) -> Sliced[ReviewedDecision]:
    """Return the result of `review_decision`, in slices."""
    record_game = record.find_game(game)
    s, o = record.replay(n, record_game), record_game.read(record.options[n])
    return (yield from review_choice_in_slices(record_game, s, n, o, budget, seed + n))


def review_choice(game: Game, s: State, n: int, o: Option, budget: Budget, seed: int) -> ReviewedDecision:
    """Return the rating of option o in a state."""
    return run_to_end(review_choice_in_slices(game, s, n, o, budget, seed))


def review_choice_in_slices(
    game: Game, s: State, n: int, o: Option, budget: Budget, seed: int
) -> Sliced[ReviewedDecision]:
    """Return the result of `review_choice`, in slices."""
    rng, own = Rng(seed), game.format_option(o)
    request = DecisionRequest(game, s.resample(s.who, rng), s.who, rng, budget)
    tree = yield from Strong(game).search_in_slices(request)
    yield from _balance_visits(tree, request, o)
    best = group_equal_options(list_tried_options(game, tree, request.world, COSTLIEST_COUNT, own))
    played = next(advice for advice in best if advice.option == own)
    if played is not best[0]:
        reasons = explain_choice(game, request.world, s.who, game.read(best[0].option), o, seed)
        played = replace(played, reasons=tuple(reasons))
    return ReviewedDecision(n, s.who, played, tuple(best[:COSTLIEST_COUNT]))


def _balance_visits(tree: SearchTree, request: DecisionRequest, o: Option) -> Sliced[None]:
    """Give the played option at least half as many visits as the best one, because few visits mean a poor estimate.

    This takes at most half the time of the search.
    """
    node = tree.rank_nodes([o])[0]
    wanted_visits = tree.rank_nodes(request.world.legal)[0].visits // 2
    clock, end = TaskClock(), request.budget.seconds / 2
    while node.visits < max(1, wanted_visits) and (
        request.budget.iterations or clock.measure_processor_seconds() < end or not node.visits
    ):
        tree.run_iteration(node, request.world)
        if clock.is_slice_over():
            yield from clock.suspend()


def find_largest_swings(timeline: Sequence[TimelinePoint], luck_events: Iterable[LuckEvent]) -> list[int]:
    """Return the decisions that changed their seat's win probability most without the effect of luck.

    They are in the order of play.
    """
    changes = _compute_own_changes(timeline, luck_events)
    return sorted(sorted(changes, key=lambda n: (-abs(changes[n]), n))[:SWING_COUNT])


def _compute_own_changes(timeline: Sequence[TimelinePoint], luck_events: Iterable[LuckEvent]) -> dict[int, float]:
    """Return by decision how much it changed its seat's win probability without the effect of luck."""
    luck_by_move = {event.move: event.luck for event in luck_events}
    changes: dict[int, float] = {}
    for n, point in enumerate(timeline[:-1]):
        if point.decider != NOBODY:
            luck = luck_by_move[n][point.decider] if n in luck_by_move else 0.0
            changes[n] = _compute_probability_changes(timeline, n)[point.decider] - luck
    return changes


def find_good_decisions(
    timeline: Sequence[TimelinePoint],
    end: int,
    luck_events: Sequence[LuckEvent],
    played: Mapping[int, str],
) -> list[GoodDecision]:
    """Return for each seat the decision without a better option that raised its win probability most."""
    changes = _compute_own_changes(timeline, luck_events)
    good: list[GoodDecision] = []
    for seat in range(len(timeline[0].chances)):
        own = [n for n in changes if n < end and timeline[n].decider == seat and not timeline[n].cost]
        best = max(own, key=lambda n: changes[n], default=None)
        if best is not None and changes[best] >= MIN_GAIN:
            before = timeline[best].chances[seat]
            good.append(GoodDecision(best, seat, played[best], before, round(before + changes[best], 4)))
    return good


def assemble_review(
    timeline: Sequence[TimelinePoint],
    end: int,
    luck_events: Sequence[LuckEvent],
    decisions: Mapping[int, ReviewedDecision],
    options: Sequence[str],
) -> Review:
    """Return the review assembled from all its pieces. ``options`` are the moves in notation."""
    swings: list[Swing] = []
    for n in find_largest_swings(timeline, luck_events):
        who, decision = timeline[n].decider, decisions[n]
        before, after = timeline[n].chances[who], timeline[n + 1].chances[who]
        swings.append(Swing(n, who, decision.played.option, before, after, decision.better))
    costliest: list[ReviewedDecision] = []
    for seat in range(len(timeline[0].chances)):
        own = [
            replace(entry, points=timeline[n].cost) for n, entry in decisions.items() if entry.seat == seat and n < end
        ]
        mistakes = [entry for entry in own if entry.is_mistake]
        costliest += sorted(mistakes, key=lambda entry: (-round(entry.cost, 2), -entry.points))[:COSTLIEST_COUNT]
    notable_events = [entry for entry in luck_events if entry.events and max(map(abs, entry.luck)) >= MIN_LUCK]
    notable_events.sort(key=lambda entry: -max(map(abs, entry.luck)))
    shown_events = sorted(notable_events[:MAX_LUCK_EVENTS], key=lambda entry: entry.move)
    good = find_good_decisions(timeline, end, luck_events, dict(enumerate(options)))
    return Review([point.chances for point in timeline], end, swings, costliest, shown_events, good)
