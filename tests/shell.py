"""The command line run in this process."""

import io
import json
import sys

import pytest

from triclinium.cli.main import main


class Shell:
    """A command runner with the lines that a user types."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch
        self.code = 0
        self.out = ""
        self.error = ""

    def run(self, *words: str, typed: str = "") -> "Shell":
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            self.code = main(words)
        except SystemExit as leaving:
            self.code = leaving.code if isinstance(leaving.code, int) else -1
        self.out, self.error = self.capsys.readouterr()
        return self

    def json(self) -> dict[str, object]:
        """Return the only JSON object of standard output."""
        assert (self.code, self.error) == (0, "")
        assert self.out.count("\n") == 1
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found

    def refused(self, *words: str, typed: str = "") -> str:
        """Run a command with wrong input and return the one-line error."""
        self.run(*words, typed=typed)
        assert self.code == 2
        assert self.out == ""
        assert self.error.startswith("triclinium: ")
        assert self.error.count("\n") == 1
        assert "Traceback" not in self.error
        return self.error.removeprefix("triclinium: ").rstrip()
