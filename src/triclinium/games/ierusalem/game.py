"""The `Game` object of Ierusalem: Anno Domini."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from triclinium.engine.component_kinds import ComponentKind, Thing
from triclinium.engine.components_schema import ComponentsSchema
from triclinium.engine.core.components import ComponentsFile, raise_faults
from triclinium.engine.core.errors import ComponentsFault, IncompatibleVariants
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Message, Name
from triclinium.engine.core.weights import read_weights
from triclinium.engine.game import Game, list_seats_clockwise
from triclinium.engine.variant import Choice
from triclinium.engine.view import View
from triclinium.engine.visible_scores import ScoreContest
from triclinium.games.ierusalem.ai.evaluation import FEATURES, IerusalemEvaluator
from triclinium.games.ierusalem.ai.observation import IerusalemObserver
from triclinium.games.ierusalem.decision_bound import bound_decisions
from triclinium.games.ierusalem.rules.checks import find_faults
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.setup import deal
from triclinium.games.ierusalem.rules.state import ALL_SOURCES, Ierusalem
from triclinium.games.ierusalem.rules.verbs import APPRECIATE, CLEAR, build_notation
from triclinium.games.ierusalem.ui.component_kinds import build_kinds, find_option_things
from triclinium.games.ierusalem.ui.text import SOURCES, IerusalemText
from triclinium.games.ierusalem.ui.view import IerusalemView, view, view_ids
from triclinium.games.ierusalem.variants import MOST_STALL, VARIANTS
from triclinium.i18n.catalog import Domain

HERE = Path(__file__).parent
SCHEMA = ComponentsSchema(HERE / "data")


class IerusalemGame(Game):
    """Ierusalem: Anno Domini, played with one components file."""

    id = "ierusalem"
    components_schema = SCHEMA
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
    has_open_scores = True
    usual_decisions = 700
    variants = VARIANTS

    def __init__(self, file: ComponentsFile) -> None:
        SCHEMA.check(file)
        self.components = Components(file)
        raise_faults(find_faults(self.components, file, self.is_printed(file)))
        verbs = build_notation(self.components)
        self.components.notation = verbs
        self.max_decisions = bound_decisions(self.components, max(self.seats), MOST_STALL)
        self.ids = view_ids(self.components)
        words = IerusalemText(self.components, verbs, Domain(self.id, HERE / "data" / "locale"))
        weights = read_weights(HERE / "ai" / "weights.toml", FEATURES)
        super().__init__(file, verbs, words, IerusalemEvaluator(), weights, IerusalemObserver(self.components))

    def find_broken_constraints(self, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
        return find_faults(Components(file), file, printed)

    def max_match_decisions(self, s: State) -> int:
        assert isinstance(s, Ierusalem)
        return bound_decisions(self.components, s.seats, s.stall_round)

    def check_variants(self, seats: int, variants: Mapping[str, Choice]) -> None:
        start_player = variants["start_player"]
        if isinstance(start_player, int) and start_player >= seats:
            raise IncompatibleVariants(
                "the first player must be one of the seats 1 to {0}, not {1} (IE-R31)", seats, start_player + 1
            )

    def round(self, s: State) -> int:
        """Return the number of turns of each player, because the rulebook has no rounds."""
        assert isinstance(s, Ierusalem)
        return (s.turns + s.seats - 1) // s.seats

    def turn(self, s: State) -> int:
        assert isinstance(s, Ierusalem)
        return s.turns

    def order(self, s: State) -> tuple[Seat, ...]:
        assert isinstance(s, Ierusalem)
        return list_seats_clockwise(s.start, s.seats)

    def option_components(self, s: State, o: Option) -> tuple[int, ...]:
        """Return the components of an option. A discarded column is replaced by its cards."""
        assert isinstance(s, Ierusalem)
        if CLEAR <= o < APPRECIATE:
            return tuple(self.component_index("card", card) for card in s.columns[s.who * 3 + o - CLEAR])
        return super().option_components(s, o)

    def kinds(self) -> Mapping[str, ComponentKind]:
        return build_kinds(self.components)

    def named_things(self, view: View, option_text: str) -> Sequence[Thing] | None:
        assert isinstance(view, IerusalemView)
        return find_option_things(self.components, view, option_text)

    def view(self, s: State, seat: Seat | None) -> IerusalemView:
        assert isinstance(s, Ierusalem)
        return view(s, seat, self.ids)

    def contests(self, s: State) -> list[ScoreContest]:
        """Return the VP on the track by source."""
        assert isinstance(s, Ierusalem)
        contests = [
            ScoreContest(Message("at once: {0}", name), s.earned[i::ALL_SOURCES]) for i, name in enumerate(SOURCES)
        ]
        return [contest for contest in contests if any(contest.counts)]

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> Ierusalem:
        return deal(self.components, seats, rng, variants, version)


GAME = IerusalemGame(SCHEMA.printed)
