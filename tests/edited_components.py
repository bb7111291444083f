"""Components files with one changed number, and checks that they are refused or can be played."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from triclinium.boardkit.text_table import format_game_table
from triclinium.engine.components_schema import LAYOUT, ComponentsSchema, NumberRange, ValueSchema
from triclinium.engine.core.components import ComponentsFile, entry_names
from triclinium.engine.core.errors import BadComponents, BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.web import assets

WALL = 120  # maximum seconds to load an edited file and play two matches of it, also on a busy machine

STRIDE = 7  # number of decisions between two checks of the rules and the bots


class Change:
    """A place in a game's printed file, another value for it, and the range if the value is a number."""

    def __init__(self, game: Game, path: str, value: object, span: NumberRange | None = None) -> None:
        self.game = game
        self.path = path
        self.value = value
        self.span = span

    def in_range(self) -> bool:
        return self.span is not None and isinstance(self.value, (int, float)) and self.span.contains(self.value)

    def __repr__(self) -> str:
        return f"{self.game.id}: {self.path} = {self.value}"


def get_schema(game: Game) -> ComponentsSchema:
    assert game.components_schema is not None, f"{game.id} has no numbers.toml"
    return game.components_schema


def numbers(game: Game) -> list[tuple[str, float, NumberRange | None]]:
    """Return every number of a game's file, with its path and its range."""
    form = get_schema(game)
    return list(_numbers("", game.file.data, form.root_schema))


def _numbers(path: str, value: object, shape: ValueSchema) -> Iterator[tuple[str, float, NumberRange | None]]:
    inner = f"{path}." if path else ""
    if isinstance(value, dict):
        for key, found in value.items():
            yield from _numbers(f"{inner}{key}", found, shape.keys[key])
    elif isinstance(value, list) and shape.entry is not None:
        for step, found in zip(entry_names(value), value, strict=True):
            yield from _numbers(f"{inner}{step}", found, shape.entry)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value, shape.range


def list_changes(game: Game) -> list[Change]:
    """Return changes of every number of the printed file: -1, 0, one less, double, a hundredfold, least and most."""
    found: list[Change] = []
    for path, number, span in numbers(game):
        ends = {span.low, span.high} if span else set()
        for value in sorted(({-1, 0, number - 1, 2 * number, 100 * number} | ends) - {number}):
            found.append(Change(game, path, type(number)(value), span))
    return found


def list_tables(path: str, value: object) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield every table of a file, and the first table of every list of tables."""
    if isinstance(value, dict):
        if path:
            yield path, value
        for key, inner in value.items():
            yield from list_tables(f"{path}.{key}" if path else key, inner)
    elif isinstance(value, list) and value:
        yield from list_tables(f"{path}.{entry_names(value)[0]}", value[0])


def list_structural_changes(game: Game) -> list[Change]:
    """Return the printed file once without each key, and once with each list emptied, shortened and extended."""
    found: list[Change] = []
    for path, table in list_tables("", get_schema(game).printed.data):
        for key, value in table.items():
            found.append(Change(game, path, {other: table[other] for other in table if other != key}))
            if isinstance(value, list):
                found += [Change(game, f"{path}.{key}", items) for items in ([], value[:-1], value + value[:1])]
    return found


def load(change: Change) -> Game | str:
    """Return the game on the changed file, or the message that refuses it."""
    try:
        return change.game.with_components(get_schema(change.game).printed.with_changes({change.path: change.value}))
    except BadComponents as refused:
        return str(refused)


def printed_faults(game: Game, text: str) -> list[str]:
    """Return the faults of a file's text compared with the printed game, each as a sentence."""
    return [fault.format(Reader()) for fault in game.find_faults(ComponentsFile(text, "edited.toml"), printed=True)]


def play(change: Change, edited: Game, seed: int = 7) -> None:
    """Play random matches of the edited game with the fewest and the most seats, and check each."""
    for seats in sorted({min(edited.seats), max(edited.seats)}):
        try:
            s = edited.deal(seats, seed)
        except BadSetup:
            continue
        show_table(edited, s)
        if change.span is not None and change.span.rule == LAYOUT:
            continue  # no rule reads this number, so the match would be that of the printed game
        rng = Rng(seed)
        for made in range(edited.max_decisions + 1):
            if s.over:
                break
            if made % STRIDE == 0:
                check_bot_can_think(change, s)
            s.choose(s.legal[rng.below(len(s.legal))])
        assert s.over, f"{change}: more than {edited.max_decisions} decisions"
        show_table(edited, s)


def check_bot_can_think(change: Change, s: State) -> None:
    """Check that the legal options agree with the rules, and that a bot can search in a resampled world."""
    listed = [o for o in s.candidates() if s.asked.forbids(s, o) is None]
    assert s.options() == listed, f"{change}: {s.asked} lists what it forbids"
    world = s.resample(s.who, Rng(1))
    assert world.options() == listed, f"{change}: {s.asked} asks something else in another world"
    assert len(change.game.evaluator.features(world, s.who)) == len(change.game.weights.names)
    assert 0 <= change.game.evaluator.progress(world) <= 1


def show_table(edited: Game, s: State) -> None:
    """Render the table for a spectator and for a player, as a drawing and in words."""
    for seat in (None, 0):
        view = edited.view(s, seat)
        assets.draw_view(edited, view)
        format_game_table(edited, view, edited.words.reader("fr"))
    edited.scores(s)
    s.digest()


@contextmanager
def limit_seconds(seconds: int, change: Change) -> Iterator[None]:
    """Fail if the block takes longer. An endless rule cannot be found by counting decisions."""

    def late(signum: int, frame: FrameType | None) -> None:
        raise AssertionError(f"{change}: no end within {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def clear_drawing_caches(game: Game) -> None:
    """Clear the caches of drawings, which hold data of each components file."""
    package = type(game).__module__.rpartition(".")[0]
    for name, module in list(sys.modules.items()):
        if name.startswith(package) or module is assets:
            for kept in vars(module).values():
                if hasattr(kept, "cache_clear"):
                    kept.cache_clear()


def play_changed_game(change: Change) -> bool:
    """Play the changed game if it is accepted, and return whether it is."""
    clear_drawing_caches(change.game)
    with limit_seconds(WALL, change):
        edited = load(change)
        if isinstance(edited, str):
            assert edited, f"{change} is refused without a word"
            assert "\n" not in edited, f"{change} is refused in several lines"
            return False
        play(change, edited)
        return True
