"""What the strong bot thinks, for people: a hint for the seat that is asked, and how a position stands.

A hint takes a record, so that a worker process can be asked; it is computed as any choice of a bot, in worlds that its
seat cannot tell from the true one. `review.py` looks back upon a whole match.
"""

import math
from dataclasses import dataclass, replace

from triclinium.bots.base import Asked
from triclinium.bots.budget import Budget
from triclinium.bots.core.tree import Node, Tree, weight_of_node
from triclinium.bots.core.value import ValueModel, best_option, result_shares
from triclinium.bots.explanations import Reason, compare
from triclinium.bots.search import Strong
from triclinium.bots.time_slices import Sliced, complete
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.match import TOGETHER
from triclinium.engine.record import Record

HINTS = 3
AHEAD = 2  # further questions that a page may ask together with the first one
TOLD = 0.01  # win probabilities are shown in percent: a difference of one percent means nothing to a player
FOR_REASONS = 0.1  # of the time that is searched, and what is begun is finished
WORLDS = 4  # chance differs from world to world: the chances are averaged
SETTLE_MOST = 1500  # positions that finishing actions looks at: a round of five in testoftime takes so many


@dataclass(frozen=True)
class Advice:
    """One option, as the bot sees it."""

    option: str  # in notation
    chance: float  # the seat's share of the win after it
    share: float  # of the search that went into it: how sure the bot is
    error: float = 0.0  # of the chance, as the search scattered
    equal: bool = False  # to the best, as far as the errors let the bot tell; both then have the same chance
    reasons: tuple[Reason, ...] = ()  # what the best has that this one has not, and its price
    then: str = ""  # the answers that the search preferred for the same seat's next questions, in notation


def hint(
    record: Record, budget: Budget, seed: int, most: int = HINTS, game: Game | None = None, mine: str = ""
) -> list[Advice]:
    """The best options of the seat that is asked, the best first; none when the match is over."""
    return complete(hint_in_slices(record, budget, seed, most, game, mine))


def hint_in_slices(
    record: Record, budget: Budget, seed: int, most: int = HINTS, game: Game | None = None, mine: str = ""
) -> Sliced[list[Advice]]:
    """Return the same as `hint`, in slices."""
    found = record.title_for(game)
    s = record.replay(game=found)
    return [] if s.over else (yield from advise_in_slices(found, s, budget, seed, most, mine))


def advise(game: Game, s: State, budget: Budget, seed: int, most: int = HINTS, mine: str = "") -> list[Advice]:
    """The same from a state, which is not handed on; ``mine`` is an option, in notation, that is told of anyway."""
    return complete(advise_in_slices(game, s, budget, seed, most, mine))


def advise_in_slices(game: Game, s: State, budget: Budget, seed: int, most: int, mine: str) -> Sliced[list[Advice]]:
    """Return the same as `advise`, in slices."""
    rng = Rng(seed)
    if len(s.legal) == 1:
        chance = chances(game, s.resample(s.who, rng))[s.who]  # the open cards are nobody's to judge by
        return [Advice(game.say(s.legal[0]), round(chance, 4), 1.0)]
    world = s.resample(s.who, rng)
    sensible = game.evaluator.sensible(world)
    world.legal = [o for o in world.legal if o in sensible or game.say(o) == mine]
    tree = yield from Strong(game).search_in_slices(Asked(game, world, s.who, rng, budget))
    yield
    found = grouped(tried(game, tree, world, most, mine))
    better, *others = [game.read(one.option) for one in found]
    whys = compare(game, world, s.who, better, others, seed, budget.seconds * FOR_REASONS)
    return [found[0], *(replace(one, reasons=tuple(why)) for one, why in zip(found[1:], whys, strict=True))]


def tried(game: Game, tree: Tree, world: State, most: int, mine: str) -> list[Advice]:
    """The options that were tried most, and the reader's own: the evaluation speaks of it where it was never tried."""
    visits = max(1, tree.root.visits)
    found: list[Advice] = []
    for node in tree.ranked(world.legal):
        text = game.say(node.option)
        if node.visits and (len(found) < most or text == mine):
            error = tree.deviation / math.sqrt(node.visits)
            found.append(Advice(text, node.mean(), node.visits / visits, error, then=continuation(game, node)))
        elif text == mine:
            after = world.clone()
            after.choose(node.option)
            found.append(Advice(text, chances(game, after)[tree.seat], 0.0, tree.deviation))
    return [_calibrated(game, world, one) for one in found]


def continuation(game: Game, node: Node) -> str:
    """Return what the search preferred after an option, as long as the same seat is asked."""
    found: list[str] = []
    while node.children and len(found) < AHEAD:
        after = max(node.children.values(), key=weight_of_node)
        if after.chooser != node.chooser or not after.visits:
            break
        found.append(game.say(after.option))
        node = after
    return TOGETHER.join(found)


def _calibrated(game: Game, world: State, one: Advice) -> Advice:
    """The chance as it comes true, and its error in proportion."""
    progress = game.evaluator.progress(world)  # of this world: the true one's may hang on hidden cards

    def true(chance: float) -> float:
        return game.calibration.chance(chance, world.seats, progress)

    error = (true(one.chance + one.error) - true(one.chance - one.error)) / 2 if game.calibration.lines else one.error
    return replace(one, chance=true(one.chance), error=error)


def grouped(found: list[Advice]) -> list[Advice]:
    """What errors do not let the bot tell from the best stands right after it, with the same chance."""
    best, *others = found
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


def chances(game: Game, s: State, most: int = WORLDS) -> list[float]:
    """Each seat's share of the win as the position stands, all cards open, what is half done finished.

    Chance to come is averaged over so many worlds, at most.
    """
    if s.over:
        return result_shares(game.evaluator, s)
    model = ValueModel(game.evaluator, game.weights)
    total = [0.0 for _ in range(s.seats)]
    worlds = most if game.secrets else 1
    for world in range(worlds):
        t = settled_down(game, s, Rng(world))
        for seat, share in enumerate(model.shares(t)):
            total[seat] += share / worlds
    return total


def settled_down(game: Game, s: State, rng: Rng) -> State:
    """Where a position leads once no action is half done, each seat choosing what looks best.

    What is still to come to light is nobody's knowledge: a position is judged before that.
    """
    ai, weights = game.evaluator, game.weights.each
    t = s.clone()
    t.rng = rng
    looked = 0
    while looked < SETTLE_MOST and not ai.is_stable(t):
        looked += len(t.legal)
        after = t.clone()
        after.choose(best_option(ai, t, t.who, weights))
        if after.undo_barrier != t.undo_barrier:
            break
        t = after
    return t
