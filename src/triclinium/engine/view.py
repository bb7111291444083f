"""The part of a view that is the same for every title, and how a view is read.

A view is JSON-ready, that is, loosely typed; `whole`, `word`, `items` and `table_of` say what is expected.
"""

from triclinium.engine.core.notation import Notation
from triclinium.engine.core.state import NOBODY, Seat, State


def frame(s: State, seat: Seat | None, notation: Notation) -> dict[str, object]:
    """Who decides what; the options go only to the seat that is asked."""
    view: dict[str, object] = {
        "viewer": seat,
        "seats": s.seats,
        "who": None if s.over else s.who,
        "over": s.over,
        "asked": None if s.over else s.asked.id,
    }
    if seat is not None and seat != NOBODY and seat == s.who:
        view["options"] = [notation.say(o) for o in s.legal]
    return view


def whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def word(value: object) -> str:
    assert isinstance(value, str)
    return value


def items(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def table_of(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value
