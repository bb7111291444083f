"""What a table is agreed to be before anybody plays: its options, and for whom each seat is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Final

from triclinium.bots.registry import strip_network_name
from triclinium.server.bots.pool import list_bots
from triclinium.server.errors import RequestError
from triclinium.server.tables.time_bank import DAY, is_valid_clock

VISIBILITIES = ("link", "listed", "watched")
SEAT_KINDS = ("me", "invite", "hot", "bot")
MAX_DEADLINE = 30 * 86400
SUBSTITUTE_AFTER = 600  # seconds: the shortest absence after which the others can vote for a substitute bot
REMOVE_AFTER = 86400  # seconds of absence after which the others can vote to remove a player
QUERY_COLUMNS = ("shown", "remind", "takeover", "store", "free")  # that queries ask for


@dataclass(frozen=True, slots=True)
class SeatOptions:
    """One seat as it is wished for: me, an invited person, somebody at this device, or a bot."""

    kind: str
    name: str = ""
    bot: str = ""
    person: int | None = None  # an invited person who is known already: the rematch
    token: str = ""  # the hash of the token of a program

    def __post_init__(self) -> None:
        if self.kind not in SEAT_KINDS:
            raise RequestError("a seat is for me, for an invited person, for the hot seat or for a bot")
        if self.kind == "bot" and self.bot not in list_bots():
            raise RequestError("there is no such bot: {0}", self.bot[:40])


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What was agreed on, whatever the game. It is stored with the table; a new option needs a default."""

    variants: Mapping[str, str] = field(default_factory=dict)  # of the game, name to value in notation
    shown: str = "link"
    undo: bool = True
    hints: bool = True
    shuffle: bool = False  # the seats
    remind: int = 0  # seconds, 0: never
    takeover: int = 0  # seconds of absence before the others can vote for a substitute bot; 0: the shortest
    ready: bool = False  # the deal waits until everybody has said that they are
    store: int = 0  # seconds of each seat, 0: no clock; see `store_clock.py`
    free: int = 0  # seconds of each spell that cost nothing
    bots: bool = True  # one sits in for whoever has no time left; else the others vote
    plain: bool = False  # bots play as if nothing had been learnt

    @classmethod
    def from_facts(cls, facts: Mapping[str, object]) -> "TableOptions":
        """Those that somebody names, among other things."""
        known = {option.name for option in fields(cls)}
        return cls(**{name: value for name, value in facts.items() if name in known})  # type: ignore[arg-type]

    @property
    def substitute_after(self) -> int | None:
        """Seconds of absence before the others can vote for a substitute bot; None: when the clock runs out."""
        return None if self.store else self.takeover or SUBSTITUTE_AFTER

    @property
    def remove_after(self) -> int | None:
        """Seconds of absence before the others can vote to remove a player; None: when the clock runs out."""
        return None if self.store else max(self.takeover, REMOVE_AFTER)

    @property
    def slow(self) -> bool:
        """Whether its clocks count days."""
        return self.store >= DAY

    def resolve_bot_name(self, bot: str) -> str:
        """The name that a bot of this table is asked by."""
        return strip_network_name(bot) if self.plain else bot

    def columns(self) -> dict[str, object]:
        """Return them as the table's row holds them: all together, and those that queries ask for in columns too."""
        values = asdict(self)
        column_values = {name: values[name] for name in QUERY_COLUMNS}
        return {**column_values, "variants": json.dumps(self.variants), "options": json.dumps(values)}


DEFAULTS: Final = TableOptions()


def load_stored_options(text: str) -> TableOptions:
    """The options of a table that is kept."""
    return TableOptions.from_facts(json.loads(text))


def check_options(options: TableOptions, seats: Sequence[SeatOptions]) -> None:
    """Raise RequestError if a new table cannot be so."""
    if options.shown not in VISIBILITIES:
        raise RequestError("a table is shown by link, listed, or watched")
    if not 0 <= options.remind <= MAX_DEADLINE or not 0 <= options.takeover <= MAX_DEADLINE:
        raise RequestError("a time is at most thirty days")
    if 0 < options.takeover < SUBSTITUTE_AFTER:
        raise RequestError("a substitute bot can replace a player after 10 minutes of absence at the earliest")
    if options.takeover and options.store:
        raise RequestError("a table with a clock has no other deadline: leave `substitute_after` out")
    if not is_valid_clock(options.store, options.free):
        raise RequestError(
            "a clock has 1 to 120 minutes with 5 to 600 free seconds, or 1 to 14 days with 4 to 72 free hours"
        )
    kinds = [seat.kind for seat in seats]
    if kinds.count("me") > 1:
        raise RequestError("only one seat is yours; others at this device take the hot seat")
    if {"hot", "invite"} <= set(kinds):
        raise RequestError("with a hot seat everybody sits at this device: nobody is invited")
