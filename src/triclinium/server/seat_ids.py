"""Conversion between the two spellings of "no seat": -1 in compiled code and storage, None in everything shown."""

from triclinium.engine.core.state import NOBODY, Seat


def nobody_to_none(seat: Seat) -> Seat | None:
    """Return a seat as pages and the API show it."""
    return None if seat == NOBODY else seat


def none_to_nobody(seat: Seat | None) -> Seat:
    """Return a seat as rules and storage represent it."""
    return NOBODY if seat is None else seat
