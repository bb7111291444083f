"""Portals and Prophets as a `Game`: its seats, its table options, its deal."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from triclinium.engine.component_kinds import Kind
from triclinium.engine.components_schema import Form
from triclinium.engine.core.components import ComponentsFile, refuse
from triclinium.engine.core.errors import Fault, Misfit
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name
from triclinium.engine.core.weights import read_weights
from triclinium.engine.game import Game, clockwise
from triclinium.engine.variant import Choice
from triclinium.engine.visible_scores import Contest, VisibleScore
from triclinium.games.portals.ai.evaluation import FEATURES, PortalsEvaluator
from triclinium.games.portals.ai.observation import PortalsObserver
from triclinium.games.portals.rules.checks import broken_by
from triclinium.games.portals.rules.components import GENESIS, HIDE, Components
from triclinium.games.portals.rules.setup import deal
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.rules.turn import Turn
from triclinium.games.portals.ui.kinds import described
from triclinium.games.portals.ui.text import PortalsWords
from triclinium.games.portals.ui.view import PortalsView, ids_of, view
from triclinium.games.portals.ui.visible_scores import contests, scores_for
from triclinium.games.portals.variants import MOST_ROUNDS, SHORT, limited
from triclinium.i18n.catalog import Domain

HERE = Path(__file__).parent
FORM = Form(HERE / "data")


class PortalsGame(Game):
    """Two to five time travellers witness the events of the Bible."""

    id = "portals"
    form = FORM
    usual = 520
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
    short = SHORT

    def __init__(self, file: ComponentsFile) -> None:
        FORM.check(file)
        self.components = Components(file)
        refuse(broken_by(self.components, self.is_printed(file)))
        self.variants = limited(self.components.stall_rounds, self.components.round_limit)
        self.ids = ids_of(self.components)
        self.bound = most_decisions(self.components, max(self.seats), MOST_ROUNDS)
        notation = self.components.notation
        words = PortalsWords(self.components, Domain(self.id, HERE / "data" / "locale"))
        weights = read_weights(HERE / "ai" / "weights.toml", FEATURES)
        super().__init__(file, notation, words, PortalsEvaluator(), weights, PortalsObserver(self.components))

    def constraints(self, file: ComponentsFile, printed: bool) -> list[Fault]:
        return broken_by(Components(file), printed)

    def longest(self, s: State) -> int:
        assert isinstance(s, Portals)
        return most_decisions(self.components, s.seats, s.v.round_limit)

    def round(self, s: State) -> int:
        assert isinstance(s, Portals)
        return s.round

    def turn(self, s: State) -> int:
        """PP-2.1  Everybody has one in a round; hands that are too large are cut in the turn that is about to begin."""
        assert isinstance(s, Portals)
        if s.round == 0 or s.over:
            return s.round * s.seats
        active = next((step.who for step in s.stack if isinstance(step, Turn)), s.who)
        return (s.round - 1) * s.seats + (active - s.first) % s.seats + 1

    def order(self, s: State) -> tuple[Seat, ...]:
        assert isinstance(s, Portals)
        return clockwise(s.first, s.seats)

    def subjects(self, s: State, o: Option) -> tuple[int, ...]:
        """PP-R12  Face down a card is given by its place in the hand."""
        assert isinstance(s, Portals)
        if o in self.notation.verb(HIDE):
            return (self.thing("card", s.hands[s.who][o - HIDE]),)
        return super().subjects(s, o)

    def kinds(self) -> Mapping[str, Kind]:
        return described(self.components)

    def view(self, s: State, seat: Seat | None) -> PortalsView:
        assert isinstance(s, Portals)
        return view(s, seat)

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> State:
        return deal(self.components, seats, rng, variants, version)

    def contests(self, s: State) -> list[Contest]:
        """PP-11.3, PP-11.6  Symbols and regions, as all hands lie open."""
        assert isinstance(s, Portals)
        return contests(s)

    def running_scores(self, s: State, viewer: Seat) -> list[VisibleScore]:
        assert isinstance(s, Portals)
        return scores_for(s, viewer)

    def fits(self, seats: int, variants: Mapping[str, Choice]) -> None:
        wanted = seats * self.components.start_hand
        cards = len(self.components.cards_of(GENESIS))
        if wanted > cards:
            raise Misfit("{0} seats need {1} Genesis cards, there are {2} (PP-1.2)", seats, wanted, cards)
        if variants["team"] and seats != 4:
            raise Misfit("the team variant is played with 4 seats, not {0} (PP-12.1)", seats)
        start = variants["start"]
        if isinstance(start, int) and start >= seats:
            raise Misfit("seat {0} cannot begin: the {1} seats are 0 to {2} (PP-R6)", start, seats, seats - 1)
        if variants["simplified_nt_end"] and not variants["simplified"]:
            raise Misfit("simplified_nt_end belongs to the simplified variant, which is off (PP-R27)")


def most_decisions(c: Components, seats: int, rounds: int) -> int:
    """PP-R19  So many actions and an end a turn, two decisions for each card given up, and the set-up."""
    return (c.actions + 1) * rounds * seats + 2 * c.cards + c.portals + seats


GAME = PortalsGame(FORM.printed)
