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

MIN_SEAL_DIGITS = 8  # of a seal that somebody kept: as many as a table shows


def compute_seal(seed_text: str, salt: str) -> str:
    """SHA-256 of salt, colon and seed as it is written."""
    return hashlib.sha256(f"{salt}:{seed_text}".encode()).hexdigest()


@dataclass(frozen=True)
class SealCheck:
    """One step of checking a seal: what was looked at, whether it holds, and what anybody can compute again."""

    what: Message
    holds: bool
    detail: str = ""


def check_seal(record: Record, noted_seal: str = "", game: Game | None = None) -> list[SealCheck]:
    """The steps, until one fails; ``noted_seal`` is the seal that somebody noted before the end, or its beginning."""
    if not record.seal:
        return [SealCheck(Message("the record carries no seal: nothing was promised before the first move"), False)]
    results: list[SealCheck] = []
    if noted_seal:
        holds = record.seal.startswith(parse_seal(noted_seal))
        results.append(SealCheck(Message("the record's seal is the one that was kept"), holds, record.seal))
        if not holds:
            return results
    if record.seed is None or not record.salt:
        results.append(
            SealCheck(
                Message("salt and key are told when the match is over; keep the seal until then"), False, record.seal
            )
        )
        return results
    text = record.format_seed()
    computed_seal = compute_seal(text, record.salt)
    results.append(
        SealCheck(
            Message("the SHA-256 hash of salt, colon and key is the seal"),
            computed_seal == record.seal,
            f"SHA-256({record.salt}:{text}) = {computed_seal}",
        )
    )
    if computed_seal == record.seal:
        results.append(_check_replay(record, game))
    return results


def _check_replay(record: Record, game: Game | None) -> SealCheck:
    what = Message(
        "the key deals this match: {0} moves follow from it, to the result that was told", len(record.options)
    )
    try:
        record.replay(game=game)
    except BadRecord as error:
        return SealCheck(what, False, str(error))
    result_text = " ".join(f"{rank}:{total}" for rank, total in record.result or [])  # as the record has it
    return SealCheck(what, bool(result_text), f"result {result_text}" if result_text else "result open")


def parse_seal(text: str) -> str:
    """A seal, or its beginning, as a person typed it; raises BadSetup."""
    digits = text.strip().lower()
    if not MIN_SEAL_DIGITS <= len(digits) <= 64 or any(digit not in "0123456789abcdef" for digit in digits):
        raise BadSetup(f"a seal is {MIN_SEAL_DIGITS} to 64 hexadecimal digits, not {text[:80]!r}")
    return digits


def summarize_checks(results: list[SealCheck]) -> Message:
    """What the steps come to, in a sentence."""
    if all(check.holds for check in results):
        return Message("The shuffle is the one that was sealed before the first move.")
    return Message("This does not show that the shuffle was sealed before the first move.")
