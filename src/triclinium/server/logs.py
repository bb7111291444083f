"""The log of a server: every line, also of a traceback, has its time (UTC) and level."""

import logging
import time


class Dated(logging.Formatter):
    """``2026-03-01T18:04:05.678Z WARNING triclinium.play: ...``, at the head of each line."""

    def format(self, record: logging.LogRecord) -> str:
        second = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        when = f"{second}.{int(record.msecs):03}Z"
        head = f"{when} {record.levelname} {record.name}: "
        return "\n".join(head + line for line in super().format(record).splitlines() or [""])


def keep() -> None:
    """Log to standard error: warnings of everybody, and what the server itself has to say."""
    handler = logging.StreamHandler()
    handler.setFormatter(Dated())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("triclinium").setLevel(logging.INFO)
    logging.captureWarnings(True)
