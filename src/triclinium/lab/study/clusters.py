"""Sums over deals, from tables of rows: what cluster-robust errors are made of."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import polars as pl

from triclinium.lab.study.statistics import DealSums
from triclinium.lab.study.store import Folder

DEALS = "deals"


def deal_of(folder: Folder) -> pl.Expr:
    """Return the deal of a row, which the number of its match says."""
    plan = folder.plan
    return pl.col("match") // plan.turns // len(plan.arms)


def sums_over_deals(*groups: Sequence[str]) -> list[pl.Expr]:
    """Return the aggregations that `deal_sums` needs, over rows of which each is a deal, for groups of columns."""
    found = {DEALS: pl.len()}
    for columns in groups:
        found |= {name: pl.col(name).sum() for name in columns}
        for a, b in combinations_with_replacement(columns, 2):
            found[f"{a}*{b}"] = (pl.col(a) * pl.col(b)).sum()
    return [expression.alias(name) for name, expression in found.items()]


def deal_sums(row: Mapping[str, Any], columns: Sequence[str]) -> DealSums:
    """Return the sums of some columns from an aggregated row."""
    products = [[int(row[f"{a}*{b}"]) for b in columns[i:]] for i, a in enumerate(columns)]
    return DealSums(int(row[DEALS]), [int(row[name]) for name in columns], products)
