"""Chains of options that serve one intention, such as a walk to a distant place or a move and its target.

A step names the verbs that one click can chain (`Step.chained_verbs`). The kit plays them one after another in a
determinization for the seat, until something is drawn or shown or another seat is asked. The player learns nothing more
than by choosing the options one by one and undoing them.
"""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import JoinedList, Message
from triclinium.engine.game import Game

MAX_POSITIONS: Final = 80  # maximum number of positions that are searched; a place farther away takes two clicks


@dataclass(frozen=True, slots=True)
class MoveChain:
    """Options in their order, with their common label: ``move to Cana (3 steps)``."""

    options: tuple[Option, ...]
    label: Message


def find_move_chains(game: Game, s: State, seat: Seat, seed: int) -> list[MoveChain]:
    """Return the shortest chains of at least two options, for each first verb and last option."""
    if s.who != seat or not s.asked.chained_verbs:
        return []
    world = s.resample(seat, Rng(seed))
    verb = cache(partial(_get_verb_word, game))  # cached, because the same few hundred options are met again and again
    known = {(verb(o), o) for o in world.legal}
    move_chains: list[MoveChain] = []
    waiting: deque[tuple[State, tuple[Option, ...]]] = deque([(world, ())])
    positions_seen = 0
    while waiting and positions_seen < MAX_POSITIONS:
        here, path = waiting.popleft()
        chained = _find_chainable_verbs(world, here, path, verb)
        for o in here.legal:
            if verb(o) not in chained or (path and (verb(path[0]), o) in known):
                continue
            if path:
                known.add((verb(path[0]), o))
                move_chains.append(MoveChain((*path, o), _build_chain_label(game, world, here, path, o)))
            there = here.clone()
            there.choose(o)
            positions_seen += 1
            if there.who == seat and there.undo_barrier == world.undo_barrier and there.asked.chained_verbs:
                waiting.append((there, (*path, o)))
    return move_chains


def combine_options(game: Game, s: State, seat: Seat, options: Sequence[Option], seed: int) -> MoveChain | None:
    """Return the chain of options that a player wants to choose at once.

    Return None if they do not follow each other, or if the player would learn something between them.
    """
    if len(options) > MAX_POSITIONS:
        return None
    world = s.resample(seat, Rng(seed))
    barrier = world.undo_barrier
    labels: list[Message] = []
    for o in options:
        if world.who != seat or world.undo_barrier != barrier or o not in world.legal:
            return None
        labels.append(game.words.label(world, o))
        world.choose(o)
    return MoveChain(tuple(options), Message("{0}", JoinedList(labels)))


def _find_chainable_verbs(
    s: State, here: State, path: tuple[Option, ...], verb: Callable[[Option], str]
) -> Collection[str]:
    """Return the verbs that continue the intention: the choice of a target, or one more step of a walk."""
    chains = here.asked.chained_verbs
    if not path or (len(path) == 1 and here.asked.id != s.asked.id):
        return chains
    return {verb(path[-1])}.intersection(chains)


def _build_chain_label(game: Game, s: State, here: State, path: tuple[Option, ...], o: Option) -> Message:
    last = game.words.label(here, o)
    if s.asked.auto_reply_option(s) == path[0]:  # The label does not mention an offer that is declined on the way.
        path = path[1:]
    if not path:
        return last
    if _get_verb_word(game, path[0]) == _get_verb_word(game, o):
        return Message("{0} ({1} {1:step|steps})", last, len(path) + 1)
    return Message("{0}: {1}", game.words.label(s, path[0]), last)


def _get_verb_word(game: Game, o: Option) -> str:
    return game.notation.verb_of(o).word
