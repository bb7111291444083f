"""The interface between a game and the rest of the platform: its rules on one components file."""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Self

from triclinium.engine.calibration import Calibration, read_calibration
from triclinium.engine.component_kinds import ComponentKind, Thing
from triclinium.engine.components_schema import ComponentsSchema, hash_rules_data
from triclinium.engine.core.chance import create_keyed_rng
from triclinium.engine.core.components import FILE_CACHE_SIZE, ComponentsFile
from triclinium.engine.core.errors import BadComponents, BadSetup, ComponentsFault, suggest_names
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.observer import Observer
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Message, Name
from triclinium.engine.core.weights import Weights
from triclinium.engine.game_text import GameText
from triclinium.engine.observation import GameObservation
from triclinium.engine.option_components import Component, ThingsByWord, list_components, map_axis_words
from triclinium.engine.pickle_support import PicklableGame
from triclinium.engine.variant import GROUPS, Choice, Variant
from triclinium.engine.view import Ids, View, to_json
from triclinium.engine.visible_scores import ScoreContest, VisibleScore, make_exact_score
from triclinium.i18n.catalog import list_languages


class Game(PicklableGame, GameObservation):
    """A game on one components file.

    Each game's game.py has a subclass, and the registry finds the default instance.
    """

    id: str
    name: Name
    prefix: str  # prefix of its rule numbers, for example AE
    seats: tuple[int, ...]  # the allowed numbers of seats
    seats_rule = "1.1"  # number of the rule, after the prefix, that gives the numbers of seats
    # All versions of the rules that this code can play. A change that alters a record adds a version.
    versions: tuple[int, ...] = (1,)
    variants: tuple[Variant, ...] = ()
    # the variants of the preset "short match"; empty if there is no such preset
    short_variants: Mapping[str, Choice] = MappingProxyType({})
    # the variants that pages preselect where they differ from the defaults
    preselected_variants: Mapping[str, Choice] = MappingProxyType({})
    verbs_bots_avoid: tuple[str, ...] = ()  # verbs that bots neither choose nor plan, unless there are no others
    # the variants of a match that one click opens; empty: as printed
    quick_start_variants: Mapping[str, Choice] = MappingProxyType({})
    gallery: Mapping[str, Name] = MappingProxyType({})  # the kinds of components in the box, with their names
    # keys, types and ranges of its components files; None if its loader accepts any
    components_schema: ComponentsSchema | None = None
    has_secrets = True  # False if nothing is ever hidden. Resampling is then a clone, and a search can be exact.
    resign_rule = ""  # number of the rule on resigning; empty if the rules do not know it
    has_points = True  # False if a match ends with ranks only. Scores then have no total, and pages mention no points.
    luck_factor = 0.0  # share of the summed luck that reviews show, measured with bots; 0: they show none
    has_open_scores = False  # True if the running scores count nothing hidden and can be shown at any time
    ids: Ids = MappingProxyType({})  # ids of everything that views name, by kind
    max_decisions: int  # upper limit for the decisions of any match of this game

    def __init__(
        self,
        file: ComponentsFile,
        notation: Notation,
        words: GameText,
        evaluator: Evaluator,
        weights: Weights,
        observer: Observer | None = None,
    ) -> None:
        self.file = file
        # records and tables identify the components by this hash
        self.hash = hash_rules_data(file.data, self.components_schema)
        self.notation = notation
        self.words = words
        self.evaluator = evaluator
        self.observer = observer
        self._option_components: dict[Option, tuple[int, ...]] = {}  # cache for options that name components
        self.weights = weights  # the weights that bots give the evaluator's features
        self.calibration = (
            Calibration() if self.components_schema is None else read_calibration(self.components_schema.folder)
        )
        self.register_first_built()

    # -- implemented by each game ----------------------------------------------------------------------------------

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> State:
        """Return the position after the deal, with the first steps on the stack.

        ``variants`` contains every variant, and ``version`` is the version of the rules.
        """
        raise NotImplementedError

    def view(self, s: State, seat: Seat | None) -> View:
        """Return everything that this seat may know. None is a spectator."""
        raise NotImplementedError

    def final_view(self, s: State, seat: Seat | None) -> View:
        """Return the view after the end of the match, when secrets may be revealed."""
        return self.view(s, seat)

    def view_without_reminders(self, s: State, seat: Seat | None) -> View:
        """Return the view of an earlier position of a running match, or of one after a possible option.

        It omits information that players must remember by themselves. They see such information only when they pay
        for it.
        """
        return self.view(s, seat)

    def scores(self, s: State) -> list[Score]:
        """Return the score of each seat in seat order, during or after the match."""
        return self.evaluator.scores(s)

    def find_broken_constraints(self, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
        """Return the constraints that a file with a valid schema breaks. ``printed`` adds those of the printed game."""
        return []

    def rank_reason(self, s: State, seat: Seat) -> Message | None:
        """Return the reason for a seat's rank after the match, or None if the points explain it."""
        return None

    def contests(self, s: State) -> list[ScoreContest]:
        """Return the contests of a finished match whose winners the score sheet does not show."""
        return []

    def round(self, s: State) -> int:
        """Return the current round from 1, or 0 before the first. It never falls. A game without rounds returns 0."""
        return 0

    def turn(self, s: State) -> int:
        """Return a number that rises with each new turn, or 0 before the first.

        It stays the same during a turn, even if other seats are asked.
        """
        return 0

    def order(self, s: State) -> tuple[Seat, ...]:
        """Return all seats in the turn order of the current round."""
        return list_seats_clockwise(0, s.seats)

    def progress(self, s: State) -> float:
        """Return the progress of the match from 0 to 1 for the charts of studies. Bots use the evaluator's own."""
        return self.evaluator.progress(s)

    def max_match_decisions(self, s: State) -> int:
        """Return the limit of decisions for a match with these seats and variants."""
        return self.max_decisions

    def kinds(self) -> Mapping[str, ComponentKind]:
        """Return the appearance of each kind of component in `ids`, for the board kit. It is called once."""
        return {}

    def seat_colours(self, view: View) -> list[str]:
        """Return the id of the colour of each seat, for styles. An empty list means the default colours."""
        return []

    def named_things(self, view: View, option_text: str) -> Sequence[Thing] | None:
        """Return the things of a view that an option names, or None if the axes of its verb name them."""
        return None

    def land_space(self, option_text: str, seat: Seat, seats: int) -> tuple[int, int] | None:
        """Return the land and the space that an option of a seat names, in a game in which every player has a land.

        Lands are counted clockwise from the seat's own, which is 0; spaces are numbered as on the board, from 1.
        """
        return None

    def option_components(self, s: State, o: Option) -> tuple[int, ...]:
        """Return the components that an option takes, plays or affects, as indexes into `all_components`.

        By default these are the components in its notation. A game whose notation names a place returns the components
        there. It reads the true state, so only studies and reviews after the match may call it.
        """
        components = self._option_components.get(o)
        if components is None:
            components = self._option_components[o] = self._find_named_components(o)
        return components

    def check_variants(self, seats: int, variants: Mapping[str, Choice]) -> None:
        """Raise IncompatibleVariants if these variants cannot be combined, or not with this number of seats."""

    def running_scores(self, s: State, viewer: Seat) -> list[VisibleScore]:
        """Return the scores during a match, from information that this viewer has.

        A game whose scores count hidden things returns bounds. The default shows no scores.
        """
        return [VisibleScore(seat, None, None, {}) for seat in range(s.seats)]

    def ruled_option(self, s: State) -> Option | None:
        """Return the answer that a ruling requires of every bot to this question, or None if bots choose."""
        return None

    # -- the same for all games ------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The version of the rules for new matches."""
        return self.versions[-1]

    @cached_property
    def all_components(self) -> tuple[Component, ...]:
        """Every component that has an id, ordered by table."""
        return list_components(self.ids, self.words)

    def component_index(self, table: str, n: int) -> int:
        """Return the index in `all_components` of number n of a table."""
        return self._first_indexes[table] + n

    @cached_property
    def _first_indexes(self) -> dict[str, int]:
        """The index in `all_components` of the first component of each table."""
        first_indexes: dict[str, int] = {}
        for i, component in enumerate(self.all_components):
            first_indexes.setdefault(component.table, i)
        return first_indexes

    @cached_property
    def _axis_meanings(self) -> dict[str, list[ThingsByWord]]:
        return map_axis_words(self.verbs, self.ids)

    def _find_named_components(self, o: Option) -> tuple[int, ...]:
        word, *names = self.format_option(o).split()
        pairs = zip(self._axis_meanings[word], names, strict=True)
        return tuple(self.component_index(*meant[name]) for meant, name in pairs if name in meant)

    @property
    def verbs(self) -> tuple[Verb, ...]:
        return self.notation.verbs

    def visible_scores(self, s: State, viewer: Seat) -> list[VisibleScore]:
        """Return the scores that a viewer may see (NOBODY: a spectator). After the match these are all scores."""
        if s.over or self.has_open_scores or not self.has_secrets:
            return [make_exact_score(score) for score in self.scores(s)]
        return self.running_scores(s, viewer)

    def find_faults(self, file: ComponentsFile, printed: bool = False) -> list[ComponentsFault]:
        """Return all reasons to reject a components file. ``printed`` adds the constraints of the printed game."""
        schema_faults = [] if self.components_schema is None else self.components_schema.find_faults(file)
        try:
            return schema_faults or self.find_broken_constraints(file, printed) or self._find_build_faults(file)
        except BadComponents as error:
            return error.faults

    def _find_build_faults(self, file: ComponentsFile) -> list[ComponentsFault]:
        """Return no faults. Raise BadComponents if the game cannot be built, for example for lack of notation."""
        self.with_components(file)
        return []

    def is_printed(self, file: ComponentsFile) -> bool:
        """Return whether the file is the printed one. The printed file has additional constraints."""
        return self.components_schema is not None and file == self.components_schema.printed

    def with_components(self, file: ComponentsFile) -> Self:
        """Return the same game on another components file. The last few games are cached."""
        if file == self.file:
            return self
        kind: object = type(self)
        built = _build_game(kind, file)
        assert isinstance(built, type(self))
        return built

    def find_release(self, hash: str) -> Self | None:
        """Return the game on the released file with this hash, or None if no release had it."""
        current_hash = hash if self.components_schema is None else self.components_schema.find_current_hash(hash)
        if current_hash == self.hash:
            return self
        file = None if self.components_schema is None else self.components_schema.read_old_file(current_hash)
        return None if file is None else self.with_components(file)

    def deal(
        self,
        seats: int,
        seed: int,
        variants: Mapping[str, object] | None = None,
        listen: bool = False,
        version: int | None = None,
        chance: bool = False,
    ) -> State:
        """Return a new match, ready for its first decision. Raise BadSetup if an argument is not allowed.

        ``listen`` collects events from the start. With ``chance``, a draw with listed outcomes waits for a choice of
        CHANCE (see `Draw`). ``version`` is the version of the rules (default: the last).
        """
        if version is not None and version not in self.versions:
            raise BadSetup(self.describe_unknown_version(version))
        self.check_seats(seats)
        chosen = self.complete_variants(variants or {})
        self.check_variants(seats, chosen)
        s = self.start(seats, create_keyed_rng(seed), chosen, self.version if version is None else version)
        s.events = [] if listen else None
        s.asks_chance = chance
        s.advance()
        return s

    def check_seats(self, seats: int) -> None:
        """Raise BadSetup if the game cannot be played with this number of seats."""
        if seats not in self.seats:
            allowed = f"{self.seats[0]} to {self.seats[-1]}"
            raise BadSetup(f"{self.id} is played with {allowed} seats, not {seats} ({self.prefix}-{self.seats_rule})")

    def complete_variants(self, variants: Mapping[str, object]) -> dict[str, Choice]:
        """Return all variants with their values. Missing ones get their default. Raise BadSetup for unknown ones."""
        known = {variant.name: variant for variant in self.variants}
        chosen: dict[str, Choice] = {variant.name: variant.default for variant in self.variants}
        for name, value in variants.items():
            if name not in known:
                raise BadSetup(f"{self.id} has no variant {name!r}; {suggest_names(name, known)}")
            if not isinstance(value, (bool, int, str)) or not known[name].allows(value):
                raise known[name].make_value_error(value)
            chosen[name] = value
        return chosen

    def read_variants(self, pairs: Mapping[str, str]) -> dict[str, Choice]:
        """Return variants parsed from text, as in ``team=on`` on a command line. Raise BadSetup for unknown ones."""
        known = {variant.name: variant for variant in self.variants}
        for name in pairs:
            if name not in known:
                raise BadSetup(f"{self.id} has no variant {name!r}; {suggest_names(name, known)}")
        return {name: known[name].read(text) for name, text in pairs.items()}

    def recorded_variants(self, variants: Mapping[str, str]) -> list[tuple[Variant, Choice]]:
        """Return the variants of a record with their values."""
        return [
            (variant, variant.read(variants[variant.name])) for variant in self.variants if variant.name in variants
        ]

    def changed_variants(self, variants: Mapping[str, str]) -> list[tuple[Variant, Choice]]:
        """Return the variants whose value in the record differs from the printed game."""
        chosen = dict(self.recorded_variants(variants))
        every = [(variant, chosen.get(variant, variant.default)) for variant in self.variants]
        return [(variant, value) for variant, value in every if value != variant.printed]

    def printed_variants(self) -> dict[str, str]:
        """Return the variants of the printed game in the notation of records, without those at their default."""
        return {
            variant.name: variant.format_value(variant.printed)
            for variant in self.variants
            if variant.printed != variant.default
        }

    def proposed_variants(self) -> dict[str, str]:
        """Return the variants that pages propose in the notation of records. It is empty for the printed game."""
        return {
            variant.name: variant.format_value(self.preselected_variants[variant.name])
            for variant in self.variants
            if variant.name in self.preselected_variants
        }

    def variants_by_group(self) -> list[tuple[Name, list[Variant]]]:
        """Return the variants by group, in this order: beginning, course and end of a match, other kinds of match."""
        groups = [
            (name, [variant for variant in self.variants if variant.group == group]) for group, name in GROUPS.items()
        ]
        return [(name, variants) for name, variants in groups if variants]

    def translate_name(self, name: Arg) -> dict[str, str]:
        """Return a name in every language."""
        return {language: self.words.reader(language).format_arg(name) for language in list_languages()}

    @property
    def result_field(self) -> str:
        """The name of the field for results: ``points``, or ``standing`` if there are only ranks."""
        return "points" if self.has_points else "standing"

    def to_json(self) -> dict[str, object]:
        """Return the API's description of the game and its variants, with names in every language."""
        translate_name = self.translate_name
        return {
            "id": self.id,
            "name": translate_name(self.name),
            "seats": list(self.seats),
            "version": self.version,
            "components": self.hash,
            "proposed": self.proposed_variants(),
            "short": {
                short_variant.name: short_variant.format_value(self.short_variants[short_variant.name])
                for short_variant in self.variants
                if short_variant.name in self.short_variants
            },
            "variants": [
                {
                    "name": variant.name,
                    "values": [variant.format_value(value) for value in variant.values],
                    "default": variant.format_value(variant.default),
                    "ruling": variant.ruling,
                    "sentence": translate_name(variant.sentence),
                    "label": translate_name(variant.label),
                    "value_names": {
                        variant.format_value(value): translate_name(variant.name_of(value)) for value in variant.values
                    },
                    "group": variant.group,
                    "shape": variant.shape,
                    "rated": variant.rated,
                }
                for variant in self.variants
            ],
        }

    def view_json(self, s: State, seat: Seat | None) -> dict[str, object]:
        """Return the view as JSON, with ids instead of numbers."""
        return to_json(self.view(s, seat), self.ids)

    def describe_unknown_version(self, version: int) -> str:
        """Return the reason why a match of this version cannot be played."""
        known = " and ".join(str(version_number) for version_number in self.versions)
        if version < self.versions[0]:
            return f"version {version} of the rules of {self.id} is no longer supported; installed is version {known}"
        return f"there is no version {version} of the rules of {self.id}; the installed version is {known}"

    def format_option(self, o: Option) -> str:
        """Return the notation of an option."""
        return self.notation.format_option(o)

    def read(self, text: str) -> Option:
        """Return the option for a notation. Raise BadNotation if there is none."""
        return self.notation.read(text)


def list_seats_clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all seats in clockwise order, beginning with this one."""
    return tuple((first + i) % seats for i in range(seats))


@lru_cache(FILE_CACHE_SIZE)
def _build_game(kind: object, file: ComponentsFile) -> object:
    assert isinstance(kind, type)
    return kind(file)  # every game class takes the file as its only argument
