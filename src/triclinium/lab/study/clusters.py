"""Sums by deal over table rows, for cluster-robust standard errors."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import polars as pl

from triclinium.lab.study.statistics import DealSums
from triclinium.lab.study.store import StudyFolder

DEAL_COUNT = "deals"


def make_deal_expression(folder: StudyFolder) -> pl.Expr:
    """Return an expression for the deal of a row, which follows from its match number."""
    plan = folder.plan
    return pl.col("match") // plan.max_rotations // len(plan.arms)


def make_deal_aggregations(*groups: Sequence[str]) -> list[pl.Expr]:
    """Return the aggregations that `read_deal_sums` needs for these groups of columns, with one row for each deal."""
    expressions = {DEAL_COUNT: pl.len()}
    for columns in groups:
        expressions |= {name: pl.col(name).sum() for name in columns}
        for a, b in combinations_with_replacement(columns, 2):
            expressions[f"{a}*{b}"] = (pl.col(a) * pl.col(b)).sum()
    return [expression.alias(name) for name, expression in expressions.items()]


def read_deal_sums(row: Mapping[str, Any], columns: Sequence[str]) -> DealSums:
    """Return the sums of some columns from an aggregated row."""
    products = [[int(row[f"{a}*{b}"]) for b in columns[i:]] for i, a in enumerate(columns)]
    return DealSums(int(row[DEAL_COUNT]), [int(row[name]) for name in columns], products)
