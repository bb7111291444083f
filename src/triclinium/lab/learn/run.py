"""Learning from start to finish: self-play, fitting, acceptance tests, and a network file with its report."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from triclinium.bots import Budget, derive_seed
from triclinium.bots.networks import PARTS, hash_weights, override_network, write_network
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.game import Game
from triclinium.lab.learn.acceptance import AcceptanceTest, AcceptanceVerdict, run_acceptance_test
from triclinium.lab.learn.network_fit import FittedNetwork, fit_network
from triclinium.lab.learn.selfplay import SelfPlay, TrainingMatch, play_training_matches
from triclinium.lab.learn.training_data import TrainingDecisions, extract_decisions, list_verb_words

LearningProgress = Callable[[str, int, int], None]

TRAINING_FILE, REPORT_FILE = "lessons.jsonl", "learn.json"
STEADY_MATCHES = 300  # matches of steady with the network against steady without it
PASS_MARK = 0.6  # share of these matches to win with two seats; with more seats, the same multiple of the fair share
MIN_DECISIONS = 50  # minimum number of decisions to learn from
FIT_SEED_KEY = "fit seed"  # metadata key for the seed of the fit, if it was set explicitly
SELECTION_MATCHES = 200  # matches that each of several fits plays to be selected
SELECTION_SEED_OFFSET = 8_000_000  # offset of the seeds of these deals, which the acceptance test does not use


@dataclass(frozen=True)
class LearningPlan:
    """The settings of a learning run: the self-play and the tests of the result."""

    self_play: SelfPlay
    seconds: float = 0.0  # time limit for self-play; 0: play all matches
    workers: int = 1
    budget: str = "150ms"  # budget of master in the acceptance test; empty if only steady is tested
    trials: int = STEADY_MATCHES
    fits: int = 1  # number of fits; the fit that plays best takes the acceptance test
    fit_seed: int | None = None  # seed of the first fit; None: the seed of the matches

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """Return the numbers of seats to test with: the first and the last of those used in self-play."""
        return tuple(dict.fromkeys((self.self_play.seats[0], self.self_play.seats[-1])))


def run_learning(plan: LearningPlan, folder: Path, on_progress: LearningProgress | None = None) -> dict[str, object]:
    """Run the learning, and write the network, the matches and a report to the folder."""
    game = plan.self_play.check()
    if plan.fits < 1:
        raise BadSetup(f"at least one fit is needed, not {plan.fits}")
    if plan.budget:
        Budget.read(plan.budget)
    folder.mkdir(parents=True, exist_ok=True)
    training_matches = _play_matches(plan, folder / TRAINING_FILE, on_progress)
    data = extract_decisions(
        game,
        training_matches,
        None if on_progress is None else lambda n: on_progress("replayed", n, len(training_matches)),
    )
    if len(data.starts) < MIN_DECISIONS:
        raise BadSetup(f"{len(data.starts)} searched decisions are too few to learn from; play more matches")
    fitted, history = choose_best_fit(plan, game, data, len(training_matches), folder, on_progress)
    first = write_network_file(folder, history, fitted)
    verdicts = run_acceptance_tests(plan, game, first, on_progress)
    first.unlink()
    history |= {f"gate {name}": _format_verdict(verdict) for name, verdict in verdicts.items()}
    path = write_network_file(folder, history, fitted)
    report: dict[str, object] = {
        "file": path.name,
        "history": history,
        "fit": {name: value for name, value in asdict(fitted).items() if name != "weights"},
        "gates": {name: asdict(verdict) | {"share": verdict.share} for name, verdict in verdicts.items()},
    }
    (folder / REPORT_FILE).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return report


def _play_matches(plan: LearningPlan, file: Path, on_progress: LearningProgress | None) -> list[TrainingMatch]:
    until = time.monotonic() + plan.seconds if plan.seconds else None
    callback = None if on_progress is None else lambda done, total: on_progress("matches", done, total)
    return play_training_matches(plan.self_play, file, plan.workers, callback, until)


def choose_best_fit(
    plan: LearningPlan,
    game: Game,
    data: TrainingDecisions,
    matches: int,
    folder: Path,
    on_progress: LearningProgress | None,
) -> tuple[FittedNetwork, dict[str, str]]:
    """Fit several networks with different seeds, and return the one that wins most, with its history.

    Such networks predict the search equally well but play differently. They play on deals that the acceptance test does
    not use, so that the choice does not bias it.
    """
    candidates: list[tuple[float, FittedNetwork, dict[str, str]]] = []
    first = plan.self_play.seed if plan.fit_seed is None else plan.fit_seed
    extra_arguments = "" if plan.fit_seed is None else f" --fit-seed {plan.fit_seed}"
    if plan.fits > 1:
        extra_arguments += f" --fits {plan.fits}"
    for n in range(plan.fits):
        fitted = fit_network(data, len(list_verb_words(game)), first + n)
        history = build_history(game, plan.self_play, matches, fitted)
        if extra_arguments:
            history |= {"command": history["command"] + extra_arguments, FIT_SEED_KEY: str(first + n)}
        won = 0.0
        if plan.fits > 1:
            path = write_network_file(folder, history, fitted)
            won = _play_selection_matches(plan, path, f"fit {n + 1} of {plan.fits}", on_progress)
            path.unlink()
        candidates.append((won, fitted, history))
    return max(candidates, key=lambda candidate: candidate[0])[1:]


def _play_selection_matches(plan: LearningPlan, path: Path, what: str, on_progress: LearningProgress | None) -> float:
    """Return the wins of steady with a network as a multiple of its fair share, summed over the numbers of seats."""
    won = 0.0
    seed = derive_seed(plan.self_play.seed, SELECTION_SEED_OFFSET)
    with override_network(str(path)):
        for seats in plan.seat_counts:
            test = AcceptanceTest(
                plan.self_play.game_id,
                seats,
                "steady",
                "steady+plain",
                seed,
                SELECTION_MATCHES,
                True,
                plan.self_play.components,
            )
            callback = (
                None
                if on_progress is None
                else _make_progress_callback(on_progress, f"{what}, {seats} seats", SELECTION_MATCHES)
            )
            won += run_acceptance_test(test, plan.workers, callback).share * seats
    return won


def run_acceptance_tests(
    plan: LearningPlan, game: Game, path: Path, on_progress: LearningProgress | None
) -> dict[str, AcceptanceVerdict]:
    """Test steady and master with the network against themselves without it, for each number of seats.

    Results are saved next to the file, so that an interrupted test can continue.
    """
    verdicts: dict[str, AcceptanceVerdict] = {}
    with override_network(str(path)):
        for seats in plan.seat_counts:
            for name, budget, most in (("steady", "", plan.trials), ("master", plan.budget, 0)):
                if name == "master" and not budget:
                    continue
                at = f"@{budget}" if budget else ""
                new, old = f"{name}{at}", f"{name}+plain{at}"
                test = AcceptanceTest(
                    game.id, seats, new, old, plan.self_play.seed, components=plan.self_play.components
                )
                if most:
                    test = replace(test, max_matches=most, plays_all=True)
                here = f"{name}, {seats} seats"
                callback = None if on_progress is None else _make_progress_callback(on_progress, here, test.max_matches)
                verdicts[here] = run_acceptance_test(
                    test, plan.workers, callback, path.with_name(f"{path.stem}-{new}-{seats}.gate")
                )
    return verdicts


def _make_progress_callback(on_progress: LearningProgress, what: str, most: int) -> Callable[[int, float], None]:
    return lambda done, won: on_progress(what, done, most)


def build_history(game: Game, play: SelfPlay, matches: int, fitted: FittedNetwork) -> dict[str, str]:
    """Return the metadata of a network file: how it was made."""
    seats = ",".join(map(str, play.seats))
    command = f"triclinium learn {game.id} --matches {matches} --seats {seats} --iterations {play.iterations}"
    if play.components is not None:
        command += f" --components {Path(play.components).name}"
    return {
        "game": game.id,
        "version": str(game.version),
        "components": game.hash,
        "features": " ".join(game.weights.names),
        "weights": hash_weights(game),
        "verbs": " ".join(list_verb_words(game)),
        "hidden": str(len(fitted.weights["last"])),
        "command": f"{command} --seed {play.seed}",
        "decisions": str(fitted.decisions),
    }


def _format_verdict(verdict: AcceptanceVerdict) -> str:
    how = "passed" if verdict.passed else "not passed"
    return f"{verdict.won:g} of {verdict.matches} ({verdict.low:.3f} to {verdict.high:.3f}), {how}"


def write_network_file(folder: Path, history: Mapping[str, str], fitted: FittedNetwork) -> Path:
    """Write the network to a file named by its content."""
    parts = {name: (fitted.weights[name].shape, fitted.weights[name].ravel().tolist()) for name in PARTS}
    return write_network(folder, history, parts)
