"""The part of a view that is the same for every title."""

from triclinium.kernel.notation import Notation
from triclinium.kernel.state import NOBODY, Seat, State


def frame(s: State, seat: Seat | None, notation: Notation) -> dict[str, object]:
    """Who decides what; the options go only to the seat that is asked."""
    view: dict[str, object] = {
        "viewer": seat,
        "seats": s.seats,
        "who": None if s.over else s.who,
        "over": s.over,
        "asked": None if s.over else type(s.asked).__name__,
    }
    if seat is not None and seat != NOBODY and seat == s.who:
        view["options"] = [notation.say(o) for o in s.legal]
    return view
