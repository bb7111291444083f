"""Log formats: plain text, where every line has a time (UTC) and a level, or one JSON object for each entry."""

import json
import logging
import time
from contextvars import ContextVar

TEXT, JSON = "text", "json"
REQUEST_ID: ContextVar[str] = ContextVar("request", default="")  # id of the request that is being answered


class LogFields(dict[str, object]):
    """The named values of a log entry."""

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.items())


class TextFormatter(logging.Formatter):
    """A formatter for text: ``2026-03-01T18:04:05.678Z WARNING triclinium.play: ...`` at the start of each line."""

    def format(self, record: logging.LogRecord) -> str:
        request = REQUEST_ID.get()
        head = f"{format_timestamp(record)} {record.levelname} {record.name}{f' [{request}]' if request else ''}: "
        return "\n".join(head + line for line in super().format(record).splitlines() or [""])


class JsonFormatter(logging.Formatter):
    """A formatter that writes each entry as one JSON object, including its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        facts: dict[str, object] = {"time": format_timestamp(record), "level": record.levelname, "logger": record.name}
        if REQUEST_ID.get():
            facts["request"] = REQUEST_ID.get()
        facts |= record.args if isinstance(record.args, LogFields) else {"message": record.getMessage()}
        if record.exc_info:
            facts["traceback"] = self.formatException(record.exc_info)
        return json.dumps(facts, ensure_ascii=False, default=str)


def format_timestamp(record: logging.LogRecord) -> str:
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03}Z"


def get_log_format() -> str:
    """Return the log format of this process. The bot processes use the same one."""
    return (
        JSON if any(isinstance(handler.formatter, JsonFormatter) for handler in logging.getLogger().handlers) else TEXT
    )


def configure_logging(log_format: str = TEXT, requests: bool = False) -> None:
    """Log to standard error: all warnings, the messages of the server and, if ``requests`` is true, every request."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if log_format == JSON else TextFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("triclinium").setLevel(logging.INFO)
    logging.getLogger("triclinium.requests").setLevel(logging.INFO if requests else logging.WARNING)
    logging.captureWarnings(True)
