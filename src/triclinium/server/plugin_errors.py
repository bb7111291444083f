"""Errors in the code of a game. Each is logged once, and the server continues."""

import logging
import traceback

log = logging.getLogger("triclinium.games")
MAX_LOGGED = 1_000  # errors that are remembered; the set is cleared when it is full

logged_errors: set[tuple[str, ...]] = set()


def log_once(game_id: str, part: str, error: BaseException, *where: str, more: str = "") -> None:
    """Log an error of this part of a game with the details in ``more``, unless it was logged before.

    Two errors are the same if they come from the same line of code and have the same ``where``.
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
