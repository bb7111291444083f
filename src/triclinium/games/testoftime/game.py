"""Test of Time as a `Game`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from triclinium.engine.component_kinds import ComponentKind, Thing
from triclinium.engine.components_schema import ComponentsSchema
from triclinium.engine.core.components import ComponentsFile, raise_faults
from triclinium.engine.core.errors import ComponentsFault
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name
from triclinium.engine.core.weights import read_weights
from triclinium.engine.game import Game, list_seats_clockwise
from triclinium.engine.variant import Choice
from triclinium.engine.view import View
from triclinium.games.testoftime.ai.evaluation import FEATURES, TestOfTimeEvaluator
from triclinium.games.testoftime.ai.observation import TestOfTimeObserver
from triclinium.games.testoftime.rules.checks import find_faults
from triclinium.games.testoftime.rules.components import AT, BUILD, KINDS, ON, SHAMANS, Components
from triclinium.games.testoftime.rules.setup import TableRules, deal
from triclinium.games.testoftime.rules.state import NONE, TestOfTime
from triclinium.games.testoftime.rules.turn import Move
from triclinium.games.testoftime.ui.component_kinds import build_kinds, find_option_things
from triclinium.games.testoftime.ui.text import TestOfTimeText
from triclinium.games.testoftime.ui.view import TestOfTimeView, view
from triclinium.games.testoftime.variants import build_variants
from triclinium.i18n.catalog import Domain

HERE = Path(__file__).parent
SCHEMA = ComponentsSchema(HERE / "data")


class TestOfTimeGame(Game):
    """Test of Time with the components of one file."""

    id = "testoftime"
    components_schema = SCHEMA
    name = Name("Test of Time", "game")
    prefix = "TT"
    gallery = MappingProxyType({"kind": Name("Testaments", "gallery")})
    has_secrets = False
    usual_decisions = 1090
    has_chance = False
    has_open_scores = True

    def __init__(self, file: ComponentsFile) -> None:
        SCHEMA.check(file)
        c = Components(file)
        raise_faults(find_faults(c, file, self.is_printed(file)))
        words = TestOfTimeText(c, Domain(self.id, HERE / "data" / "locale"))
        weights = read_weights(HERE / "ai" / "weights.toml", FEATURES)
        super().__init__(file, c.notation, words, TestOfTimeEvaluator(), weights, TestOfTimeObserver(c))
        self.components = c
        self.ids = {"kind": KINDS}
        self.seats = tuple(c.players)  # TT-1.1, TT-R1
        self.max_decisions = bound_decisions(c, max(c.players), max(c.rounds))
        self.variants = build_variants(c)
        self.short_variants = {"rounds": min(c.rounds)}
        self.quick_start_variants = self.short_variants

    def find_broken_constraints(self, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
        return find_faults(Components(file), file, printed)

    def max_match_decisions(self, s: State) -> int:
        assert isinstance(s, TestOfTime)
        return bound_decisions(self.components, s.seats, s.rounds)

    def round(self, s: State) -> int:
        assert isinstance(s, TestOfTime)
        return s.round

    def turn(self, s: State) -> int:
        """TT-2.1  Return the number of turns; a turn is one move, which may be Pass."""
        assert isinstance(s, TestOfTime)
        return s.moves_begun + (not s.over and isinstance(s.asked, Move))

    def order(self, s: State) -> tuple[Seat, ...]:
        """TT-12.8  Return the turn order of the round; each round starts with another seat."""
        assert isinstance(s, TestOfTime)
        return list_seats_clockwise(s.starter, s.seats)

    def option_components(self, s: State, o: Option) -> tuple[int, ...]:
        """Return the components that an option refers to. For a space, it is the Testament on it, if there is one."""
        assert isinstance(s, TestOfTime)
        spaces = self.components.spaces
        if ON <= o < BUILD:
            slot = s.who * spaces + o - ON
        elif AT <= o < SHAMANS:
            slot = o - AT  # slot: seat times spaces, plus space
        else:
            return super().option_components(s, o)
        return () if s.kind[slot] == NONE else (self.component_index("kind", s.kind[slot]),)

    def land_space(self, option_text: str, seat: Seat, seats: int) -> tuple[int, int] | None:
        """Return the Testament space that an option names."""
        verb, *names = option_text.split()
        if verb == "on":
            return 0, int(names[0])
        if verb == "at" and int(names[0]) < seats:
            return (int(names[0]) - seat) % seats, int(names[1])
        return None

    def kinds(self) -> Mapping[str, ComponentKind]:
        return build_kinds(self.components)

    def named_things(self, view: View, option_text: str) -> Sequence[Thing] | None:
        assert isinstance(view, TestOfTimeView)
        return find_option_things(self.components, view, option_text)

    def view(self, s: State, seat: Seat | None) -> TestOfTimeView:
        assert isinstance(s, TestOfTime)
        return view(s, seat)

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> TestOfTime:
        rounds, attacks = variants["rounds"], variants["attacks_per_round"]
        assert isinstance(rounds, int)
        table_rules = TableRules(
            rounds,
            hostile_reverse=variants["hostile_reverse"] is True,
            mercy=variants["mercy"] is True,
            defenders_choose=variants["defenders_choose"] is True,
            attacks_per_round=attacks if isinstance(attacks, int) else 0,
            one_payment=variants["one_payment"] is True,
        )
        return deal(self.components, seats, rng, table_rules, version)


def bound_decisions(c: Components, seats: int, rounds: int) -> int:
    """TT-R20  Return an upper bound on the decisions of a match, from the number of pieces.

    A move other than Pass asks at most four decisions (Attack: move, target, shamans, followers). It takes at least one
    piece out of a home zone, which returns only at the end of the round. Between two moves there are at most as many
    passes as rivals, because a full turn of passes ends the round. Then owners divide what they meet among all rivals
    but one, for each Testament.

    Reverse Time asks at most three more decisions for each record: its mark, and two for its defence. Paying for a mark
    takes a piece. Each shaman that dies reverses as many records as its power, and shamans come only from Sire Shaman.
    """
    pieces = (c.max_followers + c.max_shamans) * seats
    asked = pieces * 4
    passes = pieces * (seats - 1) + seats
    divided = seats * c.spaces * (seats - 2)
    power = 1 + c.spaces * c.power_gained
    shamans = seats * rounds * c.sire_shaman_zones
    return rounds * (asked + passes + divided) + 3 * power * shamans


GAME = TestOfTimeGame(SCHEMA.printed)
