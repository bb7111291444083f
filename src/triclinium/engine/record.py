"""A match written down, replayable for ever.

    triclinium record 2
    title evangelists
    version 1
    components 5d0c1f0a9be2c3d4
    seats 3
    variant memory_aid off
    seed 00000000000000000000000000000007
    result 1:104 3:88 2:97

    1 start rome
    2 start ephesus
    ...
    end 2

``result`` gives rank and total of each seat (in a game without points its rank alone), or ``open``; the closing line
tells a whole file from a half-written one. ``seed hidden`` stands in a record given out before the end: it can be read,
not replayed.

The seed is the key of the stream of chance (`chance.py`): 32 hexadecimal digits. A match whose shuffle was sealed has
two more lines after the seed: ``seal``, which everybody saw before the first move, and ``salt``, published at the end.
"""

from collections.abc import Mapping
from typing import TypeAlias

from triclinium.engine.core.errors import BadComponents, BadNotation, BadRecord, BadSetup, Refused, TricliniumError
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.registry import find_game
from triclinium.engine.variant import Choice

FORMAT = 2
FIRST_LINE = f"triclinium record {FORMAT}"
KEY_DIGITS = 32
LONGEST_NUMBER = 40  # digits


Result: TypeAlias = list[tuple[int, int | None]]  # rank and total of each seat


class Record:
    """Title, version, components (a hash), seats, variants, seed, options (in notation), result; seal and salt."""

    def __init__(
        self,
        title: str,
        version: int,
        components: str,
        seats: int,
        variants: Mapping[str, str],
        seed: int | None,
        options: list[str],
        result: Result | None = None,
        *,
        seal: str = "",
        salt: str = "",
    ) -> None:
        self.title = title
        self.version = version
        self.components = components
        self.seats = seats
        self.variants = dict(variants)
        self.seed = seed
        self.options = options
        self.result = result
        self.seal = seal  # what everybody saw before the first move; empty: nothing was sealed
        self.salt = salt

    @staticmethod
    def of(game: Game, seats: int, seed: int, variants: Mapping[str, Choice]) -> "Record":
        """The record of a match that begins; variants at their default are left out."""
        said = {v.name: v.said(variants[v.name]) for v in game.variants if variants[v.name] != v.default}
        return Record(game.id, game.version, game.hash, seats, said, seed, [])

    def until(self, n: int) -> "Record":
        """The record after its first n options."""
        result = self.result if n >= len(self.options) else None
        return Record(
            self.title,
            self.version,
            self.components,
            self.seats,
            self.variants,
            self.seed,
            self.options[:n],
            result,
            seal=self.seal,
            salt=self.salt,
        )

    def without_seed(self) -> "Record":
        """The record as it may be given out before the end: the seed is its one secret, and the salt guards it."""
        open_ = self.until(len(self.options))
        open_.seed = None
        open_.salt = ""
        return open_

    def seed_text(self) -> str:
        """Return the seed as it is written: 32 hexadecimal digits, or ``hidden``."""
        return "hidden" if self.seed is None else f"{self.seed:0{KEY_DIGITS}x}"

    def dumps(self) -> str:
        """The record as text."""
        lines = [
            FIRST_LINE,
            f"title {self.title}",
            f"version {self.version}",
            f"components {self.components}",
            f"seats {self.seats}",
        ]
        lines += [f"variant {name} {value}" for name, value in sorted(self.variants.items())]
        lines.append(f"seed {self.seed_text()}")
        lines += [f"{name} {value}" for name, value in (("seal", self.seal), ("salt", self.salt)) if value]
        result = "open" if self.result is None else " ".join(_said(*one) for one in self.result)
        lines += [f"result {result}", ""]
        lines += [f"{i} {text}" for i, text in enumerate(self.options, start=1)]
        lines.append(f"end {len(self.options)}")
        return "\n".join(lines) + "\n"

    @staticmethod
    def loads(text: str, where: str = "record") -> "Record":
        """Read a record; raises BadRecord, which names the place and the line."""
        return _Reading(text, where).record()

    def to_json(self) -> dict[str, object]:
        """The record as one JSON object."""
        result = None if self.result is None else [{"rank": r, "total": t} for r, t in self.result]
        return {
            "format": FORMAT,
            "title": self.title,
            "version": self.version,
            "components": self.components,
            "seats": self.seats,
            "variants": self.variants,
            "seed": None if self.seed is None else self.seed_text(),
            "options": self.options,
            "result": result,
        }

    def title_for(self, game: Game | None = None) -> Game:
        """The game that can replay this record; raises BadRecord."""
        try:
            found = game or find_game(self.title)
        except BadSetup as error:
            raise BadRecord(f"the title of this record is not at hand: {error}") from None
        if found.id != self.title:
            raise BadRecord(f"this is a record of {self.title}, not of {found.id}")
        if self.version not in found.versions:
            raise BadRecord(f"this record cannot be replayed: {found.unknown_version(self.version)}")
        return found if game is not None else self._on_its_components(found)

    def _on_its_components(self, found: Game) -> Game:
        try:
            released = found.released(self.components)
        except BadComponents as error:
            raise BadRecord(
                f"the components {self.components} of this record cannot be read any more: {error}"
            ) from None
        if released is None:
            raise BadRecord(
                f"this record needs the components {self.components} of {self.title}; those here are {found.hash}"
            )
        return released

    def deal(self, game: Game, listen: bool = False) -> State:
        """The state before the first option."""
        if self.seed is None:
            raise BadRecord("the seed of this record is hidden until its match is over")
        try:
            chosen = game.read_variants(self.variants)
            return game.deal(self.seats, self.seed, chosen, listen, self.version)
        except TricliniumError as error:
            raise BadRecord(f"the match of this record cannot be dealt: {error}") from None

    def replay(self, until: int | None = None, game: Game | None = None) -> State:
        """The state after all options, or after the first so many; raises BadRecord, which names the move."""
        found = self.title_for(game)
        s = self.deal(found)
        for n, text in enumerate(self.options[:until], start=1):
            replay_one(found, s, n, text)
        if until is None and self.result is not None and game is None:
            reached = result_of(found.scores(s)) if s.over else None
            if reached != self.result:
                raise BadRecord(f"the record says the result is {self.result}, its options give {reached or 'none'}")
        return s


def result_of(scores: list[Score]) -> Result:
    """What a record keeps of the scores."""
    return [(score.rank, score.total) for score in scores]


def _said(rank: int, total: int | None) -> str:
    return str(rank) if total is None else f"{rank}:{total}"


def replay_one(game: Game, s: State, n: int, text: str) -> None:
    """Play option number n of a record."""
    try:
        s.play(game.read(text))
    except BadNotation as error:
        raise BadRecord(f"move {n} ({text!r}) cannot be read: {error}") from None
    except Refused as refused:
        why = game.words.refusal(refused, game.words.reader())
        raise BadRecord(f"move {n} ({text!r}) does not follow: {why}") from None


class _Reading:
    """One pass over the lines of a record."""

    def __init__(self, text: str, where: str) -> None:
        self.lines = text.splitlines()
        self.where = where
        self.at = 0

    def record(self) -> Record:
        first = self.lines[0].strip() if self.lines else ""
        if first != FIRST_LINE:
            if first.startswith("triclinium record "):
                raise self.bad(f"is written in another format ({first.removeprefix('triclinium ')!r})")
            raise self.bad(f"should be {FIRST_LINE!r}")
        self.at = 1
        title = self.field("title")
        version = self.whole(self.field("version"))
        components = self.field("components")
        seats = self.whole(self.field("seats"))
        variants: dict[str, str] = {}
        while self.next_is("variant"):
            name, _, value = self.field("variant").partition(" ")
            variants[name] = value
        said = self.field("seed")
        seed = None if said == "hidden" else self.key(said)
        seal = self.field("seal") if self.next_is("seal") else ""
        salt = self.field("salt") if self.next_is("salt") else ""
        result = self.result(self.field("result"))
        options = self.options()
        self.nothing_more()
        return Record(title, version, components, seats, variants, seed, options, result, seal=seal, salt=salt)

    def options(self) -> list[str]:
        options: list[str] = []
        while self.at < len(self.lines):
            line = self.lines[self.at].strip()
            if line:
                number, _, text = line.partition(" ")
                if number == "end":
                    if text != str(len(options)):
                        raise self.bad(f"should be 'end {len(options)}'")
                    self.at += 1
                    return options
                if number != str(len(options) + 1) or not text:
                    raise self.bad(f"should be move number {len(options) + 1}")
                options.append(text)
            self.at += 1
        self.at -= 1
        raise self.bad(f"is the last one, and the closing line is missing: half-written after move {len(options)}")

    def nothing_more(self) -> None:
        while self.at < len(self.lines):
            if self.lines[self.at].strip():
                raise self.bad("stands after the record's end")
            self.at += 1

    def next_is(self, name: str) -> bool:
        return self.at < len(self.lines) and self.lines[self.at].startswith(f"{name} ")

    def result(self, text: str) -> Result | None:
        if text == "open":
            return None
        found: Result = []
        for part in text.split():
            rank, colon, total = part.partition(":")
            found.append((self.whole(rank), self.whole(total) if colon else None))
        return found

    def field(self, name: str) -> str:
        if self.at >= len(self.lines):
            self.at = max(0, len(self.lines) - 1)
            raise self.bad(f"is the last one, and {name!r} is missing: half-written")
        word, _, value = self.lines[self.at].strip().partition(" ")
        if word != name or not value:
            raise self.bad(f"should give the {name}")
        self.at += 1
        return value

    def whole(self, text: str) -> int:
        try:
            return int(text[:LONGEST_NUMBER])
        except ValueError:
            self.at -= 1
            raise self.bad(f"should hold a whole number, not {text[:LONGEST_NUMBER]!r}") from None

    def key(self, text: str) -> int:
        if len(text) != KEY_DIGITS or not all(digit in "0123456789abcdef" for digit in text):
            self.at -= 1
            raise self.bad(f"should hold {KEY_DIGITS} hexadecimal digits, not {text[:LONGEST_NUMBER]!r}")
        return int(text, 16)

    def bad(self, what: str) -> BadRecord:
        return BadRecord(f"{self.where}: line {self.at + 1} {what}")
