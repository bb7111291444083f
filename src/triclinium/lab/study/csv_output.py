"""The figures of a study as a CSV file, one row for each figure of each edition and kind of bots."""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

from triclinium.engine.core.errors import BadSetup
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.store import write_atomically
from triclinium.lab.study.summary import StudySummary

COLUMNS = (
    *("edition", "bots", "check", "figure", "value", "low", "high", "deals", "method"),
    *("difference", "difference_low", "difference_high", "verdict", "agrees"),
)


def write_csv(path: Path, summary: StudySummary) -> None:
    """Write the figures of a study. Raise BadSetup if the file cannot be written."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(_list_rows(summary))
    try:
        write_atomically(path, text.getvalue().encode())
    except OSError as error:
        raise BadSetup(f"{path} cannot be written: {error.strerror}") from None


def _list_rows(summary: StudySummary) -> Iterator[Mapping[str, object]]:
    differences = {(each.edition, each.figure): each for each in summary.differences}
    for report in summary.arms:
        arm = report.arm
        if arm.again:
            continue
        places = {f"wins of place {place + 1}": share for place, share in enumerate(report.places)}
        for figure, estimate in {**report.figures, **places}.items():
            row: dict[str, object] = {
                "edition": arm.name or summary.editions[arm.edition].name,
                "bots": arm.bots_label,
                "check": "yes" if arm.check else "no",
                "figure": figure,
                **_describe_estimate(estimate),
            }
            difference = differences.get((arm.edition, figure))
            if arm.is_main and difference is not None:
                family = difference.family
                row |= {"difference": family.value, "difference_low": family.low, "difference_high": family.high}
                row |= {"verdict": difference.verdict, "agrees": difference.agrees}
            yield row


def _describe_estimate(estimate: Estimate) -> dict[str, object]:
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "deals": estimate.n,
        "method": estimate.method,
    }
