"""Actions of a rulebook with their stages, and the prices of options."""

from typing import Final, TypeAlias

from mypy_extensions import mypyc_attr

from triclinium.engine.core.text import msgid

Price: TypeAlias = tuple[str, tuple[int, ...]]  # A message template and the numbers that fill it.

NO_PRICE: Final[Price] = ("", ())  # The option's own text already says what it costs.
FREE: Final[Price] = (msgid("free"), ())


@mypyc_attr(acyclic=True)
class Action:
    """An action of the rulebook and its stages in order, each with its rule.

    Example: ``Action("Travel", ("choose where", "AE-4.1"), ("the others may follow", "AE-4.3"))``. A step names its
    action and its stage, counted from 1. With these, a player sees the current action, the current question and the
    stages that follow.
    """

    def __init__(self, name: str, *stages: tuple[str, str]) -> None:
        self.name: Final = name
        self.stages: Final = stages

    def __repr__(self) -> str:
        return f"Action({self.name})"
