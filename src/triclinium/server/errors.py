"""What the server answers when something cannot be done.

TricliniumError
  RequestError         something about a table, a seat or a person; carries its HTTP status
    NotFound         there is no such thing, or it is not shown to you
    NotAllowed       there is, and it is not yours to do
      NoNickname     you are nobody here yet
    Conflict         the table is not in a state for that
      Stale          the move was made against another position
      Stranded       the moves of the table cannot be replayed: it is shown as it stood
    TooMuch          too often, or too long
    NotStored        the file of the server is not what it was
    Fault            the game's own code failed; nothing has changed
"""

from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.text import Arg, Message, msgid


class RequestError(TricliniumError):
    """One sentence for a person, in English until somebody reads it."""

    status = 400
    code = "bad_request"

    def __init__(self, text: str, *args: Arg) -> None:
        self.message = Message(text, *args)
        super().__init__(text)


class NotFound(RequestError):
    status = 404
    code = "not_found"


class NotAllowed(RequestError):
    status = 403
    code = "not_allowed"


class NoNickname(NotAllowed):
    """Only somebody may do that; a page says where to become somebody."""

    def __init__(self) -> None:
        super().__init__(msgid("take a nickname first"))


class Conflict(RequestError):
    status = 409
    code = "conflict"


class StaleVersion(Conflict):
    code = "stale_version"


class Stranded(Conflict):
    code = "not_replayable"


class LimitExceeded(RequestError):
    status = 429
    code = "too_many_requests"

    def __init__(self, text: str, *args: Arg, retry_after: float = 1.0) -> None:
        super().__init__(text, *args)
        self.retry_after = retry_after  # seconds until it can be done


class NotStored(RequestError):
    status = 503
    code = "not_stored"


class GameCodeError(RequestError):
    status = 500
    code = "game_error"
