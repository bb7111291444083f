"""The log of a server: every line, also of a traceback, has its time (UTC) and level, or all is one JSON object."""

import json
import logging
import time
from contextvars import ContextVar

TEXT, JSON = "text", "json"
REQUEST: ContextVar[str] = ContextVar("request", default="")  # the id of the one that is being answered


class Fields(dict[str, object]):
    """What a line tells by name."""

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.items())


class Dated(logging.Formatter):
    """``2026-03-01T18:04:05.678Z WARNING triclinium.play: ...``, at the head of each line."""

    def format(self, record: logging.LogRecord) -> str:
        request = REQUEST.get()
        head = f"{when(record)} {record.levelname} {record.name}{f' [{request}]' if request else ''}: "
        return "\n".join(head + line for line in super().format(record).splitlines() or [""])


class Structured(logging.Formatter):
    """One JSON object a line, whatever happened."""

    def format(self, record: logging.LogRecord) -> str:
        facts: dict[str, object] = {"time": when(record), "level": record.levelname, "logger": record.name}
        if REQUEST.get():
            facts["request"] = REQUEST.get()
        facts |= record.args if isinstance(record.args, Fields) else {"message": record.getMessage()}
        if record.exc_info:
            facts["traceback"] = self.formatException(record.exc_info)
        return json.dumps(facts, ensure_ascii=False, default=str)


def when(record: logging.LogRecord) -> str:
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03}Z"


def form() -> str:
    """How this process logs: the processes of its bots do the same."""
    return JSON if any(isinstance(one.formatter, Structured) for one in logging.getLogger().handlers) else TEXT


def keep(form: str = TEXT, requests: bool = False) -> None:
    """Log to standard error: warnings of everybody, what the server itself has to say, and every request, if wanted."""
    handler = logging.StreamHandler()
    handler.setFormatter(Structured() if form == JSON else Dated())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("triclinium").setLevel(logging.INFO)
    logging.getLogger("triclinium.requests").setLevel(logging.INFO if requests else logging.WARNING)
    logging.captureWarnings(True)
