"""Variants: choices made when a match is set up, with their names and their effect on ratings."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.text import Arg, Message, Name

Choice: TypeAlias = bool | int | str

VARIANT_NAME_CONTEXT: Final = "variant name"  # translation context of the names of variants and their values
VALUE_CONTEXT: Final = "value"
YES: Final = Name("yes", "value")
NO: Final = Name("no", "value")

# Groups of variants, in the order of a match.
BEGINNING: Final = "beginning"
ON_THE_WAY: Final = "way"
THE_END: Final = "end"
ANOTHER_KIND: Final = "kind"
GROUPS: Final = {
    BEGINNING: Name("Start", "variant group"),
    ON_THE_WAY: Name("During the match", "variant group"),
    THE_END: Name("End", "variant group"),
    ANOTHER_KIND: Name("Big changes (not rated)", "variant group"),
}
MAX_SEGMENTS: Final = 3  # maximum number of values that are shown side by side
MAX_LISTED_NUMBERS: Final = 6  # variants with more numbers than this show a counter instead of a list


class Variant:
    """A variant of a match: its values (the first is the default), its sentence, its ruling and its names.

    ``label`` and ``value_names`` are the displayed names. Without them, pages show the identifiers. ``seats`` means
    that its numbers are seats. ``rated`` is False if only matches with the default value are rated. ``printed`` is the
    rulebook's value where it is not the default.
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
        """Return the same variant with another default."""
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
        """The form control: a ``switch``, a ``choice`` of a few values, a ``number`` within limits, or a ``list``."""
        if not self.value_names and all(isinstance(value, bool) for value in self.values):
            return "switch"
        if not self.seats and len(self.values) <= MAX_SEGMENTS:
            return "choice"
        return "number" if self.limits is not None else "list"

    @property
    def limits(self) -> tuple[int, int] | None:
        """The smallest and the largest value if it is a range of whole numbers, otherwise None."""
        whole = [value for value in self.values if isinstance(value, int) and not isinstance(value, bool)]
        if len(whole) < len(self.values) or len(whole) <= MAX_LISTED_NUMBERS:
            return None
        return min(whole), max(whole)

    def name_of(self, value: Choice) -> Arg:
        """Return a value in words."""
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
        """Return the notation of a value: ``on``, ``off``, a number or a word."""
        return ("off", "on")[value] if isinstance(value, bool) else str(value)

    def read(self, text: str) -> Choice:
        """Return the value for a notation. Raise BadSetup if there is none."""
        for value in self.values:
            if self.format_value(value) == text.lower():
                return value
        raise self.make_value_error(text)

    def make_value_error(self, value: object) -> BadSetup:
        return BadSetup(f"the variant {self.name} is {self.describe_values()}, not {value} ({self.ruling})")

    def describe_values(self) -> str:
        """Return the allowed values in notation."""
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
    """Return a variant whose values are the whole numbers of a range."""
    others = tuple(value for value in range(low, high + 1) if value != default)
    return Variant(name, (default, *others), ruling, sentence, label=label, value_names=value_names, group=group)
