"""Matches of a search with itself, kept as records with what the search found.

Never as arrays: what a network reads of a position may change, and these matches are replayed for it in a moment. A
quarter of the decisions are searched in full and become lessons, the others are played quickly, so that more matches
and thereby more different positions come out of the same time (playout cap randomisation, as in KataGo).
"""

import gzip
import json
import time
from dataclasses import dataclass
from pathlib import Path

from triclinium.bots import Asked, Bot, Budget, ask, bot, derive
from triclinium.bots.search import Strong
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.registry import find_game
from triclinium.lab.simulate import Progress, in_order

FULL = 4  # one decision in this many is searched in full
QUICK = 4  # the other decisions are searched with a budget this many times smaller
VARIED = 4  # one full decision of so many is drawn by its visits, so that positions differ
GUESTS = 5  # one match of so many has a seat of the pool
POOL = ("steady+plain",)  # what was learnt before must not change what comes of a command
PLAYERS = 4_000_000  # where the seeds of the players lie


@dataclass(frozen=True)
class SelfPlay:
    """Which matches to play, as plain data."""

    title: str
    seats: tuple[int, ...]  # in turn
    matches: int
    iterations: int  # of a full search
    seed: int
    components: str | None = None  # an edited file

    def check(self) -> Game:
        """The game, if everything asked for exists; raises BadSetup."""
        game = find_game(self.title, self.components)
        if self.matches < 1 or self.iterations < QUICK:
            raise BadSetup(f"at least one match of {QUICK} iterations a decision is needed")
        for seats in self.seats:
            game.deal(seats, self.seed)
        return game


@dataclass(frozen=True)
class Finding:
    """What a full search found at one decision of a match."""

    move: int  # how many options were chosen before
    options: list[Option]
    visits: list[int]
    means: list[float]  # the seat's share of the win after each option
    chosen: Option


@dataclass(frozen=True)
class Lesson:
    """A match, and what was found in it."""

    number: int
    record: str
    findings: list[Finding]

    def dumps(self) -> str:
        found = [[f.move, f.options, f.visits, f.means, f.chosen] for f in self.findings]
        return json.dumps({"number": self.number, "record": self.record, "findings": found}, separators=(",", ":"))

    @staticmethod
    def loads(text: str) -> "Lesson":
        data = json.loads(text)
        return Lesson(data["number"], data["record"], [Finding(*found) for found in data["findings"]])


class Teacher(Strong):
    """A search that says what it found, and at times plays something else than the best."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.found: tuple[list[Option], list[int], list[float]] | None = None
        self.varies = False

    def choose(self, asked: Asked) -> Option:
        nodes = self.search(asked).ranked(asked.world.legal)
        self.found = [n.option for n in nodes], [n.visits for n in nodes], [round(n.mean(), 4) for n in nodes]
        if self.varies:
            drawn = asked.rng.below(max(1, sum(self.found[1])))
            for option, visits in zip(self.found[0], self.found[1], strict=True):
                drawn -= visits
                if drawn < 0:
                    return option
        return nodes[0].option


def play_lesson(plan: SelfPlay, number: int) -> Lesson:
    """The match of this number, whoever plays it and in whatever order."""
    game = plan.check()
    seats = plan.seats[number % len(plan.seats)]
    match = Match(game, seats, derive(plan.seed, number), game.proposed())
    rngs = [Rng(derive(plan.seed, PLAYERS + number, seat)) for seat in range(seats)]
    draws = Rng(derive(plan.seed, PLAYERS + number, seats))
    players: list[Bot] = [Teacher(game) for _ in range(seats)]
    if draws.below(GUESTS) == 0:
        players[draws.below(seats)] = bot(POOL[draws.below(len(POOL))], game)
    findings: list[Finding] = []
    s = match.state
    played: list[Option] = []
    while not s.over:
        player = players[s.who]
        full = draws.below(FULL) == 0
        budget = Budget(60.0, plan.iterations if full else max(1, plan.iterations // QUICK))
        if isinstance(player, Teacher):
            player.found = None
            player.varies = full and draws.below(VARIED) == 0
        answer = ask(player, s, rngs[s.who], played, budget)
        if full and isinstance(player, Teacher) and player.found is not None:
            findings.append(Finding(len(played), *player.found, answer.option))
        played.append(answer.option)
        match.play(game.say(answer.option))
    match.record.result = None
    return Lesson(number, match.record.dumps(), findings)


def play_lessons(
    plan: SelfPlay, file: Path, workers: int, tell: Progress | None = None, until: float | None = None
) -> list[Lesson]:
    """All matches of a plan. Those that the file holds already are not played again; the others are added to it.

    ``until`` is when no further match begins, by `time.monotonic`.
    """
    done = read_lessons(file)
    left = [number for number in range(plan.matches) if number not in done]
    with file.open("a", encoding="utf-8") as out:
        for lesson in in_order(play_lesson, plan, left, workers):
            out.write(lesson.dumps() + "\n")
            out.flush()
            done[lesson.number] = lesson
            if tell is not None:
                tell(len(done), plan.matches)
            if until is not None and time.monotonic() > until:
                break
    return [done[number] for number in sorted(done) if number < plan.matches]


def read_lessons(file: Path) -> dict[int, Lesson]:
    """What is kept; a last line that was cut off is forgotten. Lessons that ship are compressed."""
    if not file.exists():
        return {}
    if file.suffix == ".gz":
        text = gzip.decompress(file.read_bytes()).decode()
        return {lesson.number: lesson for lesson in map(Lesson.loads, text.splitlines())}
    text = file.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole, encoding="utf-8")
    return {lesson.number: lesson for lesson in map(Lesson.loads, whole.splitlines())}
