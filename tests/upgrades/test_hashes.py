"""Tests of the hash of components files: it covers what rules read, and every released file is known by it."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

import triclinium
from tests.edited_components import get_schema, numbers
from tests.matches import RECORDS
from tests.upgrades.changing_game import COMPONENTS, make_release
from triclinium import list_games
from triclinium.engine.components_schema import ANNOTATION_SUFFIXES, LAYOUT, hash_rules_data
from triclinium.engine.core.components import FILE_CACHE_SIZE, entry_names
from triclinium.engine.core.errors import BadComponents, BadRecord
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.registry import load_game


def words(data: object, keys: tuple[str, ...], path: str = "", read: bool = False) -> Iterator[tuple[str, str]]:
    """Yield every text for people in a file, with its path."""
    if isinstance(data, str) and read:
        yield path, data
    listed = zip(entry_names(data), data, strict=True) if isinstance(data, list) else ()
    for key, value in data.items() if isinstance(data, Mapping) else listed:
        here = f"{path}.{key}" if path else str(key)
        for_people = isinstance(data, Mapping) and (key in keys or key.endswith(ANNOTATION_SUFFIXES))
        yield from words(value, keys, here, for_people or (read and isinstance(data, list)))


def coordinates(game: Game) -> list[dict[str, object]]:
    """Return every number that only drawings read, mirrored within its range, grouped by change."""
    changes: dict[str, dict[str, object]] = {}
    for path, number, span in numbers(game):
        if span is not None and span.rule == LAYOUT:
            changes.setdefault(span.path, {})[path] = type(number)(span.low + span.high - number)
    return list(changes.values())


@pytest.mark.parametrize("id", list_games())
def test_texts_and_layout_are_not_in_the_hash_and_no_rule_reads_them(id: str) -> None:
    """A match is the same after changing every text and every number for drawings."""
    game = load_game(id)
    form = get_schema(game)
    record = Record.loads((RECORDS / id / f"{game.seats[0]}.rec").read_text(encoding="utf-8"))
    end = record.replay().digest()
    played = game.find_release(record.components)
    assert played is not None
    texts: dict[str, object] = {path: f"{text} *" for path, text in words(played.file.data, form.text_keys)}
    assert texts
    edited = played.file.with_changes(texts)
    assert edited.hash != played.file.hash
    assert game.with_components(edited).hash == played.hash
    assert record.replay(game=game.with_components(edited)).digest() == end
    for change in coordinates(played):
        moved = edited.with_changes(change)
        assert hash_rules_data(moved.data, form) == played.hash
        with suppress(BadComponents):  # some must be in a row
            assert record.replay(game=game.with_components(moved)).digest() == end


@pytest.mark.parametrize("id", list_games())
def test_every_number_that_a_rule_reads_is_in_the_hash(id: str) -> None:
    game = load_game(id)
    form = get_schema(game)
    hashes = set()
    ruled = [(path, number) for path, number, span in numbers(game) if span is not None and span.rule != LAYOUT]
    for path, number in ruled[:: max(1, len(ruled) // 25)]:
        edited = form.printed.with_changes({path: number + 1})
        hashes.add(hash_rules_data(edited.data, form))
    assert game.hash not in hashes


@pytest.mark.parametrize("id", list_games())
def test_every_released_file_is_known(id: str) -> None:
    """A change of the rules' data needs the previous file in data/old and its hash here."""
    game = load_game(id)
    form = get_schema(game)
    assert game.hash in form.hashes, f"hashes.toml of {id} lacks {game.hash}"
    for hash, row in form.hashes.items():
        assert row.text("why")
        found = game.find_release(hash)
        assert found is not None, f"{hash} leads nowhere"
        assert found.hash == form.find_current_hash(hash)


def test_rules_data_of_an_earlier_release_is_kept_next_to_the_new(tmp_path: Path) -> None:
    with make_release(tmp_path) as game:
        before = game.hash
        match = Match(game, 2, 5)
        match.play("stop")
        record = match.record
    poorer = COMPONENTS.replace("coins = 3", "coins = 1")
    with (
        make_release(tmp_path, components=poorer) as game,
        pytest.raises(BadRecord, match=f"needs the components {before}"),
    ):
        record.replay()
    hashes = f'"{before}" = {{ why = "the first" }}\n'
    with make_release(tmp_path, components=poorer, hashes=hashes, old={before: COMPONENTS}) as game:
        assert game.hash != before
        assert record.replay().digest() == match.state.digest()
        assert Match.resume(record).game.hash == before
        assert Match(game, 2, 5).state.digest() != match.rebuild_before(1).state.digest()


def test_a_new_name_needs_no_old_file(tmp_path: Path) -> None:
    with make_release(tmp_path) as game:
        match = Match(game, 2, 5)
    with make_release(tmp_path, components=COMPONENTS.replace("Figs", "Dates").replace("width = 4", "width = 5")):
        assert match.record.replay().digest() == match.state.digest()


def test_a_renamed_file_keeps_its_hash(tmp_path: Path) -> None:
    with make_release(tmp_path) as game:
        hash = game.hash
        record = Match(game, 2, 5).record
    record.components = "0123456789abcdef"
    hashes = (
        f'"0123456789abcdef" = {{ same_as = "{hash}", why = "names left the hash" }}\n"{hash}" = {{ why = "first" }}\n'
    )
    with make_release(tmp_path, hashes=hashes):
        assert not record.replay().over


def test_a_renamed_hash_leads_to_a_kept_file(tmp_path: Path) -> None:
    """The hash was computed differently when the match began, and the data have changed since."""
    with make_release(tmp_path) as game:
        match = Match(game, 2, 5)
    record, before = match.record, match.record.components
    record.components = "0123456789abcdef"
    hashes = f'"0123456789abcdef" = {{ same_as = "{before}", why = "names left" }}\n"{before}" = {{ why = "first" }}\n'
    poorer = COMPONENTS.replace("coins = 3", "coins = 1")
    with make_release(tmp_path, components=poorer, hashes=hashes, old={before: COMPONENTS}) as game:
        assert record.replay().digest() == match.state.digest()
        assert game.hash != before


def test_an_unreadable_old_file_gives_one_message(tmp_path: Path) -> None:
    with make_release(tmp_path) as game:
        record = Match(game, 2, 5).record
    hashes = f'"{record.components}" = {{ why = "the first" }}\n'
    old = {record.components: COMPONENTS.replace("hand = 3\n", "")}
    with (
        make_release(tmp_path, components=COMPONENTS.replace("hand = 3", "hand = 2"), hashes=hashes, old=old),
        pytest.raises(BadRecord, match=r"can no longer be read: .*hand is missing"),
    ):
        record.replay()


def test_few_edited_games_are_kept() -> None:
    game = load_game("testoftime")
    printed = get_schema(game).printed
    edited = printed.with_changes({"testament.tools.name": "Tower"})
    assert game.with_components(printed) is game
    assert game.with_components(edited) is game.with_components(printed.with_changes({"testament.tools.name": "Tower"}))
    first = game.with_components(edited)
    for n in range(FILE_CACHE_SIZE):
        game.with_components(printed.with_changes({"testament.tools.name": f"Tower {n}"}))
    assert game.with_components(edited) is not first


def test_caches_of_components_and_games_are_limited() -> None:
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(triclinium.__path__, "triclinium.")
        if found.name.startswith(("triclinium.games.", "triclinium.web."))
    ]
    endless = [
        f"{module.__name__}.{name}"
        for module in modules
        for name, kept in vars(module).items()
        if hasattr(kept, "cache_parameters")
        and kept.cache_parameters()["maxsize"] is None
        and _is_keyed_by_components(kept)
    ]
    assert not endless


def _is_keyed_by_components(kept: object) -> bool:
    asked = inspect.signature(kept.__wrapped__).parameters.values()  # type: ignore[attr-defined]  # of functools
    return any("Components" in str(one.annotation) or "Game" in str(one.annotation) for one in asked)
