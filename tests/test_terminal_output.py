"""Tests of colours and the progress bar: only on a terminal, and never if NO_COLOR is set."""

import io

import pytest

from triclinium.cli.ansi import Ansi, ProgressBar, fold_text


class Screen(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_colour_is_for_terminals() -> None:
    assert Ansi(Screen()).bold("salve") == "\x1b[1msalve\x1b[0m"
    assert Ansi(Screen()).bold("") == ""
    assert Ansi(io.StringIO()).bold("salve") == "salve"
    assert Ansi(Screen()).tone(2, "salve") == "\x1b[32msalve\x1b[0m"
    assert Ansi(Screen()).tone(-1, "salve") == "salve"


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ansi = Ansi(Screen())
    assert [ansi.red("a"), ansi.green("b"), ansi.dim("c")] == ["a", "b", "c"]


def test_wrapped_text_is_indented_and_colours_have_no_width() -> None:
    assert fold_text("  12  draw  draw a card of the row", 24) == "  12  draw  draw a card\n    of the row"
    assert fold_text("  1  draw  draw a card of the row", 24, 4) == "  1  draw  draw a card\n    of the row"
    assert fold_text("\x1b[1mone two\x1b[0m three", 30) == "\x1b[1mone two\x1b[0m three"
    assert fold_text("\x1b[1mone two three four five\x1b[0m", 22) == "\x1b[1mone two three four\n  five\x1b[0m"
    assert fold_text("short\n" + "x" * 30, 24) == "short\n" + "x" * 30


def test_a_dumb_terminal_gets_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert Ansi(Screen()).green("salve") == "salve"


def test_a_progress_bar_is_drawn_and_removed() -> None:
    screen = Screen()
    bar = ProgressBar(screen, "matches")
    bar.show(1, 4)
    bar.show(2, 4)  # too soon after the last drawing
    bar.show(4, 4)
    bar.close()
    assert screen.getvalue() == (
        f"\r[{'#' * 7}{'.' * 23}] 1 of 4 matches" + f"\r[{'#' * 30}] 4 of 4 matches" + "\r\x1b[K"
    )


def test_a_file_gets_no_progress_bar() -> None:
    file = io.StringIO()
    bar = ProgressBar(file, "matches")
    bar.show(4, 4)
    bar.close()
    assert file.getvalue() == ""
