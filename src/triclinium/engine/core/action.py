"""What a player does in several steps, as the rulebook names it, and what an answer costs."""

from typing import Final, TypeAlias

from mypy_extensions import mypyc_attr

from triclinium.engine.core.text import msgid

Price: TypeAlias = tuple[str, tuple[int, ...]]  # a template, and what fills it

NO_PRICE: Final[Price] = ("", ())  # the option's own words say what it costs
FREE: Final[Price] = (msgid("free"), ())


@mypyc_attr(acyclic=True)
class Action:
    """An action of the rulebook and its stages in order, each with its rule.

    ``Action("Travel", ("choose where", "AE-4.1"), ("the others may follow", "AE-4.3"))``. A step names its action and
    its stage, from 1: who is asked reads what is done, what is asked and what is to come.
    """

    def __init__(self, name: str, *stages: tuple[str, str]) -> None:
        self.name: Final = name
        self.stages: Final = stages

    def __repr__(self) -> str:
        return f"Action({self.name})"
