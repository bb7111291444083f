"""Numbered rules that can forbid an option."""

from typing import Final

from mypy_extensions import mypyc_attr


@mypyc_attr(acyclic=True)
class Rule:
    """A numbered rule and its message template. ``{0}`` and ``{1:good}`` are its parameters."""

    def __init__(self, number: str, text: str) -> None:
        self.number: Final = number
        self.text: Final = text

    def __repr__(self) -> str:
        return f"Rule({self.number})"


NOT_ASKED: Final = Rule("K-1", "this decision is not open now")
MATCH_OVER: Final = Rule("K-2", "the match is over")
