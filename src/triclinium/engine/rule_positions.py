"""Positions of real matches that show a rule at work: a game's `data/positions.toml`.

`python -m bench.rule_positions` plays the matches, finds the positions and writes the file. Several positions share one
match, which the file contains as the beginning of a record.
"""

import textwrap
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from triclinium.engine.core.state import Option, State
from triclinium.engine.game import Game
from triclinium.engine.match import OPTION_SEPARATOR
from triclinium.engine.record import Record
from triclinium.engine.registry import find_game_folder

FILE = "positions.toml"
MAX_CACHED_GAMES = 16

FORBIDS = "forbids"  # the rule refuses the option
EVENT = "event"  # the option causes an event that names the rule
MOVE = "move"  # the option runs code that cites the rule
QUESTION = "question"  # the list of options at this question follows the rule
SET_UP = "set-up"  # the set-up or a variant of the match follows the rule, and this is the first decision after it
SHOWN = "shown"  # the board shows what the rule says


@dataclass(frozen=True)
class RulePosition:
    """A decision of a real match in which a rule allows or forbids an option."""

    rule: str
    kind: str
    record: Record  # the match up to this decision
    option: str  # in notation
    digest: int  # digest of the state after the option; 0 if the rule forbids it

    @property
    def is_forbidden(self) -> bool:
        return self.kind == FORBIDS


@dataclass(frozen=True)
class RulePositions:
    """The positions of a game by rule, and the reasons why other rules have none."""

    by_rule: Mapping[str, tuple[RulePosition, ...]]
    without: Mapping[str, str]  # the number of a rule, and the name of a reason


@lru_cache(MAX_CACHED_GAMES)
def load_rule_positions(game: Game) -> RulePositions:
    """Return the positions of a game; none for other components than those of its matches."""
    path = find_game_folder(game, "data") / FILE
    if not path.is_file():
        return RulePositions({}, {})
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if data["components"] != game.hash:
        return RulePositions({}, data["without"])
    by_rule: dict[str, tuple[RulePosition, ...]] = {}
    for rule, rows in data["positions"].items():
        by_rule[rule] = tuple(
            RulePosition(rule, kind, read_match_start(game, data["matches"][match], move), option, int(digest, 16))
            for kind, match, move, option, digest in rows
        )
    return RulePositions(by_rule, data["without"])


def read_match_start(game: Game, match: Mapping[str, object], moves: int | None = None) -> Record:
    """Return the first moves of a match in a data file; all moves if no number is given."""
    seats, seed, variants, options = match["seats"], match["seed"], match["variants"], match["options"]
    assert isinstance(seats, int)
    assert isinstance(seed, int)
    assert isinstance(variants, dict)
    played = [option for option in " ".join(str(options).split()).split(OPTION_SEPARATOR) if option]
    return Record(game.id, game.version, game.hash, seats, variants, seed, played[:moves])


def format_match_start(record: Record, moves: int) -> list[str]:
    """Return the lines of a data file for the first moves of a match."""
    variants = ", ".join(f'{name} = "{value}"' for name, value in sorted(record.variants.items()))
    text = OPTION_SEPARATOR.join(record.options[:moves])
    lines = [f"seats = {record.seats}", f"seed = {record.seed}", f"variants = {{{variants}}}", 'options = """']
    return [*lines, *textwrap.wrap(text, 118, break_long_words=False, break_on_hyphens=False), '"""']


def find_option(game: Game, s: State, position: RulePosition) -> Option:
    """Return the option of a position. Raise ValueError if it is not shown there any more."""
    o = game.read(position.option)
    rule = s.refusal(o)
    if (rule is not None) != position.is_forbidden or (rule is not None and rule.number != position.rule):
        raise ValueError(f"{position.rule} does not apply to {position.option}: the positions must be written again")
    return o
