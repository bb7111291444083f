"""Helper for scenario tests: set up a table, play options, and check the result."""

import pytest

from triclinium.engine.core.errors import Refused
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import State
from triclinium.engine.game import Game


class Harness:
    """The player of a game by notation. Each game defines one in tests/games/<id>/table.py."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def play(self, s: State, *texts: str) -> None:
        """Play these options in order."""
        for text in texts:
            try:
                s.play(self.game.read(text))
            except Refused as refused:
                why = self.game.words.format_refusal(refused, self.game.words.reader())
                asked = "nothing" if s.over else repr(s.asked)
                raise AssertionError(f"{why}; asked: {asked}; options: {self.options(s)}") from None

    def refused(self, s: State, text: str, rule: Rule) -> None:
        """Check that a rule refuses this option with a sentence in each language, and that nothing changes."""
        before = s.digest()
        with pytest.raises(Refused) as caught:
            s.play(self.game.read(text))
        refusal = caught.value
        assert refusal.rule is rule, f"{text!r} is refused by {refusal.rule}, not by {rule}"
        for language in ("en", "fr"):
            sentence = self.game.words.format_refusal(refusal, self.game.words.reader(language))
            assert rule.number in sentence
            assert "{" not in sentence
        assert s.digest() == before

    def options(self, s: State) -> list[str]:
        """Return the legal options in notation."""
        return [self.game.format_option(o) for o in s.options()]
