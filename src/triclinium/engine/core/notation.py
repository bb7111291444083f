"""Options as small integers and as text. Each verb of a game owns a block of integers with one notation each.

Only notation is stored or sent. The first integer and the size of a block are literals in code, so editing a components
file moves no block. The names come from the components.
"""

from bisect import bisect_right
from collections.abc import Sequence

from triclinium.engine.core.errors import BadComponents, BadNotation, suggest_names


class Verb:
    """A verb and its options.

    ``Verb("lay", 40, 60, cards, columns)`` owns the options 40 to 99. ``lay r02 3`` names a card and a column. A verb
    that ``closes`` ends a turn or declines, such as ``end``, ``pass`` or ``skip``. Pages show it last and keep it
    visible. ``seat_axis`` is the index of the axis that names seats, or -1. A network sees these seats relative to
    itself.
    """

    def __init__(
        self, word: str, first: int, room: int, *axes: Sequence[str], closes: bool = False, seat_axis: int = -1
    ) -> None:
        self.word = word
        self.seat_axis = seat_axis
        self.closes = closes
        self.first = first
        self.room = room
        self.axes = tuple(tuple(axis) for axis in axes)
        self.size = 1
        for axis in self.axes:
            self.size *= len(axis)
            for name in axis:
                if axis.count(name) > 1 or name != name.lower() or name.split() != [name]:
                    raise BadComponents(f"the name {name!r} after {word!r} must be one lower-case word and unique")
        if self.size > room:
            raise BadComponents(f"{word!r} has room for {room} options, but the components need {self.size}")

    def __contains__(self, o: object) -> bool:
        return isinstance(o, int) and self.first <= o < self.first + self.size

    def format_option(self, o: int) -> str:
        """Return the notation of one of the verb's options."""
        rest = o - self.first
        names: list[str] = []
        for axis in reversed(self.axes):
            rest, i = divmod(rest, len(axis))
            names.append(axis[i])
        return " ".join([self.word, *reversed(names)])

    def axis_indexes(self, o: int) -> list[int]:
        """Return, for each axis, the index of the name that the option uses."""
        rest = o - self.first
        indexes: list[int] = []
        for axis in reversed(self.axes):
            rest, i = divmod(rest, len(axis))
            indexes.append(i)
        indexes.reverse()
        return indexes

    def option(self, places: list[int]) -> int:
        """Return the option with these indexes."""
        rest = 0
        for axis, i in zip(self.axes, places, strict=True):
            rest = rest * len(axis) + i
        return self.first + rest

    def read(self, names: list[str]) -> int:
        """Return the option that these names choose. Raise BadNotation if they do not fit."""
        if len(self.axes) == 1 and len(names) > 1 and "_".join(names) in self.axes[0]:
            names = ["_".join(names)]  # accepts "sea of galilee" as people write it
        if len(names) != len(self.axes):
            raise BadNotation(f"{self.word!r} takes {len(self.axes)} names, not {len(names)}")
        rest = 0
        for axis, name in zip(self.axes, names, strict=True):
            if name not in axis:
                raise BadNotation(f"{self.word!r} knows no {name!r}; {suggest_names(name, axis)}")
            rest = rest * len(axis) + axis.index(name)
        return self.first + rest


class Notation:
    """All verbs of a game: converts options to text and back."""

    def __init__(self, verbs: Sequence[Verb]) -> None:
        self.verbs = tuple(sorted(verbs, key=lambda verb: verb.first))
        self._verbs_by_word = {verb.word: verb for verb in self.verbs}
        if len(self._verbs_by_word) != len(self.verbs):
            raise BadComponents("two verbs have the same word")
        for verb, after in zip(self.verbs, self.verbs[1:], strict=False):
            if verb.first + verb.room > after.first:
                raise BadComponents(f"the options of {verb.word!r} and {after.word!r} overlap")
        last = self.verbs[-1]
        self.size = last.first + last.room
        self._firsts = [verb.first for verb in self.verbs]
        self._option_texts: dict[int, str] = {}  # cache of the notations used so far
        self.names_seats = any(verb.seat_axis >= 0 for verb in self.verbs)

    def verb_of(self, o: int) -> Verb:
        """Return the verb that owns an option. Raise BadNotation if there is none."""
        verb = self.verbs[max(0, bisect_right(self._firsts, o) - 1)]
        if o in verb:
            return verb
        raise BadNotation(f"there is no option with the number {o}")

    def format_option(self, o: int) -> str:
        """Return the notation of an option, for example ``keep 2``."""
        text = self._option_texts.get(o)
        if text is None:
            text = self._option_texts[o] = self.verb_of(o).format_option(o)
        return text

    def read(self, text: str) -> int:
        """Return the option that the text names. Raise BadNotation if it names none."""
        words = text.lower().split()
        if not words:
            raise BadNotation("the option is empty")
        verb = self._verbs_by_word.get(words[0])
        joined = self._verbs_by_word.get("_".join(words[:2]))  # accepts "Sire Shaman" as pages print it
        if joined is not None and (verb is None or len(words) - 1 != len(verb.axes)):
            return joined.read(words[2:])
        if verb is None:
            raise BadNotation(
                f"no option begins with {words[0][:40]!r}; {suggest_names(words[0], self._verbs_by_word)}"
            )
        return verb.read(words[1:])

    def rotate_option(self, o: int, seat: int, seats: int) -> int:
        """Return the option as this seat would see it if it were seat 0, so that one network can play every seat."""
        return self._rotate_seats(o, -seat, seats)

    def rotate_option_back(self, o: int, seat: int, seats: int) -> int:
        """Return the option that `rotate_option` turned into this one."""
        return self._rotate_seats(o, seat, seats)

    def _rotate_seats(self, o: int, by: int, seats: int) -> int:
        if not self.names_seats:
            return o
        verb = self.verb_of(o)
        if verb.seat_axis < 0:
            return o
        places = verb.axis_indexes(o)
        named_seat = places[verb.seat_axis]
        if named_seat >= seats:
            return o  # the seat is not in use
        places[verb.seat_axis] = (named_seat + by) % seats
        return verb.option(places)

    def option_features(self, o: int) -> tuple[int, int, int]:
        """Return features of an option: its verb and its first and second names, each as an index.

        A missing name is -1.
        """
        verb = self.verb_of(o)
        places = [*verb.axis_indexes(o), -1, -1]
        return (self.verbs.index(verb), places[0], places[1])

    def all_options(self) -> list[int]:
        """Return every option that has a notation, in ascending order."""
        return [verb.first + i for verb in self.verbs for i in range(verb.size)]
