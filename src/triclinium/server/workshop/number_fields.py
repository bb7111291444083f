"""The numbers of an edition as fields of a page: grouped, with printed value, range, rule and faults."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from triclinium.engine.components_schema import NumberRange
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import ComponentsFault
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game
from triclinium.engine.numbers import ComponentNumber, list_ranged_numbers, read_number
from triclinium.engine.rule_numbers import PLACEHOLDER, fill_numbers
from triclinium.server.rule_search import load_unfilled_rules

TABLE_ENTRIES = 8  # a range with more numbers than this is a table with a search
RULE_PARAGRAPH = re.compile(
    r'<a id="([^"]+)"></a>\s*\*\*([A-Z]+-R?[\d.]+)\*\*\s*(.*?)(?=<a id="|^#|\Z)', re.DOTALL | re.MULTILINE
)
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)|[*`]")


@dataclass(frozen=True, slots=True)
class NumberField:
    """One number of an edition: its printed and its own value, and the faults that name it."""

    number: ComponentNumber
    value: int | float
    typed: str = ""  # a typed text that is no number
    faults: tuple[ComponentsFault, ...] = ()  # shown here in full
    related: tuple[ComponentsFault, ...] = ()  # shown at another field of the same constraint
    related_path: str = ""  # path of that field

    @property
    def path(self) -> str:
        return self.number.path

    @property
    def id(self) -> str:
        """Return the id of the field's row on the page."""
        return f"n-{self.path.replace('.', '-')}"

    @property
    def text(self) -> str:
        return self.typed or f"{self.value:g}"

    @property
    def changed(self) -> bool:
        return bool(self.typed) or self.value != self.number.value

    @property
    def is_marked(self) -> bool:
        """Return whether the row of the field shows a change or a fault."""
        return bool(self.changed or self.faults or self.related)

    def place(self, value: int | float) -> float:
        """Return the place of a value on the line of the range, in percent."""
        span = self.number.high - self.number.low
        share = (value - self.number.low) / span if span else 0.0
        return round(100 * min(1.0, max(0.0, share)), 1)


@dataclass(frozen=True, slots=True)
class NumberTable:
    """Many numbers of one kind, shown as a table with a search."""

    id: str
    fields: Sequence[NumberField]


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """A group of `numbers.toml`, with single fields and tables."""

    id: str
    name: Message
    fields: Sequence[NumberField]
    tables: Sequence[NumberTable]

    @property
    def all_fields(self) -> list[NumberField]:
        return [*self.fields, *(field for table in self.tables for field in table.fields)]

    @property
    def changed(self) -> int:
        return sum(field.changed for field in self.all_fields)

    @property
    def faulty(self) -> int:
        return sum(bool(field.faults or field.typed) for field in self.all_fields)


@dataclass(frozen=True, slots=True)
class ChangedRule:
    """A rule that reads differently in an edition. The text has marks around its new numbers."""

    number: str
    anchor: str
    text: str


class EditionNumbers:
    """All numbers of an edition, with its faults."""

    def __init__(
        self, game: Game, file: ComponentsFile, faults: Sequence[ComponentsFault], unread: Mapping[str, str]
    ) -> None:
        self.game = game
        self.file = file
        self.faults = faults
        self.unread = unread
        pairs = [pair for pair in list_ranged_numbers(game) if not pair[1].hidden]
        self._homes = self._find_homes([number for _, number in pairs])
        self.groups = self._make_groups(pairs)

    @property
    def fields(self) -> list[NumberField]:
        return [field for group in self.groups for field in group.all_fields]

    @property
    def changed_fields(self) -> list[NumberField]:
        return [field for field in self.fields if field.changed]

    @property
    def unplaced_faults(self) -> list[ComponentsFault]:
        """Return the faults that no field can show."""
        return [fault for i, fault in enumerate(self.faults) if i not in self._homes]

    @property
    def first_faulty_field(self) -> NumberField | None:
        return next((field for field in self.fields if field.faults or field.typed), None)

    def _find_homes(self, numbers: Sequence[ComponentNumber]) -> dict[int, str]:
        """Return the field that shows each fault: the first changed one that it names."""
        homes: dict[int, str] = {}
        for i, fault in enumerate(self.faults):
            named = [number for number in numbers if _names(fault, number)]
            changed = [number for number in named if read_number(self.file, number) != number.value]
            if changed or named:
                homes[i] = (changed or named)[0].path
        return homes

    def _make_groups(self, pairs: Sequence[tuple[NumberRange, ComponentNumber]]) -> list[NumberGroup]:
        counts: dict[str, int] = {}
        for span, _ in pairs:
            counts[span.path] = counts.get(span.path, 0) + 1
        names: list[str] = []
        for span, _ in pairs:
            if span.group not in names:
                names.append(span.group)
        groups: list[NumberGroup] = []
        for n, name in enumerate(names, start=1):
            inside = [(span, self._make_field(number)) for span, number in pairs if span.group == name]
            patterns = dict.fromkeys(span.path for span, _ in inside if counts[span.path] > TABLE_ENTRIES)
            tables = [
                NumberTable(f"t-{n}-{i}", [field for span, field in inside if span.path == pattern])
                for i, pattern in enumerate(patterns, start=1)
            ]
            fields = [field for span, field in inside if span.path not in patterns]
            groups.append(NumberGroup(f"g-{n}", Message(name), fields, tables))
        return groups

    def _make_field(self, number: ComponentNumber) -> NumberField:
        here = tuple(fault for i, fault in enumerate(self.faults) if self._homes.get(i) == number.path)
        others = [i for i in range(len(self.faults)) if self._homes.get(i, number.path) != number.path]
        related = [i for i in others if _names(self.faults[i], number)]
        return NumberField(
            number,
            read_number(self.file, number),
            self.unread.get(number.path, ""),
            here,
            tuple(self.faults[i] for i in related[:1]),
            self._homes[related[0]] if related else "",
        )

    def list_changed_rules(self, language: str, mark: Callable[[str, str], str]) -> list[ChangedRule]:
        """Return the rules whose text differs from the printed game. ``mark`` writes each new number."""
        source, spoken = load_unfilled_rules(self.game, language)
        draft = _Draft(self.game, self.file)
        rules: list[ChangedRule] = []
        for anchor, number, text in RULE_PARAGRAPH.findall(source):
            if PLACEHOLDER.search(text) and fill_numbers(text, draft, spoken) != fill_numbers(text, self.game, spoken):
                plain = " ".join(LINK.sub(lambda match: match[1] or "", text).split())
                rules.append(ChangedRule(number, anchor, fill_numbers(plain, draft, spoken, mark)))
        return rules


class _Draft:
    """The numbers of an edition that may not be playable, for texts."""

    def __init__(self, game: Game, file: ComponentsFile) -> None:
        self.components_schema = game.components_schema
        self.file = file


def _names(fault: ComponentsFault, number: ComponentNumber) -> bool:
    """Return whether a fault is about a number: it has its path, or that of a table around it."""
    return bool(fault.path) and (number.path == fault.path or number.path.startswith(f"{fault.path}."))
