"""The one tree of errors.

    TricliniumError
      Refused          a rule forbids the option
      BadNotation      text that names no option
      BadSetup         an unknown game, bot or variant, a wrong seat number or seed
        Misfit         variants that do not go together
      BadRecord        a record that cannot be read or does not replay
      BadComponents    a data file that breaks a constraint

A bug is an ``AssertionError``. Every message is one sentence for a person: what was tried, why not.
"""

import difflib
from collections.abc import Iterable, Sequence
from typing import Final

from triclinium.engine.core.rule import Rule
from triclinium.engine.core.text import Arg, Message, Reader

MAX_LISTED_NAMES: Final = 30  # names that a sentence lists; a map has more


class TricliniumError(Exception):
    """Somebody asked for what cannot be; nothing has changed."""


class Refused(TricliniumError):
    """A rule forbids the option. The state is as it was. `Words.refusal` makes the sentence."""

    def __init__(self, option: int, rule: Rule, parameters: tuple[int, ...] = ()) -> None:
        filled = f" {parameters}" if parameters else ""
        super().__init__(f"option {option}: {rule.text}{filled} ({rule.number})")
        self.option = option
        self.rule = rule
        self.parameters = parameters


class BadNotation(TricliniumError):
    """Text that names no option of the game."""


class BadSetup(TricliniumError):
    """A match that cannot be set up as asked."""


class IncompatibleVariants(BadSetup):
    """Variants that do not go together, or not with so many seats: a sentence that is translated when it is read."""

    def __init__(self, text: str, *args: Arg) -> None:
        self.message = Message(text, *args)
        super().__init__(Reader().read(self.message))


class BadRecord(TricliniumError):
    """A record that cannot be read, or does not replay."""


class ComponentsFault:
    """A constraint that a components file breaks: its number, the path of what is wrong, and why, with its figures."""

    def __init__(self, constraint: str, path: str, sentence: Message) -> None:
        self.constraint = constraint
        self.path = path
        self.sentence = sentence

    @property
    def figures(self) -> tuple[Arg, ...]:
        return self.sentence.args

    def format(self, reader: Reader) -> str:
        """``AE-C17: follow_tokens: are 4 with 3 players``"""
        return ": ".join([part for part in (self.constraint, self.path, reader.read(self.sentence)) if part])

    def __repr__(self) -> str:
        return self.format(Reader())


class BadComponents(TricliniumError):
    """A components file that breaks a constraint of the specification, or cannot be read; `faults` are all found."""

    def __init__(self, text: str, faults: Sequence[ComponentsFault] = ()) -> None:
        super().__init__(text)
        self.faults = list(faults) or [ComponentsFault("", "", Message("{0}", text))]


def suggest_names(text: str, known: Iterable[str]) -> str:
    """The advice at the end of a message: what was probably meant, or else what there is."""
    names = list(known)
    numbers = sorted([int(name) for name in names if name.isdecimal()])
    if len(numbers) == len(names) > 3 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"known: {numbers[0]} to {numbers[-1]}"
    names.sort()
    close = difflib.get_close_matches(text, names, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    if len(names) > MAX_LISTED_NAMES:
        return f"known: {', '.join(names[:MAX_LISTED_NAMES])} and {len(names) - MAX_LISTED_NAMES} more"
    return f"known: {', '.join(names)}"
