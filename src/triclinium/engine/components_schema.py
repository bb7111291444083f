"""The schema of a game's components files: the allowed keys, their types and the range of each number.

The printed file defines the keys and their types. An edited file may contain the same ones. The game's `numbers.toml`
holds the ranges, with one entry for each number or list of numbers:

    [[group]]
    name = "Cards"
    number = [
        { path = "events.card.*.points", name = "Points of {0}", low = 1, high = 7, rule = "PP-C15" },
    ]

In a path, `*` matches every entry of a list, and `red|blue` matches either key. The matches fill the placeholders of
the name in order. `rule` is the rule about the number, or `layout` if only the drawing uses it. `optional = true` marks
a number that the printed file lacks and another may have. `hidden = true` marks a number that no rule reads or that
repeats others. It needs no name. `step` is the increment of the editor (default: 1), and `first` is the displayed
number of the first entry of a list (default: 1). A list `words` above the numbers names further keys with text for
people, in addition to those of every game. Groups may be left out.

Records and tables treat two files as equal if the rules read the same values. Texts and layout values are not part of
the hash. `hashes.toml` lists the hash of every released file:

    "3f2a5d0c1f0a9be2" = { same_as = "9b1c40aa37d2f018", why = "names left the hash" }
    "9b1c40aa37d2f018" = { why = "two cards cost less" }

A hash without `same_as` belongs to the printed file or to `old/9b1c40aa37d2f018.toml`, which is kept when rules data
changes.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

from triclinium.engine.core.components import (
    LIST,
    NUMBER,
    TABLE,
    WHOLE,
    ComponentsFile,
    ComponentsTable,
    entry_names,
    hash_data,
    kind_name,
    read_components,
)
from triclinium.engine.core.errors import BadComponents, ComponentsFault, suggest_names
from triclinium.engine.core.text import Arg, Message, Reader

LAYOUT = "layout"
ANY_ENTRY = "*"
COMMON_KEYS = ("source", "note")  # keys that any table may have for its sources and notes
ANNOTATION_SUFFIXES = ("_fr", "_source")  # endings of keys that annotate another key
COMMON_TEXT_KEYS = ("name", "text", *COMMON_KEYS)  # keys with text for people, in the file of any game


class NumberRange:
    """The range of the numbers at a path, with its rule and its name."""

    def __init__(self, row: ComponentsTable, group: str = "") -> None:
        self.path = row.text("path")
        self.name = row.text("name") if row.has("name") else ""
        self.group = group
        self.step = row.number("step") if row.has("step") else 1.0
        self.first = row.integer("first") if row.has("first") else 1
        self.low = row.number("low")
        self.high = row.number("high")
        self.rule = row.text("rule")
        self.optional = row.has("optional") and row.flag("optional")
        self.kind = WHOLE if isinstance(row.data["low"], int) and isinstance(row.data["high"], int) else NUMBER
        is_hidden = row.has("hidden") and row.flag("hidden")
        self.hidden = is_hidden or self.rule == LAYOUT or self.low == self.high
        if self.low > self.high:
            raise BadComponents(f"{row.where}: low must not be above high")

    def contains(self, number: float) -> bool:
        return self.low <= number <= self.high

    def describe(self) -> Arg:
        """Return the range in words: ``from 1 to 7``, or ``2`` if only one number is allowed."""
        low, high = f"{self.low:g}", f"{self.high:g}"
        return low if self.low == self.high else Message("from {0} to {1}", low, high)


class ValueSchema:
    """The schema of one position in the file."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.keys: dict[str, ValueSchema] = {}  # the keys of a table
        self.entry: ValueSchema | None = None  # the entries of a list
        self.range: NumberRange | None = None  # the range of a number

    def allow_value(self, value: object) -> None:
        """Allow the type and the keys of a value of the printed file."""
        kind = kind_name(value)
        if kind not in self.kinds:
            self.kinds.append(kind)
        if isinstance(value, dict):
            for key, inner in value.items():
                self.keys.setdefault(key, ValueSchema()).allow_value(inner)
        elif isinstance(value, list):
            self.entry = self.entry or ValueSchema()
            for inner in value:
                self.entry.allow_value(inner)

    def find_schema(self, path: Sequence[str]) -> "ValueSchema | None":
        """Return the schema at a path, or None if there is no such path."""
        if not path:
            return self
        inner = self.entry if path[0] == ANY_ENTRY else self.keys.get(path[0])
        return inner.find_schema(path[1:]) if inner else None

    def add_path(self, path: Sequence[str], kind: str) -> None:
        """Allow a number that the printed file lacks."""
        wanted = kind if not path else LIST if path[0] == ANY_ENTRY else TABLE
        if wanted not in self.kinds:
            self.kinds.append(wanted)
        if path and path[0] == ANY_ENTRY:
            self.entry = self.entry or ValueSchema()
            self.entry.add_path(path[1:], kind)
        elif path:
            self.keys.setdefault(path[0], ValueSchema()).add_path(path[1:], kind)

    @property
    def is_layout_only(self) -> bool:
        """True if only the drawing uses this value."""
        if self.range is not None:
            return self.range.rule == LAYOUT
        return self.entry is not None and self.entry.is_layout_only

    def accepts_kind(self, kind: str) -> bool:
        return not self.kinds or kind in self.kinds or (kind == WHOLE and NUMBER in self.kinds)

    def find_key_schema(self, key: str) -> "ValueSchema | None":
        """Return the schema for a key of this table, or None if the key is not allowed."""
        if key in self.keys:
            return self.keys[key]
        if key in COMMON_KEYS:
            return TEXT_SCHEMA
        for ending in ANNOTATION_SUFFIXES:
            if key.endswith(ending) and key.removesuffix(ending) in self.keys:
                return self.keys[key.removesuffix(ending)] if ending == "_fr" else TEXT_SCHEMA
        return None


TEXT_SCHEMA = ValueSchema()
TEXT_SCHEMA.allow_value("")


class ComponentsSchema:
    """The schema of the components files of the game in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed = read_components(folder / "components.toml")
        self.root_schema = ValueSchema()
        self.root_schema.allow_value(self.printed.data)
        self._old_paths = {path.stem: path for path in sorted((folder / "old").glob("*.toml"))}
        for path in self._old_paths.values():
            self.root_schema.allow_value(read_components(path).data)
        numbers = read_components(folder / "numbers.toml")
        self.text_keys = (*COMMON_TEXT_KEYS, *(numbers.texts("words") if numbers.has("words") else ()))
        self.ranges = read_ranges(numbers)
        for number_range in self.ranges:
            self._attach_range(number_range)
        hashes = read_components(folder / "hashes.toml") if (folder / "hashes.toml").exists() else None
        self.hashes = {} if hashes is None else {hash: hashes.row(hash) for hash in hashes.data}

    def find_current_hash(self, hash: str) -> str:
        """Return the current hash for the hash of a released file. Other hashes are returned unchanged."""
        passed: set[str] = set()
        while hash in self.hashes and self.hashes[hash].has("same_as") and hash not in passed:
            passed.add(hash)
            hash = self.hashes[hash].text("same_as")
        return hash

    def read_old_file(self, hash: str) -> ComponentsFile | None:
        """Return the components file of an earlier release, or None."""
        return read_components(self._old_paths[hash]) if hash in self._old_paths else None

    def _attach_range(self, number_range: NumberRange) -> None:
        for path in product(*(step.split("|") for step in number_range.path.split("."))):
            if number_range.optional:
                self.root_schema.add_path(path, number_range.kind)
            place = self.root_schema.find_schema(path)
            if place is None or number_range.kind not in place.kinds:
                raise BadComponents(
                    f"numbers.toml: {'.'.join(path)} names no {number_range.kind[2:]} in {self.printed.where}"
                )
            if place.range is not None:
                raise BadComponents(f"numbers.toml: {number_range.path} and {place.range.path} name the same numbers")
            place.range = number_range

    def check(self, file: ComponentsFile) -> None:
        """Raise BadComponents, with one sentence, unless the file follows the schema."""
        checker = _SchemaChecker(file)
        checker.check_children(self.root_schema, file.data)
        if checker.faults:
            raise BadComponents(checker.first_problem, checker.faults)

    def find_faults(self, file: ComponentsFile) -> list[ComponentsFault]:
        """Return every violation of the schema."""
        checker = _SchemaChecker(file)
        checker.check_children(self.root_schema, file.data)
        return checker.faults


def read_ranges(numbers: ComponentsFile) -> list[NumberRange]:
    """Return every entry of a `numbers.toml`, in its order."""
    number_ranges = [NumberRange(row) for row in numbers.rows("number", "path")] if numbers.has("number") else []
    for group in numbers.rows("group", "name") if numbers.has("group") else ():
        number_ranges += [NumberRange(row, group.text("name")) for row in group.rows("number", "path")]
    return number_ranges


def hash_rules_data(data: Mapping[str, object], schema: ComponentsSchema | None) -> str:
    """Return the hash of the values that the rules read. Texts and layout numbers are left out."""
    if schema is None:
        return hash_data(_filter_rules_data(data, None, COMMON_TEXT_KEYS))
    return hash_data(_filter_rules_data(data, schema.root_schema, schema.text_keys))


def _filter_rules_data(
    data: Mapping[str, object], shape: ValueSchema | None, text_keys: Sequence[str]
) -> dict[str, object]:
    filtered: dict[str, object] = {}
    for key, value in data.items():
        inner = None if shape is None else shape.find_key_schema(key)
        if (
            key not in text_keys
            and not key.endswith(ANNOTATION_SUFFIXES)
            and not (inner is not None and inner.is_layout_only)
        ):
            filtered[key] = _filter_value(value, inner, text_keys)
    return filtered


def _filter_value(value: object, shape: ValueSchema | None, text_keys: Sequence[str]) -> object:
    if isinstance(value, Mapping):
        return _filter_rules_data(value, shape, text_keys)
    if isinstance(value, list):
        entry = None if shape is None else shape.entry
        return [_filter_value(item, entry, text_keys) for item in value]
    return value


class _SchemaChecker:
    """A traversal of a file that collects violations. It formats the current path only for a violation."""

    def __init__(self, file: ComponentsFile) -> None:
        self.file = file
        self.path: list[str | int] = []
        self.faults: list[ComponentsFault] = []
        self.first_problem = ""  # the first violation, in English

    def check_children(self, shape: ValueSchema, value: object) -> None:
        if isinstance(value, dict):
            for key, child in value.items():
                self.path.append(key)
                allowed = shape.find_key_schema(key)
                if allowed is None:
                    self.add_fault(
                        "", False, Message("there is no {0} here; {1}", repr(key), suggest_names(key, shape.keys))
                    )
                else:
                    self.check_value(allowed, child)
                self.path.pop()
        elif isinstance(value, list) and shape.entry is not None:
            for i, child in enumerate(value):
                self.path.append(i)
                self.check_value(shape.entry, child)
                self.path.pop()

    def check_value(self, shape: ValueSchema, value: object) -> None:
        number_range = shape.range
        if not shape.accepts_kind(kind_name(value)):
            shown: Arg = Message(kind_name(value)) if isinstance(value, (list, dict)) else repr(value)
            self.add_fault("", True, Message("must be {0}, not {1}", _join_kinds(shape.kinds), shown))
        elif number_range is not None and isinstance(value, (int, float)) and not number_range.contains(value):
            self.add_fault(
                number_range.rule, True, Message("must be {0}, not {1}", number_range.describe(), str(value))
            )
        else:
            self.check_children(shape, value)

    def add_fault(self, rule: str, include_name: bool, why: Message) -> None:
        self.faults.append(ComponentsFault(rule, self._format_path(), why))
        if not self.first_problem:
            text = Reader().read(why) + (f" ({rule})" if rule else "")
            self.first_problem = f"{self.file.where}: {self._describe_place(include_name)}{text}"

    def _format_path(self) -> str:
        """Return the current path as `ComponentsFile.value_at` reads it."""
        steps: list[str] = []
        value: object = self.file.data
        for step in self.path:
            if isinstance(step, int) and isinstance(value, list):
                steps.append(entry_names(value)[step])
                value = value[step]
            elif isinstance(value, dict):
                steps.append(str(step))
                value = value[step]
        return ".".join(steps)

    def _describe_place(self, include_name: bool) -> str:
        """Return the current position in words, for example ``events.card 'O17': points``.

        It begins a sentence such as *mine.toml: events.card 'O17': points must be from 1 to 7, not 70*.
        """
        words: list[str] = []
        value: object = self.file.data
        for step in self.path[:-1]:
            if isinstance(step, str) and isinstance(value, dict):
                value = value[step]
                words.append(step)
            elif isinstance(step, int) and isinstance(value, list):
                value = value[step]
                words[-1] += f" {describe_entry(value, step + 1)}"
        last = self.path[-1]
        name = last if isinstance(last, str) else f"{words.pop()}, entry {last + 1},"
        entry = f"{'.'.join(words)}: " if words else ""
        return f"{entry}{f'{name} ' if include_name else ''}"


def _join_kinds(kinds: Sequence[str]) -> Arg:
    """Return the kinds of values in words, joined with "or"."""
    first, *others = kinds
    kinds_text: Arg = Message(first)
    for other in others:
        kinds_text = Message("{0} or {1}", kinds_text, Message(other))
    return kinds_text


def describe_entry(item: object, i: int) -> str:
    """Return the name of an entry for messages: its first field, as in ``card 'O17'``, or its index."""
    first = next(iter(item.values()), None) if isinstance(item, dict) else None
    return repr(first) if isinstance(first, (str, int)) else str(i)
