"""Several options for one intention: the way to a far place, the target of a move.

A step names the verbs that one click may chain (`Step.chains`). They are played one after another in a world resampled
for the seat, as far as nothing is drawn or shown and nobody else is asked. What a player gets is what they might have
found out by choosing and taking back.
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

MAX_POSITIONS: Final = 80  # positions that are looked at; what lies farther is reached in two clicks


@dataclass(frozen=True, slots=True)
class MoveChain:
    """Options in their order, and what they are called together: ``move to Cana (3 steps)``."""

    options: tuple[Option, ...]
    label: Message


def find_move_chains(game: Game, s: State, seat: Seat, seed: int) -> list[MoveChain]:
    """The shortest chains of two options and more, by the verb of the first option and by the last option."""
    if s.who != seat or not s.asked.chained_verbs:
        return []
    world = s.resample(seat, Rng(seed))
    verb = cache(partial(_get_verb_word, game))  # the same few hundred options come again and again
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
    """Any options that a player wants to choose at once; None: they do not follow each other, or something would be
    learnt between them."""
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
    """The verbs of the same intention: of the target that is asked next, or of one step more of a walk."""
    chains = here.asked.chained_verbs
    if not path or (len(path) == 1 and here.asked.id != s.asked.id):
        return chains
    return {verb(path[-1])}.intersection(chains)


def _build_chain_label(game: Game, s: State, here: State, path: tuple[Option, ...], o: Option) -> Message:
    last = game.words.label(here, o)
    if s.asked.auto_reply_option(s) == path[0]:  # to decline something else is not worth a word
        path = path[1:]
    if not path:
        return last
    if _get_verb_word(game, path[0]) == _get_verb_word(game, o):
        return Message("{0} ({1} {1:step|steps})", last, len(path) + 1)
    return Message("{0}: {1}", game.words.label(s, path[0]), last)


def _get_verb_word(game: Game, o: Option) -> str:
    return game.notation.verb_of(o).word
