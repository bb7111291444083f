"""From self-play to a file that bots may use: play, fit, meet the bots without it, write down what came of it."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from triclinium.bots import Budget, derive
from triclinium.bots.networks import PARTS, weights_hash, wished, write_net
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.game import Game
from triclinium.lab.learn.acceptance import Gate, Verdict, judge
from triclinium.lab.learn.network_fit import Fitted, fit
from triclinium.lab.learn.selfplay import Lesson, SelfPlay, play_lessons
from triclinium.lab.learn.training_data import Decisions, decisions_of, verbs_of

Tell = Callable[[str, int, int], None]

LESSONS, REPORT = "lessons.jsonl", "learn.json"
STEADY = 300  # matches of steady with what was learnt against steady without it
BAR = 0.6  # of them that it must win with two seats; with more, as many times its fair share
FEWEST = 50  # decisions that anything can be learnt from
FITTED = "fit seed"  # what a file's history calls how its fit began, where that was asked for
OUTING = 200  # matches that every fit plays, where there are several to choose from
OUTINGS = 8_000_000  # where the seeds of their deals lie: the gate has others


@dataclass(frozen=True)
class Learning:
    """What to learn from, and what to try it against."""

    play: SelfPlay
    seconds: float = 0.0  # for self-play; 0: until all its matches are played
    workers: int = 1
    budget: str = "150ms"  # of master in the gate; empty: only steady is tried
    trials: int = STEADY
    fits: int = 1  # of which the one goes to the gate that plays best
    fit_seed: int | None = None  # of the first of them; without it, the seed of the matches

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of seats that it is tried with: the fewest and the usual one."""
        return tuple(dict.fromkeys((self.play.seats[0], self.play.seats[-1])))


def learn(plan: Learning, folder: Path, tell: Tell | None = None) -> dict[str, object]:
    """Learn, and leave the file, the matches and a report in the folder."""
    game = plan.play.check()
    if plan.fits < 1:
        raise BadSetup(f"at least one fit is needed, not {plan.fits}")
    if plan.budget:
        Budget.read(plan.budget)
    folder.mkdir(parents=True, exist_ok=True)
    lessons = _lessons(plan, folder / LESSONS, tell)
    data = decisions_of(game, lessons, None if tell is None else lambda n: tell("replayed", n, len(lessons)))
    if len(data.starts) < FEWEST:
        raise BadSetup(f"{len(data.starts)} searched decisions are too few to learn from; play more matches")
    fitted, told = best_fit(plan, game, data, len(lessons), folder, tell)
    first = write_file(folder, told, fitted)
    verdicts = tried(plan, game, first, tell)
    first.unlink()
    told |= {f"gate {name}": _said(verdict) for name, verdict in verdicts.items()}
    path = write_file(folder, told, fitted)
    report: dict[str, object] = {
        "file": path.name,
        "history": told,
        "fit": {name: value for name, value in asdict(fitted).items() if name != "weights"},
        "gates": {name: asdict(verdict) | {"share": verdict.share} for name, verdict in verdicts.items()},
    }
    (folder / REPORT).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return report


def _lessons(plan: Learning, file: Path, tell: Tell | None) -> list[Lesson]:
    until = time.monotonic() + plan.seconds if plan.seconds else None
    shown = None if tell is None else lambda done, total: tell("matches", done, total)
    return play_lessons(plan.play, file, plan.workers, shown, until)


def best_fit(
    plan: Learning, game: Game, data: Decisions, matches: int, folder: Path, tell: Tell | None
) -> tuple[Fitted, dict[str, str]]:
    """Fits that begin otherwise foretell the search alike and play differently: the one that wins most is kept.

    They play on deals that the gate has not, so that choosing does not flatter the chosen one there.
    """
    found: list[tuple[float, Fitted, dict[str, str]]] = []
    first = plan.play.seed if plan.fit_seed is None else plan.fit_seed
    asked = "" if plan.fit_seed is None else f" --fit-seed {plan.fit_seed}"
    if plan.fits > 1:
        asked += f" --fits {plan.fits}"
    for n in range(plan.fits):
        fitted = fit(data, len(verbs_of(game)), first + n)
        told = history(game, plan.play, matches, fitted)
        if asked:
            told |= {"command": told["command"] + asked, FITTED: str(first + n)}
        won = 0.0
        if plan.fits > 1:
            path = write_file(folder, told, fitted)
            won = _outing(plan, path, f"fit {n + 1} of {plan.fits}", tell)
            path.unlink()
        found.append((won, fitted, told))
    return max(found, key=lambda one: one[0])[1:]


def _outing(plan: Learning, path: Path, what: str, tell: Tell | None) -> float:
    """How many times its fair share steady wins with a file, all numbers of seats together."""
    won = 0.0
    seed = derive(plan.play.seed, OUTINGS)
    with wished(str(path)):
        for seats in plan.sizes:
            gate = Gate(plan.play.title, seats, "steady", "steady+plain", seed, OUTING, True, plan.play.components)
            shown = None if tell is None else _teller(tell, f"{what}, {seats} seats", OUTING)
            won += judge(gate, plan.workers, shown).share * seats
    return won


def tried(plan: Learning, game: Game, path: Path, tell: Tell | None) -> dict[str, Verdict]:
    """Steady with the file against steady without it, then master, each with the fewest and the usual seats.

    Results are kept beside the file, so that a gate that was interrupted goes on.
    """
    found: dict[str, Verdict] = {}
    with wished(str(path)):
        for seats in plan.sizes:
            for name, budget, most in (("steady", "", plan.trials), ("master", plan.budget, 0)):
                if name == "master" and not budget:
                    continue
                at = f"@{budget}" if budget else ""
                new, old = f"{name}{at}", f"{name}+plain{at}"
                gate = Gate(game.id, seats, new, old, plan.play.seed, components=plan.play.components)
                if most:
                    gate = replace(gate, most=most, whole=True)
                here = f"{name}, {seats} seats"
                shown = None if tell is None else _teller(tell, here, gate.most)
                found[here] = judge(gate, plan.workers, shown, path.with_name(f"{path.stem}-{new}-{seats}.gate"))
    return found


def _teller(tell: Tell, what: str, most: int) -> Callable[[int, float], None]:
    return lambda done, won: tell(what, done, most)


def history(game: Game, play: SelfPlay, matches: int, fitted: Fitted) -> dict[str, str]:
    """What a file tells of itself."""
    seats = ",".join(map(str, play.seats))
    command = f"triclinium learn {game.id} --matches {matches} --seats {seats} --iterations {play.iterations}"
    if play.components is not None:
        command += f" --components {Path(play.components).name}"
    return {
        "title": game.id,
        "version": str(game.version),
        "components": game.hash,
        "features": " ".join(game.weights.names),
        "weights": weights_hash(game),
        "verbs": " ".join(verbs_of(game)),
        "hidden": str(len(fitted.weights["last"])),
        "command": f"{command} --seed {play.seed}",
        "decisions": str(fitted.decisions),
    }


def _said(verdict: Verdict) -> str:
    how = "passed" if verdict.passed else "not passed"
    return f"{verdict.won:g} of {verdict.matches} ({verdict.low:.3f} to {verdict.high:.3f}), {how}"


def write_file(folder: Path, told: Mapping[str, str], fitted: Fitted) -> Path:
    """The file of what was learnt, named by its content."""
    parts = {name: (fitted.weights[name].shape, fitted.weights[name].ravel().tolist()) for name in PARTS}
    return write_net(folder, told, parts)
