"""A components file as it is read: typed, with an error that names the table, the entry and the field."""

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Final

from triclinium.engine.core.errors import BadComponents, nearest
from triclinium.engine.core.text import Name

FILES_KEPT: Final = 16  # edited files of which titles and drawings are kept; others are read and drawn anew


class Table:
    """One table of the file, or one entry of a list of tables."""

    def __init__(self, where: str, data: Mapping[str, object], context: str = "") -> None:
        self.where = where
        self.data = data
        self.context = context  # the key that it stands at: what its names are translated as

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

    def row(self, key: str) -> "Table":
        value = self._get(key)
        if not isinstance(value, Mapping):
            raise BadComponents(f"{self.where}: {key} must be a table")
        return Table(f"{self.where}.{key}", value, key)

    def rows(self, key: str, called: str = "id") -> list["Table"]:
        """A list of tables; ``called`` is the field that names each in errors."""
        found: list[Table] = []
        for i, item in enumerate(self._list(key)):
            if not isinstance(item, Mapping):
                raise BadComponents(f"{self.where}: {key} must be a list of tables")
            found.append(Table(f"{key} {item.get(called, i)!r}", item, key))
        return found

    def name(self, key: str = "name") -> Name:
        """A word for people: English here, and translated by the catalogue in the context of its table and key."""
        return Name(self.text(key), name_context(self.context, key))

    def index(self, key: str, among: Sequence[str]) -> int:
        """The place of the named thing in a list of ids."""
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


class ComponentsFile(Table):
    """A whole components file, with the hash of all that it says. `Game.hash` covers only what rules read."""

    def __init__(self, text: str, where: str) -> None:
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BadComponents(f"{where} is not readable TOML: {error}") from None
        super().__init__(where, data)
        self.hash = hash_of(data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComponentsFile) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def edited(self, changes: Mapping[str, object]) -> "ComponentsFile":
        """The same file with other values: a path such as ``events.card.3.points`` to what shall stand there."""
        sheet = copy(self)
        for path, value in changes.items():
            sheet.data = _table_with(sheet.data, path.split("."), value, path)
        sheet.hash = hash_of(sheet.data)
        return sheet


def hash_of(data: Mapping[str, object]) -> str:
    """The hash of the data of a file, whatever the order and the remarks of its text."""
    canonical = json.dumps(data, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def _table_with(table: Mapping[str, object], path: list[str], value: object, whole: str) -> Mapping[str, object]:
    if path[0] not in table:
        raise BadComponents(f"{whole}: there is no {path[0]!r}; {nearest(path[0], table)}")
    return {**table, path[0]: _with(table[path[0]], path[1:], value, whole)}


def _with(inside: object, path: list[str], value: object, whole: str) -> object:
    if not path:
        return value
    if isinstance(inside, Mapping):
        return _table_with(inside, path, value, whole)
    if not isinstance(inside, list) or not path[0].isdigit() or int(path[0]) >= len(inside):
        raise BadComponents(f"{whole}: there is no entry {path[0]}")
    i = int(path[0])
    return [*inside[:i], _with(inside[i], path[1:], value, whole), *inside[i + 1 :]]


def read_components(path: Path) -> ComponentsFile:
    """The sheet of a file on disk."""
    try:
        return ComponentsFile(path.read_text(encoding="utf-8"), path.name)
    except OSError as error:
        raise BadComponents(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadComponents(f"{path} is not UTF-8 text") from None


def check(holds: bool, constraint: str, entry: str, sentence: str) -> None:
    """Raise BadComponents, naming the constraint and the entry, unless it holds."""
    if not holds:
        raise BadComponents(f"{constraint}: {entry}: {sentence}")


def name_context(table: str, key: str) -> str:
    """``place`` for the name of a place, ``card title`` for the title of a card."""
    return table if key == "name" else f"{table} {key}".strip()
