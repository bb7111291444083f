"""The seal of a shuffle: a salted hash of the key, shown before the first move and checked after the last.

Nobody can find the key from its seal, and nobody can find another key with the same seal. So whoever kept the seal and
is told salt and key at the end knows that the cards lay as they did from the start.
"""

import hashlib
from dataclasses import dataclass

from triclinium.engine.core.errors import BadRecord, BadSetup
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game
from triclinium.engine.record import Record

FEWEST_DIGITS = 8  # of a seal that somebody kept: as many as a table shows


def seal_of(seed_text: str, salt: str) -> str:
    """SHA-256 of salt, colon and seed as it is written."""
    return hashlib.sha256(f"{salt}:{seed_text}".encode()).hexdigest()


@dataclass(frozen=True)
class Check:
    """One step of checking a seal: what was looked at, whether it holds, and what anybody can compute again."""

    what: Message
    holds: bool
    detail: str = ""


def checks(record: Record, kept: str = "", game: Game | None = None) -> list[Check]:
    """The steps, until one fails; ``kept`` is the seal that somebody noted before the end, or its beginning."""
    if not record.seal:
        return [Check(Message("the record carries no seal: nothing was promised before the first move"), False)]
    made: list[Check] = []
    if kept:
        holds = record.seal.startswith(read_kept(kept))
        made.append(Check(Message("the record's seal is the one that was kept"), holds, record.seal))
        if not holds:
            return made
    if record.seed is None or not record.salt:
        made.append(
            Check(Message("salt and key are told when the match is over; keep the seal until then"), False, record.seal)
        )
        return made
    text = record.seed_text()
    found = seal_of(text, record.salt)
    made.append(
        Check(
            Message("the SHA-256 hash of salt, colon and key is the seal"),
            found == record.seal,
            f"SHA-256({record.salt}:{text}) = {found}",
        )
    )
    if found == record.seal:
        made.append(_replayed(record, game))
    return made


def _replayed(record: Record, game: Game | None) -> Check:
    what = Message(
        "the key deals this match: {0} moves follow from it, to the result that was told", len(record.options)
    )
    try:
        record.replay(game=game)
    except BadRecord as error:
        return Check(what, False, str(error))
    told = " ".join(f"{rank}:{total}" for rank, total in record.result or [])  # as the record has it
    return Check(what, bool(told), f"result {told}" if told else "result open")


def read_kept(text: str) -> str:
    """A seal, or its beginning, as a person typed it; raises BadSetup."""
    digits = text.strip().lower()
    if not FEWEST_DIGITS <= len(digits) <= 64 or any(digit not in "0123456789abcdef" for digit in digits):
        raise BadSetup(f"a seal is {FEWEST_DIGITS} to 64 hexadecimal digits, not {text[:80]!r}")
    return digits


def verdict(made: list[Check]) -> Message:
    """What the steps come to, in a sentence."""
    if all(check.holds for check in made):
        return Message("The shuffle is the one that was sealed before the first move.")
    return Message("This does not show that the shuffle was sealed before the first move.")
