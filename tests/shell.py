"""The command line as a person uses it, in this process."""

import io
import json
import sys

import pytest

from triclinium.cli.main import main


class Shell:
    """Runs the command in this process, with what a person types."""

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
        """The one JSON object of standard output."""
        assert (self.code, self.error) == (0, "")
        assert self.out.count("\n") == 1
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found

    def refused(self, *words: str, typed: str = "") -> str:
        """The one sentence with which wrong input is refused."""
        self.run(*words, typed=typed)
        assert self.code == 2
        assert self.out == ""
        assert self.error.startswith("triclinium: ")
        assert self.error.count("\n") == 1
        assert "Traceback" not in self.error
        return self.error.removeprefix("triclinium: ").rstrip()
