"""Kinds of notifications. Each has its sentences and belongs to a group that people turn on and off."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from triclinium.engine.core.text import msgid

TURN, TABLE, CHAT, DONE, DIGEST = "turn", "table", "chat", "done", "digest"
GROUPS: Final = (TURN, TABLE, CHAT, DONE, DIGEST)


@dataclass(frozen=True, slots=True)
class MessageKind:
    """A kind of notification. In its sentences, {0} is the table and {1} the first name from `queue_notification`."""

    group: str
    headline: str
    sentence: str


KINDS: Final[Mapping[str, MessageKind]] = {
    "turn": MessageKind(TURN, msgid("Your turn at {0}"), ""),  # the sentence says who moved and asks the question
    "reminder": MessageKind(TURN, msgid("Still your turn at {0}"), ""),
    "full": MessageKind(TABLE, msgid("{0} is full"), msgid("Everyone is here.")),
    "begun": MessageKind(TABLE, msgid("The match at {0} has started"), msgid("You can now play.")),
    "over": MessageKind(TABLE, msgid("The match at {0} is over"), msgid("Open the table to see the result.")),
    "invited": MessageKind(TABLE, msgid("{1} invites you to {0}"), msgid("A seat is reserved for you.")),
    "rematch": MessageKind(TABLE, msgid("{1} wants to play again at {0}"), msgid("A seat is reserved for you.")),
    "chat": MessageKind(CHAT, msgid("New message at {0}"), ""),  # the sentence is the last message
    "substitute": MessageKind(
        DONE, msgid("A substitute bot plays for you at {0}"), msgid("Open the table to take over again.")
    ),
    "vote": MessageKind(
        DONE,
        msgid("{1} votes for a substitute bot in your place at {0}"),
        msgid("Open the table to keep playing yourself."),
    ),
    "removed": MessageKind(DONE, msgid("You were removed from {0}"), msgid("A bot now plays your seat.")),
    "time": MessageKind(DONE, msgid("Your time is running out at {0}"), msgid("Open the table and make your move.")),
    "left": MessageKind(DONE, msgid("{1} has left {0}"), msgid("A bot now plays that seat.")),
    "handed": MessageKind(
        DONE, msgid("You have a seat at {0}"), msgid("You take over the seat of {1} in its current position.")
    ),
    "digest": MessageKind(DIGEST, msgid("Tables waiting for you"), ""),  # the sentence lists the waiting tables
    "confirm": MessageKind(
        "",
        msgid("Do you want to receive notifications here?"),
        msgid("If you did not ask for this, you can ignore this message."),
    ),
    "return": MessageKind(
        "",
        msgid("Your sign-in link"),
        msgid(
            "The link signs you in to this server and expires in 15 minutes. Do not share it. If you did not ask "
            "for it, you can ignore this message."
        ),
    ),
    "try": MessageKind(
        "", msgid("This is a test notification"), msgid("Notifications work on this channel.")
    ),  # this kind has no group, because it is sent only on request
}
