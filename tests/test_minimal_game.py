"""Tests of the smallest possible game: Pig, with no hidden information and no refusals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.event import EventType
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import Score, ScoreSheetLine, rank_keys
from triclinium.engine.core.state import NOBODY, Draw, Option, Seat, State, Step
from triclinium.engine.core.text import Message, Name
from triclinium.engine.core.weights import Weights
from triclinium.engine.game import Game
from triclinium.engine.game_text import GameText
from triclinium.engine.variant import Choice
from triclinium.engine.view import PER_SEAT, Label, View, base_fields
from triclinium.testing import check_game

ROLL: Final = 0
HOLD: Final = 1
NOTATION: Final = Notation([Verb("roll", ROLL, 1), Verb("hold", HOLD, 1, closes=True)])
GOAL: Final = 20
TURNS: Final = 30  # turns of each seat; a bound of the match length needs a limit

ROLLED: Final = EventType("rolled", "{who} rolls {0}.")
HELD: Final = EventType("held", "{who} keeps {0} {0:point|points}.")


class Pig(State):
    """The state of a match of Pig."""

    points: list[int]
    rolled: int  # points in this turn so far
    rolls: int  # dice rolled in this turn
    turns: int  # number of turns begun so far


class RollOrHold(Step[Pig]):
    """The decision of a seat to roll again or to keep its points."""

    id: ClassVar[str] = "RollOrHold"
    question: ClassVar[str] = "Roll again, or keep {0}?"

    def question_parameters(self, s: Pig) -> tuple[int, ...]:
        return (s.rolled,)

    def candidates(self, s: Pig) -> list[Option]:
        return [ROLL, HOLD]

    def apply(self, s: Pig, o: Option) -> None:
        if o == ROLL:
            s.push(Roll(self.who))
        else:
            end_turn(s, self.who, s.rolled)


class Roll(Draw[Pig]):
    """The roll of the die. A one loses the points of the turn."""

    id: ClassVar[str] = "Roll"

    def __init__(self, seat: Seat) -> None:
        super().__init__(NOBODY)
        self.seat: Final = seat

    def fields(self) -> tuple[int, ...]:
        return (self.seat,)

    def outcomes(self, s: Pig) -> list[tuple[int, int]]:
        return [(face, 1) for face in range(1, 7)]

    def apply(self, s: Pig, o: Option) -> None:
        s.undo_barrier += 1
        s.rolls += 1
        s.emit(ROLLED, self.seat, (o,))
        if o == 1 or s.rolls == GOAL:
            end_turn(s, self.seat, 0)
        else:
            s.rolled += o
            s.push(RollOrHold(self.seat))


def end_turn(s: Pig, who: Seat, kept: int) -> None:
    s.points[who] += kept
    s.emit(HELD, who, (kept,))
    s.rolled = s.rolls = 0
    s.turns += 1
    if s.points[who] < GOAL and s.turns < TURNS * s.seats:
        s.push(RollOrHold((who + 1) % s.seats))


class PigEvaluator(Evaluator):
    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, Pig)
        return [float(s.points[seat]), float(s.rolled) if s.who == seat else 0.0]

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Pig)
        rank = rank_keys([(points,) for points in s.points])
        return [
            Score(seat, rank[seat], points, [ScoreSheetLine("points", points)]) for seat, points in enumerate(s.points)
        ]


@dataclass(slots=True)
class PigView(View):
    rolled: Annotated[int, Label("rolled")]
    rolls: Annotated[int, Label("rolls")]
    turns: Annotated[int, Label("turns")]
    points: Annotated[list[int], PER_SEAT, Label("points")]


class PigWords(GameText):
    score_lines: Mapping[str, str] = {"points": "Points"}

    def label(self, s: State, o: Option) -> Message:
        return Message("Roll" if o == ROLL else "Hold")


class PigGame(Game):
    id = "pig"
    name = Name("Pig", "game")
    prefix = "PG"
    seats = (2, 3)
    max_decisions = 3 * TURNS * GOAL
    has_secrets = False
    has_open_scores = True
    has_listed_chance = True

    def __init__(self, file: ComponentsFile) -> None:
        super().__init__(
            file, NOTATION, PigWords(NOTATION), PigEvaluator(), Weights(("points", "rolled"), [1.0, 0.8], 5.0)
        )

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> Pig:
        s = Pig()
        s.initialize(seats, rng, version)
        s.points = [0] * seats
        s.rolled = s.rolls = s.turns = 0
        s.push(RollOrHold(0))
        return s

    def view(self, s: State, seat: Seat | None) -> PigView:
        assert isinstance(s, Pig)
        return PigView(
            *base_fields(s, seat, NOTATION), rolled=s.rolled, rolls=s.rolls, turns=s.turns, points=s.points[:]
        )


GAME: Final = PigGame(ComponentsFile("", "pig"))


def test_a_game_that_never_refuses_keeps_the_contract() -> None:
    """A game whose options are all always allowed needs no refusals."""
    check_game(GAME, slow_scores=lambda s: s.points if isinstance(s, Pig) else [])


def test_it_is_dealt_played_and_scored() -> None:
    s = GAME.deal(seats=2, seed=7)
    while not s.over:
        s.play(GAME.read("hold" if isinstance(s, Pig) and s.rolled > 5 else "roll"))
    assert max(score.total or 0 for score in GAME.scores(s)) >= GOAL
