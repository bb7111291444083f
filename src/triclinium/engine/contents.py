"""What is in the box: every list of a components file as a table with headings, for the rules page and translators."""

from collections.abc import Mapping
from dataclasses import dataclass

from triclinium.engine.core.components import name_context
from triclinium.engine.core.text import Name

HEADING = "component list"  # what names of lists and of their columns are translated as
COLUMN = "column"
UNLISTED = ("source", "note")


@dataclass(frozen=True)
class ComponentList:
    """One list: its heading, where its numbers come from, its columns, and its entries."""

    key: str
    heading: Name
    source: str
    columns: list[str]
    entries: list[Mapping[str, object]]

    def column_name(self, column: str) -> Name:
        return Name(column.replace("_", " "), COLUMN)

    def word(self, column: str, text: str) -> Name:
        """A word of an entry, to be translated in its own context."""
        return Name(text, name_context(self.key, column))


def lists_of(data: Mapping[str, object]) -> list[ComponentList]:
    """Every list of tables of a components file, at the top and one level below."""
    found: list[ComponentList] = []
    for key, value in data.items():
        if isinstance(value, Mapping):
            source = str(value.get("source", ""))
            inner = ((name, _entries(items)) for name, items in value.items())
            found += [_list(f"{key} {name}", name, entries, source) for name, entries in inner if entries]
        elif entries := _entries(value):
            found.append(_list(key, key, entries, ""))
    return found


def _entries(value: object) -> list[Mapping[str, object]]:
    """The tables of a list of tables; nothing of anything else."""
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        return []
    return list(value)


def _list(name: str, key: str, entries: list[Mapping[str, object]], source: str) -> ComponentList:
    sources = sorted({str(entry["source"]) for entry in entries if "source" in entry})
    columns = dict.fromkeys(column for entry in entries for column in entry if column not in UNLISTED)
    shown = [column for column in columns if not column.endswith("_fr")]  # as files were written before catalogues
    heading = Name(name.replace("_", " ").capitalize(), HEADING)
    return ComponentList(key, heading, ", ".join(sources) or source, shown, entries)
