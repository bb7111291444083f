"""Data set of matches between bots of all levels: ``make dataset``, or ``python -m bench.dataset FOLDER``.

It writes a record of each match, one Parquet table of results with a row for each seat, a data card, and the checksums
of all files. The same release, seed and numbers of matches give the same files.
"""

import argparse
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

import polars as pl

from triclinium.bots import choose_option, create_bot, derive_seed
from triclinium.bots.levels import LEVELS, load_levels
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.registry import list_games, load_game

MIXED = "mixed"  # group of matches whose seats have different levels
SEARCHING = ("strong", "master")  # levels whose strength is a budget
RESULTS_FILE, CARD_FILE, CHECKSUMS_FILE = "results.parquet", "README.md", "SHA256SUMS"
OUR_GAMES = ("evangelists", "ierusalem", "missionnaires", "portals", "testoftime")


@dataclass(frozen=True)
class MatchPlan:
    """One match of the data set: its game, its group (a level, or mixed), its number and its seed."""

    game: str
    group: str
    number: int
    seed: int
    seats: int
    bots: tuple[str, ...]

    @property
    def path(self) -> str:
        return f"records/{self.game}/{self.group}/{self.number:04}.rec"


@dataclass(frozen=True)
class DatasetRow:
    """One row of the results: a seat, its bot and its result."""

    record: str
    game: str
    version: int
    components: str
    group: str
    seed: int
    seats: int
    seat: int
    bot: str
    rank: int
    points: int | None  # None in a game without points
    win_share: float  # the shares of a match add up to 1
    decisions: int
    digest: int


COLUMNS = {
    "record": "file of the record",
    "game": "id of the game",
    "version": "version of its rules",
    "components": "hash of its components",
    "group": "level of all bots, or `mixed`",
    "seed": "seed of the match",
    "seats": "number of seats",
    "seat": "this seat, from 0",
    "bot": "its bot, with the budget in iterations",
    "rank": "its rank; 1 is best, and ties share a rank",
    "points": "its points; none in a game without points",
    "win_share": "its share of the win; the shares of a match add up to 1",
    "decisions": "number of decisions in the match",
    "digest": "digest of the final state",
}


def plan_matches(
    games: Sequence[str], matches: int, iterations: int, seed: int, groups: Sequence[str] = (*LEVELS, MIXED)
) -> list[MatchPlan]:
    """Return all matches: for each game and level, and for mixed levels. The number of seats alternates."""
    plans = []
    for game in map(load_game, games):
        levels = load_levels(game).offered
        for place, group in enumerate((*levels, MIXED)):
            for number in range(matches if group in groups else 0):
                own_seed = derive_seed(seed, OUR_GAMES.index(game.id), place, number)
                seats, rng = game.seats[number % len(game.seats)], Rng(own_seed)
                chosen = [rng.below(len(levels)) for _ in range(seats)] if group == MIXED else [place] * seats
                bots = tuple(name_bot(levels[level], iterations) for level in chosen)
                plans.append(MatchPlan(game.id, group, number, own_seed, seats, bots))
    return plans


def name_bot(level: str, iterations: int) -> str:
    """Return the name of the bot of a level. A budget in iterations makes its choices the same on every machine."""
    return f"{level}@{iterations}x" if level in SEARCHING else level


def play_match(plan: MatchPlan) -> tuple[str, list[DatasetRow]]:
    """Play one match, and return its record and a row for each seat."""
    game = load_game(plan.game)
    match = Match(game, plan.seats, plan.seed)
    bots = [create_bot(name, game) for name in plan.bots]
    rngs = [Rng(derive_seed(plan.seed, seat)) for seat in range(plan.seats)]
    decisions = 0
    while not match.state.over:
        who = match.state.who
        match.play(game.format_option(choose_option(bots[who], match.state, rngs[who])))
        decisions += 1
    return match.record.dumps(), list(list_results(plan, match, decisions))


def list_results(plan: MatchPlan, match: Match, decisions: int) -> Iterator[DatasetRow]:
    game, s = match.game, match.state
    for score, share in zip(game.scores(s), game.returns(s), strict=True):
        yield DatasetRow(
            plan.path,
            game.id,
            s.version,
            game.hash,
            plan.group,
            plan.seed,
            plan.seats,
            score.seat,
            plan.bots[score.seat],
            score.rank,
            score.total,
            share,
            decisions,
            s.digest(),
        )


def write_dataset(folder: Path, plans: Sequence[MatchPlan], workers: int, card: str) -> str:
    """Write all files and return the checksum of the whole data set. The folder must not exist."""
    folder.mkdir(parents=True)
    rows: list[DatasetRow] = []
    with ProcessPoolExecutor(workers) as pool:
        for done, (plan, (record, results)) in enumerate(zip(plans, pool.map(play_match, plans), strict=True), start=1):
            path = folder / plan.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(record, encoding="utf-8")
            rows += results
            if done % 10 == 0 or done == len(plans):
                sys.stderr.write(f"\r{done} of {len(plans)} matches")
                sys.stderr.flush()
    sys.stderr.write("\n")
    pl.DataFrame([asdict(row) for row in rows], infer_schema_length=None).write_parquet(folder / RESULTS_FILE)
    (folder / CARD_FILE).write_text(card, encoding="utf-8")
    return write_checksums(folder)


def write_checksums(folder: Path) -> str:
    """Write the SHA-256 checksum of each file, as `sha256sum --check` reads them, and return that of this list."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != CHECKSUMS_FILE)
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n" for path in files
    ]
    (folder / CHECKSUMS_FILE).write_text("".join(lines), encoding="utf-8")
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def describe_game(game: Game) -> str:
    return f"| `{game.id}` | {game.version} | `{game.hash}` | {', '.join(load_levels(game).offered)} |"


def format_card(games: Sequence[str], matches: int, iterations: int, seed: int, groups: Sequence[str]) -> str:
    """Return the data card: what the data set contains, how it was made, and what it is good for."""
    columns = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in COLUMNS.items())
    return f"""# Matches between bots of all levels

For researchers: {matches} matches for each game and group ({", ".join(groups)}), from Triclinium
{version("triclinium")}.

| game | version of the rules | components | levels |
|---|---|---|---|
{chr(10).join(describe_game(load_game(game)) for game in games)}

## Contents

- `{RESULTS_FILE}`: one row for each seat of each match.
- `records/GAME/GROUP/NUMBER.rec`: the record of each match. `triclinium replay FILE` replays it, and
  `triclinium.Record.loads(text).replay()` returns its final state.
- `{CHECKSUMS_FILE}`: SHA-256 checksums of all files, for `sha256sum --check {CHECKSUMS_FILE}`.

| column | meaning |
|---|---|
{columns}

## How it was made

    python -m bench.dataset FOLDER --games {" ".join(games)} --levels {" ".join(groups)} \\
        --matches {matches} --iterations {iterations} --seed {seed}

All bots of a group have the same level; in the group `{MIXED}` each seat has a random one. The allowed numbers of
seats take turns. All variants have their defaults. Levels that search use {iterations} iterations for each decision,
not a time, so that the same release gives the same files on every machine.

## Use and limits

The matches can train and compare agents, and test tools that read records. Bots are not people: their mistakes differ,
and shares of wins between levels hold for these budgets only. There are no data about persons. The licence is that of
Triclinium (MIT); the games belong to their designers.
"""


def check_record(folder: Path, row: dict[str, object]) -> None:
    """Raise `AssertionError` if the final position of a record does not have the digest in the results."""
    text = (folder / str(row["record"])).read_text(encoding="utf-8")
    assert Record.loads(text).replay().digest() == row["digest"], row["record"]


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder to write, which must not exist unless --overwrite is given")
    parser.add_argument("--games", nargs="+", choices=list_games(), default=list(OUR_GAMES), metavar="GAME")
    parser.add_argument("--levels", nargs="+", choices=(*LEVELS, MIXED), default=[*LEVELS, MIXED], metavar="LEVEL")
    parser.add_argument("--matches", type=int, default=20, help="matches of each group (default: %(default)s)")
    parser.add_argument("--iterations", type=int, default=100, help="iterations of a search (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: all processors)")
    parser.add_argument("--overwrite", action="store_true", help="delete the folder first")
    args = parser.parse_args(words)
    if args.overwrite:
        shutil.rmtree(args.folder, ignore_errors=True)
    settings = (args.games, args.matches, args.iterations, args.seed)
    plans = plan_matches(*settings, args.levels)
    checksum = write_dataset(args.folder, plans, args.workers, format_card(*settings, args.levels))
    rows = pl.read_parquet(args.folder / RESULTS_FILE).unique("record", maintain_order=True).rows(named=True)
    for check in map(partial(check_record, args.folder), rows):
        assert check is None
    sys.stdout.write(f"{args.folder}: {len(plans)} matches, all replayed; SHA-256 of the checksums {checksum}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
