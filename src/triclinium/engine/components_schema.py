"""The form of a game's components files: which keys there are, of which type, and how far each number may go.

The printed file shows the keys and their types: what it holds an edited one may hold. The ranges stand in the game's
`numbers.toml`, one entry for each number or list of numbers:

    [[group]]
    name = "Cards"
    number = [
      { path = "events.card.*.points", name = "Points of {0}", low = 1, high = 7, rule = "PP-C15" },
    ]

In a path `*` is every entry of a list, and `red|blue` is either key; they fill the holes of the name, in order. The
rule is the one that speaks of the number, or LAYOUT where only the drawing does. `optional = true` marks a number that
the printed file lacks and another may hold, `hidden = true` one that no rule reads or that repeats others; it needs no
name. `step` is by how much a designer changes it (1), `first` what the first member of a list is called (1). A list
`words` above the numbers names the keys, besides those of every game, that hold words for people. Groups may be left
out.

Two files are the same to records and tables if rules read the same in them: words and what only the drawing reads are
no part of the hash. `hashes.toml` lists the hash of every file that was ever released:

    "3f2a5d0c1f0a9be2" = { same_as = "9b1c40aa37d2f018", why = "names left the hash" }
    "9b1c40aa37d2f018" = { why = "two cards cost less" }

One without `same_as` is that of the printed file, or of `old/9b1c40aa37d2f018.toml`, kept when rules data changed.
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
COMMON_KEYS = ("source", "note")  # what any table may say about itself
ANNOTATION_SUFFIXES = ("_fr", "_source")  # what may be said about any key
COMMON_TEXT_KEYS = ("name", "text", *COMMON_KEYS)  # what is for people, in the file of any game


class NumberRange:
    """How far the numbers at a path may go, by which rule, and what they are called."""

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
        """The range in words: ``from 1 to 7``, or ``2`` where there is no choice."""
        low, high = f"{self.low:g}", f"{self.high:g}"
        return low if self.low == self.high else Message("from {0} to {1}", low, high)


class ValueSchema:
    """What may stand at one place of the file."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.keys: dict[str, ValueSchema] = {}  # of a table
        self.entry: ValueSchema | None = None  # of a list
        self.range: NumberRange | None = None  # of a number

    def allow_value(self, value: object) -> None:
        """Allow what stands here in the printed file."""
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
        """The place that a path names; None: there is no such place."""
        if not path:
            return self
        inner = self.entry if path[0] == ANY_ENTRY else self.keys.get(path[0])
        return inner.find_schema(path[1:]) if inner else None

    def add_path(self, path: Sequence[str], kind: str) -> None:
        """Make room for a number that the printed file lacks."""
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
        """Whether only the drawing reads what stands here."""
        if self.range is not None:
            return self.range.rule == LAYOUT
        return self.entry is not None and self.entry.is_layout_only

    def accepts_kind(self, kind: str) -> bool:
        return not self.kinds or kind in self.kinds or (kind == WHOLE and NUMBER in self.kinds)

    def find_key_schema(self, key: str) -> "ValueSchema | None":
        """What may stand at a key of this table; None: nothing."""
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
    """The form of the components files of the game in a folder."""

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
        """The hash that a file of this hash has today, if it was ever released."""
        passed: set[str] = set()
        while hash in self.hashes and self.hashes[hash].has("same_as") and hash not in passed:
            passed.add(hash)
            hash = self.hashes[hash].text("same_as")
        return hash

    def read_old_file(self, hash: str) -> ComponentsFile | None:
        """The file of an earlier release."""
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
        """Raise BadComponents, in one sentence, unless the file has this form."""
        checker = _SchemaChecker(file)
        checker.check_children(self.root_schema, file.data)
        if checker.faults:
            raise BadComponents(checker.first_problem, checker.faults)

    def find_faults(self, file: ComponentsFile) -> list[ComponentsFault]:
        """Everything in the file that has not this form."""
        checker = _SchemaChecker(file)
        checker.check_children(self.root_schema, file.data)
        return checker.faults


def read_ranges(numbers: ComponentsFile) -> list[NumberRange]:
    """Every entry of a `numbers.toml`, in its order."""
    number_ranges = [NumberRange(row) for row in numbers.rows("number", "path")] if numbers.has("number") else []
    for group in numbers.rows("group", "name") if numbers.has("group") else ():
        number_ranges += [NumberRange(row, group.text("name")) for row in group.rows("number", "path")]
    return number_ranges


def hash_rules_data(data: Mapping[str, object], schema: ComponentsSchema | None) -> str:
    """The hash of what rules read in a file: no words, and no numbers that only the drawing reads."""
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
    """A walk through a file; it remembers where it is, and puts it into words only if something is wrong there."""

    def __init__(self, file: ComponentsFile) -> None:
        self.file = file
        self.path: list[str | int] = []
        self.faults: list[ComponentsFault] = []
        self.first_problem = ""  # what is wrong first, in English

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
        """The path, as `ComponentsFile.edited` reads it."""
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
        """``events.card 'O17': points``, as in *mine.toml: events.card 'O17': points must be from 1 to 7, not 70*."""
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
    """One kind of value or another, in words."""
    first, *others = kinds
    kinds_text: Arg = Message(first)
    for other in others:
        kinds_text = Message("{0} or {1}", kinds_text, Message(other))
    return kinds_text


def describe_entry(item: object, i: int) -> str:
    """What an entry of a list is known by: its first field, as in ``card 'O17'``, or its place."""
    first = next(iter(item.values()), None) if isinstance(item, dict) else None
    return repr(first) if isinstance(first, (str, int)) else str(i)
