"""Sentences for people, kept apart from their language until somebody reads them.

State, view and events hold ids and numbers. Steps, events and rules carry English templates; a game's words join a
template and its arguments to a message. A reader translates last, by the catalogue of its language, and fills in names.

In a template ``{0}`` is an argument; ``{0:card|cards}`` picks the word that fits the number; ``{1:good}`` is the name
of good number 1; ``{*:card}`` are the names of all arguments, joined; ``{who}`` is the seat that did it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

NO_SEAT: Final = -1
TEMPLATE_CACHE_SIZE: Final = 4096  # that are kept in their parts
MINUS: Final = "\N{MINUS SIGN}"  # for people; notation, records and JSON have the hyphen
_CONTEXT: Final = "\x04"  # gettext's own sign between a context and its text


def msgid(text: str) -> str:
    """Marks a text as one that catalogues translate, where it stands apart from what says it."""
    return text


class Name:
    """The name of a component: English, and the context in which catalogues translate it (none: it is said so)."""

    def __init__(self, text: str, context: str = "") -> None:
        self.text: Final = text
        self.context: Final = context

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and self.text == other.text and self.context == other.context

    def __hash__(self) -> int:
        return hash((self.text, self.context))

    def __repr__(self) -> str:
        return f"Name({self.text!r})"


class SeatName:
    """A seat, to be called by whatever name its player has at the reader's table."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


class Message:
    """An English template and what fills it; ``who`` is the seat that it speaks of."""

    def __init__(self, text: str, *args: "Arg", who: int = NO_SEAT) -> None:
        self.text = text
        self.args = args
        self.who = who

    def __repr__(self) -> str:
        return f"Message({', '.join([repr(self.text), *(repr(arg) for arg in self.args)])})"


class JoinedList:
    """A list of arguments, read out with commas and a last *and*."""

    def __init__(self, items: Sequence["Arg"]) -> None:
        self.items = tuple(items)


class NamedComponent:
    """A component that a sentence names: its name as it is read, its kind, its number."""

    def __init__(self, text: str, kind: str, number: int) -> None:
        self.text: Final = text
        self.kind: Final = kind
        self.number: Final = number

    def __repr__(self) -> str:
        return f"NamedComponent({self.text!r}, {self.kind} {self.number})"


Part: TypeAlias = "str | NamedComponent"
Arg: TypeAlias = "int | str | Name | SeatName | Message | JoinedList"
NameOf: TypeAlias = Callable[[str, int], Arg]  # the name of a component, by its kind and its number
Plural: TypeAlias = Callable[[int], int]

_PLACEHOLDER = re.compile(r"\{(\d+|who|\*)(?::([^}]*))?\}")


@lru_cache(TEMPLATE_CACHE_SIZE)
def _parse_template(text: str) -> tuple[str, list[tuple[str, str | None, str]]]:
    """A template's first words; then of each hole what fills it, of which kind it is, and the words after it."""
    first, *rest = _PLACEHOLDER.split(text)
    return first, list(zip(rest[::3], rest[1::3], rest[2::3], strict=True))


def _english_plural(n: int) -> int:
    return 0 if n == 1 else 1


def format_change(n: int) -> str:
    """``+18``, ``−3``: what a number grew by, for people."""
    return f"{n:+d}".replace("-", MINUS)


class Reader:
    """Somebody who reads messages: a language, its catalogue, what the seats are called, and who names components."""

    def __init__(
        self,
        language: str = "en",
        catalogue: Mapping[str, str] | None = None,
        seats: Sequence[str] = (),
        plural: Plural = _english_plural,
        name_of: NameOf | None = None,
    ) -> None:
        self.language = language
        self.catalogue = catalogue or {}
        self.seats = seats
        self.plural = plural  # of a number from nought on, the place of the form that fits it
        self.name_of = name_of  # the name of good 1 where a template says ``{0:good}``

    def translate(self, text: str, context: str = "") -> str:
        return self.catalogue.get(f"{context}{_CONTEXT}{text}" if context else text, text)

    def read(self, message: Message) -> str:
        """The message in the reader's language."""
        text, placeholders = _parse_template(self.translate(message.text))
        for which, kind, words in placeholders:
            text += self._fill_placeholder(which, kind, message) + words
        return text

    def _fill_placeholder(self, which: str, kind: str | None, message: Message) -> str:
        """What fills one hole of a template."""
        if which == "who":
            return self.format_arg(SeatName(message.who))
        if which == "*":
            assert kind is not None
            return self.format_arg(JoinedList([self._resolve_kind(kind, arg, message) for arg in message.args]))
        arg = message.args[int(which)]
        return self.format_arg(arg) if kind is None else self.format_arg(self._resolve_kind(kind, arg, message))

    def read_parts(self, message: Message) -> list[Part]:
        """What `read` says, with the components that are named apart from the words between them."""
        first, placeholders = _parse_template(self.translate(message.text))
        message_parts: list[Part] = [first]
        for which, kind, words in placeholders:
            message_parts += self._placeholder_parts(which, kind, message)
            message_parts.append(words)
        return [part for part in message_parts if part != ""]

    def _placeholder_parts(self, which: str, kind: str | None, message: Message) -> list[Part]:
        """`_filled`, with what is named in it apart."""
        if which == "who":
            return [self.format_arg(SeatName(message.who))]
        if which == "*":
            assert kind is not None
            return self._join_parts([self._component_parts(kind, arg, message) for arg in message.args])
        arg = message.args[int(which)]
        return self._arg_parts(arg) if kind is None else self._component_parts(kind, arg, message)

    def _arg_parts(self, arg: "Arg") -> list[Part]:
        """`say`, with what is named in it apart."""
        if isinstance(arg, Message):
            return self.read_parts(arg)
        if isinstance(arg, JoinedList):
            return self._join_parts([self._arg_parts(item) for item in arg.items])
        return [self.format_arg(arg)]

    def _component_parts(self, kind: str, arg: "Arg", message: Message) -> list[Part]:
        text = self.format_arg(self._resolve_kind(kind, arg, message))
        return (
            [NamedComponent(text, kind, arg)] if isinstance(arg, int) and "|" not in kind and kind != "seat" else [text]
        )

    def _join_parts(self, part_lists: list[list[Part]]) -> list[Part]:
        """`_joined`, of parts."""
        joined_parts: list[Part] = []
        for i, item_parts in enumerate(part_lists):
            if i:
                joined_parts.append(f" {self.translate('and')} " if i == len(part_lists) - 1 else ", ")
            joined_parts += item_parts
        return joined_parts

    def _resolve_kind(self, kind: str, arg: "Arg", message: Message) -> "Arg":
        """What stands for a number where a template says of which kind it is."""
        assert isinstance(arg, int), f"a {kind} in {message.text!r} needs a number"
        if "|" in kind:
            forms = kind.split("|")
            return forms[min(self.plural(abs(arg)), len(forms) - 1)]
        if kind == "seat":
            return SeatName(arg)
        assert self.name_of is not None, f"nobody names a {kind} in {message.text!r}"
        return self.name_of(kind, arg)

    def format_arg(self, arg: "Arg") -> str:
        """One argument as text."""
        if isinstance(arg, str):
            return arg
        if isinstance(arg, Message):
            return self.read(arg)
        if isinstance(arg, Name):
            return self.translate(arg.text, arg.context) if arg.context else arg.text
        if isinstance(arg, SeatName):
            if arg.seat < len(self.seats):
                return self.seats[arg.seat]
            return f"{self.translate('seat')} {arg.seat}"
        if isinstance(arg, JoinedList):
            return self._join_texts([self.format_arg(item) for item in arg.items])
        return str(arg).replace("-", MINUS)

    def _join_texts(self, parts: list[str]) -> str:
        """``Ann, Ben and Cleo``."""
        if len(parts) < 2:
            return "".join(parts)
        return f"{', '.join(parts[:-1])} {self.translate('and')} {parts[-1]}"
