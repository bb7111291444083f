"""Tests of bots at tables: they run in separate processes, within a time budget, and never block a match."""

import asyncio
import logging
import time
from collections.abc import Iterator

import pytest

from tests.event_loop import run_coroutine
from tests.server.faulty_bots import BOTS, has_read
from triclinium import Record, load_game
from triclinium.bots import Budget, registry
from triclinium.bots.search import SearchBot
from triclinium.bots.time_slices import run_to_end
from triclinium.server.bots import worker
from triclinium.server.bots.pool import BotPool, list_bots, list_levels
from triclinium.server.bots.worker_queue import TaskOrigin
from triclinium.server.tables.event_stream import EventListener, ListenerHub

EVANGELISTS = load_game("evangelists")


def record_of(*options: str) -> Record:
    record = Record.create(EVANGELISTS, 2, 7, EVANGELISTS.complete_variants({}))
    record.options = list(options)
    return record


OPENED = record_of("start rome", "start corinth")


@pytest.fixture
def faulty_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Yield a server with failing bots."""
    monkeypatch.setenv(registry.BOTS_VARIABLE, BOTS)
    registry.load_bot_classes.cache_clear()
    yield
    registry.load_bot_classes.cache_clear()


def make_table_task(table: str) -> TaskOrigin:
    """Return a task of one caller at a table."""
    return TaskOrigin("caller", 1, table)


def choose_with_bots(*names: str) -> list[str]:
    """Return the choice of each bot at one table."""

    async def ask() -> list[str]:
        bot_pool = BotPool(1)
        try:
            return [await bot_pool.choose(OPENED, make_table_task("table"), name) for name in names]
        finally:
            bot_pool.close()

    return run_coroutine(ask())


def test_people_choose_levels_and_programs_any_bot() -> None:
    assert list_levels() == ["novice", "casual", "steady", "strong", "master"]
    assert list_levels(EVANGELISTS)[:3] == ["novice", "casual", "steady"]
    assert {"random", "greedy"} <= set(list_bots())


def test_every_level_answers_from_its_process() -> None:
    """Each bot thinks as briefly as on a crowded server."""

    async def ask() -> list[worker.BotChoice]:
        bot_pool = BotPool(1)
        case, crowd = worker.MatchInput(OPENED.dumps()), 20
        try:
            # Bot processes do not import modules that only the server needs.
            assert not await bot_pool.run(make_table_task("table"), has_read, "sqlalchemy")
            jobs = [
                bot_pool.run_sliced(make_table_task("table"), worker.choose_option, case, "table", name, 7, crowd, 2)
                for name in list_levels()
            ]
            return [await job for job in jobs]
        finally:
            bot_pool.close()

    s = OPENED.replay()
    for thought in run_coroutine(ask()):
        assert not thought.fault
        assert EVANGELISTS.read(thought.option) in s.legal


@pytest.mark.usefixtures("faulty_bots")
def test_a_fault_is_logged_by_name_and_a_legal_option_is_played(caplog: pytest.LogCaptureFixture) -> None:
    s = OPENED.replay()
    with caplog.at_level(logging.WARNING, "triclinium.bots"):
        for option in choose_with_bots("clumsy", "deadly", "sleepy"):
            assert EVANGELISTS.read(option) in s.legal
    assert caplog.text.count("the bot clumsy at table: KeyError") == 3  # retried once, then given up
    assert caplog.text.count("a process crashed during the bot deadly at table") == 3
    assert caplog.text.count("the bot sleepy at table: late") == 1  # people do not wait for a second timeout


@pytest.mark.usefixtures("faulty_bots")
def test_an_answer_cut_short_is_played_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "triclinium.bots"):
        (option,) = choose_with_bots("tardy")
    assert option == EVANGELISTS.format_option(OPENED.replay().legal[-1])
    assert caplog.text.count("the bot tardy at table ran out of time on a busy machine") == 1


@pytest.mark.usefixtures("faulty_bots")
def test_a_crashing_bot_does_not_stop_another_table() -> None:
    async def ask() -> list[str]:
        bot_pool = BotPool(2)
        try:
            asked = [
                bot_pool.choose(OPENED, make_table_task(f"table {n}"), name)
                for n, name in enumerate(("deadly", "steady"))
            ]
            return list(await asyncio.gather(*asked))
        finally:
            bot_pool.close()

    s = OPENED.replay()
    assert all(EVANGELISTS.read(option) in s.legal for option in run_coroutine(ask()))


def test_with_many_requests_each_bot_gets_less_time() -> None:
    """Six tables of strong bots share one process, but no table waits six times as long as a bot thinks."""

    async def ask() -> float:
        bot_pool = BotPool(1)
        try:
            await bot_pool.choose(OPENED, make_table_task("warm"), "novice")
            began = await bot_pool.run(make_table_task("clock"), time.process_time)
            await asyncio.gather(
                *(bot_pool.choose(OPENED, make_table_task(f"table {n}"), "strong@300ms") for n in range(6))
            )
            return await bot_pool.run(make_table_task("clock"), time.process_time) - began
        finally:
            bot_pool.close()

    assert run_coroutine(ask()) < 1.44  # separate full searches would take 1.8


def test_a_table_is_attended_while_a_page_has_it_open() -> None:
    hub = ListenerHub(lambda _: ())
    listener = EventListener()
    assert not hub.is_attended()
    hub.add(listener)
    assert hub.is_attended()
    hub.discard(listener)
    assert not hub.is_attended()
    hub.merge_remote_presence("another server", {"here": [], "open": [], "aware": [], "watching": 1})
    assert hub.is_attended()


def test_the_server_responds_while_a_bot_thinks() -> None:
    async def ask() -> int:
        bot_pool = BotPool(1)
        ticks = 0
        try:
            thinking = asyncio.ensure_future(bot_pool.choose(OPENED, make_table_task("table"), "strong@300ms"))
            while not thinking.done():
                await asyncio.sleep(0.01)
                ticks += 1
        finally:
            bot_pool.close()
        return ticks

    assert run_coroutine(ask()) > 20


def test_a_search_keeps_its_tree_within_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second decision of a turn continues the search tree of the first one."""
    monkeypatch.setattr(worker, "_bots", type(worker._bots)())
    monkeypatch.setattr("triclinium.bots.search.Strong.budget", Budget(60.0, 60))
    record = record_of(*OPENED.options, "travel weak")
    first = run_to_end(worker.choose_option(worker.MatchInput(record.dumps()), "table", "strong", 1, 1, 1))
    assert not first.fault
    (player,) = worker._bots.values()
    assert isinstance(player, SearchBot)
    tree = player.last_tree
    assert tree is not None
    on = record_of(*record.options, first.option, "decline")  # the same seat continues and has learnt nothing new
    assert not run_to_end(worker.choose_option(worker.MatchInput(on.dumps()), "table", "strong", 1, 1, 1)).fault
    assert player.last_tree is tree
    run_to_end(worker.choose_option(worker.MatchInput(OPENED.dumps()), "other table", "strong", 1, 1, 1))
    assert len(worker._bots) == 2  # each table has a separate bot


def test_a_process_keeps_few_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_bots", type(worker._bots)())
    for n in range(worker.MAX_BOTS + 3):
        run_to_end(worker.choose_option(worker.MatchInput(OPENED.dumps()), f"table {n}", "novice", 1, 1, 1))
    assert len(worker._bots) == worker.MAX_BOTS
