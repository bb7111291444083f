"""The table in plain text, for the terminal."""

from triclinium.kernel.message import Reader
from triclinium.titles.testoftime.components import Components


def plain_table(c: Components, view: dict[str, object], reader: Reader) -> str:
    """The whole table, written from a view."""
    return str(view["round"])
