"""Rivals for batches: the bots that do not search, as compiled code."""

from collections.abc import Callable

from triclinium.bots.core.ranking_network import RankingNetwork, weigh_with_network
from triclinium.bots.core.restriction import Restriction
from triclinium.bots.core.value import draw_option, pick_best_option, weigh_next_options, weigh_options
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.lockstep import BatchRival
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, State


class RandomRival(BatchRival):
    """A rival that chooses what the bot `random` would choose with the same random stream."""

    def __init__(self, restriction: Restriction | None, ruled_option: Callable[[State], Option | None] | None) -> None:
        self.restriction = restriction  # options that bots avoid
        self.ruled_option = ruled_option  # returns the option that a ruling prescribes for bots, if any

    def list_options(self, s: State) -> list[Option]:
        return s.legal

    def choose(self, s: State, rng: Rng) -> Option:
        legal = self.list_options(s)
        restriction = self.restriction
        if restriction is not None:
            legal = restriction.filter_options(s, legal)
        if len(legal) == 1:
            return legal[0]
        ruled_option = self.ruled_option
        if ruled_option is not None:
            o = ruled_option(s)
            if o is not None and o in legal:
                return o
        rng.fork()  # `ask_bot` forks a stream for its fallback at this point
        world = s.resample(s.who, rng)
        world.legal = legal
        return self.choose_in_world(world, rng)

    def choose_in_world(self, world: State, rng: Rng) -> Option:
        return rng.pick(world.legal)


class EvaluatingRival(RandomRival):
    """A rival that chooses what `greedy`, `novice`, `steady` or `casual` would choose with the same random stream."""

    def __init__(
        self,
        restriction: Restriction | None,
        ruled_option: Callable[[State], Option | None] | None,
        evaluator: Evaluator,
        weights: list[float],
        worlds: int,
        whole_action: bool,
        temperature: float,
        network: RankingNetwork | None,
    ) -> None:
        self.restriction = restriction
        self.ruled_option = ruled_option
        self.evaluator = evaluator
        self.weights = weights
        self.worlds = worlds
        self.whole_action = whole_action  # evaluate positions after the whole action, not right after the option
        self.temperature = temperature  # in points; 0 takes the best option
        self.network = network

    def list_options(self, s: State) -> list[Option]:
        return self.evaluator.sensible_options(s)

    def choose_in_world(self, world: State, rng: Rng) -> Option:
        worth = self.weigh(world, rng)
        if self.temperature > 0.0:
            return draw_option(world.legal, worth, self.temperature, rng)
        return pick_best_option(world.legal, worth, rng)

    def weigh(self, world: State, rng: Rng) -> list[float]:
        ai = self.evaluator
        seat = world.who
        weights = self.weights
        network = self.network
        if network is not None:
            return weigh_with_network(network, ai, world, seat, weights, self.worlds, rng, self.restriction)
        if self.whole_action:
            return weigh_options(ai, world, seat, weights, self.worlds, rng, self.restriction)
        return weigh_next_options(ai, world, seat, weights, self.worlds, rng)
