"""Events of a match: small facts from which the log and the recap are written."""

from typing import Final

from mypy_extensions import mypyc_attr

BOOKKEEPING: Final = 0
ORDINARY: Final = 1
IMPORTANT: Final = 2
TURNING_POINT: Final = 3

NO_TARGET: Final = -1
WHO: Final = -2  # used as `target_fact`: the seat of the event itself


@mypyc_attr(acyclic=True)
class EventType:
    """A kind of event: its permanent id, its sentence and its weight in the recap.

    Example: ``EventType("drew", "{who} draws from the {0:deck} deck", secret="{who} draws {0:card}")``. Readers who may
    know the secrets of such an event see the second sentence, filled with them.

    ``target_fact`` is the index of the fact that names the affected seat. `WHO` means that the event affects its own
    seat. The recap of the affected seat shows the sentence ``to_target`` instead, which says "you". An event that
    ``begins_round`` starts a round and ends the previous one. An event that ``shows`` reveals the
    card that it names, and pages draw that card. A type without a sentence does not appear in the log.
    """

    def __init__(
        self,
        id: str,
        text: str = "",
        *,
        secret: str = "",
        weight: int = ORDINARY,
        target_fact: int = NO_TARGET,
        to_target: str = "",
        begins_round: bool = False,
        shows: bool = False,
    ) -> None:
        self.id: Final = id
        self.text: Final = text
        self.secret: Final = secret
        self.weight: Final = weight
        self.target_fact: Final = target_fact
        self.to_target: Final = to_target
        self.begins_round: Final = begins_round
        self.shows: Final = shows

    def __repr__(self) -> str:
        return f"EventType({self.id})"


# The engine's own event types. Their only fact is the option. Logs show them only where the game has no better event.
CHOSEN: Final = EventType("chosen")
FORCED: Final = EventType("forced", weight=BOOKKEEPING)
ANYTIME: Final = EventType("aside")


@mypyc_attr(acyclic=True)
class Event:
    """One event: its type, its seat, public facts, secrets for some seats, and the rule that it follows."""

    def __init__(
        self,
        type: EventType,
        seat: int,
        facts: tuple[int, ...] = (),
        rule: str = "",
        secrets: tuple[int, ...] = (),
        readers: int = 0,
    ) -> None:
        self.type: Final = type
        self.seat: Final = seat
        self.facts: Final = facts
        self.rule: Final = rule
        self.secrets: Final = secrets
        self.readers: Final = readers  # bit i: seat i may read the secrets

    @property
    def kind(self) -> str:
        """The id of the event's type."""
        return self.type.id

    @property
    def target_seat(self) -> int:
        """The seat that the event affects, or -1."""
        at = self.type.target_fact
        return self.seat if at == WHO else self.facts[at] if 0 <= at < len(self.facts) else -1

    def for_viewer(self, seat: int) -> "Event":
        """Return the event as this seat may read it. Seat -1 is a spectator."""
        if seat >= 0 and (self.readers >> seat) & 1:
            return self
        return Event(self.type, self.seat, self.facts, self.rule)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.identity() == other.identity()

    def __hash__(self) -> int:
        return hash(self.identity())

    def identity(self) -> tuple[str, int, tuple[int, ...], str, tuple[int, ...], int]:
        return (self.type.id, self.seat, self.facts, self.rule, self.secrets, self.readers)

    def __repr__(self) -> str:
        return f"Event{self.identity()}"
