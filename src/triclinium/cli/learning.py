"""``triclinium learn``: let a game's bots learn from matches of search with itself."""

import argparse
import sys
from pathlib import Path

from triclinium.cli import arguments
from triclinium.cli.printing import print_json, print_text
from triclinium.cli.tty import Bar
from triclinium.engine.core.errors import BadSetup
from triclinium.lab.learn.learning import Learning, learn
from triclinium.lab.learn.selfplay import SelfPlay


def learn_command(args: argparse.Namespace) -> int:
    """Play, fit, try what was learnt against the bots without it, and say what came of it."""
    game = arguments.find_game(args.title, args.components)
    seats = (
        tuple(arguments.whole("--seats", text) for text in arguments.names(args.seats)) if args.seats else game.seats
    )
    minutes = arguments.whole("--minutes", args.minutes) if args.minutes else 0
    if minutes < 0:
        raise BadSetup(f"--minutes is a whole number of minutes, not {minutes}")
    play = SelfPlay(
        game.id,
        seats,
        arguments.whole("--matches", args.matches),
        arguments.whole("--iterations", args.iterations),
        arguments.seed(args.seed),
        args.components,
    )
    budget = "" if args.gate == "steady" else args.gate
    cores, trials = arguments.whole("--cores", args.cores), arguments.whole("--trials", args.trials)
    fits = arguments.whole("--fits", args.fits)
    fit_seed = arguments.seed(args.fit_seed) if args.fit_seed else None
    plan = Learning(play, minutes * 60.0, cores, budget, trials, fits, fit_seed)
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
