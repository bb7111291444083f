"""What goes wrong in the code of a game: it stands in the log once, and the server goes on."""

import logging
import traceback

log = logging.getLogger("triclinium.games")
MAX_LOGGED = 1_000  # faults that are known again; after so many the server begins anew

logged_errors: set[tuple[str, ...]] = set()


def log_once(game_id: str, part: str, error: BaseException, *where: str, more: str = "") -> None:
    """Log a fault of this part of a game, with what more there is to say, unless it was logged before.

    The same fault is one at the same line of code and, where that is given, at the same place of a match.
    """
    frames = traceback.extract_tb(error.__traceback__)
    line = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    error_key = (game_id, part, type(error).__name__, line, *where)
    if error_key in logged_errors:
        return
    if len(logged_errors) >= MAX_LOGGED:
        logged_errors.clear()
    logged_errors.add(error_key)
    place = "".join(f", {detail}" for detail in where)
    log.error("%s: its %s failed%s%s", game_id, part, place, f"\n{more}" if more else "", exc_info=error)
