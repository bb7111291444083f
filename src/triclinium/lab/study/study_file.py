"""A study as a person writes it: `study.toml`, or the words of a command; and the plan that it comes to."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version as release_of
from pathlib import Path

from triclinium.bots import seating
from triclinium.engine.core.components import ComponentsFile, Table, read_components
from triclinium.engine.core.errors import BadComponents, BadSetup, nearest
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.engine.core.toml import to_toml
from triclinium.engine.game import Game
from triclinium.engine.numbers import numbers
from triclinium.engine.registry import find_game
from triclinium.lab.study import statistics
from triclinium.lab.study.plan import COMPARE, PART_DEALS, SCREEN, Arm, Change, Edition, Plan, Value

PRINTED = "printed"
DETECT = 0.03
LOOKS = 5
CHECK_AT_LEAST = 200  # deals, at least, that are also played by the other kind of bots
CHECK_COST = 0.1  # part of the time that these may take, where that allows more deals
REPLAYS = 2  # times that a deal is played again, with other chance for the bots: what it says of the result
REPLAYED_SHARE = 0.1  # of the deals, and no fewer than
REPLAYED_LEAST = 2 * PART_DEALS
REPLAYED_MOST = 200
# About how much longer a match takes than with greedy bots: plans may not hang on the speed of a machine.
COSTS = {"random": 0.5, "novice": 1.0, "greedy": 1.0, "steady": 4.0, "strong": 60.0, "master": 600.0}
MOST_DEALS = 1_000_000
FINEST = 0.0001  # change of a share that a study may look for
KEYS = (
    *("kind", "title", "question", "seats", "bots", "also", "detect", "matches", "seed", "variants", "looks", "band"),
    *("edition", "verbs", "figures", "only", "played", "open_ended", "replays", "every_choice", "refit"),
    *("all_components", "cards", "places"),
)


@dataclass(frozen=True)
class Wanted:
    """An edition as it is asked for: numbers to change, or a whole file."""

    name: str
    set: Mapping[str, Value] = field(default_factory=dict)
    components: str = ""  # the text of a file


@dataclass(frozen=True)
class Study:
    """Everything that a study file says; what it leaves out has a default."""

    title: str
    kind: str = COMPARE
    question: str = ""
    seats: int = 0  # 0: as many as the game is mostly played with
    bots: tuple[str, ...] = ("steady",)
    also: tuple[str, ...] | None = None  # None: the usual other kind
    detect: float = DETECT
    matches: int = 0  # of each edition; 0: as many as `detect` takes
    seed: int = 1
    variants: Mapping[str, str] = field(default_factory=dict)
    looks: int = LOOKS
    bands: Mapping[str, float] = field(default_factory=dict)
    editions: tuple[Wanted, ...] = ()
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

    def game(self) -> Game:
        return find_game(self.title)

    def places(self) -> int:
        """How many seats: those asked for, or three where three can play."""
        allowed = self.game().seats
        return self.seats or (3 if 3 in allowed else allowed[0])

    def others(self) -> tuple[str, ...]:
        """The kind of bots that checks the first."""
        if self.also is not None:
            return self.also
        if len(self.bots) > 1:
            return ()
        return ("steady",) if self.bots[0].partition("@")[0] == "greedy" else ("greedy",)

    def deals(self) -> int:
        """How many deals each edition is played with: a whole number of parts."""
        if self.matches:
            return self.matches
        fair = 1 / self.places()
        editions = max(1, len(self.editions))
        deviation = (fair * (1 - fair) * (2 if editions > 1 else 1)) ** 0.5
        wanted = statistics.deals_to_tell(deviation, self.detect, self.looks)
        step = PART_DEALS * self.looks
        return -(-wanted // step) * step

    def check_deals(self, deals: int) -> int:
        """How many of them the other kind of bots plays too."""
        share = CHECK_COST * cost(self.bots) / cost(self.others())
        return min(deals, max(CHECK_AT_LEAST, -(-int(deals * share) // PART_DEALS) * PART_DEALS))

    def replayed(self, deals: int) -> int:
        """How many deals are played again."""
        if self.replays is not None:
            return min(deals, self.replays)
        usual = min(REPLAYED_MOST, int(deals * REPLAYED_SHARE) // PART_DEALS * PART_DEALS)
        return usual if usual >= REPLAYED_LEAST else 0

    # -- the plan ----------------------------------------------------------------------------------------------------

    def checked(self) -> "Study":
        """The same, if everything in it exists and goes together; raises BadSetup or BadComponents."""
        game = self.game()
        if not 0 < self.detect < 1:
            raise BadSetup(f"detect is a share between 0 and 1, such as 0.03, not {self.detect:g}")
        if self.detect < FINEST:
            raise BadSetup(f"detect is {FINEST} at least, not {self.detect:g}: a study of so many deals never ends")
        if not 0 <= self.matches <= MOST_DEALS:
            raise BadSetup(f"matches is a whole number from 1 to {MOST_DEALS}, not {self.matches}")
        if self.replays is not None and not 0 <= self.replays <= MOST_DEALS:
            raise BadSetup(f"replays is a number of deals from 0 to {MOST_DEALS}, not {self.replays}")
        if not 1 <= self.looks <= len(statistics.LOOK_BOUNDS):
            raise BadSetup(f"a study has 1 to {len(statistics.LOOK_BOUNDS)} looks, not {self.looks}")
        if not 0 <= self.seed < SEED_LIMIT:
            raise BadSetup(f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {self.seed}")
        for name, band in self.bands.items():
            if not 0 < band < math.inf:
                raise BadSetup(f"the band of {name} must be more than 0, and a number, not {band:g}")
        seating(self.bots, self.places())
        if self.others():
            seating(self.others(), self.places())
        game.deal(self.places(), self.seed, game.read_variants(dict(self.variants)))
        names = [one.name for one in self.editions]
        if len(set(names)) < len(names):
            raise BadSetup(f"two editions have the same name: {', '.join(names)}")
        return self

    def base(self, editions: Sequence[Edition], arms: Sequence[Arm]) -> Plan:
        """A plan of these editions and arms."""
        return Plan(
            kind=self.kind,
            title=self.title,
            seats=self.places(),
            seed=self.seed,
            variants=tuple(sorted(self.variants.items())),
            editions=tuple(editions),
            arms=tuple(arms),
            looks=self.looks,
            version=self.game().version,
            release=release_of("triclinium"),
            detect=self.detect,
            bands=tuple(sorted(self.bands.items())),
            question=self.question,
            open_ended=self.open_ended,
            every_choice=self.every_choice,
            refit=self.refit,
            all_components=self.all_components,
        )

    def compared(self) -> tuple[Edition, ...]:
        """The editions, the one that others are measured by first: the printed one, unless two are named."""
        game = self.game()
        made = tuple(edition_of(game, one) for one in self.editions)
        return made if len(made) > 1 else (edition_of(game, Wanted(PRINTED)), *made)

    def plan(self) -> Plan:
        """A study that compares editions, or looks at one; raises BadSetup or BadComponents."""
        study = self.checked()
        editions = study.compared()
        deals = replace(study, editions=tuple(Wanted(one.name) for one in editions)).deals()
        bots = tuple(seating(study.bots, study.places()))
        arms = [Arm(i, bots, deals) for i in range(len(editions))]
        if study.others():
            other = tuple(seating(study.others(), study.places()))
            arms += [Arm(i, other, study.check_deals(deals), check=True) for i in range(len(editions))]
        if again := study.replayed(deals):
            arms += [Arm(0, bots, again, again=time) for time in range(1, REPLAYS + 1)]
        plan = study.base(editions, arms)
        for i, edition in enumerate(editions):  # a number may say how many can play
            try:
                plan.game(i).deal(plan.seats, plan.seed, plan.game(i).read_variants(dict(plan.variants)))
            except BadSetup as error:
                raise BadSetup(f"the edition {edition.name!r} cannot be dealt: {error}") from None
        return plan


def cost(bots: Sequence[str]) -> float:
    """About how much longer a match takes with these bots than with greedy ones."""
    return sum(COSTS.get(name.partition("@")[0], 4.0) for name in bots) / len(bots)


def edition_of(game: Game, wanted: Wanted) -> Edition:
    """An edition that loads; raises BadComponents with the constraints that it breaks."""
    printed = game.file
    file = ComponentsFile(wanted.components, wanted.name) if wanted.components else printed.edited(wanted.set)
    try:
        found = game.on(file)
    except BadComponents as error:
        raise all_faults(wanted.name, error, game, file) from None
    values = numbers_changed(game, found) if wanted.components else wanted.set
    changes = tuple(Change(path, plain(printed.value_at(path)), value) for path, value in values.items())
    return Edition(wanted.name, found.hash, wanted.components, changes)


def numbers_changed(game: Game, found: Game) -> dict[str, Value]:
    """What a whole file says otherwise than the printed one, number by number: a report names it."""
    printed = {one.path: one.value for one in numbers(game) if not one.hidden}
    own = {one.path: one.value for one in numbers(found)}
    return {path: own[path] for path, value in printed.items() if path in own and own[path] != value}


def all_faults(name: str, error: BadComponents, game: Game, file: ComponentsFile) -> BadComponents:
    """One sentence that names every broken constraint."""
    faults = game.faults(file) or error.faults
    told = "; ".join(str(fault) for fault in faults)
    return BadComponents(f"the edition {name!r} cannot be played: {told}", faults)


def plain(value: object) -> Value:
    return value if isinstance(value, (bool, int, float, str)) else str(value)


# -- the file -------------------------------------------------------------------------------------------------------


def read_study(path: Path) -> Study:
    """A study file; raises BadSetup or BadComponents, which names the file and the key."""
    sheet = read_components(path)
    for key in sheet.data:
        if key not in KEYS:
            raise BadComponents(f"{path.name}: there is no key {key!r}; {nearest(key, KEYS)}")
    return _study(sheet, path.parent)


def _study(sheet: ComponentsFile, folder: Path) -> Study:
    usual = Study(sheet.text("title"))
    rows = sheet.rows("edition", "name") if sheet.has("edition") else []
    variants, bands = (sheet.row(key) if sheet.has(key) else Table(key, {}) for key in ("variants", "band"))

    def whole(key: str, default: int) -> int:
        return sheet.integer(key) if sheet.has(key) else default

    def names(key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        return tuple(sheet.texts(key)) if sheet.has(key) else default

    def flag(key: str) -> bool:
        return sheet.has(key) and sheet.flag(key)

    return Study(
        usual.title,
        kind=sheet.text("kind") if sheet.has("kind") else usual.kind,
        question=sheet.text("question") if sheet.has("question") else "",
        seats=whole("seats", 0),
        bots=names("bots", usual.bots),
        also=names("also") if sheet.has("also") else None,
        detect=sheet.number("detect") if sheet.has("detect") else usual.detect,
        matches=whole("matches", 0),
        seed=whole("seed", usual.seed),
        variants={name: variants.text(name) for name in variants.data},
        looks=whole("looks", usual.looks),
        bands={name: bands.number(name) for name in bands.data},
        editions=tuple(_wanted(row, folder) for row in rows),
        verbs=names("verbs"),
        figures=names("figures"),
        only=names("only"),
        open_ended=flag("open_ended"),
        replays=sheet.integer("replays") if sheet.has("replays") else None,
        every_choice=flag("every_choice"),
        refit=flag("refit"),
        all_components=flag("all_components"),
        banned_cards=names("cards"),
        banned_places=names("places"),
    )


def _wanted(row: Table, folder: Path) -> Wanted:
    for key in row.data:
        if key not in ("name", "set", "components"):
            raise BadComponents(f"{row.where}: there is no key {key!r}; {nearest(key, ('name', 'set', 'components'))}")
    if row.has("components"):
        if row.has("set"):
            raise BadComponents(f"{row.where}: an edition is described by set or by components, not by both")
        path = folder / row.text("components")
        try:
            return Wanted(row.text("name"), components=path.read_text(encoding="utf-8"))
        except OSError as error:
            raise BadComponents(f"{row.where}: {path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise BadComponents(f"{row.where}: {path} is not UTF-8 text") from None
    changes = row.row("set").data if row.has("set") else {}
    return Wanted(row.text("name"), {path: plain(value) for path, value in changes.items()})


def study_toml(study: Study, plan: Plan) -> str:
    """The study as played: defaults filled in, and what it was played with."""
    data: dict[str, object] = {"title": study.title, "kind": study.kind}
    if study.question:
        data["question"] = study.question
    data |= {
        "seats": plan.seats,
        "bots": list(study.bots),
        "also": list(study.others()),
        "detect": study.detect,
        "matches": _matches_of(plan),
        "seed": study.seed,
        "looks": study.looks,
    }
    flags = {"open_ended": study.open_ended, "every_choice": study.every_choice, "refit": study.refit}
    flags |= {"all_components": study.all_components}
    data |= {key: True for key, on in flags.items() if on}
    data |= {"replays": plan.replayed} if plan.kind == COMPARE else {}
    lists = {"verbs": study.verbs, "figures": study.figures, "only": study.only}
    lists |= {"cards": study.banned_cards, "places": study.banned_places}
    data |= {key: list(names) for key, names in lists.items() if names}
    data |= {key: dict(found) for key, found in (("variants", study.variants), ("band", study.bands)) if found}
    editions = [_edition_data(one, plan) for one in study.editions]
    data |= {"edition": editions} if editions else {}
    data["played"] = {
        "study": plan.hash,
        "rules": plan.version,
        "triclinium": plan.release,
        "components": sorted({one.hash for one in plan.editions}) if len(plan.editions) < 10 else [],
    }
    return to_toml(data)


def _matches_of(plan: Plan) -> int:
    """What `matches` must say for the same plan to come of it: it is read again for a report or a record."""
    if plan.kind == SCREEN:
        return plan.matches
    return plan.deals if plan.kind == COMPARE else plan.deals * plan.seats


def _edition_data(wanted: Wanted, plan: Plan) -> dict[str, object]:
    if wanted.components:
        hash = next(one.hash for one in plan.editions if one.name == wanted.name)
        return {"name": wanted.name, "components": f"editions/{hash}.toml"}
    return {"name": wanted.name, "set": dict(wanted.set)} if wanted.set else {"name": wanted.name}
