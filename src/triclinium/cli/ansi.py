"""Terminal features: colours, progress bars and status lines."""

import os
import re
import time
from typing import Final, TextIO

# Red, blue, green, yellow, purple, grey, gold and brown. The first of them are the colours of the seats.
TONE_CODES: Final = ("31", "34", "32", "33", "35", "90", "93", "33;2")


_CODE: Final = re.compile("\x1b\\[[0-9;]*m")
_GAPS: Final = re.compile("( +)")
MIN_TEXT_WIDTH: Final = 20  # columns that a hanging indent leaves for the text


def fold_text(text: str, width: int, hang: int | None = None) -> str:
    """Return text whose lines have at most ``width`` columns. Colour codes take no columns.

    Lines that continue another one are indented by ``hang`` columns, by default by two more than the line. A word that
    is wider than the terminal stays whole.
    """
    return "\n".join(folded for line in text.split("\n") for folded in _fold_line(line, width, hang))


def measure_text(text: str) -> int:
    """Return the number of columns of a text without its colour codes."""
    return len(_CODE.sub("", text))


def _fold_line(line: str, width: int, hang: int | None) -> list[str]:
    if measure_text(line) <= width:
        return [line]
    own_indent = len(line) - len(line.lstrip(" "))
    indent = " " * max(0, min(own_indent + 2 if hang is None else hang, width - MIN_TEXT_WIDTH))
    lines: list[str] = []
    current, gap = line[:own_indent], ""
    for piece in _GAPS.split(line[own_indent:]):
        if piece.startswith(" "):
            gap = piece
        elif current.strip() and measure_text(current + gap + piece) > width:
            lines.append(current)
            current, gap = indent + piece, ""
        else:
            current, gap = current + gap + piece, ""
    return [*lines, current]


class Ansi:
    """Colour codes on a terminal. Other streams get plain text, as does any terminal with NO_COLOR set."""

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
        """Return the text in a colour of the board kit, or unchanged for a negative tone."""
        return self._apply_code(TONE_CODES[tone], text) if 0 <= tone < len(TONE_CODES) else text

    def _apply_code(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.enabled and text else text


class ProgressBar:
    """A progress bar. It shows nothing if the stream is not a terminal."""

    WIDTH = 30
    MIN_INTERVAL = 0.1  # minimum number of seconds between two updates

    def __init__(self, stream: TextIO, label: str) -> None:
        self.stream = stream
        self.label = label
        self.is_terminal = stream.isatty()
        self.drawn_at = 0.0

    def show(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` items are complete."""
        now = time.monotonic()
        if not self.is_terminal or (done < total and now - self.drawn_at < self.MIN_INTERVAL):
            return
        self.drawn_at = now
        full = self.WIDTH * done // total
        self.stream.write(f"\r[{'#' * full}{'.' * (self.WIDTH - full)}] {done} of {total} {self.label}")
        self.stream.flush()

    def close(self) -> None:
        """Clear the bar."""
        if self.is_terminal and self.drawn_at:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


class StatusLine:
    """A status line that is overwritten by each update. It shows nothing if the stream is not a terminal."""

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
        """Clear the line."""
        if self.is_drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
