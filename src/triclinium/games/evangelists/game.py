"""The `Game` object of The Acts of the Evangelists."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from triclinium.engine.component_kinds import ComponentKind, Thing
from triclinium.engine.components_schema import ComponentsSchema
from triclinium.engine.core.components import ComponentsFile, ComponentsTable, raise_faults
from triclinium.engine.core.errors import BadComponents, ComponentsFault, IncompatibleVariants
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Message, Name
from triclinium.engine.core.weights import read_weights
from triclinium.engine.game import Game, list_seats_clockwise
from triclinium.engine.variant import Choice, Variant
from triclinium.engine.view import View
from triclinium.engine.visible_scores import ScoreContest
from triclinium.games.evangelists.ai.evaluation import FEATURES, EvangelistsEvaluator
from triclinium.games.evangelists.ai.observation import EvangelistsObserver
from triclinium.games.evangelists.rules.actions.tradition import Keep, LeaveFaceUp
from triclinium.games.evangelists.rules.checks import find_faults
from triclinium.games.evangelists.rules.components import TRACK_IDS, TRACKS, Components
from triclinium.games.evangelists.rules.scoring import count_matches
from triclinium.games.evangelists.rules.setup import deal
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.rules.turn import BeginTurn, NewRound
from triclinium.games.evangelists.rules.verbs import COPY, FACE, FOLLOW, KEEP, NONE, build_notation
from triclinium.games.evangelists.ui.component_kinds import build_kinds, find_option_things
from triclinium.games.evangelists.ui.text import EvangelistsText
from triclinium.games.evangelists.ui.view import EvangelistsView, view
from triclinium.games.evangelists.variants import VARIANTS
from triclinium.i18n.catalog import Domain

HERE = Path(__file__).parent
SCHEMA = ComponentsSchema(HERE / "data")


class EvangelistsGame(Game):
    """The Acts of the Evangelists, played with one components file."""

    id = "evangelists"
    components_schema = SCHEMA
    name = Name("The Acts of the Evangelists", "game")
    prefix = "AE"
    gallery = MappingProxyType(
        {
            "card": Name("Traditions", "gallery"),
            "place": Name("Cities", "gallery"),
            "witness": Name("Witnesses", "gallery"),
            "theme": Name("Themes", "gallery"),
            "track": Name("Devices", "gallery"),
        }
    )
    seats = (2, 3, 4, 5)
    seats_rule = "2.1"
    has_open_scores = True
    # AE-R38: 25 turns, each with three actions and a boat ride. Four opponents follow each action, and each Rearrange
    # has ten steps.
    usual_decisions = 420
    variants: tuple[Variant, ...] = VARIANTS

    def __init__(self, file: ComponentsFile) -> None:
        SCHEMA.check(file)
        self.components = Components(file)
        raise_faults(find_faults(self.components, file, self.is_printed(file)))
        options = file.row("options")
        self.variants = tuple(apply_file_default(options, variant) for variant in self.variants)
        verbs = build_notation(self.components)
        words = EvangelistsText(self.components, verbs, Domain(self.id, HERE / "data" / "locale"))
        weights = read_weights(HERE / "ai" / "weights.toml", FEATURES)
        self.ids = {
            "place": self.components.place_ids,
            "witness": self.components.witness_ids,
            "theme": self.components.theme_ids,
            "tradition": self.components.numbers,
            "track": TRACK_IDS,
        }
        self.max_decisions = bound_decisions(self.components)
        super().__init__(file, verbs, words, EvangelistsEvaluator(), weights, EvangelistsObserver(self.components))

    def find_broken_constraints(self, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
        return find_faults(Components(file), file, printed)

    def check_variants(self, seats: int, variants: Mapping[str, Choice]) -> None:
        stenographer = variants["stenographer"]
        if isinstance(stenographer, int) and stenographer >= seats:
            raise IncompatibleVariants(
                "the stenographer must be one of the seats 0 to {0}, not {1} (AE-R33)", seats - 1, stenographer
            )

    def round(self, s: State) -> int:
        """AE-2.1  Return the round, or 0 while the pawns are placed."""
        assert isinstance(s, Evangelists)
        return 0 if self.turn(s) == 0 else s.get_round()

    def turn(self, s: State) -> int:
        """AE-2.2  Return the number of the turn.

        Each player has one turn in each round. Adding a leaf belongs to the turn before it.
        """
        assert isinstance(s, Evangelists)
        before = (s.marker - self.components.track_start[s.seats]) * s.seats
        between = s.over or any(isinstance(step, NewRound) for step in s.stack)
        return before if between else before + s.seats - sum(isinstance(step, BeginTurn) for step in s.stack)

    def order(self, s: State) -> tuple[Seat, ...]:
        assert isinstance(s, Evangelists)
        return list_seats_clockwise(s.stenographer, s.seats)

    def progress(self, s: State) -> float:
        """Return the share of all turns that are over; whole rounds would be too coarse."""
        assert isinstance(s, Evangelists)
        if s.over:
            return 1.0
        c, seats = self.components, s.seats
        start = c.track_start[seats]
        turns = (s.marker - start) * seats
        if not isinstance(s.stack[0], NewRound):  # Otherwise pawns are being placed or leaves added, between two turns.
            turns += (s.turn - s.stenographer) % seats
        return turns / ((c.track_end - start) * seats)

    def option_components(self, s: State, o: Option) -> tuple[int, ...]:
        """Return the card at a place in a box, or the tradition that an option names by number."""
        assert isinstance(s, Evangelists)
        step = s.asked
        if COPY <= o < FOLLOW:
            return (self.component_index("tradition", o - COPY),)
        if isinstance(step, Keep | LeaveFaceUp) and o != NONE:
            place = o - (FACE if isinstance(step, LeaveFaceUp) else KEEP)
            return (self.component_index("tradition", s.box[step.city * self.components.box_size + place]),)
        return super().option_components(s, o)

    def kinds(self) -> Mapping[str, ComponentKind]:
        return build_kinds(self.components)

    def named_things(self, view: View, option_text: str) -> Sequence[Thing] | None:
        assert isinstance(view, EvangelistsView)
        return find_option_things(self.components, view, option_text)

    def view(self, s: State, seat: Seat | None) -> EvangelistsView:
        assert isinstance(s, Evangelists)
        return view(s, seat, self.notation)

    def final_view(self, s: State, seat: Seat | None) -> EvangelistsView:
        """Return a view with all cards face up, including those that no player has looked at."""
        assert isinstance(s, Evangelists)
        return view(s, seat, self.notation, all_faces_open=True)

    def view_without_reminders(self, s: State, seat: Seat | None) -> EvangelistsView:
        """AE-R39  Return the view without the memory aid: a box is seen only while the player looks at it."""
        assert isinstance(s, Evangelists)
        return view(s, seat, self.notation, is_past=True)

    def seat_colours(self, view: View) -> list[str]:
        """AE-R34  Return the colour of each player."""
        assert isinstance(view, EvangelistsView)
        ids = self.components.theme_ids
        return ["" if player.colour is None else ids[player.colour] for player in view.players]

    def contests(self, s: State) -> list[ScoreContest]:
        """AE-11.2, AE-11.3  Return each player's levels on the four tracks and number of cards that match the theme."""
        assert isinstance(s, Evangelists)
        track_contests = [ScoreContest(self.words.short_name("track", n), s.levels[n::TRACKS]) for n in range(TRACKS)]
        return [*track_contests, ScoreContest(Message("Theme"), [count_matches(s, seat) for seat in range(s.seats)])]

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> Evangelists:
        return deal(self.components, seats, rng, variants, version)


def bound_decisions(c: Components) -> int:
    """Return an upper bound on the decisions of a match, from its turns and the lengths of a turn and a Rearrange."""
    turns = (c.track_end - min(c.track_start.values())) * 5
    return turns * (30 + 35 * max(4, c.octagons + 1) + max(0, 2 * (c.rearrange_most - 10)))


def apply_file_default(options: ComponentsTable, variant: Variant) -> Variant:
    """Return the variant with the default value from the components file."""
    default = options.data.get(variant.name)
    for value in variant.values:
        if value == default and type(value) is type(default):
            return variant.with_default(value)
    raise BadComponents(f"{variant.ruling}: options.{variant.name}: is {variant.describe_values()}, not {default}")


GAME = EvangelistsGame(SCHEMA.printed)
