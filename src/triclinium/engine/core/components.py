"""Typed access to a components file, with errors that name the table, the entry and the field.

A path names a value inside the file, for example ``events.card.O17.points``. Its keys are joined by dots. An entry of a
list of tables is named by its ``id``, else by its ``num``, else by its index from 0. A member of a plain list is named
by its index.
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from triclinium.engine.core.errors import BadComponents, ComponentsFault, suggest_names
from triclinium.engine.core.text import Arg, Message, Name, Reader, msgid
from triclinium.engine.core.toml import to_toml

FILE_CACHE_SIZE: Final = 16  # number of edited files whose games and drawings stay in the cache

WHOLE: Final = msgid("a whole number")
NUMBER: Final = msgid("a number")
TEXT: Final = msgid("text")
FLAG: Final = msgid("true or false")
LIST: Final = msgid("a list")
TABLE: Final = msgid("a table")
KINDS: Final[dict[type, str]] = {int: WHOLE, float: NUMBER, str: TEXT, bool: FLAG, list: LIST, dict: TABLE}


class ComponentsTable:
    """One table of the file, or one entry of a list of tables.

    Each getter raises BadComponents if the value is missing or has another type.
    """

    def __init__(self, where: str, data: Mapping[str, object], context: str = "", path: str = "") -> None:
        self.where = where
        self.data = data
        self.context = context  # the key of this table, used as the translation context of its names
        self.path = path  # "" for the whole file

    def has(self, key: str) -> bool:
        return key in self.data

    def integer(self, key: str) -> int:
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadComponents(f"{self.where}: {key} must be a whole number, not {value!r}")
        return value

    def number(self, key: str) -> float:
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise BadComponents(f"{self.where}: {key} must be a number, not {value!r}")
        return float(value)

    def text(self, key: str) -> str:
        value = self._get(key)
        if not isinstance(value, str):
            raise BadComponents(f"{self.where}: {key} must be text, not {value!r}")
        return value

    def flag(self, key: str) -> bool:
        value = self._get(key)
        if not isinstance(value, bool):
            raise BadComponents(f"{self.where}: {key} must be true or false, not {value!r}")
        return value

    def integers(self, key: str) -> list[int]:
        items = self._list(key)
        for item in items:
            if isinstance(item, bool) or not isinstance(item, int):
                raise BadComponents(f"{self.where}: {key} must hold whole numbers, not {item!r}")
        return [item for item in items if isinstance(item, int)]

    def texts(self, key: str) -> list[str]:
        items = self._list(key)
        for item in items:
            if not isinstance(item, str):
                raise BadComponents(f"{self.where}: {key} must hold texts, not {item!r}")
        return [item for item in items if isinstance(item, str)]

    def pair(self, key: str) -> tuple[float, float]:
        items = [item for item in self._list(key) if isinstance(item, (int, float)) and not isinstance(item, bool)]
        if len(items) != 2 or len(self._list(key)) != 2:
            raise BadComponents(f"{self.where}: {key} must be two numbers, not {self._get(key)!r}")
        return float(items[0]), float(items[1])

    def row(self, key: str) -> "ComponentsTable":
        value = self._get(key)
        if not isinstance(value, Mapping):
            raise BadComponents(f"{self.where}: {key} must be a table")
        return ComponentsTable(f"{self.where}.{key}", value, key, self.path_to(key))

    def path_to(self, key: str) -> str:
        """Return the path of the value at a key of this table."""
        return f"{self.path}.{key}" if self.path else key

    def rows(self, key: str, name_key: str = "id") -> list["ComponentsTable"]:
        """Return the entries of a list of tables. ``name_key`` is the field that names each entry in errors."""
        tables: list[ComponentsTable] = []
        items = self._list(key)
        names = entry_names(items)
        for i, item in enumerate(items):
            if not isinstance(item, Mapping):
                raise BadComponents(f"{self.where}: {key} must be a list of tables")
            tables.append(
                ComponentsTable(f"{key} {item.get(name_key, i)!r}", item, key, f"{self.path_to(key)}.{names[i]}")
            )
        return tables

    def name(self, key: str = "name") -> Name:
        """Return a translatable name: English text, with the table and the key as translation context."""
        return Name(self.text(key), name_context(self.context, key))

    def index(self, key: str, among: Sequence[str]) -> int:
        """Return the index of the named thing in a list of ids."""
        return self.find(self.text(key), key, among)

    def indexes(self, key: str, among: Sequence[str]) -> list[int]:
        return [self.find(text, key, among) for text in self.texts(key)]

    def find(self, text: str, key: str, among: Sequence[str]) -> int:
        if text not in among:
            raise BadComponents(f"{self.where}: {key} names {text!r}, which is not among {', '.join(among)}")
        return among.index(text)

    def _get(self, key: str) -> object:
        if key not in self.data:
            raise BadComponents(f"{self.where}: {key} is missing")
        return self.data[key]

    def _list(self, key: str) -> list[object]:
        value = self._get(key)
        if not isinstance(value, list):
            raise BadComponents(f"{self.where}: {key} must be a list")
        return value


class ComponentsFile(ComponentsTable):
    """A whole components file, with a hash of all its data. `Game.hash` covers only the values that the rules read."""

    def __init__(self, text: str, where: str, data: Mapping[str, object] | None = None) -> None:
        if data is None:  # edited files pass their data, which saves writing and parsing TOML
            try:
                data = tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                raise BadComponents(f"{where} is not readable TOML: {error}") from None
        super().__init__(where, data)
        self._hash = ""
        # For each list that was accessed, by its path: the index of each entry.
        self._places: dict[str, dict[str, int]] = {}

    @property
    def hash(self) -> str:
        """The hash of all data of the file, computed on first use."""
        if not self._hash:
            self._hash = hash_data(self.data)
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by constructor arguments, because compiled classes have no default form."""
        return (ComponentsFile, ("", self.where, self.data))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComponentsFile) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def with_changes(self, changes: Mapping[str, object]) -> "ComponentsFile":
        """Return a copy of the file with some values replaced. ``changes`` maps paths to new values.

        A new value must have the type of the printed one. A whole number is accepted where the file has a decimal
        number. No path may lead into a value that another path replaces. Raise BadComponents if a path or a type is
        wrong.
        """
        data = dict(self.data)
        copies: dict[str, dict[str, object] | list[object]] = {"": data}
        for path, value in changes.items():
            kind = kind_name(self.value_at(path))
            if kind == NUMBER and kind_name(value) == WHOLE:
                assert isinstance(value, int)
                value = float(value)
            if kind_name(value) != kind:
                raise BadComponents(f"{path}: must be {kind}, not {value!r}")
            self._set_value(copies, path, value)
        return ComponentsFile("", self.where, data)

    def _set_value(self, copies: dict[str, dict[str, object] | list[object]], path: str, value: object) -> None:
        """Set the value at a path that `value_at` has found. Tables and lists on the way are copied once."""
        where, _, last = path.rpartition(".")
        if where not in copies:
            old_value = self.value_at(where)
            copies[where] = (
                list(old_value)
                if isinstance(old_value, list)
                else dict(old_value)
                if isinstance(old_value, dict)
                else []
            )
            self._set_value(copies, where, copies[where])
        container = copies[where]
        if isinstance(container, list):
            container[self._places[where][last]] = value
        else:
            container[last] = value

    def value_at(self, path: str) -> object:
        """Return the value at a path. Raise BadComponents, which suggests the nearest name, if there is none."""
        value: object = self.data
        where = ""
        for step in path.split("."):
            if isinstance(value, dict):
                if step not in value:
                    raise BadComponents(f"{path}: there is no {step!r}; {suggest_names(step, value)}")
                value = value[step]
            elif isinstance(value, list):
                if where not in self._places:
                    self._places[where] = {name: i for i, name in reversed(list(enumerate(entry_names(value))))}
                places = self._places[where]
                if step not in places:
                    raise BadComponents(f"{path}: there is no {step!r}; {suggest_names(step, entry_names(value))}")
                value = value[places[step]]
            else:
                raise BadComponents(f"{path}: there is nothing inside a value")
            where = f"{where}.{step}" if where else step
        return value

    def read(self, path: str, text: str) -> object:
        """Parse text, for example from a command line, as a value for this path.

        Raise BadComponents if it does not fit.
        """
        kind = kind_name(self.value_at(path))
        value = _parse_value(kind, text.strip())
        if value is None:
            raise BadComponents(f"{path}: must be {kind}, not {text!r}")
        return value

    def to_toml_text(self) -> str:
        """Return the file as TOML text, without its comments."""
        return to_toml(self.data)


def kind_name(value: object) -> str:
    """Return the type of a value in words."""
    return KINDS.get(type(value), f"a {type(value).__name__}")


def entry_names(items: Sequence[object]) -> list[str]:
    """Return the name of each entry of a list, as paths use it."""
    for key in ("id", "num"):
        names = [str(item[key]) for item in items if isinstance(item, Mapping) and key in item]
        if len(names) == len(items):
            return names
    return [str(i) for i in range(len(items))]


def _parse_value(kind: str, text: str) -> object:
    """Return the text parsed as a value of this kind, or None if it is not one."""
    if kind == TEXT:
        return text
    if kind == FLAG:
        return {"true": True, "false": False}.get(text)
    try:
        return int(text) if kind == WHOLE else float(text) if kind == NUMBER else None
    except ValueError:
        return None


def hash_data(data: Mapping[str, object]) -> str:
    """Return the hash of a file's data. It ignores the order of keys and the comments of the text."""
    canonical = json.dumps(data, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def read_components(path: Path) -> ComponentsFile:
    """Read a components file from disk. Raise BadComponents if it cannot be read."""
    try:
        return ComponentsFile(path.read_text(encoding="utf-8"), path.name)
    except OSError as error:
        raise BadComponents(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadComponents(f"{path} is not UTF-8 text") from None


class ConstraintCheck:
    """A collector of broken constraints: it tests all constraints of a file and keeps every failure.

    Constraints of the printed game are tested for the printed edition only, because other editions may differ there.
    All other constraints are required by the rules or the notation.
    """

    def __init__(self, printed: bool) -> None:
        self.printed = printed
        self.faults: list[ComponentsFault] = []

    def check(self, condition: bool, constraint: str, path: str, sentence: str, *figures: Arg) -> None:
        """Record a fault unless the condition holds. Every edition must meet it."""
        if not condition:
            self.faults.append(ComponentsFault(constraint, path, Message(sentence, *figures)))

    def check_printed(self, condition: bool, constraint: str, path: str, sentence: str, *figures: Arg) -> None:
        """Record a fault unless the condition holds. Only the printed game must meet it."""
        if self.printed and not condition:
            self.faults.append(ComponentsFault(constraint, path, Message(sentence, *figures)))


def check(condition: bool, constraint: str, path: str, sentence: str, *figures: Arg) -> None:
    """Raise BadComponents unless the condition holds. Use it for values that are needed to read the rest of a file."""
    if not condition:
        raise_faults([ComponentsFault(constraint, path, Message(sentence, *figures))])


def raise_faults(faults: list[ComponentsFault]) -> None:
    """Raise BadComponents if there is any fault. The error shows the first fault and keeps all of them."""
    if faults:
        raise BadComponents(faults[0].format(Reader()), faults)


def name_context(table: str, key: str) -> str:
    """Return the translation context of a name.

    It is ``place`` for the name of a place and ``card title`` for the title of a card.
    """
    return table if key == "name" else f"{table} {key}".strip()
