"""The `Game` object of Portals and Prophets."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from triclinium.engine.component_kinds import ComponentKind
from triclinium.engine.components_schema import ComponentsSchema
from triclinium.engine.core.components import ComponentsFile, raise_faults
from triclinium.engine.core.errors import ComponentsFault, IncompatibleVariants
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name
from triclinium.engine.core.weights import read_weights
from triclinium.engine.game import Game, list_seats_clockwise
from triclinium.engine.variant import Choice
from triclinium.engine.visible_scores import ScoreContest, VisibleScore
from triclinium.games.portals.ai.evaluation import FEATURES, PortalsEvaluator
from triclinium.games.portals.ai.observation import PortalsObserver
from triclinium.games.portals.rules.checks import find_faults
from triclinium.games.portals.rules.components import GENESIS, HIDE, Components
from triclinium.games.portals.rules.setup import deal
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.rules.turn import Turn
from triclinium.games.portals.ui.component_kinds import build_kinds
from triclinium.games.portals.ui.text import PortalsText
from triclinium.games.portals.ui.view import PortalsView, map_ids_by_kind, view
from triclinium.games.portals.ui.visible_scores import build_visible_scores, list_contests
from triclinium.games.portals.variants import MAX_ROUNDS, SHORT, build_variants
from triclinium.i18n.catalog import Domain

HERE = Path(__file__).parent
SCHEMA = ComponentsSchema(HERE / "data")


class PortalsGame(Game):
    """Portals and Prophets, played with one components file."""

    id = "portals"
    components_schema = SCHEMA
    usual_decisions = 520
    name = Name("Portals and Prophets", "game")
    prefix = "PP"
    gallery = MappingProxyType(
        {
            "card": Name("Cards", "gallery"),
            "place": Name("Places", "gallery"),
            "symbol": Name("Signs", "gallery"),
            "region": Name("Regions", "gallery"),
            "colour": Name("Fuel", "gallery"),
            "space": Name("Timeline", "gallery"),
        }
    )
    seats = (2, 3, 4, 5)
    short_variants = SHORT

    def __init__(self, file: ComponentsFile) -> None:
        SCHEMA.check(file)
        self.components = Components(file)
        raise_faults(find_faults(self.components, self.is_printed(file)))
        self.variants = build_variants(self.components.stall_rounds, self.components.round_limit)
        self.ids = map_ids_by_kind(self.components)
        rounds = max(MAX_ROUNDS, self.components.round_limit)
        self.max_decisions = bound_decisions(self.components, max(self.seats), rounds)
        notation = self.components.notation
        words = PortalsText(self.components, Domain(self.id, HERE / "data" / "locale"))
        weights = read_weights(HERE / "ai" / "weights.toml", FEATURES)
        super().__init__(file, notation, words, PortalsEvaluator(), weights, PortalsObserver(self.components))

    def find_broken_constraints(self, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
        return find_faults(Components(file), printed)

    def max_match_decisions(self, s: State) -> int:
        assert isinstance(s, Portals)
        return bound_decisions(self.components, s.seats, s.v.round_limit)

    def round(self, s: State) -> int:
        assert isinstance(s, Portals)
        return s.round

    def turn(self, s: State) -> int:
        """PP-2.1  Return the number of the turn, one for each player and round.

        Hands that are too large are reduced in the turn that is about to begin.
        """
        assert isinstance(s, Portals)
        if s.round == 0 or s.over:
            return s.round * s.seats
        active = next((step.who for step in s.stack if isinstance(step, Turn)), s.who)
        return (s.round - 1) * s.seats + (active - s.first) % s.seats + 1

    def order(self, s: State) -> tuple[Seat, ...]:
        assert isinstance(s, Portals)
        return list_seats_clockwise(s.first, s.seats)

    def option_components(self, s: State, o: Option) -> tuple[int, ...]:
        """PP-R12  Return the components of an option. A face-down discard names a card by its place in the hand."""
        assert isinstance(s, Portals)
        if o in self.notation.verb_of(HIDE):
            return (self.component_index("card", s.hands[s.who][o - HIDE]),)
        return super().option_components(s, o)

    def kinds(self) -> Mapping[str, ComponentKind]:
        return build_kinds(self.components)

    def view(self, s: State, seat: Seat | None) -> PortalsView:
        assert isinstance(s, Portals)
        return view(s, seat)

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> State:
        return deal(self.components, seats, rng, variants, version)

    def contests(self, s: State) -> list[ScoreContest]:
        """PP-11.3, PP-11.6  Return the contests for symbols and regions, with all hands open."""
        assert isinstance(s, Portals)
        return list_contests(s)

    def running_scores(self, s: State, viewer: Seat) -> list[VisibleScore]:
        assert isinstance(s, Portals)
        return build_visible_scores(s, viewer)

    def check_variants(self, seats: int, variants: Mapping[str, Choice]) -> None:
        wanted = seats * self.components.start_hand
        cards = len(self.components.list_cards(GENESIS))
        if wanted > cards:
            raise IncompatibleVariants(
                "{0} players need {1} Genesis cards, but there are {2} (PP-1.2)", seats, wanted, cards
            )
        if variants["team"] and seats != 4:
            raise IncompatibleVariants("the team variant needs 4 players, not {0} (PP-12.1)", seats)
        start = variants["start"]
        if isinstance(start, int) and start >= seats:
            raise IncompatibleVariants(
                "seat {0} cannot begin: the {1} seats are 0 to {2} (PP-R6)", start, seats, seats - 1
            )
        if variants["simplified_nt_end"] and not variants["simplified"]:
            raise IncompatibleVariants(
                "the third New Testament card can end the simplified game only if the simplified game is chosen "
                "(PP-R27)"
            )


def bound_decisions(c: Components, seats: int, rounds: int) -> int:
    """PP-R19  Return the maximum number of decisions: actions and turn ends, two for each lost card, and the set-up."""
    return (c.actions + 1) * rounds * seats + 2 * c.cards + c.portals + seats


GAME = PortalsGame(SCHEMA.printed)
