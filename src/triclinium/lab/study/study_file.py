"""Studies as people describe them, in `study.toml` or in the options of a command."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from triclinium.bots import assign_bots
from triclinium.engine.core.components import ComponentsFile, ComponentsTable, read_components
from triclinium.engine.core.errors import BadComponents, BadSetup, suggest_names
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.lab.study import statistics

Value: TypeAlias = bool | int | float | str

COMPARE, BAN, LADDER, SCREEN = "compare", "ban", "ladder", "screen"
PRINTED = "printed"
SHARED_DEALS, OWN_DEALS = "shared", "own"
PART_DEALS = 10  # deals in one part of a study, the unit of work for a worker
DEFAULT_DETECT = 0.03
DEFAULT_INTERIM_ANALYSES = 5
MIN_CHECK_DEALS = 200  # minimum number of deals that the check bots also play
CHECK_TIME_SHARE = 0.1  # share of the playing time that check deals may take if that allows more of them
REPLAYS = 2  # number of times each replayed deal is played again, with other random numbers for the bots
REPLAYED_SHARE = 0.1  # share of the deals that are replayed
MIN_REPLAYED = 2 * PART_DEALS
MAX_REPLAYED = 200
# Rough cost of a match with each kind of bot, relative to greedy bots. Constants, because a plan must not depend on the
# speed of a machine.
BOT_COSTS = {
    "random": 0.5,
    "novice": 1.0,
    "greedy": 1.0,
    "steady": 4.0,
    "rollout": 40.0,
    "strong": 60.0,
    "master": 600.0,
}
MAX_DEALS = 1_000_000
MIN_DETECT = 0.0001  # smallest change of a share that a study may ask to detect
KEYS = (
    *("kind", "game", "question", "seats", "bots", "also", "detect", "matches", "seed", "variants", "looks", "band"),
    *("edition", "verbs", "figures", "only", "played", "open_ended", "replays", "every_choice", "refit"),
    *("all_components", "cards", "places", "main", "deals", "shared_variance"),
)


@dataclass(frozen=True)
class EditionRequest:
    """A requested edition: changed numbers, or the text of a whole components file."""

    name: str
    set: Mapping[str, Value] = field(default_factory=dict)
    components: str = ""  # text of a whole components file; empty if only numbers change


@dataclass(frozen=True)
class Study:
    """The content of a study file, with defaults for missing keys."""

    game: str
    kind: str = COMPARE
    question: str = ""
    seats: int = 0  # 0: the usual number of seats of the game
    bots: tuple[str, ...] = ("steady",)
    also: tuple[str, ...] | None = None  # bots that check the result; None: the usual second kind of bot
    detect: float = DEFAULT_DETECT
    matches: int = 0  # number of deals for each edition; 0: as many as `detect` requires
    seed: int = 1
    variants: Mapping[str, str] = field(default_factory=dict)
    looks: int = DEFAULT_INTERIM_ANALYSES
    bands: Mapping[str, float] = field(default_factory=dict)
    editions: tuple[EditionRequest, ...] = ()
    verbs: tuple[str, ...] = ()  # banned verbs, in a study of restricted play
    figures: tuple[str, ...] = ()  # figures that a screening measures
    only: tuple[str, ...] = ()
    open_ended: bool = False
    replays: int | None = None  # number of deals to replay; None: a tenth of the deals
    every_choice: bool = False
    refit: bool = False
    all_components: bool = False
    banned_cards: tuple[str, ...] = ()  # banned cards, in a study of restricted play
    banned_places: tuple[str, ...] = ()  # banned places, in a study of restricted play
    main: str = ""  # figure that answers the question; "": wins of the first player
    deals: str = ""  # deals of the editions of a screening: shared or own; "": a pilot study chooses
    shared_variance: float = 0.0  # result of that pilot study

    # -- defaults ----------------------------------------------------------------------------------------------------

    def load_game(self) -> Game:
        return load_game(self.game)

    def get_seat_count(self) -> int:
        """Return the requested number of seats, or three seats if the game allows three."""
        allowed = self.load_game().seats
        return self.seats or (3 if 3 in allowed else allowed[0])

    def check_bots(self) -> tuple[str, ...]:
        """Return the bots that check the result of the main bots; none if the main bots are mixed."""
        if self.also is not None:
            return self.also
        if len(self.bots) > 1:
            return ()
        return ("steady",) if self.bots[0].partition("@")[0] == "greedy" else ("greedy",)

    def count_deals(self) -> int:
        """Return the number of deals for each edition, rounded up to whole parts unless `matches` sets it."""
        if self.matches:
            return self.matches
        fair = 1 / self.get_seat_count()
        editions = max(1, len(self.editions))
        deviation = (fair * (1 - fair) * (2 if editions > 1 else 1)) ** 0.5
        wanted = statistics.count_deals_to_detect(deviation, self.detect, self.looks)
        step = PART_DEALS * self.looks
        return -(-wanted // step) * step

    def count_check_deals(self, deals: int) -> int:
        """Return the number of these deals that the check bots play too."""
        share = CHECK_TIME_SHARE * estimate_relative_cost(self.bots) / estimate_relative_cost(self.check_bots())
        return min(deals, max(MIN_CHECK_DEALS, -(-int(deals * share) // PART_DEALS) * PART_DEALS))

    def count_replayed_deals(self, deals: int) -> int:
        """Return the number of these deals that are replayed with other random numbers for the bots."""
        if self.replays is not None:
            return min(deals, self.replays)
        usual = min(MAX_REPLAYED, int(deals * REPLAYED_SHARE) // PART_DEALS * PART_DEALS)
        return usual if usual >= MIN_REPLAYED else 0

    # -- the plan ----------------------------------------------------------------------------------------------------

    def validate(self) -> "Study":
        """Return this study if it is valid. Raise BadSetup or BadComponents if a value is unknown or out of range."""
        game = self.load_game()
        if not 0 < self.detect < 1:
            raise BadSetup(f"detect must be a share between 0 and 1, such as 0.03, not {self.detect:g}")
        if self.detect < MIN_DETECT:
            raise BadSetup(
                f"detect must be at least {MIN_DETECT}, not {self.detect:g}; a smaller value needs too many deals"
            )
        if not 0 <= self.matches <= MAX_DEALS:
            raise BadSetup(f"matches is a whole number from 1 to {MAX_DEALS}, not {self.matches}")
        if self.replays is not None and not 0 <= self.replays <= MAX_DEALS:
            raise BadSetup(f"replays is a number of deals from 0 to {MAX_DEALS}, not {self.replays}")
        if not 1 <= self.looks <= len(statistics.OBRIEN_FLEMING_BOUNDS):
            raise BadSetup(
                f"a study has 1 to {len(statistics.OBRIEN_FLEMING_BOUNDS)} interim analyses, not {self.looks}"
            )
        if not 0 <= self.seed < SEED_LIMIT:
            raise BadSetup(f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {self.seed}")
        if self.deals not in ("", SHARED_DEALS, OWN_DEALS):
            raise BadSetup(f"deals must be {SHARED_DEALS!r} or {OWN_DEALS!r}, not {self.deals!r}")
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


def estimate_relative_cost(bots: Sequence[str]) -> float:
    """Return the approximate cost of a match with these bots, relative to greedy bots."""
    return sum(BOT_COSTS.get(name.partition("@")[0], 4.0) for name in bots) / len(bots)


def to_plain_value(value: object) -> Value:
    return value if isinstance(value, (bool, int, float, str)) else str(value)


# -- the file -------------------------------------------------------------------------------------------------------


def read_study(path: Path) -> Study:
    """Read a study file. Raise BadSetup or BadComponents with the name of the file and the key."""
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
        main=sheet.text("main") if sheet.has("main") else "",
        deals=sheet.text("deals") if sheet.has("deals") else "",
        shared_variance=sheet.number("shared_variance") if sheet.has("shared_variance") else 0.0,
    )


def _parse_edition(row: ComponentsTable, folder: Path) -> EditionRequest:
    for key in row.data:
        if key not in ("name", "set", "components"):
            raise BadComponents(
                f"{row.where}: there is no key {key!r}; {suggest_names(key, ('name', 'set', 'components'))}"
            )
    if row.has("components"):
        if row.has("set"):
            raise BadComponents(f"{row.where}: use either set or components to describe an edition, not both")
        path = folder / row.text("components")
        try:
            return EditionRequest(row.text("name"), components=path.read_text(encoding="utf-8"))
        except OSError as error:
            raise BadComponents(f"{row.where}: {path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise BadComponents(f"{row.where}: {path} is not UTF-8 text") from None
    changes = row.row("set").data if row.has("set") else {}
    return EditionRequest(row.text("name"), {path: to_plain_value(value) for path, value in changes.items()})
