"""The title itself: its seats, its table options, and how a match of it starts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from triclinium.engine.core.components import ComponentsFile, refuse
from triclinium.engine.core.errors import Fault
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name
from triclinium.engine.core.weights import read_weights
from triclinium.engine.form import Form
from triclinium.engine.game import Game, clockwise
from triclinium.engine.kinds import Kind, Thing
from triclinium.engine.variant import Choice
from triclinium.engine.view import View
from triclinium.games.testoftime.ai.evaluate import FEATURES, TestOfTimeEvaluator
from triclinium.games.testoftime.ai.observe import TestOfTimeObserver
from triclinium.games.testoftime.rules.checks import broken_by
from triclinium.games.testoftime.rules.components import AT, BUILD, KINDS, ON, SHAMANS, Components
from triclinium.games.testoftime.rules.setup import Agreed, deal
from triclinium.games.testoftime.rules.state import NONE, TestOfTime
from triclinium.games.testoftime.rules.turn import Move
from triclinium.games.testoftime.ui.kinds import described, named
from triclinium.games.testoftime.ui.text import TestOfTimeWords
from triclinium.games.testoftime.ui.view import TestOfTimeView, view
from triclinium.games.testoftime.variants import variants
from triclinium.i18n.catalog import Domain

HERE = Path(__file__).parent
FORM = Form(HERE / "data")


class TestOfTimeGame(Game):
    """Test of Time, on one components file."""

    id = "testoftime"
    form = FORM
    name = Name("Test of Time", "game")
    prefix = "TT"
    gallery = MappingProxyType({"kind": Name("Testaments", "gallery")})
    versions = (1, 2)
    secrets = False
    usual = 1090
    chance = False
    open_scores = True

    def __init__(self, file: ComponentsFile) -> None:
        FORM.check(file)
        c = Components(file)
        refuse(broken_by(c, file, self.is_printed(file)))
        words = TestOfTimeWords(c, Domain(self.id, HERE / "data" / "locale"))
        weights = read_weights(HERE / "ai" / "weights.toml", FEATURES)
        super().__init__(file, c.notation, words, TestOfTimeEvaluator(), weights, TestOfTimeObserver(c))
        self.components = c
        self.ids = {"kind": KINDS}
        self.seats = tuple(c.players)  # TT-1.1, TT-R1
        self.bound = bound(c)
        self.variants = variants(c)
        self.short = {"rounds": min(c.rounds)}
        self.first = self.short

    def constraints(self, file: ComponentsFile, printed: bool) -> list[Fault]:
        return broken_by(Components(file), file, printed)

    def round(self, s: State) -> int:
        assert isinstance(s, TestOfTime)
        return s.round

    def turn(self, s: State) -> int:
        """TT-2.1  A turn is one move, which may be Pass."""
        assert isinstance(s, TestOfTime)
        return s.moves + (not s.over and isinstance(s.asked, Move))

    def order(self, s: State) -> tuple[Seat, ...]:
        """TT-12.8  Another seat starts each round."""
        assert isinstance(s, TestOfTime)
        return clockwise(s.starter, s.seats)

    def subjects(self, s: State, o: Option) -> tuple[int, ...]:
        """A space is the Testament that stands there, if any does."""
        assert isinstance(s, TestOfTime)
        spaces = self.components.spaces
        if ON <= o < BUILD:
            slot = s.who * spaces + o - ON
        elif AT <= o < SHAMANS:
            slot = o - AT  # seat by space
        else:
            return super().subjects(s, o)
        return () if s.kind[slot] == NONE else (self.thing("kind", s.kind[slot]),)

    def kinds(self) -> Mapping[str, Kind]:
        return described(self.components)

    def named(self, view: View, said: str) -> Sequence[Thing] | None:
        assert isinstance(view, TestOfTimeView)
        return named(self.components, view, said)

    def view(self, s: State, seat: Seat | None) -> TestOfTimeView:
        assert isinstance(s, TestOfTime)
        return view(s, seat)

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> TestOfTime:
        rounds, attacks = variants["rounds"], variants["attacks_per_round"]
        assert isinstance(rounds, int)
        agreed = Agreed(
            rounds,
            hostile_reverse=variants["hostile_reverse"] is True,
            mercy=variants["mercy"] is True,
            defenders_choose=variants["defenders_choose"] is True,
            attacks_per_round=attacks if isinstance(attacks, int) else 0,
        )
        return deal(self.components, seats, rng, agreed, version)


def bound(c: Components) -> int:
    """TT-R20  Each move but Pass takes a piece out of a home zone: so many moves a round, so many passes between them.

    A Reverse Time asks its target, the number of rounds and four decisions a record; every other move asks less. When
    all have passed, owners may divide what they meet among all rivals but one, Testament by Testament.
    """
    n = max(c.players)
    rounds = max(c.rounds)
    moves = (c.max_followers + c.max_shamans) * n
    passes = moves * (n - 1) + n
    divided = n * c.spaces * (n - 2)
    return rounds * (passes + moves * (3 + 4 * rounds) + divided)


GAME = TestOfTimeGame(FORM.printed)
