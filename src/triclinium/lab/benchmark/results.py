"""Results files of the benchmark: JSON lines, first a header, then one line with the record of each match."""

import gzip
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, NotRequired, TypedDict, cast

from triclinium.engine.core.errors import BadRecord, TricliniumError
from triclinium.engine.record import Record, build_result
from triclinium.lab.benchmark.ladder import CHECKSUM, load_ladder

FORMAT = 1
COMPRESSED = ".gz"


class Header(TypedDict):
    """The first line of a results file: the facts that all matches have in common."""

    format: int
    bot: str
    deals: str  # checksum of the deals and the ladder
    games: dict[str, tuple[int, str]]  # version of the rules and hash of the components of each game
    network: dict[str, str]  # the ranking network of the bot by game, if it uses one
    build: str  # "compiled" or "interpreted"
    key: NotRequired[str]  # the key of the verifier, hexadecimal; without it the deals are the committed ones
    of: NotRequired[str]  # SHA-256 of the results file that this run verifies


class MatchLine(TypedDict):
    """One match: the bot in one seat, copies of the rival in the others."""

    game: str
    rival: str
    deal: int
    seat: int
    options: list[int]
    result: list[tuple[int, int | None]]  # rank and points of each seat
    asked: int  # number of decisions that the bot made
    seconds: float  # processor time that the bot used
    faults: int  # number of decisions in which the bot failed and a random option was taken


class Results(NamedTuple):
    """The content of a results file."""

    header: Header
    lines: list[MatchLine]

    @property
    def key(self) -> int | None:
        return int(self.header["key"], 16) if "key" in self.header else None


def read_results(path: Path) -> Results:
    """Return the content of a results file. A half-written last line is left out. Raise BadRecord for other faults."""
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == COMPRESSED else path.read_bytes()
        first, *others = content.decode().splitlines(keepends=True)
        header = cast(Header, json.loads(first))
        if header["format"] != FORMAT:
            raise BadRecord(f"{path}: format {header['format']} is not known")
        return Results(header, [cast(MatchLine, json.loads(line)) for line in others if line.endswith("\n")])
    except OSError as error:
        raise BadRecord(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadRecord(f"{path} is not a results file of the benchmark: {error}") from None


def write_lines(path: Path, values: Iterable[Header | MatchLine], mode: str) -> None:
    """Write compact JSON lines. Mode ``w`` starts the file and ``a`` continues it."""
    with path.open(mode, encoding="utf-8") as file:
        file.writelines(json.dumps(value, separators=(",", ":")) + "\n" for value in values)


def compute_checksum(path: Path) -> str:
    """Return the SHA-256 of the lines of a results file, compressed or not."""
    content = path.read_bytes()
    return hashlib.sha256(gzip.decompress(content) if path.suffix == COMPRESSED else content).hexdigest()


def find_faults(results: Results) -> list[str]:
    """Replay all matches and return a sentence for each line that is wrong."""
    faults: list[str] = []
    if results.header["deals"] != CHECKSUM:
        faults.append("the results are for other deals or another ladder than those of this version")
    seen: set[tuple[str, str, int, int]] = set()
    for number, line in enumerate(results.lines, start=2):
        try:
            check_match(results, line)
            where = (line["game"], line["rival"], line["deal"], line["seat"])
            if where in seen:
                raise BadRecord("the same match is listed twice")
            seen.add(where)
        except (TricliniumError, KeyError, TypeError, IndexError) as error:
            faults.append(f"line {number}: {error}")
    return faults


def check_match(results: Results, line: MatchLine) -> None:
    """Replay a match. Raise BadRecord if it is not on the ladder, an option is not legal or the result differs."""
    ladder = load_ladder()
    entry = ladder.find_game(line["game"])
    if line["rival"] not in (*entry.ladder, *entry.more) or not 0 <= line["seat"] < entry.seats:
        raise BadRecord(f"the ladder has no {line['rival']} for seat {line['seat']} of {entry.id}")
    version, components = results.header["games"][entry.id]
    seed = ladder.find_seed(line["deal"], results.key)
    record = Record(entry.id, version, components, entry.seats, {}, seed, [])
    game = record.find_game()
    s = record.deal(game)
    for n, o in enumerate(line["options"], start=1):
        if o not in s.legal:
            raise BadRecord(f"option {n} of the match is not legal")
        s.choose(o)
    reached = build_result(game.scores(s)) if s.over else None
    if reached != [tuple(one) for one in line["result"]]:
        raise BadRecord(f"the result is {line['result']}, but the options give {reached or 'none'}")
