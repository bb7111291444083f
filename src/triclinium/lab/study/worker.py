"""Worker function of a study: plays one part of a plan, in any process on any machine."""

import time
from collections.abc import Callable, Mapping
from importlib.metadata import version as release_of
from typing import NamedTuple

from triclinium.bots import ask_bot, create_bot, derive_seed
from triclinium.bots.core.value import ValueModel
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record, build_result
from triclinium.engine.variant import Choice
from triclinium.lab.study.match_tables import MatchRecorder, TableBuilder
from triclinium.lab.study.plan import PlannedMatch, StudyPlan


class WorkerFingerprint(NamedTuple):
    """The identity of a worker: its version and the end of its first match.

    A worker with other rules or components would have another fingerprint.
    """

    release: str
    digest: int  # digest of the last state of the first match


def play_part(plan: StudyPlan, part: int, is_cancelled: Callable[[], bool] | None = None) -> bytes:
    """Play the matches of a part and return their tables, packed.

    The rest of the part is skipped once `is_cancelled` returns true.
    """
    tables = TableBuilder(plan.every_choice)
    for planned in plan.list_part_matches(part):
        if is_cancelled is not None and is_cancelled():
            break
        play_study_match(plan, planned, tables)
    return tables.pack_tables()


class FinishedMatch(NamedTuple):
    """A finished match: the data it was dealt from, its options in order, and its last state."""

    game: Game
    seed: int
    variants: Mapping[str, Choice]
    options: list[Option]
    last: State

    def to_record(self) -> Record:
        """Return the match as a record that can be replayed."""
        record = Record.create(self.game, self.last.seats, self.seed, self.variants)
        record.options = [self.game.format_option(o) for o in self.options]
        record.result = build_result(self.game.scores(self.last))
        return record


def play_study_match(plan: StudyPlan, planned: PlannedMatch, tables: TableBuilder) -> FinishedMatch:
    """Play one match of a study and record it in the tables."""
    arm = plan.arms[planned.arm]
    game = plan.load_edition_game(arm.edition)
    began = time.process_time()
    deal = arm.first_deal + planned.deal
    seed = derive_seed(plan.seed, deal)
    variants = game.complete_variants(game.read_variants(dict(plan.variants)))
    s = game.deal(plan.seats, seed, variants)
    places = [(seat + planned.rotation) % plan.seats for seat in range(plan.seats)]
    bots = [create_bot(arm.bots[place], game) for place in places]
    for player in bots:
        player.ignores_network = True  # A network trained on the printed game would favour it over the other editions.
    banned = [(arm.banned,) if arm.banned and place == 0 else () for place in places]
    component = find_component(game, arm.component)
    components = [component if place == 0 else () for place in places]
    again = (arm.again,) if arm.again else ()
    rngs = [Rng(derive_seed(plan.seed, deal, planned.rotation, seat, *again)) for seat in range(plan.seats)]
    noted = (arm.records_choices(planned.deal), plan.records_components(planned.arm, planned.deal))
    recorder = MatchRecorder(game, s, ValueModel(game.evaluator, game.weights), tables, *noted)
    played: list[Option] = []
    while not s.over:
        if len(played) >= game.max_decisions:
            name = plan.editions[arm.edition].name
            raise BadSetup(
                f"a match of the edition {name!r} with {arm.bots_label} bots "
                f"is not over after {game.max_decisions} decisions, "
                f"the limit of {plan.game}: match {planned.number}, seed {seed}"
            )
        who = s.who
        answer = ask_bot(
            bots[who], s, rngs[who], played, forbidden_verbs=banned[who], forbidden_components=components[who]
        )
        recorder.add_decision(s, answer)
        played.append(answer.option)
        s.choose(answer.option)
    recorder.write_tables(tables, planned, s, places, time.process_time() - began)
    return FinishedMatch(game, seed, variants, played, s)


def find_component(game: Game, address: str) -> tuple[int, ...]:
    """Return the index of the component with this address, such as ``card G01``, or () for an empty address."""
    return tuple(n for n, component in enumerate(game.all_components) if address == f"{component.table} {component.id}")


def compute_fingerprint(plan: StudyPlan) -> WorkerFingerprint:
    """Play the first match and return its fingerprint, which shows whether workers play the same matches."""
    return WorkerFingerprint(
        release_of("triclinium"), play_study_match(plan, next(plan.list_part_matches(0)), TableBuilder()).last.digest()
    )
