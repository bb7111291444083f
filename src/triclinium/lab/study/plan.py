"""What a study plays, as plain data: editions with their whole components, arms, deals, looks, parts.

A plan holds no path and no object of a game, so that any process on any machine can play a part of it. The seeds are
those of the arena: a deal is dealt by ``derive(seed, deal)``, a bot draws from ``derive(seed, deal, rotation, seat)``.
Editions share deals and the chance of bots.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.lab.learn.weights import with_fitted_weights

Value: TypeAlias = bool | int | float | str

PART_DEALS = 10  # a part is a block of deals
PART_ARMS = 4  # in a block of arms; neither hangs on the number of workers
COMPONENTS_EVERY = 4  # deals: to know what options are about takes time
CHOICES_EVERY = 4  # choices are noted in every fourth deal: what is taken is known sooner than who wins
MIN_CHOICE_DEALS = 100  # deals with choices, about, that an arm has before any deal is left out
LATER_FIELDS = ("all_components", "component", "rotates")  # fields that a study of an earlier release does not have
COMPARE, BAN, LADDER, SCREEN = "compare", "ban", "ladder", "screen"


class NumberChange(NamedTuple):
    """A number that an edition has otherwise than the printed game."""

    path: str
    printed: Value
    value: Value


@dataclass(frozen=True)
class Edition:
    """A game on other components: its name, the hash of what rules read, and what differs from the printed file."""

    name: str
    hash: str
    text: str = ""  # of a whole file that replaces the printed one
    changes: tuple[NumberChange, ...] = ()
    weights: str = ""  # of bots that were fitted to it; none: those that learnt the printed game


@dataclass(frozen=True)
class StudyArm:
    """An edition with bots, one for each place; they go round the table, unless all are the same and free."""

    edition: int
    bots: tuple[str, ...]
    deals: int
    check: bool = False  # the other kind of bots, which must agree
    banned: str = ""  # a verb that the first of the bots may never take
    name: str = ""  # what a ladder or a ban calls it
    again: int = 0  # the same deals so manyth again, with other chance for the bots
    component: str = ""  # one that the first of the bots may never take, as ``card G01``
    rotates: bool = False  # whether bots go round the table though all are the same and free

    @property
    def is_restricted(self) -> bool:
        """Whether the first of the bots may not take something."""
        return bool(self.banned or self.component)

    @property
    def rotations(self) -> int:
        return len(self.bots) if self.is_restricted or self.rotates or len(set(self.bots)) > 1 else 1

    @property
    def is_main(self) -> bool:
        """Whether the study is about it: checks and replays only help to read it."""
        return not self.check and not self.again

    def records_choices(self, deal: int) -> bool:
        """Whether the choices of a deal are noted: of every fourth, of more where there are few; of replays none."""
        every = min(CHOICES_EVERY, max(1, self.deals // MIN_CHOICE_DEALS))
        return not self.again and deal % every == 0

    @property
    def bots_label(self) -> str:
        """The bots in one word: what calibration and reports tell arms apart by."""
        return ", ".join(dict.fromkeys(self.bots))


class PlannedMatch(NamedTuple):
    """One match: an arm, a deal, how far the bots are turned round the table, and its number in the study."""

    arm: int
    deal: int
    rotation: int
    number: int


@dataclass(frozen=True)
class StudyPlan:
    """A study as it is played."""

    kind: str
    game: str
    seats: int
    seed: int
    variants: tuple[tuple[str, str], ...]
    editions: tuple[Edition, ...]
    arms: tuple[StudyArm, ...]
    looks: int
    version: int  # of the rules
    release: str  # of Triclinium
    detect: float = 0.03
    bands: tuple[tuple[str, float], ...] = ()
    question: str = ""
    open_ended: bool = False
    every_choice: bool = False  # whether each decision is noted with all its options
    refit: bool = False  # whether bots are fitted to each edition first
    all_components: bool = False  # whether components are noted in every deal, and not in some

    @cached_property
    def hash(self) -> str:
        """What tells this study from every other; fitted weights follow from the rest, and of a whole file the hash
        says what rules read of it, whatever its remarks."""
        plain = replace(self, editions=tuple(replace(item, weights="", text="") for item in self.editions))
        values = asdict(plain)
        for name in LATER_FIELDS:  # a study that does without them is the one it was before there were any
            for item in (values, *values["arms"]):
                if not item.get(name, True):
                    del item[name]
        data = json.dumps(values, sort_keys=True)
        return hashlib.sha256(data.encode()).hexdigest()[:16]

    def records_components(self, arm: int, deal: int) -> bool:
        """Return whether components are noted in a deal: in every fourth, or in all; in replays never."""
        study_arm = self.arms[arm]
        return not study_arm.again and (
            self.all_components or bool(study_arm.component) or deal % COMPONENTS_EVERY == 0
        )

    @property
    def deals(self) -> int:
        """Of the arms that have most."""
        return max(arm.deals for arm in self.arms)

    @property
    def matches(self) -> int:
        return sum(arm.deals * arm.rotations for arm in self.arms)

    @property
    def replayed_deals(self) -> int:
        """Deals that are played again with other chance for the bots."""
        return max((arm.deals for arm in self.arms if arm.again), default=0)

    @property
    def max_rotations(self) -> int:
        """The most rotations of any arm."""
        return max(arm.rotations for arm in self.arms)

    @cached_property
    def parts(self) -> list[tuple[range, range]]:
        """Every part as a block of deals and a block of arms, in the order of deals."""
        blocks: list[tuple[range, range]] = []
        for first in range(0, self.deals, PART_DEALS):
            for arm in range(0, len(self.arms), PART_ARMS):
                arms = range(arm, min(arm + PART_ARMS, len(self.arms)))
                if any(self.arms[index].deals > first for index in arms):
                    blocks.append((range(first, min(first + PART_DEALS, self.deals)), arms))
        return blocks

    def list_part_matches(self, part: int) -> Iterator[PlannedMatch]:
        """The matches of a part, in order."""
        deals, arms = self.parts[part]
        for deal in deals:
            for arm in arms:
                if deal < self.arms[arm].deals:
                    for rotation in range(self.arms[arm].rotations):
                        yield PlannedMatch(arm, deal, rotation, self.compute_match_number(arm, deal, rotation))

    def list_parts_until(self, deals: int) -> list[int]:
        """The parts that hold the first so many deals."""
        return [i for i, (block, _) in enumerate(self.parts) if block[0] < deals]

    def compute_match_number(self, arm: int, deal: int, rotation: int) -> int:
        return (deal * len(self.arms) + arm) * self.max_rotations + rotation

    def find_match(self, number: int) -> PlannedMatch:
        """The match with a number; raises BadSetup."""
        rest, rotation = divmod(number, self.max_rotations)
        deal, arm = divmod(rest, len(self.arms))
        if number < 0 or deal >= self.arms[arm].deals or rotation >= self.arms[arm].rotations:
            raise BadSetup(f"this study has no match {number}")
        return PlannedMatch(arm, deal, rotation, number)

    def load_edition_game(self, edition: int) -> Game:
        """The game on an edition; raises BadSetup where this machine has other rules or components."""
        return _load_edition(self.game, self.version, self.editions[edition])


@lru_cache(64)
def _load_edition(game_id: str, version: int, edition: Edition) -> Game:
    game = load_game(game_id)
    if game.version != version:
        raise BadSetup(f"the study is played by version {version} of the rules of {game_id}, here is {game.version}")
    file = ComponentsFile(edition.text, edition.name) if edition.text else game.file
    edited_game = game.with_components(file.with_changes({change.path: change.value for change in edition.changes}))
    if edited_game.hash != edition.hash:
        raise BadSetup(
            f"the components of {edition.name!r} are {edition.hash} in the study and {edited_game.hash} here"
        )
    return with_fitted_weights(edited_game, edition.weights) if edition.weights else edited_game
