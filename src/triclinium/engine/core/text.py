"""Messages for people. They are independent of the language until someone reads them.

State, view and events hold ids and numbers. Steps, events and rules hold English templates. A game's texts join a
template and its arguments to a message. A reader translates it with the catalogue of its language and inserts the
names.

In a template ``{0}`` is an argument and ``{who}`` is the acting seat. ``{0:card|cards}`` chooses the word that fits the
number. ``{1:good}`` is the name of good number 1. ``{*:card}`` lists the names of all arguments.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

NO_SEAT: Final = -1
TEMPLATE_CACHE_SIZE: Final = 4096  # number of parsed templates in the cache
MINUS: Final = "\N{MINUS SIGN}"  # for text that people read; notation, records and JSON use the hyphen
_CONTEXT: Final = "\x04"  # gettext's separator between a context and its text


def msgid(text: str) -> str:
    """Return the text unchanged, and mark it for translation where it is defined apart from its message."""
    return text


class Name:
    """The English name of a component and its translation context. A name without a context is not translated."""

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
    """A reference to a seat. It is read as the name of its player."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


class Message:
    """An English template and its arguments. ``who`` is the seat that the message is about."""

    def __init__(self, text: str, *args: "Arg", who: int = NO_SEAT) -> None:
        self.text = text
        self.args = args
        self.who = who

    def __repr__(self) -> str:
        return f"Message({', '.join([repr(self.text), *(repr(arg) for arg in self.args)])})"


class JoinedList:
    """A list of arguments, read with commas and a final *and*."""

    def __init__(self, items: Sequence["Arg"]) -> None:
        self.items = tuple(items)


class NamedComponent:
    """A component that a sentence names: its displayed name, its kind and its number."""

    def __init__(self, text: str, kind: str, number: int) -> None:
        self.text: Final = text
        self.kind: Final = kind
        self.number: Final = number

    def __repr__(self) -> str:
        return f"NamedComponent({self.text!r}, {self.kind} {self.number})"


Part: TypeAlias = "str | NamedComponent"
Arg: TypeAlias = "int | str | Name | SeatName | Message | JoinedList"
NameOf: TypeAlias = Callable[[str, int], Arg]  # returns the name of a component of this kind and number
Plural: TypeAlias = Callable[[int], int]

_PLACEHOLDER = re.compile(r"\{(\d+|who|\*)(?::([^}]*))?\}")


@lru_cache(TEMPLATE_CACHE_SIZE)
def _parse_template(text: str) -> tuple[str, list[tuple[str, str | None, str]]]:
    """Return the text before the first placeholder, then each placeholder's argument, kind and following text."""
    first, *rest = _PLACEHOLDER.split(text)
    return first, list(zip(rest[::3], rest[1::3], rest[2::3], strict=True))


def _english_plural(n: int) -> int:
    return 0 if n == 1 else 1


def format_change(n: int) -> str:
    """Return the change of a number for people, for example ``+18`` or ``−3``."""
    return f"{n:+d}".replace("-", MINUS)


class Reader:
    """A reader of messages: a language with its catalogue, the names of the seats and the names of components."""

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
        self.plural = plural  # returns the index of the plural form that fits a number
        self.name_of = name_of  # names good 1 where a template has ``{0:good}``

    def translate(self, text: str, context: str = "") -> str:
        return self.catalogue.get(f"{context}{_CONTEXT}{text}" if context else text, text)

    def read(self, message: Message) -> str:
        """Return the message as text in the reader's language."""
        text, placeholders = _parse_template(self.translate(message.text))
        for which, kind, words in placeholders:
            text += self._fill_placeholder(which, kind, message) + words
        return text

    def _fill_placeholder(self, which: str, kind: str | None, message: Message) -> str:
        """Return the text for one placeholder."""
        if which == "who":
            return self.format_arg(SeatName(message.who))
        if which == "*":
            assert kind is not None
            return self.format_arg(JoinedList([self._resolve_kind(kind, arg, message) for arg in message.args]))
        arg = message.args[int(which)]
        return self.format_arg(arg) if kind is None else self.format_arg(self._resolve_kind(kind, arg, message))

    def read_parts(self, message: Message) -> list[Part]:
        """Return the text of `read` in parts, with each named component as a separate part."""
        first, placeholders = _parse_template(self.translate(message.text))
        message_parts: list[Part] = [first]
        for which, kind, words in placeholders:
            message_parts += self._placeholder_parts(which, kind, message)
            message_parts.append(words)
        return [part for part in message_parts if part != ""]

    def _placeholder_parts(self, which: str, kind: str | None, message: Message) -> list[Part]:
        """Return the parts for one placeholder, as `_fill_placeholder` returns its text."""
        if which == "who":
            return [self.format_arg(SeatName(message.who))]
        if which == "*":
            assert kind is not None
            return self._join_parts([self._component_parts(kind, arg, message) for arg in message.args])
        arg = message.args[int(which)]
        return self._arg_parts(arg) if kind is None else self._component_parts(kind, arg, message)

    def _arg_parts(self, arg: "Arg") -> list[Part]:
        """Return the parts of one argument, as `format_arg` returns its text."""
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
        """Join lists of parts, as `_join_texts` joins texts."""
        joined_parts: list[Part] = []
        for i, item_parts in enumerate(part_lists):
            if i:
                joined_parts.append(f" {self.translate('and')} " if i == len(part_lists) - 1 else ", ")
            joined_parts += item_parts
        return joined_parts

    def _resolve_kind(self, kind: str, arg: "Arg", message: Message) -> "Arg":
        """Return the argument that replaces a number in a placeholder with a kind."""
        assert isinstance(arg, int), f"a {kind} in {message.text!r} needs a number"
        if "|" in kind:
            forms = kind.split("|")
            return forms[min(self.plural(abs(arg)), len(forms) - 1)]
        if kind == "seat":
            return SeatName(arg)
        assert self.name_of is not None, f"nobody names a {kind} in {message.text!r}"
        return self.name_of(kind, arg)

    def format_arg(self, arg: "Arg") -> str:
        """Return one argument as text."""
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
        """Join texts to a list such as ``Ann, Ben and Cleo``."""
        if len(parts) < 2:
            return "".join(parts)
        return f"{', '.join(parts[:-1])} {self.translate('and')} {parts[-1]}"
