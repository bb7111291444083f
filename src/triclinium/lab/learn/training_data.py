"""Matches of self-play as arrays: the features after each option of every searched decision."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triclinium.bots import derive
from triclinium.bots.base import ban
from triclinium.bots.core.value import features_after
from triclinium.bots.networks import verb_of_options
from triclinium.bots.steady import WORLDS
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.record import Record
from triclinium.lab.learn.selfplay import Lesson

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]

REPLAYED = 5_000_000  # where the seeds of the worlds lie
LIKED = 0.5  # visits that an option never tried counts for: it may still be good


@dataclass(frozen=True)
class Decisions:
    """The options of many decisions below each other, and where each decision begins."""

    starts: Whole  # by decision
    match: Whole  # by decision
    before: Numbers  # by decision and feature
    context: Numbers  # by decision: 1, how far the match has come, how many play
    after: Numbers  # by option and feature
    verb: Whole  # by option
    worth: Numbers  # by option: what the evaluation says, in units of its prior
    wanted: Numbers  # by option: its part of the visits

    @property
    def sizes(self) -> Whole:
        return np.diff(np.append(self.starts, len(self.verb)))

    def of(self, chosen: NDArray[np.bool_]) -> "Decisions":
        """Some of the decisions."""
        sizes = self.sizes
        options = np.repeat(chosen, sizes)
        starts = np.concatenate(([0], np.cumsum(sizes[chosen])[:-1])).astype(np.int64)
        return Decisions(
            starts,
            self.match[chosen],
            self.before[chosen],
            self.context[chosen],
            self.after[options],
            self.verb[options],
            self.worth[options],
            self.wanted[options],
        )


def verbs_of(game: Game) -> list[str]:
    return [verb.word for verb in game.verbs]


def decisions_of(game: Game, lessons: Iterable[Lesson], tell: Callable[[int], None] | None = None) -> Decisions:
    """Replay the matches, and look at every searched decision as a bot does."""
    rows: dict[str, list[object]] = {name: [] for name in ("start", "match", "before", "context")}
    after: list[list[float]] = []
    verb: list[int] = []
    worth: list[float] = []
    wanted: list[float] = []
    weights = np.array(game.weights.each)
    verb_of = verb_of_options(game, verbs_of(game))
    never = ban(game, tuple(game.shunned), strict=False) if game.shunned else None
    for lesson in lessons:
        record = Record.loads(lesson.record)
        s = record.deal(game)
        found = {one.move: one for one in lesson.findings}
        for move, text in enumerate(record.options):
            finding = found.get(move)
            if finding is not None and len(finding.options) > 1:
                rng = Rng(derive(REPLAYED, lesson.number, move))
                world = s.resample(s.who, rng)
                legal = game.evaluator.sensible(s)
                world.legal = legal if never is None else never.allowed(s, legal)
                numbers = features_after(
                    game.evaluator, world, s.who, game.weights.each, WORLDS if game.secrets else 1, rng, never
                )
                visits = dict(zip(finding.options, finding.visits, strict=True))
                parts = np.array([max(LIKED, visits.get(o, 0)) for o in world.legal])
                rows["start"].append(len(verb))
                rows["match"].append(lesson.number)
                rows["before"].append(game.evaluator.features(s, s.who))
                rows["context"].append([1.0, game.evaluator.progress(s), float(s.seats)])
                after += numbers
                verb += [verb_of[o] for o in world.legal]
                worth += list(np.array(numbers) @ weights / game.weights.prior)
                wanted += list(parts / parts.sum())
            s.play(game.read(text))
        if tell is not None:
            tell(lesson.number)
    return Decisions(
        np.array(rows["start"], dtype=np.int64),
        np.array(rows["match"], dtype=np.int64),
        np.array(rows["before"]),
        np.array(rows["context"]),
        np.array(after),
        np.array(verb, dtype=np.int64),
        np.array(worth),
        np.array(wanted),
    )
