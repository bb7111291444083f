"""Aligned tables in plain text."""

from collections.abc import Sequence


def format_table(rows: Sequence[Sequence[str]], left_columns: int = 1) -> str:
    """Format rows as lines: the first ``left_columns`` columns left-aligned, the rest (numbers) right-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        cells = [
            cell.ljust(width) if i < left_columns else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
