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
    Table,
    entry_names,
    hash_of,
    kind_of,
    read_components,
)
from triclinium.engine.core.errors import BadComponents, Fault, nearest
from triclinium.engine.core.text import Arg, Message, Reader

LAYOUT = "layout"
EVERY = "*"
ANYWHERE = ("source", "note")  # what any table may say about itself
ABOUT = ("_fr", "_source")  # what may be said about any key
WORDS_ANYWHERE = ("name", "text", *ANYWHERE)  # what is for people, in the file of any game


class Range:
    """How far the numbers at a path may go, by which rule, and what they are called."""

    def __init__(self, row: Table, group: str = "") -> None:
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
        told = row.has("hidden") and row.flag("hidden")
        self.hidden = told or self.rule == LAYOUT or self.low == self.high
        if self.low > self.high:
            raise BadComponents(f"{row.where}: low must not be above high")

    def takes(self, number: float) -> bool:
        return self.low <= number <= self.high

    def said(self) -> Arg:
        """The range in words: ``from 1 to 7``, or ``2`` where there is no choice."""
        low, high = f"{self.low:g}", f"{self.high:g}"
        return low if self.low == self.high else Message("from {0} to {1}", low, high)


class Shape:
    """What may stand at one place of the file."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.keys: dict[str, Shape] = {}  # of a table
        self.entry: Shape | None = None  # of a list
        self.range: Range | None = None  # of a number

    def show(self, value: object) -> None:
        """Allow what stands here in the printed file."""
        kind = kind_of(value)
        if kind not in self.kinds:
            self.kinds.append(kind)
        if isinstance(value, dict):
            for key, inner in value.items():
                self.keys.setdefault(key, Shape()).show(inner)
        elif isinstance(value, list):
            self.entry = self.entry or Shape()
            for inner in value:
                self.entry.show(inner)

    def at(self, path: Sequence[str]) -> "Shape | None":
        """The place that a path names; None: there is no such place."""
        if not path:
            return self
        inner = self.entry if path[0] == EVERY else self.keys.get(path[0])
        return inner.at(path[1:]) if inner else None

    def grow(self, path: Sequence[str], kind: str) -> None:
        """Make room for a number that the printed file lacks."""
        wanted = kind if not path else LIST if path[0] == EVERY else TABLE
        if wanted not in self.kinds:
            self.kinds.append(wanted)
        if path and path[0] == EVERY:
            self.entry = self.entry or Shape()
            self.entry.grow(path[1:], kind)
        elif path:
            self.keys.setdefault(path[0], Shape()).grow(path[1:], kind)

    @property
    def drawn_only(self) -> bool:
        """Whether only the drawing reads what stands here."""
        if self.range is not None:
            return self.range.rule == LAYOUT
        return self.entry is not None and self.entry.drawn_only

    def takes(self, kind: str) -> bool:
        return not self.kinds or kind in self.kinds or (kind == WHOLE and NUMBER in self.kinds)

    def key(self, key: str) -> "Shape | None":
        """What may stand at a key of this table; None: nothing."""
        if key in self.keys:
            return self.keys[key]
        if key in ANYWHERE:
            return WORDS
        for ending in ABOUT:
            if key.endswith(ending) and key.removesuffix(ending) in self.keys:
                return self.keys[key.removesuffix(ending)] if ending == "_fr" else WORDS
        return None


WORDS = Shape()
WORDS.show("")


class Form:
    """The form of the components files of the game in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed = read_components(folder / "components.toml")
        self.shape = Shape()
        self.shape.show(self.printed.data)
        self._old = {path.stem: path for path in sorted((folder / "old").glob("*.toml"))}
        for path in self._old.values():
            self.shape.show(read_components(path).data)
        numbers = read_components(folder / "numbers.toml")
        self.words = (*WORDS_ANYWHERE, *(numbers.texts("words") if numbers.has("words") else ()))
        self.ranges = ranges(numbers)
        for found in self.ranges:
            self._place(found)
        hashes = read_components(folder / "hashes.toml") if (folder / "hashes.toml").exists() else None
        self.hashes = {} if hashes is None else {hash: hashes.row(hash) for hash in hashes.data}

    def same_as(self, hash: str) -> str:
        """The hash that a file of this hash has today, if it was ever released."""
        passed: set[str] = set()
        while hash in self.hashes and self.hashes[hash].has("same_as") and hash not in passed:
            passed.add(hash)
            hash = self.hashes[hash].text("same_as")
        return hash

    def old(self, hash: str) -> ComponentsFile | None:
        """The file of an earlier release."""
        return read_components(self._old[hash]) if hash in self._old else None

    def _place(self, found: Range) -> None:
        for path in product(*(step.split("|") for step in found.path.split("."))):
            if found.optional:
                self.shape.grow(path, found.kind)
            place = self.shape.at(path)
            if place is None or found.kind not in place.kinds:
                raise BadComponents(f"numbers.toml: {'.'.join(path)} names no {found.kind[2:]} in {self.printed.where}")
            if place.range is not None:
                raise BadComponents(f"numbers.toml: {found.path} and {place.range.path} name the same numbers")
            place.range = found

    def check(self, file: ComponentsFile) -> None:
        """Raise BadComponents, in one sentence, unless the file has this form."""
        walk = _Check(file)
        walk.inside(self.shape, file.data)
        if walk.faults:
            raise BadComponents(walk.first, walk.faults)

    def faults(self, file: ComponentsFile) -> list[Fault]:
        """Everything in the file that has not this form."""
        walk = _Check(file)
        walk.inside(self.shape, file.data)
        return walk.faults


def ranges(numbers: ComponentsFile) -> list[Range]:
    """Every entry of a `numbers.toml`, in its order."""
    found = [Range(row) for row in numbers.rows("number", "path")] if numbers.has("number") else []
    for group in numbers.rows("group", "name") if numbers.has("group") else ():
        found += [Range(row, group.text("name")) for row in group.rows("number", "path")]
    return found


def hash_of_rules(data: Mapping[str, object], form: Form | None) -> str:
    """The hash of what rules read in a file: no words, and no numbers that only the drawing reads."""
    if form is None:
        return hash_of(_rules(data, None, WORDS_ANYWHERE))
    return hash_of(_rules(data, form.shape, form.words))


def _rules(data: Mapping[str, object], shape: Shape | None, words: Sequence[str]) -> dict[str, object]:
    kept: dict[str, object] = {}
    for key, value in data.items():
        inner = None if shape is None else shape.key(key)
        if key not in words and not key.endswith(ABOUT) and not (inner is not None and inner.drawn_only):
            kept[key] = _rules_in(value, inner, words)
    return kept


def _rules_in(value: object, shape: Shape | None, words: Sequence[str]) -> object:
    if isinstance(value, Mapping):
        return _rules(value, shape, words)
    if isinstance(value, list):
        entry = None if shape is None else shape.entry
        return [_rules_in(one, entry, words) for one in value]
    return value


class _Check:
    """A walk through a file; it remembers where it is, and puts it into words only if something is wrong there."""

    def __init__(self, file: ComponentsFile) -> None:
        self.file = file
        self.path: list[str | int] = []
        self.faults: list[Fault] = []
        self.first = ""  # what is wrong first, in English

    def inside(self, shape: Shape, value: object) -> None:
        if isinstance(value, dict):
            for key, found in value.items():
                self.path.append(key)
                allowed = shape.key(key)
                if allowed is None:
                    self.wrong("", False, Message("there is no {0} here; {1}", repr(key), nearest(key, shape.keys)))
                else:
                    self.at(allowed, found)
                self.path.pop()
        elif isinstance(value, list) and shape.entry is not None:
            for i, found in enumerate(value):
                self.path.append(i)
                self.at(shape.entry, found)
                self.path.pop()

    def at(self, shape: Shape, value: object) -> None:
        span = shape.range
        if not shape.takes(kind_of(value)):
            shown: Arg = Message(kind_of(value)) if isinstance(value, (list, dict)) else repr(value)
            self.wrong("", True, Message("must be {0}, not {1}", _either(shape.kinds), shown))
        elif span is not None and isinstance(value, (int, float)) and not span.takes(value):
            self.wrong(span.rule, True, Message("must be {0}, not {1}", span.said(), str(value)))
        else:
            self.inside(shape, value)

    def wrong(self, rule: str, named: bool, why: Message) -> None:
        self.faults.append(Fault(rule, self._written(), why))
        if not self.first:
            said = Reader().read(why) + (f" ({rule})" if rule else "")
            self.first = f"{self.file.where}: {self._described(named)}{said}"

    def _written(self) -> str:
        """The path, as `ComponentsFile.edited` reads it."""
        steps: list[str] = []
        found: object = self.file.data
        for step in self.path:
            if isinstance(step, int) and isinstance(found, list):
                steps.append(entry_names(found)[step])
                found = found[step]
            elif isinstance(found, dict):
                steps.append(str(step))
                found = found[step]
        return ".".join(steps)

    def _described(self, named: bool) -> str:
        """``events.card 'O17': points``, as in *mine.toml: events.card 'O17': points must be from 1 to 7, not 70*."""
        words: list[str] = []
        found: object = self.file.data
        for step in self.path[:-1]:
            if isinstance(step, str) and isinstance(found, dict):
                found = found[step]
                words.append(step)
            elif isinstance(step, int) and isinstance(found, list):
                found = found[step]
                words[-1] += f" {called(found, step + 1)}"
        last = self.path[-1]
        name = last if isinstance(last, str) else f"{words.pop()}, entry {last + 1},"
        entry = f"{'.'.join(words)}: " if words else ""
        return f"{entry}{f'{name} ' if named else ''}"


def _either(kinds: Sequence[str]) -> Arg:
    """One kind of value or another, in words."""
    first, *others = kinds
    said: Arg = Message(first)
    for other in others:
        said = Message("{0} or {1}", said, Message(other))
    return said


def called(item: object, i: int) -> str:
    """What an entry of a list is known by: its first field, as in ``card 'O17'``, or its place."""
    first = next(iter(item.values()), None) if isinstance(item, dict) else None
    return repr(first) if isinstance(first, (str, int)) else str(i)
