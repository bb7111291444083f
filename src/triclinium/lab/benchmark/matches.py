"""Matches of the benchmark: the bot plays every deal from every seat against copies of each rival."""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from triclinium.bots import BotAnswer, create_bot, derive_seed, play_out
from triclinium.bots.registry import describe_network
from triclinium.engine.build_info import is_compiled
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat
from triclinium.engine.record import build_result
from triclinium.engine.registry import load_game
from triclinium.lab.benchmark.ladder import CHECKSUM, load_ladder
from triclinium.lab.benchmark.results import FORMAT, Header, MatchLine, Results, read_results, write_lines
from triclinium.lab.simulation import map_in_order

ProgressCallback = Callable[[int, int, float, str], None]  # matches played, all matches, seconds left, current match


class BenchmarkMatch(NamedTuple):
    """A match to play."""

    game: str
    rival: str
    deal: int
    seat: Seat


@dataclass(frozen=True)
class BenchmarkRun:
    """A run of the benchmark as plain data."""

    bot: str
    matches: int  # matches for each game and rival, rounded up to whole deals
    rivals: tuple[tuple[str, tuple[str, ...]], ...]  # the rivals by game
    key: int | None = None  # the key of a verifier; without it the deals are the committed ones

    def list_matches(self) -> list[BenchmarkMatch]:
        """Return all matches, deal by deal, so that an interrupted run has figures for every rival."""
        planned: list[BenchmarkMatch] = []
        for game_id, rivals in self.rivals:
            seats = load_ladder().find_game(game_id).seats
            for deal in range(-(-self.matches // seats)):
                planned += [BenchmarkMatch(game_id, rival, deal, seat) for rival in rivals for seat in range(seats)]
        return sorted(planned, key=lambda match: match.deal)

    def check(self) -> None:
        """Raise `BadSetup` if a bot is unknown, there are no matches to play, or there are not enough deals."""
        planned = self.list_matches()
        if not planned:
            raise BadSetup("nothing is to be played: name a game, a rival other than the bot, and at least one match")
        load_ladder().find_seed(max(match.deal for match in planned), self.key)
        for name, rivals in self.rivals:
            for bot in (self.bot, *rivals):
                create_bot(bot, load_game(name))

    def make_header(self, of: str = "") -> Header:
        games = [load_game(game.id) for game in load_ladder().games]
        network = {game.id: label for game in games if (label := describe_network([self.bot], game))}
        header: Header = {
            "format": FORMAT,
            "bot": self.bot,
            "deals": CHECKSUM,
            "games": {game.id: (game.version, game.hash) for game in games},
            "network": {} if "+" in self.bot else network,
            "build": "compiled" if is_compiled() else "interpreted",
        }
        if self.key is not None:
            header["key"] = f"{self.key:x}"
            header["of"] = of
        return header


@lru_cache(4)
def list_planned_matches(run: BenchmarkRun) -> list[BenchmarkMatch]:
    return run.list_matches()


def play_planned_match(run: BenchmarkRun, index: int) -> tuple[MatchLine, float]:
    """Play one match of a run. Return its line and the processor time of all bots."""
    planned = list_planned_matches(run)[index]
    return play_benchmark_match(run.bot, planned, load_ladder().find_seed(planned.deal, run.key))


def play_benchmark_match(bot: str, planned: BenchmarkMatch, seed: int) -> tuple[MatchLine, float]:
    """Play a match. The seed and the seat determine the random streams of all bots."""
    game = load_game(planned.game)
    seats = load_ladder().find_game(planned.game).seats
    began = time.process_time()
    s = game.deal(seats, seed)
    players = [create_bot(bot if seat == planned.seat else planned.rival, game) for seat in range(seats)]
    rngs = [Rng(derive_seed(seed, planned.seat, seat)) for seat in range(seats)]
    options: list[int] = []
    own: list[BotAnswer] = []

    def note_answer(seat: Seat, answer: BotAnswer) -> None:
        options.append(answer.option)
        if seat == planned.seat and answer.was_asked:
            own.append(answer)

    play_out(s, players, rngs, note_answer)
    line: MatchLine = {
        **planned._asdict(),  # type: ignore[typeddict-item]
        "options": options,
        "result": build_result(game.scores(s)),
        "asked": len(own),
        "seconds": round(sum(answer.seconds for answer in own), 3),
        "faults": sum(1 for answer in own if answer.fault),
    }
    return line, time.process_time() - began


def play_benchmark(
    run: BenchmarkRun, path: Path, workers: int = 1, progress: ProgressCallback | None = None, of: str = ""
) -> Iterator[MatchLine]:
    """Play the matches that the results file lacks, and append and yield each of them.

    Raise BadSetup if the file belongs to another run.
    """
    if workers < 1:
        raise BadSetup(f"at least one worker is needed, not {workers}")
    run.check()
    done = continue_results(path, run.make_header(of))
    planned = list_planned_matches(run)
    known = {(line["game"], line["rival"], line["deal"], line["seat"]) for line in done.lines}
    todo = [index for index, match in enumerate(planned) if match not in known]
    clock = RemainingTime([planned[index] for index in todo], workers)
    with closing(map_in_order(play_planned_match, run, todo, min(workers, max(1, len(todo))))) as played:
        for count, (index, (line, seconds)) in enumerate(zip(todo, played, strict=True), start=1):
            write_lines(path, [line], "a")
            match = planned[index]
            left = clock.count_match(match, seconds)
            yield line
            if progress is not None:
                where = f"{match.game} against {match.rival}"
                progress(len(planned) - len(todo) + count, len(planned), left, where)


def continue_results(path: Path, header: Header) -> Results:
    """Return the results so far, or start the file if there are none. Remove a half-written last line.

    Raise BadSetup if the file belongs to another run.
    """
    if not path.exists() or not path.read_bytes():
        write_lines(path, [header], "w")
        return Results(header, [])
    results = read_results(path)
    same = json.loads(json.dumps({**header, "build": results.header["build"]}))  # both builds play the same matches
    if results.header != same:
        raise BadSetup(f"{path} has results of another bot, other deals or other rules; name another file with --out")
    write_lines(path, [results.header, *results.lines], "w")
    return results


class RemainingTime:
    """An estimate of the time left, from the mean processor time of the matches against each rival so far."""

    def __init__(self, todo: Iterable[BenchmarkMatch], workers: int) -> None:
        self.todo = Counter((match.game, match.rival) for match in todo)
        self.spent: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        self.workers = workers

    def count_match(self, match: BenchmarkMatch, seconds: float) -> float:
        """Count a match that took this many seconds, and return the seconds left."""
        kind = (match.game, match.rival)
        self.todo[kind] -= 1
        self.spent[kind].append(seconds)
        means = {kind: sum(each) / len(each) for kind, each in self.spent.items()}
        usual = sum(means.values()) / len(means)
        return sum(count * means.get(kind, usual) for kind, count in self.todo.items()) / self.workers
