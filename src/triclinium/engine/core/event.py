"""What happened, as small events: the log and the recap are written from them."""

from typing import Final

from mypy_extensions import mypyc_attr


@mypyc_attr(acyclic=True)
class Event:
    """One event: a kind, the seat that did it, facts for all, secrets for some, and the rule it follows.

    The engine's own kinds are ``chosen``, ``forced`` and ``aside``; their one fact is the option.
    All others belong to the game, whose ui/text.py writes them out.
    """

    def __init__(
        self,
        kind: str,
        seat: int,
        facts: tuple[int, ...] = (),
        rule: str = "",
        secrets: tuple[int, ...] = (),
        readers: int = 0,
    ) -> None:
        self.kind: Final = kind
        self.seat: Final = seat
        self.facts: Final = facts
        self.rule: Final = rule
        self.secrets: Final = secrets
        self.readers: Final = readers  # bit i: seat i may read the secrets

    def for_viewer(self, seat: int) -> "Event":
        """The event as this seat (-1: a spectator) may read it."""
        if seat >= 0 and (self.readers >> seat) & 1:
            return self
        return Event(self.kind, self.seat, self.facts, self.rule)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> tuple[str, int, tuple[int, ...], str, tuple[int, ...], int]:
        return (self.kind, self.seat, self.facts, self.rule, self.secrets, self.readers)

    def __repr__(self) -> str:
        return f"Event{self.key()}"
