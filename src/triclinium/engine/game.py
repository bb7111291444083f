"""A game as the rest of the platform sees it: its rules on one components file."""

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
    """One game on one components file. A game's game.py subclasses it; the registry finds the default one."""

    id: str
    name: Name
    prefix: str  # of its rule numbers: AE
    seats: tuple[int, ...]  # the allowed numbers
    seats_rule = "1.1"  # the number, after the prefix, of the rule that names them
    versions: tuple[int, ...] = (1,)  # of the rules, all that this code plays; a change that alters a record adds one
    variants: tuple[Variant, ...] = ()
    short_variants: Mapping[str, Choice] = MappingProxyType(
        {}
    )  # the variants of a short match; none: it has no such preset
    preselected_variants: Mapping[str, Choice] = MappingProxyType(
        {}
    )  # what pages propose where that is not the default
    verbs_bots_avoid: tuple[str, ...] = ()  # verbs that bots neither choose nor plan, unless there are no others
    quick_start_variants: Mapping[str, Choice] = MappingProxyType(
        {}
    )  # the variants of a match that one click opens; none: as printed
    gallery: Mapping[str, Name] = MappingProxyType({})  # the kinds of things in its box, and what people call them
    components_schema: ComponentsSchema | None = (
        None  # of its components files: keys, types, ranges; None: whatever its loader reads
    )
    has_secrets = True  # False: nothing is ever hidden, so that resampling is a clone and search can be exact
    resign_rule = ""  # by which number the rules know resigning; empty: they do not
    has_points = (
        True  # False: a match ends with ranks alone: no score has a total, and nothing is called points or score
    )
    has_open_scores = False  # True: the running scores count nothing hidden, and are told as they stand
    ids: Ids = MappingProxyType({})  # of everything that views name, by kind
    max_decisions: int  # no match asks more decisions than this, whatever its seats and variants

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
        self.hash = hash_rules_data(file.data, self.components_schema)  # what records and tables know the components by
        self.notation = notation
        self.words = words
        self.evaluator = evaluator
        self.observer = observer
        self._option_components: dict[Option, tuple[int, ...]] = {}  # so far, of options that name them
        self.weights = weights  # what bots make of the evaluator's features
        self.calibration = (
            Calibration() if self.components_schema is None else read_calibration(self.components_schema.folder)
        )
        self.register_first_built()

    # -- what a game writes ------------------------------------------------------------------------------------

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> State:
        """The deal, with every variant given, by this version of the rules; the first steps lie on the stack."""
        raise NotImplementedError

    def view(self, s: State, seat: Seat | None) -> View:
        """What this seat may know; None is a spectator."""
        raise NotImplementedError

    def final_view(self, s: State, seat: Seat | None) -> View:
        """What is shown once the match is over and nothing has to be a secret any more."""
        return self.view(s, seat)

    def view_without_reminders(self, s: State, seat: Seat | None) -> View:
        """An earlier position of a match that runs, or one that an option would lead to.

        Without what players have to remember by themselves: they see it when they pay for it, and then only.
        """
        return self.view(s, seat)

    def scores(self, s: State) -> list[Score]:
        """The score of each seat, in seat order, as it stands or as it ended."""
        return self.evaluator.scores(s)

    def find_broken_constraints(self, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
        """The constraints that a file of the right form breaks; ``printed``: those of the printed game too."""
        return []

    def rank_reason(self, s: State, seat: Seat) -> Message | None:
        """Why a seat has the rank it has, in a match that is over, where no points tell."""
        return None

    def contests(self, s: State) -> list[ScoreContest]:
        """What seats competed for in a match that is over, where the score sheet does not tell who won which."""
        return []

    def round(self, s: State) -> int:
        """The round at hand, from 1, 0 before the first; it never falls. A game that counts none says 0."""
        return 0

    def turn(self, s: State) -> int:
        """A number that stays while a turn lasts, whoever is asked in it, and rises with the next one; 0 before."""
        return 0

    def order(self, s: State) -> tuple[Seat, ...]:
        """All seats in the order of their turns, as the round at hand has it."""
        return list_seats_clockwise(0, s.seats)

    def progress(self, s: State) -> float:
        """How much of the match is over, from 0 to 1, as studies draw it; bots go by the evaluator's."""
        return self.evaluator.progress(s)

    def max_match_decisions(self, s: State) -> int:
        """The bound of a match with these seats and variants, where it is lower than that of all."""
        return self.max_decisions

    def kinds(self) -> Mapping[str, ComponentKind]:
        """What of all that `ids` lists looks like more than its name, for the board kit; asked once."""
        return {}

    def seat_colours(self, view: View) -> list[str]:
        """The id of the colour that each seat plays, for the styles; none: all have the house's."""
        return []

    def named_things(self, view: View, option_text: str) -> Sequence[Thing] | None:
        """What of a view an option names, where the axes of its verb do not tell; None: they do."""
        return None

    def option_components(self, s: State, o: Option) -> tuple[int, ...]:
        """The components that choosing an option takes, plays or lands on, as indexes into `things`.

        Those that its notation names; a game whose notation names a place says what lies there. It reads the true
        state: only those who study matches, and reviews after the end, may ask.
        """
        components = self._option_components.get(o)
        if components is None:
            components = self._option_components[o] = self._find_named_components(o)
        return components

    def check_variants(self, seats: int, variants: Mapping[str, Choice]) -> None:
        """Raise Misfit if these variants do not go together or not with so many seats."""

    def running_scores(self, s: State, viewer: Seat) -> list[VisibleScore]:
        """The scores in the middle of a match as this viewer can tell them, from what it knows alone.

        A game whose scores count hidden things gives bounds here. One that says nothing tells nothing.
        """
        return [VisibleScore(seat, None, None, {}) for seat in range(s.seats)]

    def ruled_option(self, s: State) -> Option | None:
        """What every bot answers to the question asked now because a ruling says so; None: the bot chooses."""
        return None

    # -- the same for all ---------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The version of the rules that new matches are played by."""
        return self.versions[-1]

    @cached_property
    def all_components(self) -> tuple[Component, ...]:
        """Every component that has an id, table by table."""
        return list_components(self.ids, self.words)

    def component_index(self, table: str, n: int) -> int:
        """The index in `things` of number n of a table."""
        return self._first_indexes[table] + n

    @cached_property
    def _first_indexes(self) -> dict[str, int]:
        """Where each table begins in `things`."""
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
        """The scores as a viewer (NOBODY: a spectator) can tell them; all of them once the match is over."""
        if s.over or self.has_open_scores or not self.has_secrets:
            return [make_exact_score(score) for score in self.scores(s)]
        return self.running_scores(s, viewer)

    def find_faults(self, file: ComponentsFile, printed: bool = False) -> list[ComponentsFault]:
        """Everything for which a components file would be refused; ``printed``: as the printed game, not an edition."""
        schema_faults = [] if self.components_schema is None else self.components_schema.find_faults(file)
        try:
            return schema_faults or self.find_broken_constraints(file, printed) or self._find_build_faults(file)
        except BadComponents as error:
            return error.faults

    def _find_build_faults(self, file: ComponentsFile) -> list[ComponentsFault]:
        """What is seen only when a game is made of the file: that the notation has room, say. Raises, or is empty."""
        self.with_components(file)
        return []

    def is_printed(self, file: ComponentsFile) -> bool:
        """Whether a file is the printed game's, which has constraints of its own."""
        return self.components_schema is not None and file == self.components_schema.printed

    def with_components(self, file: ComponentsFile) -> Self:
        """The same game on another components file; the last few are kept."""
        if file == self.file:
            return self
        kind: object = type(self)
        built = _build_game(kind, file)
        assert isinstance(built, type(self))
        return built

    def find_release(self, hash: str) -> Self | None:
        """The same game on the file of this hash, of this release or an earlier one; None: no release had it."""
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
        """A match, ready for its first decision; ``listen`` collects events from the start.

        ``chance``: where outcomes can be listed, `who` is CHANCE and one is chosen; see `Draw`.
        ``version`` is that of the rules; without it, the last.
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
        """Raise BadSetup if the game is not played by so many."""
        if seats not in self.seats:
            allowed = f"{self.seats[0]} to {self.seats[-1]}"
            raise BadSetup(f"{self.id} is played with {allowed} seats, not {seats} ({self.prefix}-{self.seats_rule})")

    def complete_variants(self, variants: Mapping[str, object]) -> dict[str, Choice]:
        """Every variant with its value, defaults filled in; raises BadSetup."""
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
        """Variants from text, as on a command line: ``team=on``."""
        known = {variant.name: variant for variant in self.variants}
        for name in pairs:
            if name not in known:
                raise BadSetup(f"{self.id} has no variant {name!r}; {suggest_names(name, known)}")
        return {name: known[name].read(text) for name, text in pairs.items()}

    def recorded_variants(self, variants: Mapping[str, str]) -> list[tuple[Variant, Choice]]:
        """The variants that a record names, with their values."""
        return [
            (variant, variant.read(variants[variant.name])) for variant in self.variants if variant.name in variants
        ]

    def changed_variants(self, variants: Mapping[str, str]) -> list[tuple[Variant, Choice]]:
        """Those of them that are not as printed."""
        chosen = dict(self.recorded_variants(variants))
        every = [(variant, chosen.get(variant, variant.default)) for variant in self.variants]
        return [(variant, value) for variant, value in every if value != variant.printed]

    def printed_variants(self) -> dict[str, str]:
        """The printed game, as a record says it; empty where that is all defaults."""
        return {
            variant.name: variant.format_value(variant.printed)
            for variant in self.variants
            if variant.printed != variant.default
        }

    def proposed_variants(self) -> dict[str, str]:
        """What pages propose, as a record says it; empty where that is the printed game."""
        return {
            variant.name: variant.format_value(self.preselected_variants[variant.name])
            for variant in self.variants
            if variant.name in self.preselected_variants
        }

    def variants_by_group(self) -> list[tuple[Name, list[Variant]]]:
        """The variants as people choose them: of the beginning, on the way, of the end, of another kind."""
        groups = [
            (name, [variant for variant in self.variants if variant.group == group]) for group, name in GROUPS.items()
        ]
        return [(name, variants) for name, variants in groups if variants]

    def translate_name(self, name: Arg) -> dict[str, str]:
        """Return a name in every language."""
        return {language: self.words.reader(language).format_arg(name) for language in list_languages()}

    @property
    def result_field(self) -> str:
        """Return the name of a field that holds results: ``points``, or ``standing`` where there are only ranks."""
        return "points" if self.has_points else "standing"

    def to_json(self) -> dict[str, object]:
        """What programs are told of a game and its variants, names in every language."""
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
        """The view as JSON holds it: ids in place of numbers."""
        return to_json(self.view(s, seat), self.ids)

    def describe_unknown_version(self, version: int) -> str:
        """Why a match of this version cannot be played."""
        known = " and ".join(str(version_number) for version_number in self.versions)
        if version < self.versions[0]:
            return f"version {version} of the rules of {self.id} was dropped; the rules here are version {known}"
        return f"there is no version {version} of the rules of {self.id}; the rules here are version {known}"

    def format_option(self, o: Option) -> str:
        """An option in notation."""
        return self.notation.format_option(o)

    def read(self, text: str) -> Option:
        """The option that a notation names; raises BadNotation."""
        return self.notation.read(text)


def list_seats_clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats, one after the other, from this one on."""
    return tuple((first + i) % seats for i in range(seats))


@lru_cache(FILE_CACHE_SIZE)
def _build_game(kind: object, file: ComponentsFile) -> object:
    assert isinstance(kind, type)
    return kind(file)  # every game is built from its file alone
