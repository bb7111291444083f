"""The command ``triclinium benchmark``: measure a bot in all games, or verify the results of someone else."""

import argparse
import os
import secrets
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from triclinium.bots.registry import BOTS_VARIABLE, load_bot_classes
from triclinium.cli import arguments
from triclinium.cli.ansi import StatusLine
from triclinium.cli.streams import FAILURE, INTERRUPTED, print_error, print_json, print_text
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.lab.benchmark.ladder import LadderGame, load_ladder
from triclinium.lab.benchmark.matches import BenchmarkRun, list_planned_matches, play_benchmark
from triclinium.lab.benchmark.results import Results, compute_checksum, find_faults, read_results
from triclinium.lab.benchmark.scores import BenchmarkScore, BotScores, compute_scores
from triclinium.lab.benchmark.verification import compare_scores, plan_rerun, repeat_matches
from triclinium.lab.text_table import format_table

OPENSPIEL_BOT = "ismcts"
OPENSPIEL_PLACE = "triclinium.research.ismcts:Ismcts"
OPENSPIEL_MODULE = "pyspiel"
MAX_FAULTS_SHOWN = 10


def benchmark_command(args: argparse.Namespace) -> int:
    """Measure a bot, or verify a results file."""
    if args.verify:
        return verify_results(args)
    if not args.bot:
        raise BadSetup("name a bot, or a results file with --verify")
    bot = f"{args.bot}@{args.budget}" if args.budget else args.bot
    entries = [load_ladder().find_game(name) for name in args.games] or load_ladder().games
    rivals = tuple((entry.id, choose_rivals(entry, args, bot)) for entry in entries)
    register_openspiel_bot([bot, *(rival for _, met in rivals for rival in met)])
    run = BenchmarkRun(bot, arguments.parse_integer("--matches", args.matches or "20"), rivals)
    path = Path(args.out or f"benchmark-{bot.replace('@', '-')}.jsonl")
    ended = play_run(run, path, arguments.parse_integer("--workers", args.workers))
    results = read_results(path)
    print_scores(compute_scores(results), args.json, path)
    return ended


def register_openspiel_bot(bots: Iterable[str]) -> None:
    """Make OpenSpiel's search available by name, in this process and in workers, if it is one of the bots."""
    places = os.environ.get(BOTS_VARIABLE, "")
    wanted = any(name.startswith(OPENSPIEL_BOT) for name in bots)
    if wanted and find_spec(OPENSPIEL_MODULE) is not None and OPENSPIEL_PLACE not in places.split(","):
        os.environ[BOTS_VARIABLE] = ",".join(filter(None, (places, OPENSPIEL_PLACE)))
        load_bot_classes.cache_clear()


def choose_rivals(entry: LadderGame, args: argparse.Namespace, bot: str) -> tuple[str, ...]:
    """Return the rivals of a bot in a game, without the bot itself."""
    known = (*entry.ladder, *entry.more)
    if args.rivals:
        wanted = arguments.split_names(args.rivals)
        chosen = [rival for rival in known if rival in wanted or rival.partition("@")[0].partition("+")[0] in wanted]
        missing = [name for name in wanted if not any(rival.startswith(name) for rival in known)]
        if missing and not chosen:
            raise BadSetup(f"the ladder of {entry.id} has {', '.join(known)}, but not {missing[0]}")
    else:
        chosen = list(known if args.more else entry.ladder)
    if find_spec(OPENSPIEL_MODULE) is None and any(rival.startswith(OPENSPIEL_BOT) for rival in chosen):
        sys.stderr.write(f"{entry.id}: {OPENSPIEL_BOT} is not measured, because OpenSpiel is not installed\n")
        chosen = [rival for rival in chosen if not rival.startswith(OPENSPIEL_BOT)]
    return tuple(rival for rival in chosen if rival != bot)


def play_run(run: BenchmarkRun, path: Path, workers: int, of: str = "") -> int:
    """Play the missing matches of a run with a progress line, and return the exit code."""
    line = StatusLine(sys.stderr)
    count = 0

    def show(done: int, total: int, seconds: float, match: str) -> None:
        line.show(f"{done} of {total} matches, {format_duration(seconds)} left, {match}")

    try:
        for _ in play_benchmark(run, path, workers, show, of):
            count += 1
    except KeyboardInterrupt:
        line.close()
        played, total = len(read_results(path).lines), len(list_planned_matches(run))
        sentence = f"interrupted after {played} of {total} matches; the same command continues in {path}"
        return print_error(sentence, INTERRUPTED)
    line.close()
    return 0


def format_duration(seconds: float) -> str:
    minutes = seconds / 60
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def print_scores(scores: BotScores, as_json: bool, path: Path) -> None:
    if as_json:
        print_json({**build_json(scores), "file": str(path)})
        return
    rows = [["game", "rival", "score", "95% CI", "matches"]]
    rows += [[game, rival, *_format_cells(score)] for (game, rival), score in scores.rivals.items()]
    rows += [[game, "mean over the ladder", *_format_cells(score)] for game, score in scores.games.items()]
    if scores.total is not None:
        rows.append(["all games", "mean", *_format_cells(scores.total)])
    print_text(format_table(rows, left_columns=2))
    print_text(f"\n{1000 * scores.seconds:.3g} ms for a decision, {scores.faults} faults; the records are in {path}")
    if scores.total is None:
        print_text("The total needs the whole ladder of all games.")


def build_json(scores: BotScores) -> dict[str, object]:
    return {
        "rivals": [{"game": game, "rival": rival, **_score_json(one)} for (game, rival), one in scores.rivals.items()],
        "games": {name: _score_json(score) for name, score in scores.games.items()},
        "total": None if scores.total is None else _score_json(scores.total),
        "seconds": round(scores.seconds, 6),
        "faults": scores.faults,
    }


def verify_results(args: argparse.Namespace) -> int:
    """Replay the matches of a file, repeat some, and play fresh deals. The exit code is 1 if something is wrong."""
    path = Path(args.verify)
    results = read_results(path)
    register_openspiel_bot([results.header["bot"], *(line["rival"] for line in results.lines)])
    key = int(args.key, 16) if args.key else secrets.randbelow(SEED_LIMIT)
    faults = find_faults(results)
    for fault in faults[:MAX_FAULTS_SHOWN]:
        print_text(f"{path}: {fault}")
    print_text(f"replayed {len(results.lines)} matches: {len(faults)} faults")
    if faults:
        return FAILURE
    repeated = repeat_matches(results, arguments.parse_integer("--repeats", args.repeats), key)
    same = sum(1 for _, equal in repeated if equal)
    print_text(f"repeated {len(repeated)} matches with key {key:x}: the bots chose the same options in {same}")
    return rerun_results(args, results, path, key)


def rerun_results(args: argparse.Namespace, results: Results, path: Path, key: int) -> int:
    """Play fresh deals from the key, and compare the scores."""
    run = plan_rerun(results, arguments.parse_integer("--matches", args.matches or "10"), key)
    rerun_path = Path(args.out or f"{path.name.partition('.')[0]}-rerun-{key:x}.jsonl")
    ended = play_run(run, rerun_path, arguments.parse_integer("--workers", args.workers), compute_checksum(path))
    if ended:
        return ended
    scores = compute_scores(read_results(rerun_path))
    print_scores(scores, args.json, rerun_path)
    compared = compare_scores(compute_scores(results), scores)
    for one in compared:
        verdict = "differs by more than chance explains" if one.differs else "agrees"
        print_text(f"{one.what}: reported {one.reported}, re-run {one.rerun}: {verdict}")
    return FAILURE if any(one.differs for one in compared) else 0


def _format_cells(score: BenchmarkScore) -> list[str]:
    return [f"{score.value:.1%}", f"{score.low:.1%} to {score.high:.1%}", str(score.matches)]


def _score_json(score: BenchmarkScore) -> dict[str, object]:
    return {name: round(getattr(score, name), 4) for name in ("value", "low", "high")} | {"matches": score.matches}
