"""The `Game`: its seats, its table options, and how a match of it starts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from triclinium.engine.component_kinds import Kind, Thing
from triclinium.engine.components_schema import Form
from triclinium.engine.core.components import ComponentsFile, refuse
from triclinium.engine.core.errors import Fault
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name
from triclinium.engine.core.weights import read_weights
from triclinium.engine.game import Game, clockwise
from triclinium.engine.variant import Choice
from triclinium.engine.view import View
from triclinium.games.testoftime.ai.evaluation import FEATURES, TestOfTimeEvaluator
from triclinium.games.testoftime.ai.observation import TestOfTimeObserver
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
        self.bound = most_decisions(c, max(c.players), max(c.rounds))
        self.variants = variants(c)
        self.short = {"rounds": min(c.rounds)}
        self.first = self.short

    def constraints(self, file: ComponentsFile, printed: bool) -> list[Fault]:
        return broken_by(Components(file), file, printed)

    def longest(self, s: State) -> int:
        assert isinstance(s, TestOfTime)
        return most_decisions(self.components, s.seats, s.rounds)

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
            one_payment=variants["one_payment"] is True,
        )
        return deal(self.components, seats, rng, agreed, version)


def most_decisions(c: Components, seats: int, rounds: int) -> int:
    """TT-R20  No match asks more; charged to the pieces, none of which comes back before its round ends.

    A move but Pass asks at most four decisions (Attack: move, target, shamans, followers) and takes at least one piece
    out of a home zone; between two moves there are at most as many passes as rivals, and a whole turn of them ends the
    round. When all have passed, owners divide what they meet among all rivals but one, Testament by Testament.

    Reverse Time asks three decisions more for each record at most: its mark, and with what it is defended; whatever is
    paid for a mark takes a piece. As many records as its power allows cost the life of a shaman, and shamans come by
    Sire Shaman alone.
    """
    pieces = (c.max_followers + c.max_shamans) * seats
    asked = pieces * 4
    passes = pieces * (seats - 1) + seats
    divided = seats * c.spaces * (seats - 2)
    power = 1 + c.spaces * c.power_gained
    shamans = seats * rounds * c.sire_shaman_zones
    return rounds * (asked + passes + divided) + 3 * power * shamans


GAME = TestOfTimeGame(FORM.printed)
