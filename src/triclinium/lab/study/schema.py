"""Tables of a study: the data recorded of matches, taken from the contract of games alone.

    matches   one row for each match
    seats     one row for each seat: place in the turn order, rank, share of the win, points, number of choices,
              and number of options at these choices
    lines     one row for each seat and line of the score sheet
    choices   one row for each seat, step, option and tenth of the match: how often offered and how often taken
              (in some deals; without the tenth in a match with too many different choices)
    things    one row for each seat and component: how often an option could take it, how often one did, and how
              many the seat has at the end (in some deals); the whole table adds its table, id and name
    moments   one row for each seat and moment: win probability by the value model on the true state, current points
    decisions one row for each decision, with all its options (on request; all other tables are aggregates)

A moment is recorded when no action is half done and either another seat is asked or 1/64 of the match has passed.
"""

from collections.abc import Mapping
from typing import Final

import polars as pl

CHANCE_SCALE: Final = 1000  # stored value of a win probability of 1
SCHEMAS: Final[Mapping[str, dict[str, pl.DataType | type[pl.DataType]]]] = {
    "matches": {
        "match": pl.Int32,
        "arm": pl.Int16,
        "deal": pl.Int32,
        "rotation": pl.Int8,
        "first": pl.Int8,
        "decisions": pl.Int32,
        "asked": pl.Int32,
        "rounds": pl.Int32,
        "turns": pl.Int32,
        "faults": pl.Int32,
        "cuts": pl.Int32,
        "seconds": pl.Float32,
        "digest": pl.Int64,
    },
    "seats": {
        "match": pl.Int32,
        "seat": pl.Int8,
        "place": pl.Int8,
        "bot": pl.Int8,
        "rank": pl.Int8,
        "share": pl.Float64,
        "total": pl.Int32,
        "asked": pl.Int32,
        "width": pl.Int32,
    },
    "lines": {"match": pl.Int32, "seat": pl.Int8, "line": pl.String, "group": pl.String, "points": pl.Int32},
    "choices": {
        "match": pl.Int32,
        "seat": pl.Int8,
        "step": pl.String,
        "option": pl.String,
        "tenth": pl.Int8,
        "offered": pl.Int32,
        "taken": pl.Int32,
    },
    "things": {
        "match": pl.Int32,
        "seat": pl.Int8,
        "thing": pl.Int32,
        "offered": pl.Int32,
        "taken": pl.Int32,
        "held": pl.Int32,
    },
    "moments": {
        "match": pl.Int32,
        "moment": pl.Int16,
        "seat": pl.Int8,
        "n": pl.Int32,
        "progress": pl.Float32,
        "actor": pl.Int8,
        "chance": pl.Int16,  # The value is in thousandths, because integers compress better.
        "total": pl.Int32,
    },
    "decisions": {
        "match": pl.Int32,
        "n": pl.Int32,
        "seat": pl.Int8,
        "step": pl.String,
        "progress": pl.Float32,
        "options": pl.List(pl.String),
        "taken": pl.String,
    },
}
DECISIONS_TABLE: Final = "decisions"

# The order of rows that makes the smallest file. Other tables are ordered by match. The match number comes last in the
# table of choices, because it compresses badly in any order.
ROW_ORDERS: Final[Mapping[str, list[str]]] = {
    "choices": ["step", "option", "taken", "offered", "tenth", "seat", "match"],
    "things": ["thing", "match", "seat"],
}


def list_table_names(every_choice: bool) -> tuple[str, ...]:
    """Return the names of the tables that a study writes."""
    return tuple(name for name in SCHEMAS if every_choice or name != DECISIONS_TABLE)
