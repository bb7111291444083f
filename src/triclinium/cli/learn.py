"""``triclinium learn``: learn weights, a value model or a ranking network for a game's bots from self-play."""

import argparse
import sys
from pathlib import Path

from triclinium.cli import arguments
from triclinium.cli.ansi import Bar
from triclinium.cli.parser import RANKING_NETWORK, VALUE_MODEL, WEIGHTS
from triclinium.cli.streams import print_json, print_text
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.game import Game
from triclinium.lab.learn.evolution import Search, learn_weights
from triclinium.lab.learn.run import Learning, learn
from triclinium.lab.learn.selfplay import SelfPlay
from triclinium.lab.learn.value_model import fit_value_model
from triclinium.lab.learn.weights import weights_toml
from triclinium.lab.report import tuning_text, value_model_text
from triclinium.lab.results import ValueModelReport

# The targets that an option belongs to, where it does not belong to all.
TARGETS_OF = {
    "seats": (WEIGHTS, RANKING_NETWORK),
    "trials": (WEIGHTS, RANKING_NETWORK),
    "bots": (WEIGHTS, VALUE_MODEL),
    "lessons": (WEIGHTS, VALUE_MODEL),
    "points": (WEIGHTS, VALUE_MODEL),
    **dict.fromkeys(("seconds", "proposals", "deals"), (WEIGHTS,)),
    **dict.fromkeys(
        ("matches", "minutes", "cores", "iterations", "fit_seed", "fits", "gate"),
        (RANKING_NETWORK,),
    ),
}


def learn_command(args: argparse.Namespace) -> int:
    """Learn the target, write it and print what came of it."""
    for option, targets in TARGETS_OF.items():
        if getattr(args, option) is not None and args.target not in targets:
            name = option.replace("_", "-")
            raise BadSetup(f"--{name} is an option of --target {' and '.join(targets)}, not of {args.target}")
    game = arguments.find_game(args.title, args.components)
    if args.target == RANKING_NETWORK:
        return _learn_ranking_network(args, game)
    lessons = arguments.whole("--lessons", args.lessons or "400")
    if lessons < 2:
        raise BadSetup(f"--lessons is two matches at least, from which a value model is made, not {lessons}")
    if args.points and not game.has_points:
        raise BadSetup(f"--points needs a game with points; {game.id} has none")
    learn_target = _learn_weights if args.target == WEIGHTS else _learn_value_model
    return learn_target(args, game, args.bots or "steady", lessons)


def _learn_weights(args: argparse.Namespace, game: Game, bot: str, lessons: int) -> int:
    search = Search(
        game.id,
        arguments.whole("--seats", args.seats) if args.seats else game.seats[0],
        bot,
        seconds=float(arguments.whole("--seconds", args.seconds or "300")),
        proposals=arguments.whole("--proposals", args.proposals or "48"),
        deals=arguments.whole("--deals", args.deals or "1"),
        trials=arguments.whole("--trials", args.trials or "200"),
        dataset=lessons,
        seed=arguments.seed(args.seed),
        points=bool(args.points),
    )
    report = learn_weights(search, _tell_generation if sys.stderr.isatty() else None, game)
    how = f"Tuned by {report['matches']} matches of {report['bot']} against itself with {report['seats']} seats."
    return _publish(args, game, report, how, tuning_text(report))


def _learn_value_model(args: argparse.Namespace, game: Game, bot: str, lessons: int) -> int:
    report = fit_value_model(game, bot, lessons, arguments.seed(args.seed), bool(args.points))
    how = f"Value model fitted to {report['lessons']} matches of {report['bot']} with varied weights."
    return _publish(args, game, report, how, value_model_text(report))


def _publish(args: argparse.Namespace, game: Game, report: ValueModelReport, how: str, text: str) -> int:
    """Write the file that was asked for, and print the report."""
    if args.out:
        Path(args.out).write_text(weights_toml(report, how, game.weights), encoding="utf-8")
    if args.json:
        print_json(report)
    else:
        print_text(text)
    return 0


def _tell_generation(generation: int, best: float) -> None:
    sys.stderr.write(f"generation {generation}: {best:+.3f}\n")


def _learn_ranking_network(args: argparse.Namespace, game: Game) -> int:
    """Play, fit, try the network against the bots without it, and print what came of it."""
    if not args.out:
        raise BadSetup(f"--target {RANKING_NETWORK} needs --out, a folder for the matches and the network")
    seats = (
        tuple(arguments.whole("--seats", text) for text in arguments.names(args.seats)) if args.seats else game.seats
    )
    minutes = arguments.whole("--minutes", args.minutes) if args.minutes else 0
    if minutes < 0:
        raise BadSetup(f"--minutes is a whole number of minutes, not {minutes}")
    play = SelfPlay(
        game.id,
        seats,
        arguments.whole("--matches", args.matches or "300"),
        arguments.whole("--iterations", args.iterations or "100"),
        arguments.seed(args.seed),
        args.components,
    )
    gate = args.gate or "150ms"
    cores, trials = arguments.whole("--cores", args.cores or "1"), arguments.whole("--trials", args.trials or "300")
    fits = arguments.whole("--fits", args.fits or "1")
    fit_seed = arguments.seed(args.fit_seed) if args.fit_seed else None
    plan = Learning(play, minutes * 60.0, cores, "" if gate == "steady" else gate, trials, fits, fit_seed)
    shown = Bars()
    report = learn(plan, Path(args.out), shown.show)
    shown.close()
    if args.json:
        print_json(report)
    else:
        print_text(told(report))
    return 0


class Bars:
    """One bar after another, each for what is being done."""

    def __init__(self) -> None:
        self.bar: Bar | None = None
        self.what = ""

    def show(self, what: str, done: int, total: int) -> None:
        if what != self.what or self.bar is None:
            self.close()
            self.what, self.bar = what, Bar(sys.stderr, what)
        self.bar.show(done, total)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def told(report: dict[str, object]) -> str:
    """What was learnt from, how well it foretells search, and what it won."""
    fit, history, gates = report["fit"], report["history"], report["gates"]
    assert isinstance(fit, dict)
    assert isinstance(history, dict)
    assert isinstance(gates, dict)
    lines = [
        f"{fit['decisions']} decisions learnt, {fit['held_out']} held out",
        f"cross entropy {fit['before']:.3f} before, {fit['after']:.3f} now; {fit['entropy']:.3f} is the least",
        f"first choice agrees in {fit['agreed_before']:.0%} before, {fit['agreed']:.0%} now",
    ]
    lines += [f"{name.removeprefix('gate ')}: {said}" for name, said in history.items() if name.startswith("gate ")]
    lines.append(
        f"written: {report['file']}; bots use it by TRICLINIUM_NET=FILE, and always beside a game's weights.toml"
    )
    return "\n".join(lines)
