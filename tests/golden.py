"""Writes the golden files: whole matches as records with their digests, and perft counts.

    python -m tests.golden              all titles
    python -m tests.golden evangelists  one title

A golden file changes only with a reason, which stands in the commit. Those of format 1, dealt by the old generator, are
never written anew: whoever deletes one by mistake gets it back from history. So are those of earlier versions of the
rules. This writes the ones of format 2 and of the version that is played now: in the folder `keyed`, or from the second
version on `version-2`, a match with every number of seats and one with each choice that this version brought; and
counts with the fewest seats.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from tests.matches import RECORDS, cases_of, checks_of, our_games
from triclinium.bots import bot, choice
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import perft, rollout
from triclinium.engine.core.state import State
from triclinium.engine.game import FORMAT, Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.testing.walks import Case, cover

HERE = Path(__file__).parent
PERFT = HERE / "perft"
KEYED = "keyed"  # the folder of what format 2 deals
MOST = 25  # records a title
LINES = 20_000  # the largest count of a perft line
WHIM = 5  # one decision in so many is made by chance
NODES = 2_000  # the most positions opened for one


def golden_cases(game: Game) -> list[Case]:
    """Every case; of a title with many, every number of seats as it comes and every choice of variants once."""
    later = checks_of(game.id).later
    found = [case for case in cases_of(game) if not any(name in later for name in case.variants)]
    return found if len(found) <= MOST else cover(found)


def play(case: Case, seed: int) -> Match:
    """A whole match of greedy players who follow a whim now and then, so that rare rules are met too."""
    match = Match(case.game, case.seats, seed, case.variants)
    greedy = bot("greedy", case.game)
    rng = Rng(seed + 1)
    while not match.state.over:
        whim = rng.below(WHIM) == 0
        o = rng.pick(match.state.options()) if whim else choice(greedy, match.state, rng)
        match.play(case.game.say(o))
    return match


def keyed_cases(game: Game) -> list[Case]:
    """Every number of seats, without variants."""
    return [case for case in cases_of(game) if not case.variants]


def later_cases(game: Game) -> list[Case]:
    """Every number of seats, and every choice once that the first version of the rules did not have."""
    later = checks_of(game.id).later
    new = cover([case for case in cases_of(game) if any(name in later for name in case.variants)])
    return [*keyed_cases(game), *[case for case in new if case.variants]]


def folder_of(version: int) -> str:
    """The folder of the records that a version of the rules brought, of those that format 2 deals."""
    return KEYED if version == 1 else f"version-{version}"


def write_records(game: Game) -> None:
    folder = RECORDS / game.id / folder_of(game.version)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.rec"):
        old.unlink()
    lines: list[str] = []
    for i, case in enumerate(keyed_cases(game) if game.version == 1 else later_cases(game)):
        match = play(case, 100 + i)
        (folder / case.file).write_text(match.record.dumps(), encoding="utf-8")
        lines.append(f"{case.file} {match.state.digest()}\n")
    (folder / "digests.txt").write_text("".join(sorted(lines)), encoding="utf-8")


def edition(game: Game, version: int) -> Game:
    """The title on the components that the golden records of a version were played with."""
    if version == game.version:
        return game
    kept = min((RECORDS / game.id / folder_of(version)).glob("*.rec"))
    return Record.loads(kept.read_text(encoding="utf-8"), kept.name).title_for(None)


def named_state(game: Game, seats: int, seed: int, made: int, format: int, version: int) -> State:
    """The state after so many random decisions."""
    s = edition(game, version).deal(seats, seed, format=format, version=version)
    assert rollout(s, Rng(seed), made) == made
    return s


def perft_lines(game: Game, seats: int, seed: int) -> Iterator[str]:
    """From four moments of a match, as deep as is quickly counted."""
    length = rollout(game.deal(seats, seed), Rng(seed), game.bound)
    for quarter in range(4):
        made = length * quarter // 4
        s = named_state(game, seats, seed, made, FORMAT, game.version)
        opened = 1
        for depth in range(1, 9):
            if opened > NODES:
                break
            count = perft(s, depth)
            if count > LINES:
                break
            yield f"{seats} {seed} {made} {depth} {count}\n"
            opened = count


def write_perft(game: Game) -> None:
    folder = PERFT / folder_of(game.version)
    folder.mkdir(exist_ok=True)
    lines = ["# seats, seed, random decisions made first, depth, lines of play\n"]
    lines += perft_lines(game, game.seats[0], 7)
    (folder / f"{game.id}.txt").write_text("".join(lines), encoding="utf-8")


def main(names: list[str]) -> None:
    """Write the golden files of these titles, or of all."""
    for game in our_games():
        if not names or game.id in names:
            write_records(game)
            write_perft(game)
            sys.stdout.write(f"{game.id}: {len(list((RECORDS / game.id).rglob('*.rec')))} records\n")


if __name__ == "__main__":
    main(sys.argv[1:])
