"""The command ``triclinium learn``: train weights, a value model or a ranking network from self-play."""

import argparse
import sys
from pathlib import Path

from triclinium.cli import arguments
from triclinium.cli.ansi import ProgressBar
from triclinium.cli.parser import RANKING_NETWORK, VALUE_MODEL, WEIGHTS
from triclinium.cli.streams import print_json, print_text
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.game import Game
from triclinium.lab.learn.evolution import WeightSearch, learn_weights
from triclinium.lab.learn.run import LearningPlan, run_learning
from triclinium.lab.learn.selfplay import SelfPlay
from triclinium.lab.learn.value_model import fit_value_model
from triclinium.lab.learn.weights import format_weights_toml
from triclinium.lab.report import format_tuning, format_value_model
from triclinium.lab.results import ValueModelReport

# the targets of each option that does not belong to all targets
TARGETS_BY_OPTION = {
    "seats": (WEIGHTS, RANKING_NETWORK),
    "trials": (WEIGHTS, RANKING_NETWORK),
    "bots": (WEIGHTS, VALUE_MODEL),
    "lessons": (WEIGHTS, VALUE_MODEL),
    "points": (WEIGHTS, VALUE_MODEL),
    "keep_ratios": (VALUE_MODEL,),
    **dict.fromkeys(("seconds", "proposals", "deals"), (WEIGHTS,)),
    **dict.fromkeys(
        ("matches", "minutes", "cores", "iterations", "fit_seed", "fits", "gate"),
        (RANKING_NETWORK,),
    ),
}


def learn_command(args: argparse.Namespace) -> int:
    """Train the target, write it to a file and print a report."""
    for option, targets in TARGETS_BY_OPTION.items():
        if getattr(args, option) is not None and args.target not in targets:
            name = option.replace("_", "-")
            raise BadSetup(f"--{name} is an option of --target {' and '.join(targets)}, not of {args.target}")
    game = arguments.find_game(args.game, args.components)
    if args.target == RANKING_NETWORK:
        return _learn_ranking_network(args, game)
    training_matches = arguments.parse_integer("--lessons", args.lessons or "400")
    if training_matches < 2:
        raise BadSetup(f"--lessons must be at least two matches for the value model, not {training_matches}")
    if args.points and not game.has_points:
        raise BadSetup(f"--points needs a game with points, but {game.id} has none")
    if args.points and args.keep_ratios:
        raise BadSetup("--keep-ratios fits the value model to wins, so it cannot be combined with --points")
    learn_target = _learn_weights if args.target == WEIGHTS else _learn_value_model
    return learn_target(args, game, args.bots or "steady", training_matches)


def _learn_weights(args: argparse.Namespace, game: Game, bot: str, training_matches: int) -> int:
    search = WeightSearch(
        game.id,
        arguments.parse_integer("--seats", args.seats) if args.seats else game.seats[0],
        bot,
        seconds=float(arguments.parse_integer("--seconds", args.seconds or "300")),
        proposals=arguments.parse_integer("--proposals", args.proposals or "48"),
        deals=arguments.parse_integer("--deals", args.deals or "1"),
        trials=arguments.parse_integer("--trials", args.trials or "200"),
        dataset_matches=training_matches,
        seed=arguments.parse_seed(args.seed),
        points=bool(args.points),
    )
    report = learn_weights(search, _print_generation if sys.stderr.isatty() else None, game)
    how = f"Tuned by {report['matches']} matches of {report['bot']} against itself with {report['seats']} seats."
    return _write_report(args, game, report, how, format_tuning(report))


def _learn_value_model(args: argparse.Namespace, game: Game, bot: str, training_matches: int) -> int:
    report = fit_value_model(
        game, bot, training_matches, arguments.parse_seed(args.seed), bool(args.points), bool(args.keep_ratios)
    )
    how = f"Value model fitted to {report['lessons']} matches of {report['bot']} with varied weights."
    return _write_report(args, game, report, how, format_value_model(report))


def _write_report(args: argparse.Namespace, game: Game, report: ValueModelReport, how: str, text: str) -> int:
    """Write the weights if ``--out`` is given, and print the report."""
    if args.out:
        Path(args.out).write_text(format_weights_toml(report, how, game.weights), encoding="utf-8")
    if args.json:
        print_json(report)
    else:
        print_text(text)
    return 0


def _print_generation(generation: int, best: float) -> None:
    sys.stderr.write(f"generation {generation}: {best:+.3f}\n")


def _learn_ranking_network(args: argparse.Namespace, game: Game) -> int:
    """Generate matches, fit the network, run its acceptance test and print a report."""
    if not args.out:
        raise BadSetup(f"--target {RANKING_NETWORK} needs --out with a folder for the matches and the network")
    seats = (
        tuple(arguments.parse_integer("--seats", text) for text in arguments.split_names(args.seats))
        if args.seats
        else game.seats
    )
    minutes = arguments.parse_integer("--minutes", args.minutes) if args.minutes else 0
    if minutes < 0:
        raise BadSetup(f"--minutes is a whole number of minutes, not {minutes}")
    play = SelfPlay(
        game.id,
        seats,
        arguments.parse_integer("--matches", args.matches or "300"),
        arguments.parse_integer("--iterations", args.iterations or "100"),
        arguments.parse_seed(args.seed),
        args.components,
    )
    acceptance_budget = args.gate or "150ms"
    cores, trials = (
        arguments.parse_integer("--cores", args.cores or "1"),
        arguments.parse_integer("--trials", args.trials or "300"),
    )
    fits = arguments.parse_integer("--fits", args.fits or "1")
    fit_seed = arguments.parse_seed(args.fit_seed) if args.fit_seed else None
    plan = LearningPlan(
        play, minutes * 60.0, cores, "" if acceptance_budget == "steady" else acceptance_budget, trials, fits, fit_seed
    )
    bars = ProgressBars()
    report = run_learning(plan, Path(args.out), bars.show)
    bars.close()
    if args.json:
        print_json(report)
    else:
        print_text(format_report(report))
    return 0


class ProgressBars:
    """A series of progress bars, one for each step of the work."""

    def __init__(self) -> None:
        self.bar: ProgressBar | None = None
        self.label = ""

    def show(self, label: str, done: int, total: int) -> None:
        if label != self.label or self.bar is None:
            self.close()
            self.label, self.bar = label, ProgressBar(sys.stderr, label)
        self.bar.show(done, total)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def format_report(report: dict[str, object]) -> str:
    """Return the report as text: training data, quality of the fit, and acceptance tests."""
    fit, history, gates = report["fit"], report["history"], report["gates"]
    assert isinstance(fit, dict)
    assert isinstance(history, dict)
    assert isinstance(gates, dict)
    lines = [
        f"{fit['decisions']} training decisions, {fit['held_out']} of them held out",
        f"cross entropy {fit['before']:.3f} before, {fit['after']:.3f} now (minimum {fit['entropy']:.3f})",
        f"the first choice agrees in {fit['agreed_before']:.0%} before, {fit['agreed']:.0%} now",
    ]
    lines += [f"{name.removeprefix('gate ')}: {result}" for name, result in history.items() if name.startswith("gate ")]
    lines.append(
        f"written: {report['file']}; bots use it with TRICLINIUM_NET=FILE, or if it is next to a game's weights.toml"
    )
    return "\n".join(lines)
