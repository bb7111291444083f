"""Match files: a finished match as one HTML file, from which the record can be read back and checked.

The file contains its data as JSON in three elements. A checksum of the first two finds damage, but not forgery, because
anyone can compute it. The signature is an HMAC of the record, which only the server that wrote the file can check.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from triclinium.engine.commitment import SealCheck, check_seal
from triclinium.engine.core.errors import BadNotation, BadRecord, Refused
from triclinium.engine.core.state import State
from triclinium.engine.core.text import Message, Reader
from triclinium.engine.game import Game
from triclinium.engine.record import Record, build_result, format_result

BLOCK = re.compile(r'<script type="application/json" id="match-(data|positions|checksum)">([^<]*)</script>')
DOCTYPE = "<!doctype html"
MAX_NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class MatchFile:
    """The record in a match file, and the data with which it is checked."""

    record: Record
    names: tuple[str, ...]
    digests: tuple[str, ...]  # digests of the positions after the deal and after each move
    signature: str
    is_undamaged: bool  # the checksum is right


def compute_digest(s: State) -> str:
    """Return eight digits that identify a position, including its hidden information."""
    return f"{s.digest() & 0xFFFFFFFF:08x}"


def list_digests(record: Record, game: Game) -> list[str]:
    """Return the digests of all positions of a match."""
    s = record.deal(game)
    digests = [compute_digest(s)]
    for text in record.options:
        s.play(game.read(text))
        digests.append(compute_digest(s))
    return digests


# -- writing and reading ----------------------------------------------------------------------------------------------


def format_data(record: Record, names: Sequence[str], digests: Sequence[str], signature: str, positions: object) -> str:
    """Return the elements of a match file that contain its data. Only the file's script reads ``positions``."""
    data = {"record": record.dumps(), "names": names, "digests": "".join(digests), "signature": signature}
    blocks = {"data": _dump_json(data), "positions": _dump_json(positions)}
    blocks["checksum"] = _dump_json(compute_checksum(blocks["data"], blocks["positions"]))
    return "\n".join(
        f'<script type="application/json" id="match-{name}">{text}</script>' for name, text in blocks.items()
    )


def _dump_json(value: object) -> str:
    """Return JSON that can be part of HTML."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def compute_checksum(data: str, positions: str) -> str:
    """Return the SHA-256 hash of the data in their written form."""
    return hashlib.sha256((data + positions).encode()).hexdigest()


def is_match_file(text: str) -> bool:
    """Return whether a text is HTML, and therefore not a record."""
    return text.lstrip("\ufeff \r\n\t")[: len(DOCTYPE)].lower() == DOCTYPE


def read_match_file(text: str, where: str = "match file") -> MatchFile:
    """Read the data of a match file and ignore the rest. Raise `BadRecord` if something is missing."""
    blocks = dict(BLOCK.findall(text))
    try:
        data: dict[str, Any] = json.loads(blocks["data"])
        names, digests, signature = list(data["names"]), str(data["digests"]), str(data["signature"])
        record_text, checksum = str(data["record"]), json.loads(blocks["checksum"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise BadRecord(f"{where} is not a match file, or a part of it is missing") from None
    is_undamaged = checksum == compute_checksum(blocks["data"], blocks.get("positions", ""))
    record = Record.loads(record_text, where)
    if len(names) != record.seats:
        raise BadRecord(f"{where} names {len(names)} players, but its match has {record.seats} seats")
    return MatchFile(
        record,
        tuple("".join(filter(str.isprintable, str(name)))[:MAX_NAME_LENGTH] for name in names),
        tuple(digests[n : n + 8] for n in range(0, len(digests), 8)),
        signature,
        is_undamaged,
    )


# -- checking ---------------------------------------------------------------------------------------------------------


def check_match_file(
    file: MatchFile, names: Sequence[str], reader: Reader, noted_seal: str = "", game: Game | None = None
) -> list[SealCheck]:
    """Return the checks of a match file: its checksum, the seal of its shuffle, and each move.

    ``names`` are the players' names in the checks.
    """
    checks = [SealCheck(Message("The file is not damaged: its checksum is right."), file.is_undamaged)]
    if file.record.seal or noted_seal:
        checks += check_seal(file.record, noted_seal, replays=False)
    change = find_change(file, names, reader, game)
    right = Message("All {0} moves are legal and lead to the recorded result.", len(file.record.options))
    return [*checks, SealCheck(change or right, change is None)]


def find_change(file: MatchFile, names: Sequence[str], reader: Reader, game: Game | None = None) -> Message | None:
    """Return a message about the first fault of the recorded match, or None: a wrong move, the cards or the result."""
    record = file.record
    record_game = record.find_game(game)
    s = record.deal(record_game)
    digests = iter(file.digests)
    if next(digests, "") != compute_digest(s):
        return Message("The cards at the start are not those of the match that the file shows.")
    for n, text in enumerate(record.options, start=1):
        name = names[s.who] if 0 <= s.who < len(names) else ""
        try:
            s.play(record_game.read(text))
        except BadNotation:
            return Message("Move {0} by {1} was changed: “{2}” is not a move of this game.", n, name, text)
        except Refused as refused:
            return Message(
                "Move {0} by {1} was changed: {2}",
                n,
                name,
                record_game.words.format_refusal(refused, record_game.words.reader(reader.language)),
            )
        if next(digests, "") != compute_digest(s):
            return Message(
                "Move {0} by {1} was changed: “{2}” does not lead to the position that the file shows.", n, name, text
            )
    reached = build_result(record_game.scores(s)) if s.over else None
    if next(digests, None) is not None:
        return Message("Moves are missing after move {0}.", len(record.options))
    if record.result != reached:
        return Message(
            "The result was changed: the moves lead to {0}, but the record says {1}.",
            format_result(reached),
            format_result(record.result),
        )
    return None


def summarize_file_checks(checks: Sequence[SealCheck]) -> Message:
    """Return a conclusion of two sentences from the checks of a file."""
    if all(check.holds for check in checks):
        return Message(
            "The match follows the rules from its first card to its result. Only the server that wrote the file can"
            " tell whether someone has replaced the whole match: upload the file there."
        )
    return Message("This file does not contain the match as it was played.")
