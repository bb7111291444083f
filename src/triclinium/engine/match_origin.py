"""Messages for matches that began without their own shuffle, or in which a move was undone for practice."""

from typing import Final

from triclinium.engine.core.text import Message

FROM_RECORD: Final = Message("Not rated: this match starts from a record, so its cards may be known.")
PRACTICE: Final = Message(
    "This is a practice match and is not rated, because a player undid a move after seeing new information."
)


def build_continued_message(move: int) -> Message:
    """Return the message for a match that continues another one from this move."""
    return Message("Not rated: this match continues another one from move {0}, so its cards may be known.", move)
