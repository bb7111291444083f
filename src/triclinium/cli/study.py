"""``triclinium study``: change a number, let bots play it thousands of times, read what changed."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from triclinium.cli import arguments
from triclinium.cli.ansi import Line
from triclinium.cli.commands import needs
from triclinium.cli.streams import INTERRUPTED, complain, print_json, print_text
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.text import Reader
from triclinium.engine.numbers import read_changes
from triclinium.engine.registry import find_game
from triclinium.lab.study import balance, run
from triclinium.lab.study.bans_and_ladders import free_components
from triclinium.lab.study.console import fitting_text, making_text, plan_text, progress_text, result_text, trying_text
from triclinium.lab.study.engine import Engine, local
from triclinium.lab.study.json_output import to_data
from triclinium.lab.study.plan import BAN, COMPARE, LADDER, SCREEN
from triclinium.lab.study.refit import Fitting
from triclinium.lab.study.report import tried_text
from triclinium.lab.study.report_text import Text, lab_reader
from triclinium.lab.study.runner import Progress
from triclinium.lab.study.screening import Making
from triclinium.lab.study.store import Folder, study_in
from triclinium.lab.study.study_file import Study, Wanted, plain, read_study

KINDS = {"run": COMPARE, "plan": COMPARE, "screen": SCREEN, "ban": BAN, "ladder": LADDER, "fair": COMPARE}
RAY = "triclinium.lab.study.ray_engine"


def study_command(args: argparse.Namespace) -> int:
    """Play a study and write its report; with ``plan``, only say what it would take."""
    study = study_of(args)
    if "list" in (args.cards, args.places):
        return print_components(study, args.language)
    with making_line(study.title, args.language) as making:
        plan = run.plan_of(study, making)
    reader = lab_reader(plan.game(0), args.language)
    with engine_of(args) as engine:
        try:
            to = Path(args.to) if args.to else None
            with counting_line(reader, trying_text) as trying:
                folder, seconds = run.rehearse(study, to, engine, fitting_line(reader), plan, trying)
            if args.study == "plan":
                return tell_plan(args, folder, seconds, engine.workers, reader)
            return run_study_command(args, study, folder, seconds, engine, reader)
        except KeyboardInterrupt:
            return complain("interrupted; finished parts are kept, and the same command goes on", INTERRUPTED)


def print_components(study: Study, language: str) -> int:
    """Print the components that a ban can take away, with table, id and name."""
    game = study.game()
    reader = lab_reader(game, language)
    for one in free_components(game, study.places()):
        print_text(f"{one.table} {one.id}: {reader.say(one.name)}")
    return 0


def run_study_command(
    args: argparse.Namespace, study: Study, folder: Folder, seconds: float, engine: Engine, reader: Reader
) -> int:
    """Say what it takes, play it, say what came out."""
    said = [text(reader) for text in plan_text(folder.plan, seconds, engine.workers)]
    if not args.json:
        print_text(" ".join(said))
        sys.stdout.flush()
    line = Line(sys.stderr)

    def tell(progress: Progress) -> None:
        line.show(progress_text(progress)(reader))

    try:
        done = run.conduct(
            study, folder.path, tell=tell, language=args.language, engine=nullcontext(engine), plan=folder.plan
        )
    finally:
        line.close()
    if args.json:
        print_json({**to_data(done.summary, done.screening), "folder": str(done.folder)})
    else:
        print_text("")
        print_text(result_text(done, reader))
    return 0


def making_line(title: str, language: str) -> AbstractContextManager[Making]:
    """Says on one line how far the editions of a screening are made."""
    return counting_line(lab_reader(find_game(title), language), making_text)


@contextmanager
def counting_line(reader: Reader, text: Callable[[int, int], Text]) -> Iterator[Callable[[int, int], None]]:
    """Says on one line how many are done of how many, and takes it away at the end."""
    line = Line(sys.stderr)
    try:
        yield lambda done, planned: line.show(text(done, planned)(reader))
    finally:
        line.close()


def fitting_line(reader: Reader) -> Fitting:
    """Says on one line how far the fitting of bots has come."""
    line = Line(sys.stderr)

    def tell(edition: str, generation: int, planned: int) -> None:
        line.show(fitting_text(edition, generation, planned)(reader))
        if generation == planned:
            line.close()

    return tell


def tell_plan(args: argparse.Namespace, folder: Folder, seconds: float, workers: int, reader: Reader) -> int:
    plan = folder.plan
    said = " ".join(text(reader) for text in plan_text(plan, seconds, workers))
    if args.json:
        counts = {"deals": plan.deals, "matches": plan.matches, "seconds": round(seconds), "workers": workers}
        print_json({"study": plan.hash, "folder": str(folder.path), **counts, "said": said})
    else:
        print_text(said)
    return 0


def report_command(args: argparse.Namespace) -> int:
    """The page of a folder anew, also of an interrupted study."""
    path = Path(args.folder)
    with making_line(study_in(path).title, args.language) as making:
        done = run.report(path, args.language, making)
    if args.json:
        print_json({**to_data(done.summary, done.screening), "folder": str(done.folder)})
    else:
        print_text(result_text(done, lab_reader(done.game, args.language)))
    return 0


def record_command(args: argparse.Namespace) -> int:
    """A match of a study as a record."""
    path, number = Path(args.folder), arguments.whole("MATCH", args.match)
    with making_line(study_in(path).title, "en") as making:
        text = run.record(path, number, making)
    sys.stdout.write(text)
    return 0


def fair_command(args: argparse.Namespace) -> int:
    """Look for numbers that reach a goal; what is printed is the study that confirms the best."""
    study = study_of(args)
    game = study.game()
    free = [balance.read_free(game, text) for text in args.free]
    goal = balance.read_goal(args.goal)
    reader = lab_reader(game, args.language)
    line = Line(sys.stderr)
    with engine_of(args) as engine:
        try:
            to = Path(args.to or f"fair-{study.title}")
            found = balance.search(study, free, goal, to, engine, lambda told: line.show(progress_text(told)(reader)))
        except KeyboardInterrupt:
            return complain("interrupted; finished parts are kept, and the same command goes on", INTERRUPTED)
        finally:
            line.close()
    done = found.confirmed
    if args.json:
        best = {"tried": found.tried, "best": dict(found.best.set), "folder": str(done.folder)}
        print_json({**best, **to_data(done.summary)})
    else:
        print_text(f"{found.best.name} ({tried_text(found.tried)(reader)})")
        print_text(result_text(done, reader))
    return 0


def engine_of(args: argparse.Namespace) -> AbstractContextManager[Engine]:
    """Processes of this machine, or Ray's."""
    if not args.ray:
        workers = arguments.whole("--workers", args.workers) if args.workers else run.usual_workers()
        return local(workers)
    try:
        module = import_module(RAY)
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("triclinium"):
            raise
        raise BadSetup(needs("a study on a cluster", "ray")) from None
    engine: AbstractContextManager[Engine] = module.by_ray(args.ray)
    return engine


# -- what was asked for ---------------------------------------------------------------------------------------------


def study_of(args: argparse.Namespace) -> Study:
    """A study file with what the command line says besides, or a study of a game."""
    named = args.what.endswith(".toml") or Path(args.what).is_file()
    study = read_study(Path(args.what)) if named else Study(find_game(args.what).id, kind=KINDS[args.study])
    if named and args.study not in ("run", "plan"):
        study = replace(study, kind=KINDS[args.study])
    study = replace(
        study,
        seats=arguments.whole("--seats", args.seats) if args.seats else study.seats,
        bots=tuple(arguments.names(args.bots)) if args.bots else study.bots,
        also=study.also if args.also is None else tuple(arguments.names(args.also)) if args.also else (),
        matches=arguments.whole("--matches", args.matches) if args.matches else study.matches,
        seed=arguments.seed(args.seed) if args.seed else study.seed,
        variants={**study.variants, **arguments.pairs(args.variant)},
        verbs=tuple(arguments.names(args.verbs)) if args.verbs else study.verbs,
        banned_cards=tuple(arguments.names(args.cards)) if args.cards else study.banned_cards,
        banned_places=tuple(arguments.names(args.places)) if args.places else study.banned_places,
        figures=tuple(arguments.names(args.figure)) if args.figure else study.figures,
        only=tuple(args.only) or study.only,
        question=args.question or study.question,
        open_ended=args.open_ended or study.open_ended,
        replays=arguments.whole("--replays", args.replays) if args.replays else study.replays,
        every_choice=args.every_choice or study.every_choice,
        refit=args.refit or study.refit,
        all_components=args.all_components or study.all_components,
    )
    if args.seats and study.seats < 1:
        raise BadSetup(f"at least one seat is needed, not {study.seats}")
    if args.matches and study.matches < 1:
        raise BadSetup(f"at least one match is needed, not {study.matches}")
    if args.detect:
        study = replace(study, detect=share("--detect", args.detect), matches=study.matches if args.matches else 0)
    if args.looks:
        study = replace(study, looks=arguments.whole("--looks", args.looks))
    return replace(study, editions=(*study.editions, *edition_of(args, study)))


def edition_of(args: argparse.Namespace, study: Study) -> tuple[Wanted, ...]:
    """The edition that --set or --components describes."""
    if not args.set and not args.components:
        return ()
    if args.set and args.components:
        raise BadSetup("an edition is described by --set or by --components, not by both")
    if args.components:
        name = args.name or Path(args.components).stem
        return (Wanted(name, components=arguments.read_text(args.components, "components file")),)
    changes = read_changes(study.game().file, args.set)
    return (Wanted(args.name or "changed", {path: plain(value) for path, value in changes.items()}),)


def share(what: str, text: str) -> float:
    """``3%`` or ``0.03``."""
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise BadSetup(f"{what} takes a share, such as 3% or 0.03, not {text[:40]!r}") from None
