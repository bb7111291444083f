"""The command ``triclinium study``: change a number, let bots play thousands of matches and compare the results."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import FrameType

from triclinium.cli import arguments
from triclinium.cli.ansi import StatusLine
from triclinium.cli.streams import INTERRUPTED, print_error, print_json, print_text
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.text import Reader
from triclinium.engine.extras import describe_missing_extra
from triclinium.engine.numbers import read_changes
from triclinium.engine.registry import load_game
from triclinium.i18n.catalog import list_languages
from triclinium.lab.study import balance
from triclinium.lab.study import run as run_study
from triclinium.lab.study.bans_and_ladders import find_option_components
from triclinium.lab.study.console import (
    format_editions,
    format_fitting,
    format_main_difference,
    format_pilot,
    format_plan,
    format_progress,
    format_result,
)
from triclinium.lab.study.csv_output import write_csv
from triclinium.lab.study.engine import StudyEngine, open_local_engine
from triclinium.lab.study.json_output import to_data
from triclinium.lab.study.refit import FittingProgress
from triclinium.lab.study.report import format_tried_editions
from triclinium.lab.study.report_text import Text, make_lab_reader
from triclinium.lab.study.runner import StudyProgress
from triclinium.lab.study.screening import EditionProgress
from triclinium.lab.study.store import StudyFolder, load_study
from triclinium.lab.study.study_file import (
    BAN,
    COMPARE,
    LADDER,
    SCREEN,
    EditionRequest,
    Study,
    read_study,
    to_plain_value,
)

STUDY_KINDS = {"run": COMPARE, "plan": COMPARE, "screen": SCREEN, "ban": BAN, "ladder": LADDER, "fair": COMPARE}
LOWEST_PRIORITY = 19  # nice value
RAY_MODULE = "triclinium.lab.study.ray_engine"


def study_command(args: argparse.Namespace) -> int:
    """Run a study and write its report. With ``plan``, print only its size and duration."""
    if args.idle and hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)
    if args.csv and not Path(args.csv).parent.is_dir():
        raise BadSetup(f"{args.csv} cannot be written: there is no folder {Path(args.csv).parent}")
    study = build_study(args)
    if "list" in (args.cards, args.places):
        return print_components(study, args.language)
    with show_edition_progress(study.game, args.language) as making:
        plan = run_study.make_plan(study, making)
    reader = make_lab_reader(plan.load_edition_game(0), args.language)
    if args.progress:
        print_progress_line(StudyProgress(0, plan.deals, 0, 0, plan.matches, 0.0, None), study.game)
    with end_on_termination(), open_engine(args) as engine:
        try:
            target = Path(args.to) if args.to else None
            with show_count_progress(reader, format_pilot) as trying:
                folder, seconds = run_study.estimate_duration(
                    study, target, engine, make_fitting_progress(reader), plan, trying
                )
            if args.study == "plan":
                return print_plan(args, folder, seconds, engine.workers, reader)
            return run_study_command(args, study, folder, seconds, engine, reader)
        except KeyboardInterrupt:
            return print_error("interrupted; finished parts are kept, and the same command continues", INTERRUPTED)


def print_components(study: Study, language: str) -> int:
    """Print the components that a study of restricted play can forbid, with table, id and name."""
    game = study.load_game()
    reader = make_lab_reader(game, language)
    for component in find_option_components(game, study.get_seat_count()):
        print_text(f"{component.table} {component.id}: {reader.format_arg(component.name)}")
    return 0


def run_study_command(
    args: argparse.Namespace, study: Study, folder: StudyFolder, seconds: float, engine: StudyEngine, reader: Reader
) -> int:
    """Print the plan, run the study and print its result."""
    plan_lines = [text(reader) for text in format_plan(folder.plan, seconds, engine.workers)]
    if not args.json and not args.progress:
        print_text(" ".join(plan_lines))
        sys.stdout.flush()
    line = StatusLine(sys.stderr)

    def print_progress(progress: StudyProgress) -> None:
        if args.progress:
            print_progress_line(progress, study.game)
        else:
            line.show(format_progress(progress)(reader))

    try:
        done = run_study.run_study(
            study,
            folder.path,
            on_progress=print_progress,
            language=args.language,
            engine=nullcontext(engine),
            plan=folder.plan,
        )
    finally:
        line.close()
    if args.csv:
        write_csv(Path(args.csv), done.summary)
    if args.progress:
        main = done.summary.differences[0] if done.summary.differences else None
        deals = done.summary.deals
        print_progress_line(StudyProgress(deals, deals, 0, 0, folder.plan.matches, 0.0, main), study.game)
    elif args.json:
        print_json({**to_data(done.summary, done.screening), "folder": str(done.folder)})
    else:
        print_text("")
        print_text(format_result(done, reader))
    return 0


def print_progress_line(progress: StudyProgress, game_id: str) -> None:
    """Print the progress as a JSON object, with the main difference in every language, for a program that waits."""
    first: dict[str, str] = {}
    if progress.last_difference is not None:
        text = format_main_difference(progress.last_difference)
        game = load_game(game_id)
        first = {language: text(make_lab_reader(game, language)) for language in list_languages()}
    seconds = progress.seconds_left
    print_json(
        {
            "played": progress.deals,
            "planned": progress.planned,
            "seconds_left": 0.0 if seconds is None else round(seconds, 1),
            "first": first,
        }
    )
    sys.stdout.flush()


@contextmanager
def end_on_termination() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C, so that it ends the workers too and keeps finished parts."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def show_edition_progress(game_id: str, language: str) -> AbstractContextManager[EditionProgress]:
    """Return a context manager that shows the progress of making editions for a screening."""
    return show_count_progress(make_lab_reader(load_game(game_id), language), format_editions)


@contextmanager
def show_count_progress(reader: Reader, text: Callable[[int, int], Text]) -> Iterator[Callable[[int, int], None]]:
    """Show a count of finished items in a status line, and clear it at the end."""
    line = StatusLine(sys.stderr)
    try:
        yield lambda done, planned: line.show(text(done, planned)(reader))
    finally:
        line.close()


def make_fitting_progress(reader: Reader) -> FittingProgress:
    """Return a callback that shows the progress of fitting bots in a status line."""
    line = StatusLine(sys.stderr)

    def show_progress(edition: str, generation: int, planned: int) -> None:
        line.show(format_fitting(edition, generation, planned)(reader))
        if generation == planned:
            line.close()

    return show_progress


def print_plan(args: argparse.Namespace, folder: StudyFolder, seconds: float, workers: int, reader: Reader) -> int:
    plan = folder.plan
    summary = " ".join(text(reader) for text in format_plan(plan, seconds, workers))
    if args.json:
        counts = {"deals": plan.deals, "matches": plan.matches, "seconds": round(seconds), "workers": workers}
        print_json({"study": plan.hash, "folder": str(folder.path), **counts, "said": summary})
    else:
        print_text(summary)
    return 0


def report_command(args: argparse.Namespace) -> int:
    """Write the report of a study folder again. The study may be unfinished."""
    path = Path(args.folder)
    with show_edition_progress(load_study(path).game, args.language) as making:
        done = run_study.rebuild_report(path, args.language, making)
    if args.json:
        print_json({**to_data(done.summary, done.screening), "folder": str(done.folder)})
    else:
        print_text(format_result(done, make_lab_reader(done.game, args.language)))
    return 0


def record_command(args: argparse.Namespace) -> int:
    """Print a match of a study as a record."""
    path, number = Path(args.folder), arguments.parse_integer("MATCH", args.match)
    with show_edition_progress(load_study(path).game, "en") as making:
        text = run_study.export_match(path, number, making)
    sys.stdout.write(text)
    return 0


def balance_command(args: argparse.Namespace) -> int:
    """Search for numbers that reach a goal, then print the study that confirms the best ones."""
    study = build_study(args)
    game = study.load_game()
    free = [balance.parse_free_number(game, text) for text in args.free]
    goal = balance.parse_goal(args.goal)
    reader = make_lab_reader(game, args.language)
    line = StatusLine(sys.stderr)
    with open_engine(args) as engine:
        try:
            target = Path(args.to or f"fair-{study.game}")
            result = run_study.search_balance(
                study, free, goal, target, engine, lambda progress: line.show(format_progress(progress)(reader))
            )
        except KeyboardInterrupt:
            return print_error("interrupted; finished parts are kept, and the same command continues", INTERRUPTED)
        finally:
            line.close()
    done = result.confirmed
    if args.json:
        best = {"tried": result.tried, "best": dict(result.best.set), "folder": str(done.folder)}
        print_json({**best, **to_data(done.summary)})
    else:
        print_text(f"{result.best.name} ({format_tried_editions(result.tried)(reader)})")
        print_text(format_result(done, reader))
    return 0


def open_engine(args: argparse.Namespace) -> AbstractContextManager[StudyEngine]:
    """Return a context manager for local worker processes or for a Ray cluster."""
    if not args.ray:
        workers = (
            arguments.parse_integer("--workers", args.workers) if args.workers else run_study.count_default_workers()
        )
        return open_local_engine(workers)
    try:
        module = import_module(RAY_MODULE)
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("triclinium"):
            raise
        raise BadSetup(describe_missing_extra("a study on a cluster", "ray")) from None
    engine: AbstractContextManager[StudyEngine] = module.open_ray_engine(args.ray)
    return engine


# -- the study from the arguments --------------------------------------------------------------------------------


def build_study(args: argparse.Namespace) -> Study:
    """Return a study from a file or a game, with the settings of the command line."""
    is_study_file = args.what.endswith(".toml") or Path(args.what).is_file()
    study = (
        read_study(Path(args.what)) if is_study_file else Study(load_game(args.what).id, kind=STUDY_KINDS[args.study])
    )
    if is_study_file and args.study not in ("run", "plan"):
        study = replace(study, kind=STUDY_KINDS[args.study])
    study = replace(
        study,
        seats=arguments.parse_integer("--seats", args.seats) if args.seats else study.seats,
        bots=tuple(arguments.split_names(args.bots)) if args.bots else study.bots,
        also=study.also if args.also is None else tuple(arguments.split_names(args.also)) if args.also else (),
        matches=arguments.parse_integer("--matches", args.matches) if args.matches else study.matches,
        seed=arguments.parse_seed(args.seed) if args.seed else study.seed,
        variants={**study.variants, **arguments.parse_pairs(args.variant)},
        verbs=tuple(arguments.split_names(args.verbs)) if args.verbs else study.verbs,
        banned_cards=tuple(arguments.split_names(args.cards)) if args.cards else study.banned_cards,
        banned_places=tuple(arguments.split_names(args.places)) if args.places else study.banned_places,
        figures=tuple(arguments.split_names(args.figure)) if args.figure else study.figures,
        only=tuple(args.only) or study.only,
        question=args.question or study.question,
        main=args.main or study.main,
        open_ended=args.open_ended or study.open_ended,
        replays=arguments.parse_integer("--replays", args.replays) if args.replays else study.replays,
        every_choice=args.every_choice or study.every_choice,
        refit=args.refit or study.refit,
        all_components=args.all_components or study.all_components,
    )
    if args.seats and study.seats < 1:
        raise BadSetup(f"at least one seat is needed, not {study.seats}")
    if args.matches and study.matches < 1:
        raise BadSetup(f"at least one match is needed, not {study.matches}")
    if args.detect:
        study = replace(
            study, detect=parse_share("--detect", args.detect), matches=study.matches if args.matches else 0
        )
    if args.looks:
        study = replace(study, looks=arguments.parse_integer("--looks", args.looks))
    return replace(study, editions=(*study.editions, *build_editions(args, study)))


def build_editions(args: argparse.Namespace, study: Study) -> tuple[EditionRequest, ...]:
    """Return the edition that --set or --components describes, if any."""
    if not args.set and not args.components:
        return ()
    if args.set and args.components:
        raise BadSetup("use either --set or --components to describe an edition, not both")
    if args.components:
        name = args.name or Path(args.components).stem
        return (EditionRequest(name, components=arguments.read_text(args.components, "components file")),)
    changes = read_changes(study.load_game().file, args.set)
    return (EditionRequest(args.name or "changed", {path: to_plain_value(value) for path, value in changes.items()}),)


def parse_share(option: str, text: str) -> float:
    """Parse a share such as ``3%`` or ``0.03``. Raise BadSetup for other text."""
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise BadSetup(f"{option} must be a share such as 3% or 0.03, not {text[:40]!r}") from None
