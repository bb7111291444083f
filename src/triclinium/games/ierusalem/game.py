"""The `Game`: its seats, its variants, and how a match of it starts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from triclinium.engine.component_kinds import Kind, Thing
from triclinium.engine.components_schema import Form
from triclinium.engine.core.components import ComponentsFile, refuse
from triclinium.engine.core.errors import Fault, Misfit
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Message, Name
from triclinium.engine.core.weights import read_weights
from triclinium.engine.game import Game, clockwise
from triclinium.engine.variant import Choice
from triclinium.engine.view import View
from triclinium.engine.visible_scores import Contest
from triclinium.games.ierusalem.ai.evaluation import FEATURES, IerusalemEvaluator
from triclinium.games.ierusalem.ai.observation import IerusalemObserver
from triclinium.games.ierusalem.decision_bound import most_decisions
from triclinium.games.ierusalem.rules.checks import broken_by
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.setup import deal
from triclinium.games.ierusalem.rules.state import ALL_SOURCES, Ierusalem
from triclinium.games.ierusalem.rules.verbs import APPRECIATE, CLEAR, notation
from triclinium.games.ierusalem.ui.kinds import described, named
from triclinium.games.ierusalem.ui.text import SOURCES, IerusalemWords
from triclinium.games.ierusalem.ui.view import IerusalemView, all_ids, view
from triclinium.games.ierusalem.variants import MOST_STALL, VARIANTS
from triclinium.i18n.catalog import Domain

HERE = Path(__file__).parent
FORM = Form(HERE / "data")


class IerusalemGame(Game):
    """Ierusalem: Anno Domini, on one components file."""

    id = "ierusalem"
    form = FORM
    name = Name("Ierusalem: Anno Domini", "game")
    prefix = "IE"
    gallery = MappingProxyType(
        {
            "card": Name("Cards", "gallery"),
            "apostle": Name("Apostles", "gallery"),
            "location": Name("Locations", "gallery"),
            "good": Name("Goods", "gallery"),
            "parable": Name("Parables", "gallery"),
            "marker": Name("Favors", "gallery"),
            "tile": Name("Tiles", "gallery"),
        }
    )
    seats = (3, 4)
    open_scores = True
    usual = 700
    variants = VARIANTS

    def __init__(self, file: ComponentsFile) -> None:
        FORM.check(file)
        self.components = Components(file)
        refuse(broken_by(self.components, file, self.is_printed(file)))
        verbs = notation(self.components)
        self.components.notation = verbs
        self.bound = most_decisions(self.components, max(self.seats), MOST_STALL)
        self.ids = all_ids(self.components)
        words = IerusalemWords(self.components, verbs, Domain(self.id, HERE / "data" / "locale"))
        weights = read_weights(HERE / "ai" / "weights.toml", FEATURES)
        super().__init__(file, verbs, words, IerusalemEvaluator(), weights, IerusalemObserver(self.components))

    def constraints(self, file: ComponentsFile, printed: bool) -> list[Fault]:
        return broken_by(Components(file), file, printed)

    def longest(self, s: State) -> int:
        assert isinstance(s, Ierusalem)
        return most_decisions(self.components, s.seats, s.stall_round)

    def fits(self, seats: int, variants: Mapping[str, Choice]) -> None:
        named = variants["start_player"]
        if isinstance(named, int) and named >= seats:
            raise Misfit("the start player is one of the seats 1 to {0}, not {1} (IE-R31)", seats, named + 1)

    def round(self, s: State) -> int:
        """A turn of everybody; the rulebook counts none."""
        assert isinstance(s, Ierusalem)
        return (s.turns + s.seats - 1) // s.seats

    def turn(self, s: State) -> int:
        assert isinstance(s, Ierusalem)
        return s.turns

    def order(self, s: State) -> tuple[Seat, ...]:
        assert isinstance(s, Ierusalem)
        return clockwise(s.start, s.seats)

    def subjects(self, s: State, o: Option) -> tuple[int, ...]:
        """A column that is discarded is the cards in it."""
        assert isinstance(s, Ierusalem)
        if CLEAR <= o < APPRECIATE:
            return tuple(self.thing("card", card) for card in s.columns[s.who * 3 + o - CLEAR])
        return super().subjects(s, o)

    def kinds(self) -> Mapping[str, Kind]:
        return described(self.components)

    def named(self, view: View, said: str) -> Sequence[Thing] | None:
        assert isinstance(view, IerusalemView)
        return named(self.components, view, said)

    def view(self, s: State, seat: Seat | None) -> IerusalemView:
        assert isinstance(s, Ierusalem)
        return view(s, seat, self.ids)

    def contests(self, s: State) -> list[Contest]:
        """Where the VP on the track came from, source by source."""
        assert isinstance(s, Ierusalem)
        found = [Contest(Message("at once: {0}", name), s.earned[i::ALL_SOURCES]) for i, name in enumerate(SOURCES)]
        return [one for one in found if any(one.counts)]

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> Ierusalem:
        return deal(self.components, seats, rng, variants, version)


GAME = IerusalemGame(FORM.printed)
