"""Sentences for people, kept apart from their language until somebody reads them.

State, view and events hold ids and numbers. A game's ui/text.py turns them into messages: an English template and its
arguments. A reader translates last, by the catalogue of its language, and fills in names.

In a template ``{0}`` is an argument; ``{0:card|cards}`` picks the word that fits the number; ``{1:good}`` is the name
that the title's words give to good number 1.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

LANGUAGES = ("en", "fr")


class Name:
    """The name of a component in each language."""

    def __init__(self, en: str, fr: str = "") -> None:
        self.en = en
        self.fr = fr or en

    def inn(self, language: str) -> str:
        return self.fr if language == "fr" else self.en


class SeatName:
    """A seat, to be called by whatever name its player has at the reader's table."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


class Message:
    """An English template and what fills it."""

    def __init__(self, text: str, *args: "Arg") -> None:
        self.text = text
        self.args = args

    def __repr__(self) -> str:
        return f"Message({Reader().read(self)!r})"


class Joined:
    """A list of arguments, read out with commas and a last *and*."""

    def __init__(self, items: Sequence["Arg"]) -> None:
        self.items = tuple(items)


Arg: TypeAlias = "int | Name | SeatName | Message | Joined"
Figure: TypeAlias = Callable[[str, int], Arg]

_HOLE = re.compile(r"\{(\d+)(?::([^}]*))?\}")


class Reader:
    """Somebody who reads messages: a language, its catalogue, and what the seats are called."""

    def __init__(
        self,
        language: str = "en",
        catalogue: Mapping[str, str] | None = None,
        seats: Sequence[str] = (),
    ) -> None:
        self.language = language
        self.catalogue = catalogue or {}
        self.seats = seats

    def translate(self, text: str) -> str:
        return self.catalogue.get(text, text)

    def read(self, message: Message, figure: Figure | None = None) -> str:
        """The message in the reader's language."""

        def fill(hole: re.Match[str]) -> str:
            arg = message.args[int(hole[1])]
            kind = hole[2]
            if kind is None:
                return self.say(arg)
            assert isinstance(arg, int), f"{{{hole[1]}:{kind}}} in {message.text!r} needs a number"
            if "|" in kind:
                one, many = kind.split("|")
                singular = arg in (0, 1, -1) if self.language == "fr" else arg in (1, -1)
                return one if singular else many
            assert figure is not None, f"nobody names a {kind} in {message.text!r}"
            return self.say(figure(kind, arg))

        return _HOLE.sub(fill, self.translate(message.text))

    def say(self, arg: Arg) -> str:
        """One argument as text."""
        if isinstance(arg, Message):
            return self.read(arg)
        if isinstance(arg, Name):
            return arg.inn(self.language)
        if isinstance(arg, SeatName):
            if arg.seat < len(self.seats):
                return self.seats[arg.seat]
            return f"{self.translate('seat')} {arg.seat}"
        if isinstance(arg, Joined):
            parts = [self.say(item) for item in arg.items]
            last = f" {self.translate('and')} "
            return last.join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
        return str(arg).replace("-", "\N{MINUS SIGN}")
