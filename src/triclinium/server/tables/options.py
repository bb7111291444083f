"""Options of a new table, and of each of its seats."""

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
QUERY_COLUMNS = ("shown", "remind", "takeover", "store", "free")  # options that queries filter by


@dataclass(frozen=True, slots=True)
class SeatOptions:
    """The options of one seat: for the creator, an invited person, a guest at the shared device, or a bot."""

    kind: str
    name: str = ""
    bot: str = ""
    person: int | None = None  # the person for whom the seat is reserved, as in a rematch
    token: str = ""  # hash of the API token that plays the seat
    seated: bool = False  # ``person`` has the seat at once, for themselves (invite) or a guest at their device (hot)

    def __post_init__(self) -> None:
        if self.kind not in SEAT_KINDS:
            raise RequestError("A seat must be yours, an invitation, a hot seat or a bot.")
        if self.kind == "bot" and self.bot not in list_bots():
            raise RequestError("There is no such bot: {0}.", self.bot[:40])


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The options of a table that do not depend on its game.

    A new option needs a default, because old tables lack it.
    """

    variants: Mapping[str, str] = field(default_factory=dict)  # the game's variants: name to value in notation
    shown: str = "link"
    undo: bool = True
    hints: bool = True
    shuffle: bool = False  # give the seats to players at random
    remind: int = 0  # seconds before a reminder; 0: never
    takeover: int = 0  # seconds of absence before the others can vote for a substitute bot; 0: the shortest
    ready: bool = False  # the match waits until all players have confirmed that they are ready
    store: int = 0  # seconds of each time bank, 0: no clock; see `time_bank.py`
    free: int = 0  # free seconds of each turn
    bots: bool = True  # a bot takes over when time runs out; else the others vote
    plain: bool = False  # bots play without trained networks
    evening: str = ""  # code of the evening to which the table belongs
    edition: str = ""  # name of the edition, if the table has components of its own
    playtest: str = ""  # id of the playtest to which the table belongs; its edition is secret at first

    @classmethod
    def from_facts(cls, facts: Mapping[str, object]) -> "TableOptions":
        """Return options from a mapping, which may contain other entries."""
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
        """True if the time banks are at least a day long."""
        return self.store >= DAY

    def resolve_bot_name(self, bot: str) -> str:
        """Return the name of the bot to use, which may be the variant without trained networks."""
        return strip_network_name(bot) if self.plain else bot

    def columns(self) -> dict[str, object]:
        """Return the options as columns of the table's row.

        One column contains all options as JSON. Those that queries filter by have columns of their own too.
        """
        values = asdict(self)
        column_values = {name: values[name] for name in QUERY_COLUMNS}
        return {**column_values, "variants": json.dumps(self.variants), "options": json.dumps(values)}


DEFAULTS: Final = TableOptions()


def load_stored_options(text: str) -> TableOptions:
    """Return the options stored as JSON."""
    return TableOptions.from_facts(json.loads(text))


def check_options(options: TableOptions, seats: Sequence[SeatOptions]) -> None:
    """Raise `RequestError` if a new table cannot have these options and seats."""
    if options.shown not in VISIBILITIES:
        raise RequestError("Choose who can see the table: invitation only, listed, or listed with spectators.")
    if not 0 <= options.remind <= MAX_DEADLINE or not 0 <= options.takeover <= MAX_DEADLINE:
        raise RequestError("A time limit can be thirty days at most.")
    if 0 < options.takeover < SUBSTITUTE_AFTER:
        raise RequestError("A substitute bot can take over after 10 minutes of absence at the earliest.")
    if options.takeover and options.store:
        raise RequestError("At a table with a clock, no other time limit applies. Leave out `substitute_after`.")
    if not is_valid_clock(options.store, options.free):
        raise RequestError(
            "Give each player 1 to 120 minutes plus 5 to 600 free seconds every turn, or 1 to 14 days plus 4 to 72 "
            "free hours every turn."
        )
    kinds = [seat.kind for seat in seats if not seat.seated]
    if kinds.count("me") > 1:
        raise RequestError("You can take only one seat. Use hot seat for the other players on this device.")
    if {"hot", "invite"} <= set(kinds):
        raise RequestError("In a hot-seat match everyone plays on this device, so nobody can be invited.")
