"""What happened, as small events: the log and the recap are written from them."""

from typing import Final

from mypy_extensions import mypyc_attr

BOOKKEEPING: Final = 0
ORDINARY: Final = 1
IMPORTANT: Final = 2
TURNING_POINT: Final = 3

NO_TARGET: Final = -1
WHO: Final = -2  # in place of a fact: the seat of the event itself


@mypyc_attr(acyclic=True)
class EventType:
    """A thing that can happen: its id for ever, its sentence, and how much it matters.

    ``EventType("drew", "{who} draws from the {0:deck} deck", secret="{who} draws {0:card}")``: whoever may read the
    secrets of such an event is told the second sentence, filled with them. ``hits`` is the place of the fact that names
    the seat to which it is done; `WHO` is a seat to which it simply happens. With one that ``begins_round`` a round
    begins, and the one before is over. One that ``shows`` brings the card that it names to light, and pages draw it.
    Without a sentence it is not worth a line.
    """

    def __init__(
        self,
        id: str,
        text: str = "",
        *,
        secret: str = "",
        weight: int = ORDINARY,
        target_fact: int = NO_TARGET,
        begins_round: bool = False,
        shows: bool = False,
    ) -> None:
        self.id: Final = id
        self.text: Final = text
        self.secret: Final = secret
        self.weight: Final = weight
        self.target_fact: Final = target_fact
        self.begins_round: Final = begins_round
        self.shows: Final = shows

    def __repr__(self) -> str:
        return f"EventType({self.id})"


# The engine's own; their one fact is the option. A game that tells of them has nothing better to tell.
CHOSEN: Final = EventType("chosen")
FORCED: Final = EventType("forced", weight=BOOKKEEPING)
ANYTIME: Final = EventType("aside")


@mypyc_attr(acyclic=True)
class Event:
    """One event: its type, the seat that did it, facts for all, secrets for some, and the rule it follows."""

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
        """The id of its type."""
        return self.type.id

    @property
    def target_seat(self) -> int:
        """The seat to which it is done; -1: nobody."""
        at = self.type.target_fact
        return self.seat if at == WHO else self.facts[at] if 0 <= at < len(self.facts) else -1

    def for_viewer(self, seat: int) -> "Event":
        """The event as this seat (-1: a spectator) may read it."""
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
