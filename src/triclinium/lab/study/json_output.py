"""`summary.json`: all figures of a report, byte for byte the same on every run except for ``time``."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from math import isfinite

from triclinium.lab.study.choices import OptionReport
from triclinium.lab.study.components import ComponentReport
from triclinium.lab.study.plan import Edition
from triclinium.lab.study.summary import StudySummary

SIGNIFICANT = 6  # significant digits of every number
MIN_OFFERS = 0.1  # minimum number of offers in a match for an option to be listed


def to_json(summary: StudySummary, screening: object = None) -> str:
    """Return a summary as JSON text with one line for each list entry. Only ``time`` differs between runs."""
    data = to_data(summary, screening)
    lines = [f"{json.dumps(key)}: {_dump_lines(value, 1)}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _dump_lines(value: object, depth: int) -> str:
    """Return JSON text with long lists and objects of lists broken over several lines."""
    pad = " " * depth
    if isinstance(value, list) and value and isinstance(value[0], dict):
        rows = f",\n{pad}".join(json.dumps(item, ensure_ascii=False) for item in value)
        return f"[\n{pad}{rows}]"
    if isinstance(value, dict) and any(isinstance(item, list) for item in value.values()):
        rows = f",\n{pad}".join(f"{json.dumps(key)}: {_dump_lines(item, depth + 1)}" for key, item in value.items())
        return f"{{\n{pad}{rows}}}"
    return json.dumps(value, ensure_ascii=False)


def to_data(summary: StudySummary, screening: object = None) -> dict[str, object]:
    """Return a summary as JSON data, with a screening if there is one; ``time`` comes last."""
    data = to_plain(replace(summary, options=_select_frequent_options(summary)))
    assert isinstance(data, dict)
    more = {} if screening is None else {"screening": to_plain(screening)}
    return {**{key: value for key, value in data.items() if key != "time"}, **more, "time": data["time"]}


def _select_frequent_options(summary: StudySummary) -> dict[str, list[OptionReport]]:
    """Return the options that are offered now and then; the others are only in the tables."""
    return {
        arm: [option for option in options if option.offered >= summary.arms[int(arm)].noted * MIN_OFFERS]
        for arm, options in summary.options.items()
    }


def to_plain(value: object) -> object:
    """Convert a value to JSON data with rounded numbers; an edition loses its text."""
    if isinstance(value, ComponentReport):
        entries = {item.name: to_plain(getattr(value, item.name)) for item in fields(value) if item.name != "name"}
        return {"name" if key == "label" else key: field for key, field in entries.items()}
    if isinstance(value, Edition):
        changes = [change._asdict() for change in value.changes]
        return {"name": value.name, "hash": value.hash, "changes": changes}
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: to_plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: to_plain(item) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(name): to_plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{SIGNIFICANT}g}") if isfinite(value) else None
    return value
