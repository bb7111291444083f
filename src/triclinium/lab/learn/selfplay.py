"""Self-play of a search, stored as records together with the search results.

Records are stored instead of arrays, because the inputs of a network may change and replaying takes little time. A
quarter of the decisions are searched in full and become training data; the others are played quickly. This gives more
matches and more varied positions in the same time (playout cap randomisation, as in KataGo).
"""

import gzip
import json
import time
from dataclasses import dataclass
from pathlib import Path

from triclinium.bots import Bot, Budget, DecisionRequest, ask_bot, create_bot, derive_seed
from triclinium.bots.search import Strong
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.registry import load_game
from triclinium.lab.simulation import ProgressCallback, map_in_order

FULL_SEARCH_EVERY = 4  # One decision in this many is searched in full.
QUICK_SEARCH_DIVISOR = 4  # The other decisions have a budget this many times smaller.
VARIED_EVERY = 4  # One full decision in this many is drawn by visits, so that positions vary.
GUEST_EVERY = 5  # One match in this many has a guest bot at one seat.
GUEST_BOTS = ("steady+plain",)  # plain bots, so that an earlier network does not change the result of a command
PLAYER_SEED_OFFSET = 4_000_000  # offset of the seeds of the players


@dataclass(frozen=True)
class SelfPlay:
    """Self-play as plain data, which says which matches to play."""

    game_id: str
    seats: tuple[int, ...]  # numbers of seats, between which the matches alternate
    matches: int
    iterations: int  # iterations of a full search
    seed: int
    components: str | None = None  # path of an edited components file

    def check(self) -> Game:
        """Return the game if the settings are valid. Raise BadSetup otherwise."""
        game = load_game(self.game_id, self.components)
        if self.matches < 1 or self.iterations < QUICK_SEARCH_DIVISOR:
            raise BadSetup(f"at least one match of {QUICK_SEARCH_DIVISOR} iterations a decision is needed")
        for seats in self.seats:
            game.deal(seats, self.seed)
        return game


@dataclass(frozen=True)
class SearchedDecision:
    """The result of a full search at one decision of a match."""

    move: int  # number of options chosen before this decision
    options: list[Option]
    visits: list[int]
    means: list[float]  # mean share of the win of the deciding seat, by option
    chosen: Option


@dataclass(frozen=True)
class TrainingMatch:
    """A match of self-play with its search results."""

    number: int
    record: str
    findings: list[SearchedDecision]

    def dumps(self) -> str:
        rows = [[f.move, f.options, f.visits, f.means, f.chosen] for f in self.findings]
        return json.dumps({"number": self.number, "record": self.record, "findings": rows}, separators=(",", ":"))

    @staticmethod
    def loads(text: str) -> "TrainingMatch":
        data = json.loads(text)
        return TrainingMatch(data["number"], data["record"], [SearchedDecision(*row) for row in data["findings"]])


class RecordingSearch(Strong):
    """A search that records its results and sometimes plays an option other than the best."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.last_result: tuple[list[Option], list[int], list[float]] | None = None
        self.plays_varied = False

    def choose(self, request: DecisionRequest) -> Option:
        nodes = self.search(request).rank_nodes(request.world.legal)
        self.last_result = (
            [n.option for n in nodes],
            [n.visits for n in nodes],
            [round(n.compute_mean(), 4) for n in nodes],
        )
        if self.plays_varied:
            drawn = request.rng.below(max(1, sum(self.last_result[1])))
            for option, visits in zip(self.last_result[0], self.last_result[1], strict=True):
                drawn -= visits
                if drawn < 0:
                    return option
        return nodes[0].option


def play_training_match(plan: SelfPlay, number: int) -> TrainingMatch:
    """Play the match with this number. The result does not depend on the worker or the order."""
    game = plan.check()
    seats = plan.seats[number % len(plan.seats)]
    match = Match(game, seats, derive_seed(plan.seed, number), game.proposed_variants())
    rngs = [Rng(derive_seed(plan.seed, PLAYER_SEED_OFFSET + number, seat)) for seat in range(seats)]
    draws = Rng(derive_seed(plan.seed, PLAYER_SEED_OFFSET + number, seats))
    players: list[Bot] = [RecordingSearch(game) for _ in range(seats)]
    if draws.below(GUEST_EVERY) == 0:
        players[draws.below(seats)] = create_bot(GUEST_BOTS[draws.below(len(GUEST_BOTS))], game)
    findings: list[SearchedDecision] = []
    s = match.state
    played: list[Option] = []
    while not s.over:
        player = players[s.who]
        full = draws.below(FULL_SEARCH_EVERY) == 0
        budget = Budget(60.0, plan.iterations if full else max(1, plan.iterations // QUICK_SEARCH_DIVISOR))
        if isinstance(player, RecordingSearch):
            player.last_result = None
            player.plays_varied = full and draws.below(VARIED_EVERY) == 0
        answer = ask_bot(player, s, rngs[s.who], played, budget)
        if full and isinstance(player, RecordingSearch) and player.last_result is not None:
            findings.append(SearchedDecision(len(played), *player.last_result, answer.option))
        played.append(answer.option)
        match.play(game.format_option(answer.option))
    match.record.result = None
    return TrainingMatch(number, match.record.dumps(), findings)


def play_training_matches(
    plan: SelfPlay, file: Path, workers: int, on_progress: ProgressCallback | None = None, until: float | None = None
) -> list[TrainingMatch]:
    """Return all matches of a plan. Play those that the file does not contain yet, and append them to it.

    No further match is added after the time ``until`` of `time.monotonic`.
    """
    done = read_training_matches(file)
    left = [number for number in range(plan.matches) if number not in done]
    with file.open("a", encoding="utf-8") as out:
        for training_match in map_in_order(play_training_match, plan, left, workers):
            out.write(training_match.dumps() + "\n")
            out.flush()
            done[training_match.number] = training_match
            if on_progress is not None:
                on_progress(len(done), plan.matches)
            if until is not None and time.monotonic() > until:
                break
    return [done[number] for number in sorted(done) if number < plan.matches]


def read_training_matches(file: Path) -> dict[int, TrainingMatch]:
    """Read the stored matches by number, from a plain or compressed file. Remove a truncated last line."""
    if not file.exists():
        return {}
    if file.suffix == ".gz":
        text = gzip.decompress(file.read_bytes()).decode()
        return {training_match.number: training_match for training_match in map(TrainingMatch.loads, text.splitlines())}
    text = file.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole, encoding="utf-8")
    return {training_match.number: training_match for training_match in map(TrainingMatch.loads, whole.splitlines())}
