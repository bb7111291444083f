"""Match records in a text format that stays replayable.

    triclinium record 2
    game evangelists
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

``result`` gives rank and total of each seat, or ``open``. In a game without points it gives the rank only. The closing
line shows that the file is complete. A record that is published before the end has ``seed hidden``. It can be read but
not replayed.

The seed is the key of the random stream (`chance.py`) as 32 hexadecimal digits. A match with a sealed shuffle has two
more lines after the seed. All players see the ``seal`` before the first move. The ``salt`` is published at the end.
"""

from collections.abc import Mapping
from typing import TypeAlias

from triclinium.engine.core.errors import BadComponents, BadNotation, BadRecord, BadSetup, Refused, TricliniumError
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.engine.variant import Choice

FORMAT = 2
RECORD_WORDS = "triclinium record "  # the beginning of a record in any format
FIRST_LINE = f"{RECORD_WORDS}{FORMAT}"
KEY_DIGITS = 32
MAX_DIGITS = 40  # maximum number of digits that are parsed


Result: TypeAlias = list[tuple[int, int | None]]  # rank and total of each seat


class Record:
    """A match record: game, version, components (a hash), seats, variants, seed, options (in notation) and result."""

    def __init__(
        self,
        game_id: str,
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
        self.game_id = game_id
        self.version = version
        self.components = components
        self.seats = seats
        self.variants = dict(variants)
        self.seed = seed
        self.options = options
        self.result = result
        self.seal = seal  # shown to all players before the first move; empty if the shuffle was not sealed
        self.salt = salt

    @staticmethod
    def create(game: Game, seats: int, seed: int, variants: Mapping[str, Choice]) -> "Record":
        """Return the record of a new match. Variants at their default are left out."""
        variant_texts = {
            v.name: v.format_value(variants[v.name]) for v in game.variants if variants[v.name] != v.default
        }
        return Record(game.id, game.version, game.hash, seats, variant_texts, seed, [])

    def truncate(self, n: int) -> "Record":
        """Return the record after its first n options."""
        result = self.result if n >= len(self.options) else None
        return Record(
            self.game_id,
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
        """Return the record as it may be published before the end, without the seed and the salt that protects it."""
        open_ = self.truncate(len(self.options))
        open_.seed = None
        open_.salt = ""
        return open_

    def format_seed(self) -> str:
        """Return the seed in its written form: 32 hexadecimal digits, or ``hidden``."""
        return "hidden" if self.seed is None else f"{self.seed:0{KEY_DIGITS}x}"

    def dumps(self) -> str:
        """Return the record as text."""
        lines = [
            FIRST_LINE,
            f"game {self.game_id}",
            f"version {self.version}",
            f"components {self.components}",
            f"seats {self.seats}",
        ]
        lines += [f"variant {name} {value}" for name, value in sorted(self.variants.items())]
        lines.append(f"seed {self.format_seed()}")
        lines += [f"{name} {value}" for name, value in (("seal", self.seal), ("salt", self.salt)) if value]
        lines += [f"result {format_result(self.result)}", ""]
        lines += [f"{i} {text}" for i, text in enumerate(self.options, start=1)]
        lines.append(f"end {len(self.options)}")
        return "\n".join(lines) + "\n"

    @staticmethod
    def loads(text: str, where: str = "record") -> "Record":
        """Parse a record. Raise BadRecord, which names the source and the line."""
        return _RecordParser(text, where).parse()

    def to_json(self) -> dict[str, object]:
        """Return the record as a JSON object."""
        result = None if self.result is None else [{"rank": r, "total": t} for r, t in self.result]
        return {
            "format": FORMAT,
            "game": self.game_id,
            "version": self.version,
            "components": self.components,
            "seats": self.seats,
            "variants": self.variants,
            "seed": None if self.seed is None else self.format_seed(),
            "options": self.options,
            "result": result,
        }

    def find_game(self, game: Game | None = None) -> Game:
        """Return the game that can replay this record. Raise BadRecord if it is not available."""
        try:
            candidate = game or load_game(self.game_id)
        except BadSetup as error:
            raise BadRecord(f"the game of this record is not installed: {error}") from None
        if candidate.id != self.game_id:
            raise BadRecord(f"this is a record of {self.game_id}, not of {candidate.id}")
        if self.version not in candidate.versions:
            raise BadRecord(f"this record cannot be replayed: {candidate.describe_unknown_version(self.version)}")
        return candidate if game is not None else self._with_recorded_components(candidate)

    def _with_recorded_components(self, base_game: Game) -> Game:
        try:
            released = base_game.find_release(self.components)
        except BadComponents as error:
            raise BadRecord(f"the components {self.components} of this record can no longer be read: {error}") from None
        if released is None:
            raise BadRecord(
                f"this record needs the components {self.components} of {self.game_id}; installed are {base_game.hash}"
            )
        return released

    def deal(self, game: Game, listen: bool = False) -> State:
        """Return the state before the first option. Raise BadRecord if the match cannot be dealt."""
        if self.seed is None:
            raise BadRecord("the seed of this record is hidden until its match is over")
        try:
            chosen = game.read_variants(self.variants)
            return game.deal(self.seats, self.seed, chosen, listen, self.version)
        except TricliniumError as error:
            raise BadRecord(f"cannot deal the match of this record: {error}") from None

    def replay(self, move_count: int | None = None, game: Game | None = None) -> State:
        """Return the state after all options, or after the first ``move_count``.

        Raise BadRecord, which names the move.
        """
        record_game = self.find_game(game)
        s = self.deal(record_game)
        for n, text in enumerate(self.options[:move_count], start=1):
            replay_option(record_game, s, n, text)
        if move_count is None and self.result is not None and game is None:
            reached = build_result(record_game.scores(s)) if s.over else None
            if reached != self.result:
                raise BadRecord(f"the result in the record is {self.result}, but its options give {reached or 'none'}")
        return s


def build_result(scores: list[Score]) -> Result:
    """Return the result that a record keeps of these scores."""
    return [(score.rank, score.total) for score in scores]


def format_result(result: Result | None) -> str:
    """Return the result of a match as a record writes it."""
    return "open" if result is None else " ".join(_format_seat_result(*seat_result) for seat_result in result)


def _format_seat_result(rank: int, total: int | None) -> str:
    return str(rank) if total is None else f"{rank}:{total}"


def replay_option(game: Game, s: State, n: int, text: str) -> None:
    """Play option number n of a record. Raise BadRecord if it is not legal."""
    try:
        s.play(game.read(text))
    except BadNotation as error:
        raise BadRecord(f"move {n} ({text!r}) cannot be read: {error}") from None
    except Refused as refused:
        why = game.words.format_refusal(refused, game.words.reader())
        raise BadRecord(f"move {n} ({text!r}) does not follow: {why}") from None


class _RecordParser:
    """A parser that reads the lines of a record once."""

    def __init__(self, text: str, where: str) -> None:
        self.lines = text.splitlines()
        self.where = where
        self.line_index = 0

    def parse(self) -> Record:
        first = self.lines[0].strip() if self.lines else ""
        if first != FIRST_LINE:
            if first.startswith(RECORD_WORDS):
                raise self.make_line_error(f"has a different format ({first.removeprefix('triclinium ')!r})")
            raise self.make_line_error(f"should be {FIRST_LINE!r}")
        self.line_index = 1
        game_id = self.read_field("game")
        version = self.parse_int(self.read_field("version"))
        components = self.read_field("components")
        seats = self.parse_int(self.read_field("seats"))
        variants: dict[str, str] = {}
        while self.is_next("variant"):
            name, _, value = self.read_field("variant").partition(" ")
            variants[name] = value
        seed_text = self.read_field("seed")
        seed = None if seed_text == "hidden" else self.parse_key(seed_text)
        seal = self.read_field("seal") if self.is_next("seal") else ""
        salt = self.read_field("salt") if self.is_next("salt") else ""
        result = self.parse_result(self.read_field("result"))
        options = self.parse_options()
        self.check_end()
        return Record(game_id, version, components, seats, variants, seed, options, result, seal=seal, salt=salt)

    def parse_options(self) -> list[str]:
        options: list[str] = []
        while self.line_index < len(self.lines):
            line = self.lines[self.line_index].strip()
            if line:
                number, _, text = line.partition(" ")
                if number == "end":
                    if text != str(len(options)):
                        raise self.make_line_error(f"should be 'end {len(options)}'")
                    self.line_index += 1
                    return options
                if number != str(len(options) + 1) or not text:
                    raise self.make_line_error(f"should be move number {len(options) + 1}")
                options.append(text)
            self.line_index += 1
        self.line_index -= 1
        raise self.make_line_error(
            f"is the last one, and the closing line is missing: half-written after move {len(options)}"
        )

    def check_end(self) -> None:
        while self.line_index < len(self.lines):
            if self.lines[self.line_index].strip():
                raise self.make_line_error("comes after the end of the record")
            self.line_index += 1

    def is_next(self, name: str) -> bool:
        return self.line_index < len(self.lines) and self.lines[self.line_index].startswith(f"{name} ")

    def parse_result(self, text: str) -> Result | None:
        if text == "open":
            return None
        seat_results: Result = []
        for part in text.split():
            rank, colon, total = part.partition(":")
            seat_results.append((self.parse_int(rank), self.parse_int(total) if colon else None))
        return seat_results

    def read_field(self, name: str) -> str:
        if self.line_index >= len(self.lines):
            self.line_index = max(0, len(self.lines) - 1)
            raise self.make_line_error(f"is the last one, and {name!r} is missing: half-written")
        word, _, value = self.lines[self.line_index].strip().partition(" ")
        if word != name or not value:
            raise self.make_line_error(f"should give the {name}")
        self.line_index += 1
        return value

    def parse_int(self, text: str) -> int:
        try:
            return int(text[:MAX_DIGITS])
        except ValueError:
            self.line_index -= 1
            raise self.make_line_error(f"must have a whole number, not {text[:MAX_DIGITS]!r}") from None

    def parse_key(self, text: str) -> int:
        if len(text) != KEY_DIGITS or not all(digit in "0123456789abcdef" for digit in text):
            self.line_index -= 1
            raise self.make_line_error(f"must have {KEY_DIGITS} hexadecimal digits, not {text[:MAX_DIGITS]!r}")
        return int(text, 16)

    def make_line_error(self, what: str) -> BadRecord:
        return BadRecord(f"{self.where}: line {self.line_index + 1} {what}")
