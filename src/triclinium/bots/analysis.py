"""What the strong bot thinks, for people: a hint for the seat that is asked, and how a position stands.

A hint takes a record, so that a worker process can be asked; it is computed as any choice of a bot, in worlds that its
seat cannot tell from the true one. `review.py` looks back upon a whole match.
"""

from dataclasses import dataclass

from triclinium.bots.base import Asked
from triclinium.bots.budget import Budget
from triclinium.bots.core.tree import Tree
from triclinium.bots.core.value import ValueModel, best_option, result_shares
from triclinium.bots.search import Strong
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record

HINTS = 3
WORLDS = 4  # chance differs from world to world: the chances are averaged
SETTLE_MOST = 1500  # positions that finishing actions looks at: a round of five in testoftime takes so many


@dataclass(frozen=True)
class Advice:
    """One option, as the bot sees it."""

    option: str  # in notation
    chance: float  # the seat's share of the win after it
    share: float  # of the search that went into it: how sure the bot is


def hint(record: Record, budget: Budget, seed: int, most: int = HINTS, game: Game | None = None) -> list[Advice]:
    """The best options of the seat that is asked, the best first; none when the match is over."""
    found = record.title_for(game)
    s = record.replay(game=found)
    return [] if s.over else advise(found, s, budget, seed, most)


def advise(game: Game, s: State, budget: Budget, seed: int, most: int = HINTS) -> list[Advice]:
    """The same from a state, which is not handed on."""
    rng = Rng(seed)
    if len(s.legal) == 1:
        chance = chances(game, s.resample(s.who, rng))[s.who]  # the open cards are nobody's to judge by
        return [Advice(game.say(s.legal[0]), round(chance, 4), 1.0)]
    tree = Strong(game).search(Asked(game, s.resample(s.who, rng), s.who, rng, budget))
    return ranked(game, tree, s.legal, most)


def ranked(game: Game, tree: Tree, legal: list[Option], most: int) -> list[Advice]:
    """What a search found of these options, the one tried most first."""
    visits = max(1, tree.root.visits)
    return [
        Advice(game.say(node.option), round(node.mean(), 4), round(node.visits / visits, 4))
        for node in tree.ranked(legal)[:most]
        if node.visits
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
