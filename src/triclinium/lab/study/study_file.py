"""A study as a person writes it: `study.toml`, or the words of a command; and the plan that it comes to."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version as release_of
from pathlib import Path

from triclinium.bots import assign_bots
from triclinium.engine.core.components import ComponentsFile, ComponentsTable, read_components
from triclinium.engine.core.errors import BadComponents, BadSetup, suggest_names
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.engine.core.toml import to_toml
from triclinium.engine.game import Game
from triclinium.engine.numbers import list_numbers
from triclinium.engine.registry import load_game
from triclinium.lab.study import statistics
from triclinium.lab.study.plan import COMPARE, PART_DEALS, SCREEN, Edition, NumberChange, StudyArm, StudyPlan, Value

PRINTED = "printed"
DEFAULT_DETECT = 0.03
DEFAULT_INTERIM_ANALYSES = 5
MIN_CHECK_DEALS = 200  # deals, at least, that are also played by the other kind of bots
CHECK_TIME_SHARE = 0.1  # part of the time that these may take, where that allows more deals
REPLAYS = 2  # times that a deal is played again, with other chance for the bots: what it says of the result
REPLAYED_SHARE = 0.1  # of the deals, and no fewer than
MIN_REPLAYED = 2 * PART_DEALS
MAX_REPLAYED = 200
# About how much longer a match takes than with greedy bots: plans may not hang on the speed of a machine.
BOT_COSTS = {"random": 0.5, "novice": 1.0, "greedy": 1.0, "steady": 4.0, "strong": 60.0, "master": 600.0}
MAX_DEALS = 1_000_000
MIN_DETECT = 0.0001  # change of a share that a study may look for
KEYS = (
    *("kind", "game", "question", "seats", "bots", "also", "detect", "matches", "seed", "variants", "looks", "band"),
    *("edition", "verbs", "figures", "only", "played", "open_ended", "replays", "every_choice", "refit"),
    *("all_components", "cards", "places"),
)


@dataclass(frozen=True)
class EditionRequest:
    """An edition as it is asked for: numbers to change, or a whole file."""

    name: str
    set: Mapping[str, Value] = field(default_factory=dict)
    components: str = ""  # the text of a file


@dataclass(frozen=True)
class Study:
    """Everything that a study file says; what it leaves out has a default."""

    game: str
    kind: str = COMPARE
    question: str = ""
    seats: int = 0  # 0: as many as the game is mostly played with
    bots: tuple[str, ...] = ("steady",)
    also: tuple[str, ...] | None = None  # None: the usual other kind
    detect: float = DEFAULT_DETECT
    matches: int = 0  # of each edition; 0: as many as `detect` takes
    seed: int = 1
    variants: Mapping[str, str] = field(default_factory=dict)
    looks: int = DEFAULT_INTERIM_ANALYSES
    bands: Mapping[str, float] = field(default_factory=dict)
    editions: tuple[EditionRequest, ...] = ()
    verbs: tuple[str, ...] = ()  # of a ban
    figures: tuple[str, ...] = ()  # of a screening
    only: tuple[str, ...] = ()
    open_ended: bool = False
    replays: int | None = None  # deals that are played again with other chance for the bots; None: a tenth of them
    every_choice: bool = False
    refit: bool = False
    all_components: bool = False
    banned_cards: tuple[str, ...] = ()  # of a ban
    banned_places: tuple[str, ...] = ()  # of a ban

    # -- defaults ----------------------------------------------------------------------------------------------------

    def load_game(self) -> Game:
        return load_game(self.game)

    def get_seat_count(self) -> int:
        """How many seats: those asked for, or three where three can play."""
        allowed = self.load_game().seats
        return self.seats or (3 if 3 in allowed else allowed[0])

    def check_bots(self) -> tuple[str, ...]:
        """The kind of bots that checks the first."""
        if self.also is not None:
            return self.also
        if len(self.bots) > 1:
            return ()
        return ("steady",) if self.bots[0].partition("@")[0] == "greedy" else ("greedy",)

    def count_deals(self) -> int:
        """How many deals each edition is played with: a whole number of parts."""
        if self.matches:
            return self.matches
        fair = 1 / self.get_seat_count()
        editions = max(1, len(self.editions))
        deviation = (fair * (1 - fair) * (2 if editions > 1 else 1)) ** 0.5
        wanted = statistics.count_deals_to_detect(deviation, self.detect, self.looks)
        step = PART_DEALS * self.looks
        return -(-wanted // step) * step

    def count_check_deals(self, deals: int) -> int:
        """How many of them the other kind of bots plays too."""
        share = CHECK_TIME_SHARE * estimate_relative_cost(self.bots) / estimate_relative_cost(self.check_bots())
        return min(deals, max(MIN_CHECK_DEALS, -(-int(deals * share) // PART_DEALS) * PART_DEALS))

    def count_replayed_deals(self, deals: int) -> int:
        """How many deals are played again."""
        if self.replays is not None:
            return min(deals, self.replays)
        usual = min(MAX_REPLAYED, int(deals * REPLAYED_SHARE) // PART_DEALS * PART_DEALS)
        return usual if usual >= MIN_REPLAYED else 0

    # -- the plan ----------------------------------------------------------------------------------------------------

    def validate(self) -> "Study":
        """The same, if everything in it exists and goes together; raises BadSetup or BadComponents."""
        game = self.load_game()
        if not 0 < self.detect < 1:
            raise BadSetup(f"detect is a share between 0 and 1, such as 0.03, not {self.detect:g}")
        if self.detect < MIN_DETECT:
            raise BadSetup(f"detect is {MIN_DETECT} at least, not {self.detect:g}: a study of so many deals never ends")
        if not 0 <= self.matches <= MAX_DEALS:
            raise BadSetup(f"matches is a whole number from 1 to {MAX_DEALS}, not {self.matches}")
        if self.replays is not None and not 0 <= self.replays <= MAX_DEALS:
            raise BadSetup(f"replays is a number of deals from 0 to {MAX_DEALS}, not {self.replays}")
        if not 1 <= self.looks <= len(statistics.OBRIEN_FLEMING_BOUNDS):
            raise BadSetup(f"a study has 1 to {len(statistics.OBRIEN_FLEMING_BOUNDS)} looks, not {self.looks}")
        if not 0 <= self.seed < SEED_LIMIT:
            raise BadSetup(f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {self.seed}")
        for name, band in self.bands.items():
            if not 0 < band < math.inf:
                raise BadSetup(f"the band of {name} must be more than 0, and a number, not {band:g}")
        assign_bots(self.bots, self.get_seat_count())
        if self.check_bots():
            assign_bots(self.check_bots(), self.get_seat_count())
        game.deal(self.get_seat_count(), self.seed, game.read_variants(dict(self.variants)))
        names = [edition.name for edition in self.editions]
        if len(set(names)) < len(names):
            raise BadSetup(f"two editions have the same name: {', '.join(names)}")
        return self

    def build_plan(self, editions: Sequence[Edition], arms: Sequence[StudyArm]) -> StudyPlan:
        """A plan of these editions and arms."""
        return StudyPlan(
            kind=self.kind,
            game=self.game,
            seats=self.get_seat_count(),
            seed=self.seed,
            variants=tuple(sorted(self.variants.items())),
            editions=tuple(editions),
            arms=tuple(arms),
            looks=self.looks,
            version=self.load_game().version,
            release=release_of("triclinium"),
            detect=self.detect,
            bands=tuple(sorted(self.bands.items())),
            question=self.question,
            open_ended=self.open_ended,
            every_choice=self.every_choice,
            refit=self.refit,
            all_components=self.all_components,
        )

    def make_editions(self) -> tuple[Edition, ...]:
        """The editions, the one that others are measured by first: the printed one, unless two are named."""
        game = self.load_game()
        made = tuple(make_edition(game, request) for request in self.editions)
        return made if len(made) > 1 else (make_edition(game, EditionRequest(PRINTED)), *made)

    def make_comparison_plan(self) -> StudyPlan:
        """A study that compares editions, or looks at one; raises BadSetup or BadComponents."""
        study = self.validate()
        editions = study.make_editions()
        deals = replace(study, editions=tuple(EditionRequest(each.name) for each in editions)).count_deals()
        bots = tuple(assign_bots(study.bots, study.get_seat_count()))
        arms = [StudyArm(i, bots, deals) for i in range(len(editions))]
        if study.check_bots():
            other = tuple(assign_bots(study.check_bots(), study.get_seat_count()))
            arms += [StudyArm(i, other, study.count_check_deals(deals), check=True) for i in range(len(editions))]
        if again := study.count_replayed_deals(deals):
            arms += [StudyArm(0, bots, again, again=time) for time in range(1, REPLAYS + 1)]
        plan = study.build_plan(editions, arms)
        for i, edition in enumerate(editions):  # a number may say how many can play
            try:
                plan.load_edition_game(i).deal(
                    plan.seats, plan.seed, plan.load_edition_game(i).read_variants(dict(plan.variants))
                )
            except BadSetup as error:
                raise BadSetup(f"the edition {edition.name!r} cannot be dealt: {error}") from None
        return plan


def estimate_relative_cost(bots: Sequence[str]) -> float:
    """About how much longer a match takes with these bots than with greedy ones."""
    return sum(BOT_COSTS.get(name.partition("@")[0], 4.0) for name in bots) / len(bots)


def make_edition(game: Game, request: EditionRequest) -> Edition:
    """An edition that loads; raises BadComponents with the constraints that it breaks."""
    printed = game.file
    file = ComponentsFile(request.components, request.name) if request.components else printed.with_changes(request.set)
    try:
        edited_game = game.with_components(file)
    except BadComponents as error:
        raise make_components_error(request.name, error, game, file) from None
    values = find_changed_numbers(game, edited_game) if request.components else request.set
    changes = tuple(NumberChange(path, to_plain_value(printed.value_at(path)), value) for path, value in values.items())
    return Edition(request.name, edited_game.hash, request.components, changes)


def find_changed_numbers(game: Game, edited_game: Game) -> dict[str, Value]:
    """What a whole file says otherwise than the printed one, number by number: a report names it."""
    printed = {number.path: number.value for number in list_numbers(game) if not number.hidden}
    own = {number.path: number.value for number in list_numbers(edited_game)}
    return {path: own[path] for path, value in printed.items() if path in own and own[path] != value}


def make_components_error(name: str, error: BadComponents, game: Game, file: ComponentsFile) -> BadComponents:
    """One sentence that names every broken constraint."""
    faults = game.find_faults(file) or error.faults
    reasons = "; ".join(str(fault) for fault in faults)
    return BadComponents(f"the edition {name!r} cannot be played: {reasons}", faults)


def to_plain_value(value: object) -> Value:
    return value if isinstance(value, (bool, int, float, str)) else str(value)


# -- the file -------------------------------------------------------------------------------------------------------


def read_study(path: Path) -> Study:
    """A study file; raises BadSetup or BadComponents, which names the file and the key."""
    sheet = read_components(path)
    for key in sheet.data:
        if key not in KEYS:
            raise BadComponents(f"{path.name}: there is no key {key!r}; {suggest_names(key, KEYS)}")
    return _parse_study(sheet, path.parent)


def _parse_study(sheet: ComponentsFile, folder: Path) -> Study:
    usual = Study(sheet.text("game"))
    rows = sheet.rows("edition", "name") if sheet.has("edition") else []
    variants, bands = (sheet.row(key) if sheet.has(key) else ComponentsTable(key, {}) for key in ("variants", "band"))

    def read_integer(key: str, default: int) -> int:
        return sheet.integer(key) if sheet.has(key) else default

    def read_names(key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        return tuple(sheet.texts(key)) if sheet.has(key) else default

    def read_flag(key: str) -> bool:
        return sheet.has(key) and sheet.flag(key)

    return Study(
        usual.game,
        kind=sheet.text("kind") if sheet.has("kind") else usual.kind,
        question=sheet.text("question") if sheet.has("question") else "",
        seats=read_integer("seats", 0),
        bots=read_names("bots", usual.bots),
        also=read_names("also") if sheet.has("also") else None,
        detect=sheet.number("detect") if sheet.has("detect") else usual.detect,
        matches=read_integer("matches", 0),
        seed=read_integer("seed", usual.seed),
        variants={name: variants.text(name) for name in variants.data},
        looks=read_integer("looks", usual.looks),
        bands={name: bands.number(name) for name in bands.data},
        editions=tuple(_parse_edition(row, folder) for row in rows),
        verbs=read_names("verbs"),
        figures=read_names("figures"),
        only=read_names("only"),
        open_ended=read_flag("open_ended"),
        replays=sheet.integer("replays") if sheet.has("replays") else None,
        every_choice=read_flag("every_choice"),
        refit=read_flag("refit"),
        all_components=read_flag("all_components"),
        banned_cards=read_names("cards"),
        banned_places=read_names("places"),
    )


def _parse_edition(row: ComponentsTable, folder: Path) -> EditionRequest:
    for key in row.data:
        if key not in ("name", "set", "components"):
            raise BadComponents(
                f"{row.where}: there is no key {key!r}; {suggest_names(key, ('name', 'set', 'components'))}"
            )
    if row.has("components"):
        if row.has("set"):
            raise BadComponents(f"{row.where}: an edition is described by set or by components, not by both")
        path = folder / row.text("components")
        try:
            return EditionRequest(row.text("name"), components=path.read_text(encoding="utf-8"))
        except OSError as error:
            raise BadComponents(f"{row.where}: {path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise BadComponents(f"{row.where}: {path} is not UTF-8 text") from None
    changes = row.row("set").data if row.has("set") else {}
    return EditionRequest(row.text("name"), {path: to_plain_value(value) for path, value in changes.items()})


def format_study_toml(study: Study, plan: StudyPlan) -> str:
    """The study as played: defaults filled in, and what it was played with."""
    data: dict[str, object] = {"game": study.game, "kind": study.kind}
    if study.question:
        data["question"] = study.question
    data |= {
        "seats": plan.seats,
        "bots": list(study.bots),
        "also": list(study.check_bots()),
        "detect": study.detect,
        "matches": _compute_matches_setting(plan),
        "seed": study.seed,
        "looks": study.looks,
    }
    flags = {"open_ended": study.open_ended, "every_choice": study.every_choice, "refit": study.refit}
    flags |= {"all_components": study.all_components}
    data |= {key: True for key, on in flags.items() if on}
    data |= {"replays": plan.replayed_deals} if plan.kind == COMPARE else {}
    lists = {"verbs": study.verbs, "figures": study.figures, "only": study.only}
    lists |= {"cards": study.banned_cards, "places": study.banned_places}
    data |= {key: list(names) for key, names in lists.items() if names}
    data |= {key: dict(values) for key, values in (("variants", study.variants), ("band", study.bands)) if values}
    editions = [_build_edition_data(edition, plan) for edition in study.editions]
    data |= {"edition": editions} if editions else {}
    data["played"] = {
        "study": plan.hash,
        "rules": plan.version,
        "triclinium": plan.release,
        "components": sorted({edition.hash for edition in plan.editions}) if len(plan.editions) < 10 else [],
    }
    return to_toml(data)


def _compute_matches_setting(plan: StudyPlan) -> int:
    """What `matches` must say for the same plan to come of it: it is read again for a report or a record."""
    if plan.kind == SCREEN:
        return plan.matches
    return plan.deals if plan.kind == COMPARE else plan.deals * plan.seats


def _build_edition_data(request: EditionRequest, plan: StudyPlan) -> dict[str, object]:
    if request.components:
        hash = next(edition.hash for edition in plan.editions if edition.name == request.name)
        return {"name": request.name, "components": f"editions/{hash}.toml"}
    return {"name": request.name, "set": dict(request.set)} if request.set else {"name": request.name}
