"""The one function that plays: a part of a plan, in any process on any machine."""

import time
from collections.abc import Callable, Mapping
from importlib.metadata import version as release_of
from typing import NamedTuple

from triclinium.bots import ask, bot, derive
from triclinium.bots.core.value import ValueModel
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record, result_of
from triclinium.engine.variant import Choice
from triclinium.lab.study.match_tables import Notes, Watch
from triclinium.lab.study.plan import Cell, Plan


class Hello(NamedTuple):
    """What a worker says first: with other rules or components its matches would be others."""

    release: str
    digest: int  # of the end of the first match


def play_part(plan: Plan, part: int, unwanted: Callable[[], bool] | None = None) -> bytes:
    """The matches of a part as tables, packed; whoever does not want it any more is spared the rest."""
    notes = Notes(plan.every_choice)
    for cell in plan.cells(part):
        if unwanted is not None and unwanted():
            break
        play_cell(plan, cell, notes)
    return notes.packed()


class Played(NamedTuple):
    """A match that is over: what it was dealt from, its options in order, its last state."""

    game: Game
    seed: int
    variants: Mapping[str, Choice]
    options: list[Option]
    last: State

    def record(self) -> Record:
        """The same as a record that can be replayed."""
        record = Record.of(self.game, self.last.seats, self.seed, self.variants)
        record.options = [self.game.say(o) for o in self.options]
        record.result = result_of(self.game.scores(self.last))
        return record


def play_cell(plan: Plan, cell: Cell, notes: Notes) -> Played:
    """One match of a study, noted."""
    arm = plan.arms[cell.arm]
    game = plan.game(arm.edition)
    began = time.process_time()
    seed = derive(plan.seed, cell.deal)
    variants = game.choices(game.read_variants(dict(plan.variants)))
    s = game.deal(plan.seats, seed, variants)
    places = [(seat + cell.rotation) % plan.seats for seat in range(plan.seats)]
    bots = [bot(arm.bots[place], game) for place in places]
    for player in bots:
        player.plain = True  # what was learnt on one edition would favour it over the others
    banned = [(arm.banned,) if arm.banned and place == 0 else () for place in places]
    component = find_component(game, arm.component)
    components = [component if place == 0 else () for place in places]
    again = (arm.again,) if arm.again else ()
    rngs = [Rng(derive(plan.seed, cell.deal, cell.rotation, seat, *again)) for seat in range(plan.seats)]
    noted = (arm.notes_choices(cell.deal), plan.notes_components(cell.arm, cell.deal))
    watch = Watch(game, s, ValueModel(game.evaluator, game.weights), notes, *noted)
    played: list[Option] = []
    while not s.over:
        if len(played) >= game.bound:
            name = plan.editions[arm.edition].name
            raise BadSetup(
                f"a match of the edition {name!r} with {arm.kind} bots goes on after {game.bound} decisions, "
                f"the bound of {plan.title}: match {cell.number}, seed {seed}"
            )
        who = s.who
        answer = ask(bots[who], s, rngs[who], played, banned=banned[who], banned_components=components[who])
        watch.note(s, answer)
        played.append(answer.option)
        s.choose(answer.option)
    watch.close(notes, cell, s, places, time.process_time() - began)
    return Played(game, seed, variants, played, s)


def find_component(game: Game, address: str) -> tuple[int, ...]:
    """Return the index of the component with this table and id, as ``card G01``, or nothing if it is empty."""
    return tuple(n for n, one in enumerate(game.things) if address == f"{one.table} {one.id}")


def greet(plan: Plan) -> Hello:
    """Play the first match, so that whoever asks can tell whether this worker plays what all others do."""
    return Hello(release_of("triclinium"), play_cell(plan, next(plan.cells(0)), Notes()).last.digest())
