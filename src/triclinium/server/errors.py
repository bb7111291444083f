"""Errors that the server reports to callers.

TricliniumError
  RequestError         a request cannot be fulfilled; carries its HTTP status
    NotFound           the thing does not exist, or the caller may not see it
    NotAllowed         the thing exists, but the caller may not do that
      NoNickname       the caller has no nickname yet
    Conflict           the state of the table does not allow that
      StaleVersion     the table has changed since the caller loaded it
      Stranded         the moves of the table cannot be replayed; it is shown at its last snapshot
    LimitExceeded      too many requests, or too much data
    NotStored          the server cannot write to its database
    GameCodeError      the code of a game failed; nothing has changed
"""

from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.text import Arg, Message, msgid


class RequestError(TricliniumError):
    """Error with a message for the caller, which is translated when it is shown."""

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
    """Error for a visitor without a nickname. A page offers to choose one."""

    def __init__(self) -> None:
        super().__init__(msgid("Please choose a nickname first."))


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
        self.retry_after = retry_after  # seconds until the caller can try again


class NotStored(RequestError):
    status = 503
    code = "not_stored"


class GameCodeError(RequestError):
    status = 500
    code = "game_error"
