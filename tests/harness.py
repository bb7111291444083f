"""The three beats of a scenario test: table, play, see."""

import pytest

from triclinium.engine.core.errors import Refused
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import State
from triclinium.engine.game import Game


class Harness:
    """Plays a game by notation. A game's tests/games/<id>/table.py binds one."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def play(self, s: State, *texts: str) -> None:
        """Choose these options, one after the other."""
        for text in texts:
            try:
                s.play(self.game.read(text))
            except Refused as refused:
                why = self.game.words.format_refusal(refused, self.game.words.reader())
                asked = "nothing" if s.over else repr(s.asked)
                raise AssertionError(f"{why}; asked: {asked}; options: {self.options(s)}") from None

    def refused(self, s: State, text: str, rule: Rule) -> None:
        """This option is refused by this rule, with a sentence in each language, and nothing changes."""
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
        """The legal options in notation."""
        return [self.game.format_option(o) for o in s.options()]
