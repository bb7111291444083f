"""The shuffle commitment (the seal): a salted hash of the key, shown before the first move and checked after the last.

Nobody can derive the key from its seal or find another key with the same seal. A player who notes the seal can
therefore check it against the salt and the key after the match. A match proves that the cards were not changed after
the start.
"""

import hashlib
from dataclasses import dataclass

from triclinium.engine.core.errors import BadRecord, BadSetup
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game
from triclinium.engine.record import Record, format_result

MIN_SEAL_DIGITS = 8  # minimum length of a noted seal: as many digits as a table shows


def compute_seal(seed_text: str, salt: str) -> str:
    """Return the SHA-256 hash of the salt, a colon and the seed in its written form."""
    return hashlib.sha256(f"{salt}:{seed_text}".encode()).hexdigest()


@dataclass(frozen=True)
class SealCheck:
    """One check of a seal: its description, its result, and figures that anyone can compute again."""

    what: Message
    holds: bool
    detail: str = ""


def check_seal(record: Record, noted_seal: str = "", game: Game | None = None, replays: bool = True) -> list[SealCheck]:
    """Return the checks of a record's seal, up to the first that fails. The last one replays the match if ``replays``.

    ``noted_seal`` is the seal, or its beginning, that a player noted before the end.
    """
    if not record.seal:
        return [SealCheck(Message("The record contains no seal, so it cannot be checked against one."), False)]
    results: list[SealCheck] = []
    if noted_seal:
        holds = record.seal.startswith(parse_seal(noted_seal))
        results.append(SealCheck(Message("The seal in the record equals the one you copied."), holds, record.seal))
        if not holds:
            return results
    if record.seed is None or not record.salt:
        results.append(
            SealCheck(
                Message("The salt and the key are shown when the match is over. Keep the seal until then."),
                False,
                record.seal,
            )
        )
        return results
    text = record.format_seed()
    computed_seal = compute_seal(text, record.salt)
    results.append(
        SealCheck(
            Message("The SHA-256 hash of the salt, a colon and the key equals the seal."),
            computed_seal == record.seal,
            f"SHA-256({record.salt}:{text}) = {computed_seal}",
        )
    )
    if computed_seal == record.seal and replays:
        results.append(_check_replay(record, game))
    return results


def _check_replay(record: Record, game: Game | None) -> SealCheck:
    what = Message(
        "The key produces this match: its {0} moves and its final result follow from it.", len(record.options)
    )
    try:
        record.replay(game=game)
    except BadRecord as error:
        return SealCheck(what, False, str(error))
    return SealCheck(what, record.result is not None, f"result {format_result(record.result)}")


def parse_seal(text: str) -> str:
    """Return a seal, or its beginning, as a person typed it. Raise BadSetup if it is none."""
    digits = text.strip().lower()
    if not MIN_SEAL_DIGITS <= len(digits) <= 64 or any(digit not in "0123456789abcdef" for digit in digits):
        raise BadSetup(f"a seal is {MIN_SEAL_DIGITS} to 64 hexadecimal digits, not {text[:80]!r}")
    return digits


def summarize_checks(results: list[SealCheck]) -> Message:
    """Return the conclusion from the checks in one sentence."""
    if all(check.holds for check in results):
        return Message("The shuffle is the one that was fixed before the first move.")
    return Message("This does not prove that the shuffle was fixed before the first move.")
