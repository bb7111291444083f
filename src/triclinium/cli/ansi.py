"""What a terminal can do that a file cannot: colour, and a line that is written again."""

import os
import time
from typing import Final, TextIO

# Red, blue, green, yellow, purple, grey, gold and brown: seats have the first of them.
TONE_CODES: Final = ("31", "34", "32", "33", "35", "90", "93", "33;2")


class Ansi:
    """Colour on a terminal; plain text elsewhere and wherever NO_COLOR is set."""

    def __init__(self, stream: TextIO) -> None:
        self.is_terminal = stream.isatty()
        self.enabled = self.is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def bold(self, text: str) -> str:
        return self._apply_code("1", text)

    def dim(self, text: str) -> str:
        return self._apply_code("2", text)

    def red(self, text: str) -> str:
        return self._apply_code("31", text)

    def green(self, text: str) -> str:
        return self._apply_code("32", text)

    def tone(self, tone: int, text: str) -> str:
        """The colours of seats and of things, as near as a terminal has them; none below 0."""
        return self._apply_code(TONE_CODES[tone], text) if 0 <= tone < len(TONE_CODES) else text

    def _apply_code(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.enabled and text else text


class ProgressBar:
    """A progress bar; shows nothing where there is no terminal."""

    WIDTH = 30
    MIN_INTERVAL = 0.1  # seconds between two drawings

    def __init__(self, stream: TextIO, label: str) -> None:
        self.stream = stream
        self.label = label
        self.is_terminal = stream.isatty()
        self.drawn_at = 0.0

    def show(self, done: int, total: int) -> None:
        """So many are done."""
        now = time.monotonic()
        if not self.is_terminal or (done < total and now - self.drawn_at < self.MIN_INTERVAL):
            return
        self.drawn_at = now
        full = self.WIDTH * done // total
        self.stream.write(f"\r[{'#' * full}{'.' * (self.WIDTH - full)}] {done} of {total} {self.label}")
        self.stream.flush()

    def close(self) -> None:
        """Take the bar away."""
        if self.is_terminal and self.drawn_at:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


class StatusLine:
    """A line about what is going on, written again and again; shows nothing where there is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.is_terminal = stream.isatty()
        self.is_drawn = False

    def show(self, text: str) -> None:
        if self.is_terminal:
            self.is_drawn = True
            self.stream.write(f"\r\x1b[K{text}")
            self.stream.flush()

    def close(self) -> None:
        """Take the line away."""
        if self.is_drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
