"""`summary.json`: everything that a report shows, equal byte for byte however a study was played, but for ``time``."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from math import isfinite

from triclinium.lab.study.choices import Option
from triclinium.lab.study.components import ThingReport
from triclinium.lab.study.plan import Edition
from triclinium.lab.study.summary import Summary

SIGNIFICANT = 6  # digits of every figure
SELDOM = 0.1  # offers a match, below which an option is not listed


def to_json(summary: Summary, screening: object = None) -> str:
    """The same bytes for the same figures, but for ``time``; a line for each entry of a list."""
    told = to_data(summary, screening)
    lines = [f"{json.dumps(key)}: {_spread(value, 1)}" for key, value in told.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _spread(value: object, depth: int) -> str:
    """JSON with long lists and objects of lists over many lines."""
    pad = " " * depth
    if isinstance(value, list) and value and isinstance(value[0], dict):
        rows = f",\n{pad}".join(json.dumps(one, ensure_ascii=False) for one in value)
        return f"[\n{pad}{rows}]"
    if isinstance(value, dict) and any(isinstance(one, list) for one in value.values()):
        rows = f",\n{pad}".join(f"{json.dumps(key)}: {_spread(one, depth + 1)}" for key, one in value.items())
        return f"{{\n{pad}{rows}}}"
    return json.dumps(value, ensure_ascii=False)


def to_data(summary: Summary, screening: object = None) -> dict[str, object]:
    """A summary as JSON holds it, with a screening if there is one; ``time`` comes last."""
    told = plain(replace(summary, options=_frequent(summary)))
    assert isinstance(told, dict)
    more = {} if screening is None else {"screening": plain(screening)}
    return {**{key: value for key, value in told.items() if key != "time"}, **more, "time": told["time"]}


def _frequent(summary: Summary) -> dict[str, list[Option]]:
    """The options that are on offer now and then: all others lie in the tables alone."""
    return {
        arm: [one for one in found if one.offered >= summary.arms[int(arm)].noted * SELDOM]
        for arm, found in summary.options.items()
    }


def plain(value: object) -> object:
    """What JSON can hold, numbers to so many digits; an edition without its text."""
    if isinstance(value, ThingReport):
        told = {one.name: plain(getattr(value, one.name)) for one in fields(value) if one.name != "name"}
        return {"name" if key == "label" else key: field for key, field in told.items()}
    if isinstance(value, Edition):
        changes = [change._asdict() for change in value.changes]
        return {"name": value.name, "hash": value.hash, "changes": changes}
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(one) for name, one in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return float(f"{value:.{SIGNIFICANT}g}") if isfinite(value) else None
    return value
