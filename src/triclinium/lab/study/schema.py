"""The tables of a study: what is noted of matches, from the contract of games alone.

    matches   one row a match
    seats     one row a seat: place in the order of turns, rank, share of the win, points, how often asked, how widely
    lines     one row a seat and line of the score sheet
    choices   one row a seat, step, option and tenth of the match: how often offered, how often taken (some deals;
              without the tenth where a match has too many)
    things    one row a seat and component: how often an option would have taken it, how often one did, how many of it
              the seat has at the end (some deals); the whole table names the component by table, id and name
    moments   one row a seat and quiet moment: its chance by the judge on the true state, its points as they stand
    decisions one row a decision with all its options, for those who ask for it: every other table sums up

A moment is one at which no action is half done, and another seat is asked or 1/64 of the match has gone by.
"""

from collections.abc import Mapping
from typing import Final

import polars as pl

CHANCE_SCALE: Final = 1000  # what a certain win is noted as
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
        "chance": pl.Int16,  # in thousandths: whole numbers take less room
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

# The order of rows that makes the smallest file; others lie by match as they were noted. Of choices what repeats comes
# first, the match last: its number is the one column that no order makes cheap.
ROW_ORDERS: Final[Mapping[str, list[str]]] = {
    "choices": ["step", "option", "taken", "offered", "tenth", "seat", "match"],
    "things": ["thing", "match", "seat"],
}


def list_table_names(every_choice: bool) -> tuple[str, ...]:
    """The tables that a study writes."""
    return tuple(name for name in SCHEMAS if every_choice or name != DECISIONS_TABLE)
