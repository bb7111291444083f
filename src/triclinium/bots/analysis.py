"""Hints and win probabilities for people, computed by the strong bot.

A hint starts from a record, so a worker process can compute it. Like every choice of a bot, it only uses worlds that
its seat cannot distinguish from the true one. `review.py` analyses a whole match.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from triclinium.bots.base import DecisionRequest
from triclinium.bots.budget import Budget
from triclinium.bots.core.tree import SearchNode, SearchTree, make_node_sort_key
from triclinium.bots.core.value import ValueModel, compute_result_shares, find_best_option
from triclinium.bots.explanations import Reason, compare_options, describe_reasons
from triclinium.bots.search import Strong
from triclinium.bots.time_slices import Sliced, run_to_end
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat, State
from triclinium.engine.game import Game
from triclinium.engine.match import OPTION_SEPARATOR
from triclinium.engine.record import Record

HINT_COUNT = 3
MAX_CONTINUATION = 2  # number of further questions that a page may ask together with the first one
SMALL_LOSS = 0.035  # An option that loses no more is called about as good if players cannot see why it is worse.
MIN_VISIBLE_DIFFERENCE = 0.01  # Win probabilities are shown in percent, so players do not notice a smaller difference.
REASONS_TIME_SHARE = 0.1  # share of the search time; an explanation that has started is completed
WORLDS = 4  # the probabilities are averaged over worlds with different random draws
# limit of positions for finishing actions; a round with five players in testoftime takes about as many
MAX_FINISH_POSITIONS = 1500


@dataclass(frozen=True)
class Advice:
    """One option with the bot's rating."""

    option: str  # the notation of the option
    chance: float  # the seat's expected share of the win after the option
    share: float  # share of the search iterations spent on it: a measure of confidence
    error: float = 0.0  # standard error of `chance`
    # whether it is equal to the best option within the error, so that both show the same probability, or loses little
    # without a reason
    equal: bool = False
    reasons: tuple[Reason, ...] = ()  # advantages and disadvantages against the best option
    then: str = ""  # the search's preferred answers to the next questions of the same seat, in notation


def find_hints(
    record: Record,
    budget: Budget,
    seed: int,
    max_options: int = HINT_COUNT,
    game: Game | None = None,
    own_option: str = "",
) -> list[Advice]:
    """Return the best options of the asked seat, the best first. The list is empty after the match."""
    return run_to_end(find_hints_in_slices(record, budget, seed, max_options, game, own_option))


def find_hints_in_slices(
    record: Record,
    budget: Budget,
    seed: int,
    max_options: int = HINT_COUNT,
    game: Game | None = None,
    own_option: str = "",
) -> Sliced[list[Advice]]:
    """Return the result of `find_hints`, in slices."""
    record_game = record.find_game(game)
    s = record.replay(game=record_game)
    return [] if s.over else (yield from rate_options_in_slices(record_game, s, budget, seed, max_options, own_option))


def rate_options(
    game: Game, s: State, budget: Budget, seed: int, max_options: int = HINT_COUNT, own_option: str = ""
) -> list[Advice]:
    """Return the best options in a state, the best first. ``own_option``, in notation, is always included."""
    return run_to_end(rate_options_in_slices(game, s, budget, seed, max_options, own_option))


def rate_options_in_slices(
    game: Game, s: State, budget: Budget, seed: int, max_options: int, own_option: str
) -> Sliced[list[Advice]]:
    """Return the result of `rate_options`, in slices."""
    rng = Rng(seed)
    if len(s.legal) == 1:
        # The world is resampled, because the estimate must not use cards hidden from the seat.
        chance = estimate_win_probabilities(game, s.resample(s.who, rng))[s.who]
        return [Advice(game.format_option(s.legal[0]), round(chance, 4), 1.0)]
    world = s.resample(s.who, rng)
    sensible = game.evaluator.sensible_options(world)
    world.legal = [o for o in world.legal if o in sensible or game.format_option(o) == own_option]
    tree = yield from Strong(game).search_in_slices(DecisionRequest(game, world, s.who, rng, budget))
    yield
    advices = group_equal_options(list_tried_options(game, tree, world, max_options, own_option))
    better, *others = [game.read(advice.option) for advice in advices]
    reasons_of_others = compare_options(game, world, s.who, better, others, seed, budget.seconds * REASONS_TIME_SHARE)
    return [
        advices[0],
        *(
            replace(
                advice,
                reasons=tuple(reasons),
                equal=advice.equal or is_about_as_good(game, advices[0], advice, reasons, s.who),
            )
            for advice, reasons in zip(advices[1:], reasons_of_others, strict=True)
        ),
    ]


def is_about_as_good(game: Game, best: Advice, other: Advice, reasons: Sequence[Reason], seat: Seat) -> bool:
    """Return whether an option loses so little to the best one, and so invisibly, that players may choose either."""
    return best.chance - other.chance <= SMALL_LOSS and describe_reasons(game, reasons, seat) is None


def list_tried_options(game: Game, tree: SearchTree, world: State, max_options: int, own_option: str) -> list[Advice]:
    """Return the options with the most visits and the reader's own option.

    If the search never tried that option, or had no time to try any, the probability comes from the evaluation.
    """
    visits = max(1, tree.root.visits)
    advices: list[Advice] = []
    for node in tree.rank_nodes(world.legal):
        text = game.format_option(node.option)
        if node.visits and (len(advices) < max_options or text == own_option):
            error = tree.deviation / math.sqrt(node.visits)
            advices.append(
                Advice(text, node.compute_mean(), node.visits / visits, error, then=find_continuation(game, node))
            )
        elif text == own_option or (not tree.root.visits and len(advices) < max_options):
            after = world.clone()
            after.choose(node.option)
            share = 0.0 if tree.root.visits else 1.0 / len(world.legal)
            advices.append(Advice(text, estimate_win_probabilities(game, after)[tree.seat], share, tree.deviation))
    return [_calibrate_advice(game, world, advice) for advice in advices]


def find_continuation(game: Game, node: SearchNode) -> str:
    """Return the options that the search preferred afterwards, as long as the same seat is asked."""
    options: list[str] = []
    while node.children and len(options) < MAX_CONTINUATION:
        after = max(node.children.values(), key=make_node_sort_key)
        if after.chooser != node.chooser or not after.visits:
            break
        options.append(game.format_option(after.option))
        node = after
    return OPTION_SEPARATOR.join(options)


def _calibrate_advice(game: Game, world: State, advice: Advice) -> Advice:
    """Return the advice with calibrated probability and error."""
    progress = game.evaluator.progress(world)  # the true state's progress could depend on hidden cards

    def calibrate(chance: float) -> float:
        return game.calibration.calibrate(chance, world.seats, progress)

    error = (
        (calibrate(advice.chance + advice.error) - calibrate(advice.chance - advice.error)) / 2
        if game.calibration.lines
        else advice.error
    )
    return replace(advice, chance=calibrate(advice.chance), error=error)


def group_equal_options(advices: list[Advice]) -> list[Advice]:
    """Return the advices with all options that equal the best one within the error right after it.

    They get the same win probability.
    """
    best, *others = advices
    alike = [
        best,
        *(
            advice
            for advice in others
            if best.chance - advice.chance <= max(MIN_VISIBLE_DIFFERENCE, math.hypot(advice.error, best.error))
        ),
    ]
    chance = sum(advice.chance * advice.share for advice in alike) / sum(advice.share for advice in alike)
    equal = [replace(advice, chance=chance, equal=advice is not best) for advice in alike]
    worse = sorted((advice for advice in others if advice not in alike), key=lambda advice: -advice.chance)
    return [
        replace(advice, chance=round(advice.chance, 4), share=round(advice.share, 4), error=round(advice.error, 4))
        for advice in (*equal, *worse)
    ]


def to_percent(chance: float) -> int:
    """Return a probability in percent, from 1 to 99, because an estimate is never certain."""
    return min(99, max(1, round(chance * 100)))


def estimate_win_probabilities(game: Game, s: State, max_worlds: int = WORLDS) -> list[float]:
    """Return each seat's win probability in a position with all cards open, after started actions are finished.

    It is the average over at most ``max_worlds`` different random futures.
    """
    if s.over:
        return compute_result_shares(game.evaluator, s)
    model = ValueModel(game.evaluator, game.weights)
    total = [0.0 for _ in range(s.seats)]
    worlds = max_worlds if game.has_secrets else 1
    for world in range(worlds):
        t = finish_started_actions(game, s, Rng(world))
        for seat, share in enumerate(model.predict_win_shares(t)):
            total[seat] += share / worlds
    return total


def finish_started_actions(game: Game, s: State, rng: Rng) -> State:
    """Return the position after all started actions are finished. Each seat chooses what looks best.

    It stops before any hidden information is revealed.
    """
    ai, weights = game.evaluator, game.weights.values
    t = s.clone()
    t.rng = rng
    positions_seen = 0
    while positions_seen < MAX_FINISH_POSITIONS and not ai.is_stable(t):
        positions_seen += len(t.legal)
        after = t.clone()
        after.choose(find_best_option(ai, t, t.who, weights))
        if after.undo_barrier != t.undo_barrier:
            break
        t = after
    return t
