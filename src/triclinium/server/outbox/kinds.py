"""The kinds of messages: each has its sentences, and belongs to a group that people turn on and off."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from triclinium.engine.core.text import msgid

TURN, TABLE, CHAT, DONE, DIGEST = "turn", "table", "chat", "done", "digest"
GROUPS: Final = (TURN, TABLE, CHAT, DONE, DIGEST)


@dataclass(frozen=True, slots=True)
class MessageKind:
    """One kind of message. In its sentences {0} is the table, {1} the first of the names that `tell` was given."""

    group: str
    headline: str
    sentence: str


KINDS: Final[Mapping[str, MessageKind]] = {
    "turn": MessageKind(TURN, msgid("Your turn at {0}"), ""),  # its sentence tells who moved and what is asked
    "again": MessageKind(TURN, msgid("Still your turn at {0}"), ""),
    "full": MessageKind(TABLE, msgid("{0} is full"), msgid("Everybody has come.")),
    "begun": MessageKind(TABLE, msgid("{0} has begun"), msgid("The match was dealt.")),
    "over": MessageKind(TABLE, msgid("The match at {0} is over"), msgid("Look how it ended.")),
    "invited": MessageKind(TABLE, msgid("{1} invites you to {0}"), msgid("A seat is kept for you.")),
    "rematch": MessageKind(TABLE, msgid("{1} wants to play again at {0}"), msgid("A seat is kept for you.")),
    "chat": MessageKind(CHAT, msgid("Somebody wrote at {0}"), ""),  # its sentence is the last line
    "standin": MessageKind(
        DONE, msgid("A substitute bot plays for you at {0}"), msgid("Open the table to play again.")
    ),
    "vote": MessageKind(
        DONE, msgid("{1} votes for a substitute bot in your place at {0}"), msgid("Open the table to play on.")
    ),
    "removed": MessageKind(DONE, msgid("You were removed from {0}"), msgid("A bot plays your seat.")),
    "time": MessageKind(DONE, msgid("Your time runs out at {0}"), msgid("Open the table and decide.")),
    "left": MessageKind(DONE, msgid("{1} has left {0}"), msgid("A bot plays that seat.")),
    "handed": MessageKind(
        DONE, msgid("You have a seat at {0}"), msgid("The seat of {1} is yours, with what was there.")
    ),
    "digest": MessageKind(DIGEST, msgid("What waits for you"), ""),  # its sentence lists it
    "confirm": MessageKind(
        "", msgid("Do you want to be told here?"), msgid("If you did not ask for this, do nothing.")
    ),
    "return": MessageKind(
        "",
        msgid("The link that brings you back"),
        msgid("Whoever opens it within 15 minutes is you at this house. If you did not ask for it, do nothing."),
    ),
    "try": MessageKind("", msgid("This is how you are told"), msgid("It works.")),  # wanted by whoever asks for it
}
