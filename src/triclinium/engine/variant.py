"""A variant: a choice made when a match is set up, what it is called, and whether it leaves the match what it is."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.text import Arg, Message, Name

Choice: TypeAlias = bool | int | str

VARIANT_NAME_CONTEXT: Final = "variant name"  # what names of variants and their values are translated as
VALUE_CONTEXT: Final = "value"
YES: Final = Name("yes", "value")
NO: Final = Name("no", "value")

# Where a variant stands among the others, in the order of a match.
BEGINNING: Final = "beginning"
ON_THE_WAY: Final = "way"
THE_END: Final = "end"
ANOTHER_KIND: Final = "kind"
GROUPS: Final = {
    BEGINNING: Name("Beginning", "variant group"),
    ON_THE_WAY: Name("On the way", "variant group"),
    THE_END: Name("The end", "variant group"),
    ANOTHER_KIND: Name("Another kind of match", "variant group"),
}
MAX_SEGMENTS: Final = 3  # so many values fit side by side
MAX_LISTED_NUMBERS: Final = 6  # numbers; more of them are counted up and down, not listed


class Variant:
    """Its values (the first is the default), its sentence, its ruling; what it and its values are called.

    ``label`` and ``named`` are what people read; a game that gives none is read by its identifiers. ``seats``: its
    numbers are seats. ``rated``: False if any other value than the default makes another kind of match. ``printed``:
    what the rulebook has, where that is not the default.
    """

    def __init__(
        self,
        name: str,
        values: tuple[Choice, ...],
        ruling: str,
        sentence: Name,
        *,
        label: Name | None = None,
        value_names: Mapping[Choice, Name] | None = None,
        group: str = ON_THE_WAY,
        seats: bool = False,
        rated: bool = True,
        printed: Choice | None = None,
    ) -> None:
        self.name = name
        self.values = values
        self.default = values[0]
        self.ruling = ruling
        self.sentence = sentence
        self.label = label or Name(name.replace("_", " ").capitalize(), VARIANT_NAME_CONTEXT)
        self.value_names = dict(value_names or {})
        self.group = group
        self.seats = seats
        self.rated = rated
        self.printed = values[0] if printed is None else printed

    def with_default(self, value: Choice) -> "Variant":
        """The same with another default."""
        others = tuple(other for other in self.values if other is not value)
        return Variant(
            self.name,
            (value, *others),
            self.ruling,
            self.sentence,
            label=self.label,
            value_names=self.value_names,
            group=self.group,
            seats=self.seats,
            rated=self.rated,
            printed=None if self.printed == self.default else self.printed,
        )

    @property
    def shape(self) -> str:
        """How it is chosen: a ``switch``, a ``choice`` of a few side by side, a ``number`` in limits, or a ``list``."""
        if not self.value_names and all(isinstance(value, bool) for value in self.values):
            return "switch"
        if not self.seats and len(self.values) <= MAX_SEGMENTS:
            return "choice"
        return "number" if self.limits is not None else "list"

    @property
    def limits(self) -> tuple[int, int] | None:
        """The smallest and the largest, if it is any whole number between them."""
        whole = [value for value in self.values if isinstance(value, int) and not isinstance(value, bool)]
        if len(whole) < len(self.values) or len(whole) <= MAX_LISTED_NUMBERS:
            return None
        return min(whole), max(whole)

    def name_of(self, value: Choice) -> Arg:
        """A value in words."""
        if value in self.value_names:
            return self.value_names[value]
        if isinstance(value, bool):
            return YES if value else NO
        if isinstance(value, str):
            return Name(value.replace("_", " "), VALUE_CONTEXT)
        return Message("Seat {0}", value + 1) if self.seats else str(value)

    def allows(self, value: Choice) -> bool:
        return any(value == known and type(value) is type(known) for known in self.values)

    def format_value(self, value: Choice) -> str:
        """A value in notation: ``on``, ``off``, a number or a word."""
        return ("off", "on")[value] if isinstance(value, bool) else str(value)

    def read(self, text: str) -> Choice:
        """The value that a word names; raises BadSetup."""
        for value in self.values:
            if self.format_value(value) == text.lower():
                return value
        raise self.make_value_error(text)

    def make_value_error(self, value: object) -> BadSetup:
        return BadSetup(f"the variant {self.name} is {self.describe_values()}, not {value} ({self.ruling})")

    def describe_values(self) -> str:
        """Its values in notation."""
        if self.limits is not None:
            return f"a whole number from {self.limits[0]} to {self.limits[1]}"
        return " or ".join(self.format_value(value) for value in self.values)


def number_variant(
    name: str,
    default: int,
    low: int,
    high: int,
    ruling: str,
    sentence: Name,
    *,
    label: Name | None = None,
    value_names: Mapping[Choice, Name] | None = None,
    group: str = ON_THE_WAY,
) -> Variant:
    """A variant that is a whole number in a range."""
    others = tuple(value for value in range(low, high + 1) if value != default)
    return Variant(name, (default, *others), ruling, sentence, label=label, value_names=value_names, group=group)
