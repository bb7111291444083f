"""Converts between the two spellings of nobody: -1 in compiled code and storage, None in all that is shown."""

from triclinium.engine.core.state import NOBODY, Seat


def nobody_to_none(seat: Seat) -> Seat | None:
    """A seat as it is shown."""
    return None if seat == NOBODY else seat


def none_to_nobody(seat: Seat | None) -> Seat:
    """A seat as rules and storage know it."""
    return NOBODY if seat is None else seat
