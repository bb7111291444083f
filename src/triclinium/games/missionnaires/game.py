"""Les Missionnaires as a `Game`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from triclinium.engine.component_kinds import ComponentKind, Thing
from triclinium.engine.components_schema import ComponentsSchema
from triclinium.engine.core.components import ComponentsFile, raise_faults
from triclinium.engine.core.errors import ComponentsFault
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Message, Name
from triclinium.engine.core.weights import read_weights
from triclinium.engine.game import Game, list_seats_clockwise
from triclinium.engine.variant import Choice
from triclinium.engine.view import View
from triclinium.games.missionnaires.ai.evaluation import FEATURES, MissionnairesEvaluator
from triclinium.games.missionnaires.ai.observation import MissionnairesObserver
from triclinium.games.missionnaires.rules.checks import find_faults
from triclinium.games.missionnaires.rules.components import SLOT, SLOTS, YES, Components
from triclinium.games.missionnaires.rules.setup import PickColour, deal
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.missionnaires.rules.table_rules import (
    ALWAYS,
    BALANCED,
    EACH,
    FULL,
    NEVER,
    STANDARD,
    VOTE,
    TableRules,
)
from triclinium.games.missionnaires.rules.turn import PlayOn
from triclinium.games.missionnaires.ui.component_kinds import build_kinds, find_option_things
from triclinium.games.missionnaires.ui.rank_reasons import explain_rank
from triclinium.games.missionnaires.ui.text import MissionnairesText
from triclinium.games.missionnaires.ui.translations import DOMAIN
from triclinium.games.missionnaires.ui.view import MissionnairesView, view
from triclinium.games.missionnaires.variants import PRESELECTED, SHORT, VARIANTS

HERE = Path(__file__).parent
SCHEMA = ComponentsSchema(HERE / "data")
PLAY_ON_MODES = {"each": EACH, "vote": VOTE, "always": ALWAYS, "never": NEVER}
DEAL_MODES = {"standard": STANDARD, "balanced": BALANCED, "full": FULL}


class MissionnairesGame(Game):
    """Les Missionnaires with the components of one file."""

    id = "missionnaires"
    components_schema = SCHEMA
    prefix = "LM"
    resign_rule = "LM-R24"
    gallery = MappingProxyType(
        {"card": Name("Cards", "gallery"), "space": Name("Spaces", "gallery"), "overseer": Name("Overseers", "gallery")}
    )
    has_open_scores = True
    has_points = False  # LM-9.2: the result is an order of arrival
    usual_decisions = 1550
    variants = VARIANTS
    short_variants = SHORT
    preselected_variants = PRESELECTED
    verbs_bots_avoid = ("retire",)  # LM-R15: bots play on

    def __init__(self, file: ComponentsFile) -> None:
        SCHEMA.check(file)
        c = self.components = Components(file)
        raise_faults(find_faults(c, file, self.is_printed(file)))
        self.seats = tuple(c.hand)  # LM-1.1
        # 300 rounds of 4 turns, and 25 decisions for each coup with its territory cards (LM-R19)
        self.max_decisions = 300 * 4 * 25 * int(c.coups) * max(1, int(c.territories_a_turn) // 3)
        self.name = file.row("game").name()
        self.ids = {
            "space": c.ids,
            "card": c.card_ids,
            "colour": c.colours,
            "gendarme": c.gendarmes,
            "overseer": c.overseers,
        }
        words = MissionnairesText(c, DOMAIN)
        weights = read_weights(HERE / "ai" / "weights.toml", FEATURES)
        super().__init__(file, c.notation, words, MissionnairesEvaluator(), weights, MissionnairesObserver(c))

    def find_broken_constraints(self, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
        return find_faults(Components(file), file, printed)

    def round(self, s: State) -> int:
        assert isinstance(s, Missionnaires)
        return s.round

    def turn(self, s: State) -> int:
        """LM-2.1  Return the number of turns played; a missed turn does not count."""
        assert isinstance(s, Missionnaires)
        return sum(s.turns)

    def order(self, s: State) -> tuple[Seat, ...]:
        assert isinstance(s, Missionnaires)
        return list_seats_clockwise(s.first, s.seats)

    def option_components(self, s: State, o: Option) -> tuple[int, ...]:
        """Return the components that an option refers to.

        An option names an own congregation card by its place in the hand; the component is its town.
        """
        assert isinstance(s, Missionnaires)
        if SLOT <= o < SLOT + SLOTS:
            return (self.component_index("space", self.components.congregation_at[s.hand[s.who][o - SLOT]]),)
        return super().option_components(s, o)

    def kinds(self) -> Mapping[str, ComponentKind]:
        return build_kinds(self.components)

    def named_things(self, view: View, option_text: str) -> Sequence[Thing] | None:
        assert isinstance(view, MissionnairesView)
        return find_option_things(self.components, view, option_text)

    def rank_reason(self, s: State, seat: Seat) -> Message:
        assert isinstance(s, Missionnaires)
        return explain_rank(s, seat)

    def seat_colours(self, view: View) -> list[str]:
        """LM-1.3  Return red, yellow, blue and orange, in seat order or as they were picked."""
        assert isinstance(view, MissionnairesView)
        return [self.components.colours[player.colour] for player in view.players]

    def view(self, s: State, seat: Seat | None) -> MissionnairesView:
        assert isinstance(s, Missionnaires)
        return view(s, seat)

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> State:
        return deal(self.components, seats, rng, build_table_rules(variants), version)

    def ruled_option(self, s: State) -> Option | None:
        """LM-R15  Return the option that a bot must choose, if any.

        Bots always play on, because others may want to finish the match. They take the first free pawn.
        """
        if isinstance(s.asked, PickColour):
            return s.legal[0]
        return YES if isinstance(s.asked, PlayOn) else None


def build_table_rules(variants: Mapping[str, Choice]) -> TableRules:
    """Return the variants in the form that the rules read."""
    return TableRules(
        deal=DEAL_MODES[str(variants["deal"])],
        visit_on_pass=bool(variants["visit_on_pass"]),
        share_spaces=bool(variants["share_spaces"]),
        until_card=variants["overseer_until"] == "card",
        called_away=bool(variants["overseer_can_be_called_away"]),
        card_per_coup=variants["sea_card_per"] == "coup",
        relief=bool(variants["relief"]),
        play_on=PLAY_ON_MODES[str(variants["play_on"])],
        open_hands=bool(variants["open_congregations"]),
        round_limit=int(variants["round_limit"]),
        card_on_pass=bool(variants["card_on_pass"]),
        pick_colour=bool(variants["pick_colour"]),
    )


GAME = MissionnairesGame(SCHEMA.printed)
