"""Training data as arrays: the features after each option of every searched decision."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triclinium.bots import derive_seed
from triclinium.bots.base import build_restriction
from triclinium.bots.core.value import compute_features_after
from triclinium.bots.networks import map_options_to_verbs
from triclinium.bots.steady import WORLDS
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.record import Record
from triclinium.lab.learn.selfplay import TrainingMatch

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]

WORLD_SEED_OFFSET = 5_000_000  # offset of the seeds of determinizations
UNVISITED_WEIGHT = 0.5  # visits that an option without any counts for, because it may still be good


@dataclass(frozen=True)
class TrainingDecisions:
    """The options of many decisions, concatenated, with the start of each decision."""

    starts: Whole  # index of the first option, by decision
    match: Whole  # match number, by decision
    before: Numbers  # features before the decision, by decision and feature
    context: Numbers  # for each decision: 1, progress of the match, number of seats
    after: Numbers  # features after the option, by option and feature
    verb: Whole  # verb index, by option
    prior_scores: Numbers  # score of the evaluation in units of its prior, by option
    visit_shares: Numbers  # share of the visits, by option

    @property
    def sizes(self) -> Whole:
        return np.diff(np.append(self.starts, len(self.verb)))

    def select(self, chosen: NDArray[np.bool_]) -> "TrainingDecisions":
        """Return the chosen decisions."""
        sizes = self.sizes
        options = np.repeat(chosen, sizes)
        starts = np.concatenate(([0], np.cumsum(sizes[chosen])[:-1])).astype(np.int64)
        return TrainingDecisions(
            starts,
            self.match[chosen],
            self.before[chosen],
            self.context[chosen],
            self.after[options],
            self.verb[options],
            self.prior_scores[options],
            self.visit_shares[options],
        )


def list_verb_words(game: Game) -> list[str]:
    return [verb.word for verb in game.verbs]


def extract_decisions(
    game: Game, training_matches: Iterable[TrainingMatch], on_progress: Callable[[int], None] | None = None
) -> TrainingDecisions:
    """Replay the matches, and return every searched decision as a bot sees it."""
    rows: dict[str, list[object]] = {name: [] for name in ("start", "match", "before", "context")}
    after: list[list[float]] = []
    verb: list[int] = []
    worth: list[float] = []
    wanted: list[float] = []
    weights = np.array(game.weights.values)
    verb_of = map_options_to_verbs(game, list_verb_words(game))
    never = build_restriction(game, tuple(game.verbs_bots_avoid), strict=False) if game.verbs_bots_avoid else None
    for training_match in training_matches:
        record = Record.loads(training_match.record)
        s = record.deal(game)
        by_move = {searched.move: searched for searched in training_match.findings}
        for move, text in enumerate(record.options):
            finding = by_move.get(move)
            if finding is not None and len(finding.options) > 1:
                rng = Rng(derive_seed(WORLD_SEED_OFFSET, training_match.number, move))
                world = s.resample(s.who, rng)
                legal = game.evaluator.sensible_options(s)
                world.legal = legal if never is None else never.filter_options(s, legal)
                numbers = compute_features_after(
                    game.evaluator, world, s.who, game.weights.values, WORLDS if game.has_secrets else 1, rng, never
                )
                visits = dict(zip(finding.options, finding.visits, strict=True))
                parts = np.array([max(UNVISITED_WEIGHT, visits.get(o, 0)) for o in world.legal])
                rows["start"].append(len(verb))
                rows["match"].append(training_match.number)
                rows["before"].append(game.evaluator.features(s, s.who))
                rows["context"].append([1.0, game.evaluator.progress(s), float(s.seats)])
                after += numbers
                verb += [verb_of[o] for o in world.legal]
                worth += list(np.array(numbers) @ weights / game.weights.prior)
                wanted += list(parts / parts.sum())
            s.play(game.read(text))
        if on_progress is not None:
            on_progress(training_match.number)
    return TrainingDecisions(
        np.array(rows["start"], dtype=np.int64),
        np.array(rows["match"], dtype=np.int64),
        np.array(rows["before"]),
        np.array(rows["context"]),
        np.array(after),
        np.array(verb, dtype=np.int64),
        np.array(worth),
        np.array(wanted),
    )
