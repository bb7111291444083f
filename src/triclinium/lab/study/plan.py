"""Plan of a study as plain data: editions with all their components, arms, deals, interim analyses and parts.

A plan holds no paths and no game objects, so any process on any machine can play a part of it. Seeds are derived as in
the arena: ``derive(seed, deal)`` for a deal, ``derive(seed, deal, rotation, seat)`` for a bot. All editions share the
deals and the random numbers of the bots.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from importlib.metadata import version as release_of
from typing import NamedTuple

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.lab.learn.weights import with_fitted_weights
from triclinium.lab.study.study_file import PART_DEALS, Study, Value

PART_ARMS = 4  # arms in one part; independent of the number of workers, as is PART_DEALS
# Components are recorded in every fourth deal only, because finding the components of an option takes time.
COMPONENTS_EVERY = 4
# Choices are recorded in every fourth deal only, because choice rates need fewer deals than win rates.
CHOICES_EVERY = 4
# With fewer recorded deals than about this many, an arm records its choices in more of its deals.
MIN_CHOICE_DEALS = 100
# Fields that studies of earlier releases do not have.
LATER_FIELDS = ("all_components", "component", "rotates", "main", "first_deal", "shared_variance")


class NumberChange(NamedTuple):
    """A change of one number from its printed value."""

    path: str
    printed: Value
    value: Value


@dataclass(frozen=True)
class Edition:
    """An edition of a game: its name, the hash of its components, and its changes to the printed file."""

    name: str
    hash: str
    text: str = ""  # text of a whole file that replaces the printed one; empty if only numbers change
    changes: tuple[NumberChange, ...] = ()
    weights: str = ""  # weights of bots fitted to this edition; empty: the weights learnt on the printed game


@dataclass(frozen=True)
class StudyArm:
    """An edition with one bot for each place.

    The bots rotate round the table unless all are the same and none is restricted.
    """

    edition: int
    bots: tuple[str, ...]
    deals: int
    check: bool = False  # True for the second kind of bots, which check the result
    banned: str = ""  # verb that the first bot may never take
    name: str = ""  # name of the arm in a ladder or in restricted play
    again: int = 0  # number of the replay, in which the bots have other random numbers; 0 for the original match
    component: str = ""  # component that the first bot may never take, such as ``card G01``
    rotates: bool = False  # True if the bots rotate although all are the same and none is restricted
    first_deal: int = 0  # number that is added to each deal, so that the arm plays other deals than the others

    @property
    def is_restricted(self) -> bool:
        """Return whether the first bot may not take a certain verb or component."""
        return bool(self.banned or self.component)

    @property
    def rotations(self) -> int:
        return len(self.bots) if self.is_restricted or self.rotates or len(set(self.bots)) > 1 else 1

    @property
    def is_main(self) -> bool:
        """Return whether this is a main arm, rather than a check or a replay."""
        return not self.check and not self.again

    def records_choices(self, deal: int) -> bool:
        """Return whether the choices of a deal are recorded.

        They are recorded in every fourth deal, more often in small arms, and never in replays.
        """
        every = min(CHOICES_EVERY, max(1, self.deals // MIN_CHOICE_DEALS))
        return not self.again and deal % every == 0

    @property
    def bots_label(self) -> str:
        """Names of the bots in one string; calibration and reports identify the kinds of bots by it."""
        return ", ".join(dict.fromkeys(self.bots))


class PlannedMatch(NamedTuple):
    """One match of a plan: arm, deal, rotation of the bots round the table, and number of the match in the study."""

    arm: int
    deal: int
    rotation: int
    number: int


@dataclass(frozen=True)
class StudyPlan:
    """The executable plan of a study, with all defaults filled in."""

    kind: str
    game: str
    seats: int
    seed: int
    variants: tuple[tuple[str, str], ...]
    editions: tuple[Edition, ...]
    arms: tuple[StudyArm, ...]
    looks: int
    version: int  # version of the rules
    release: str  # version of Triclinium
    detect: float = 0.03
    bands: tuple[tuple[str, float], ...] = ()
    question: str = ""
    open_ended: bool = False
    every_choice: bool = False  # True if every decision is recorded with all its options
    refit: bool = False  # True if bots are fitted to each edition before they play it
    all_components: bool = False  # True if components are recorded in every deal instead of every fourth
    main: str = ""  # figure that answers the question
    # In a screening: variance of an effect with shared deals, relative to deals of their own; 0: not measured
    shared_variance: float = 0.0

    @cached_property
    def hash(self) -> str:
        """Hash that identifies the study.

        Fitted weights are left out, because they follow from the rest. The text of a whole file is left out too,
        because the hash of the edition covers everything in it that the rules read.
        """
        plain = replace(self, editions=tuple(replace(item, weights="", text="") for item in self.editions))
        values = asdict(plain)
        # Fields at their defaults are left out, so that the hash of an earlier study stays the same.
        for name in LATER_FIELDS:
            for item in (values, *values["arms"]):
                if not item.get(name, True):
                    del item[name]
        data = json.dumps(values, sort_keys=True)
        return hashlib.sha256(data.encode()).hexdigest()[:16]

    def records_components(self, arm: int, deal: int) -> bool:
        """Return whether components are recorded in a deal: in every fourth or in all of them, but never in replays."""
        study_arm = self.arms[arm]
        return not study_arm.again and (
            self.all_components or bool(study_arm.component) or deal % COMPONENTS_EVERY == 0
        )

    @property
    def shares_deals(self) -> bool:
        """Return whether all arms play the same deals."""
        return not any(arm.first_deal for arm in self.arms)

    @property
    def deals(self) -> int:
        """Return the number of deals of the largest arm."""
        return max(arm.deals for arm in self.arms)

    @property
    def matches(self) -> int:
        return sum(arm.deals * arm.rotations for arm in self.arms)

    @property
    def replayed_deals(self) -> int:
        """Return the number of deals that are replayed with other random numbers for the bots."""
        return max((arm.deals for arm in self.arms if arm.again), default=0)

    @property
    def max_rotations(self) -> int:
        """Return the largest number of rotations of any arm."""
        return max(arm.rotations for arm in self.arms)

    @cached_property
    def parts(self) -> list[tuple[range, range]]:
        """List every part as a block of deals and a block of arms, in the order of the deals."""
        blocks: list[tuple[range, range]] = []
        for first in range(0, self.deals, PART_DEALS):
            for arm in range(0, len(self.arms), PART_ARMS):
                arms = range(arm, min(arm + PART_ARMS, len(self.arms)))
                if any(self.arms[index].deals > first for index in arms):
                    blocks.append((range(first, min(first + PART_DEALS, self.deals)), arms))
        return blocks

    def list_part_matches(self, part: int) -> Iterator[PlannedMatch]:
        """Yield the matches of a part in order."""
        deals, arms = self.parts[part]
        for deal in deals:
            for arm in arms:
                if deal < self.arms[arm].deals:
                    for rotation in range(self.arms[arm].rotations):
                        yield PlannedMatch(arm, deal, rotation, self.compute_match_number(arm, deal, rotation))

    def list_parts_until(self, deals: int) -> list[int]:
        """Return the parts that contain any of the first ``deals`` deals."""
        return [i for i, (block, _) in enumerate(self.parts) if block[0] < deals]

    def compute_match_number(self, arm: int, deal: int, rotation: int) -> int:
        return (deal * len(self.arms) + arm) * self.max_rotations + rotation

    def find_match(self, number: int) -> PlannedMatch:
        """Return the match with a number. Raise BadSetup if there is none."""
        rest, rotation = divmod(number, self.max_rotations)
        deal, arm = divmod(rest, len(self.arms))
        if number < 0 or deal >= self.arms[arm].deals or rotation >= self.arms[arm].rotations:
            raise BadSetup(f"this study has no match {number}")
        return PlannedMatch(arm, deal, rotation, number)

    def load_edition_game(self, edition: int) -> Game:
        """Return the game with the components of an edition.

        Raise BadSetup if its rules or components differ on this machine.
        """
        return _load_edition(self.game, self.version, self.editions[edition])


@lru_cache(64)
def _load_edition(game_id: str, version: int, edition: Edition) -> Game:
    game = load_game(game_id)
    if game.version != version:
        raise BadSetup(
            f"the study was played with version {version} of the rules of {game_id}, "
            f"but version {game.version} is installed"
        )
    file = ComponentsFile(edition.text, edition.name) if edition.text else game.file
    edited_game = game.with_components(file.with_changes({change.path: change.value for change in edition.changes}))
    if edited_game.hash != edition.hash:
        raise BadSetup(
            f"the components of {edition.name!r} are {edition.hash} in the study but {edited_game.hash} here"
        )
    return with_fitted_weights(edited_game, edition.weights) if edition.weights else edited_game


def build_plan(study: Study, editions: Sequence[Edition], arms: Sequence[StudyArm]) -> StudyPlan:
    """Return the plan of a study with these editions and arms."""
    return StudyPlan(
        kind=study.kind,
        game=study.game,
        seats=study.get_seat_count(),
        seed=study.seed,
        variants=tuple(sorted(study.variants.items())),
        editions=tuple(editions),
        arms=tuple(arms),
        looks=study.looks,
        version=study.load_game().version,
        release=release_of("triclinium"),
        detect=study.detect,
        bands=tuple(sorted(study.bands.items())),
        question=study.question,
        open_ended=study.open_ended,
        every_choice=study.every_choice,
        refit=study.refit,
        all_components=study.all_components,
        main=study.main,
    )
