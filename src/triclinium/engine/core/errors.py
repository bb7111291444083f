"""The error classes of the library.

    TricliniumError
        Refused                     a rule forbids the option
        BadNotation                 text that names no option
        BadSetup                    an unknown game, bot or variant, a wrong number of seats or a bad seed
            IncompatibleVariants    variants that cannot be combined
        BadRecord                   a record that cannot be read or does not replay
        BadComponents               a data file that breaks a constraint

A bug is an ``AssertionError``. Every message is one sentence for a person and says what failed and why.
"""

import difflib
from collections.abc import Iterable, Sequence
from typing import Final

from triclinium.engine.core.rule import Rule
from triclinium.engine.core.text import Arg, Message, Reader

MAX_LISTED_NAMES: Final = 30  # maximum number of names that a message lists


class TricliniumError(Exception):
    """Base class of all errors that a wrong request causes. Nothing has changed when one is raised."""


class Refused(TricliniumError):
    """Error for an option that a rule forbids.

    The state is unchanged. `GameText.format_refusal` returns the sentence for players.
    """

    def __init__(self, option: int, rule: Rule, parameters: tuple[int, ...] = ()) -> None:
        filled = f" {parameters}" if parameters else ""
        super().__init__(f"option {option}: {rule.text}{filled} ({rule.number})")
        self.option = option
        self.rule = rule
        self.parameters = parameters


class BadNotation(TricliniumError):
    """Error for text that names no option of the game."""


class BadSetup(TricliniumError):
    """Error for a match that cannot be set up as requested."""


class IncompatibleVariants(BadSetup):
    """Error for variants that cannot be combined, or not with this number of seats.

    Readers see it in their language.
    """

    def __init__(self, text: str, *args: Arg) -> None:
        self.message = Message(text, *args)
        super().__init__(Reader().read(self.message))


class BadRecord(TricliniumError):
    """Error for a record that cannot be read or does not replay."""


class ComponentsFault:
    """A broken constraint of a components file: its number, the path of the wrong value and the reason."""

    def __init__(self, constraint: str, path: str, sentence: Message) -> None:
        self.constraint = constraint
        self.path = path
        self.sentence = sentence

    @property
    def figures(self) -> tuple[Arg, ...]:
        return self.sentence.args

    def format(self, reader: Reader) -> str:
        """Return the fault as text, for example ``AE-C17: follow_tokens: are 4 with 3 players``."""
        return ": ".join([part for part in (self.constraint, self.path, reader.read(self.sentence)) if part])

    def __repr__(self) -> str:
        return self.format(Reader())


class BadComponents(TricliniumError):
    """Error for a components file that breaks a constraint or cannot be read.

    `faults` lists all faults that were found.
    """

    def __init__(self, text: str, faults: Sequence[ComponentsFault] = ()) -> None:
        super().__init__(text)
        self.faults = list(faults) or [ComponentsFault("", "", Message("{0}", text))]


def suggest_names(text: str, known: Iterable[str]) -> str:
    """Return advice for the end of a message: the most similar name, or else a list of the known names."""
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
