"""Tests of fair shares of bot processes: thirty tables of one caller do not delay another caller."""

import asyncio
import itertools
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.event_loop import run_coroutine
from tests.server.api_client import ApiClient, get_server, make_app, make_client
from tests.server.faulty_bots import BOTS
from tests.slow import slow
from triclinium import Record, load_game
from triclinium.bots import registry
from triclinium.bots.time_slices import DEFAULT_SLICE_SECONDS, Sliced, TaskClock, run_to_end, set_slice_length
from triclinium.server.bots import worker
from triclinium.server.bots.pool import BotPool
from triclinium.server.bots.slice_log import BotSlice
from triclinium.server.bots.worker_queue import UNATTENDED_INTERVAL, BotTask, TaskOrigin, WorkerQueue
from triclinium.server.net.client_address import get_network, get_site

EVANGELISTS = load_game("evangelists")
SHORT = 0.05  # seconds for each time slice


def make_opened_match(seats: int = 2) -> Record:
    record = Record.create(EVANGELISTS, seats, 7, EVANGELISTS.complete_variants({}))
    record.options = ["start rome", "start corinth", "start antioch"][:seats]
    return record


@pytest.fixture
def short_slices() -> Iterator[None]:
    set_slice_length(0.01)
    yield
    set_slice_length(DEFAULT_SLICE_SECONDS)


# -- the queue --------------------------------------------------------------------------------------------------------


async def run_slices(turns: WorkerQueue, origins: list[TaskOrigin], slices: int, most: int) -> list[TaskOrigin]:
    """Run a task with this many time slices for each origin, all queued at once, and return the order of the slices."""
    order: list[TaskOrigin] = []

    async def work(origin: TaskOrigin) -> None:
        task = BotTask(origin)
        process = await turns.acquire_process(task)
        for n in range(slices):
            order.append(origin)
            await asyncio.sleep(0)
            if n < slices - 1:
                turns.requeue_task(task, process)
                process = await turns.acquire_next_slice(task)
        turns.release_process(task, process)

    await asyncio.gather(*(work(origin) for origin in origins))
    assert turns.waiting_count == 0
    return order[:most]


def test_callers_alternate_whatever_the_number_of_their_tables() -> None:
    hog = [TaskOrigin("hog", n, f"hog {n}") for n in range(30)]
    other = TaskOrigin("other", 99, "other")
    order = run_coroutine(run_slices(WorkerQueue(1), [*hog, other], 4, 8))
    assert [one.caller for one in order] == ["hog", "other"] * 4


def test_people_behind_one_address_alternate_too() -> None:
    family = [TaskOrigin("home", 1, f"table {n}") for n in range(5)] + [TaskOrigin("home", 2, "own table")]
    assert [one.person for one in run_coroutine(run_slices(WorkerQueue(1), family, 3, 6))] == [1, 2] * 3


def test_started_tasks_come_first() -> None:
    order = run_coroutine(run_slices(WorkerQueue(1), [TaskOrigin("one", 1, f"table {n}") for n in range(3)], 3, 9))
    assert [one.table for one in order] == ["table 0"] * 3 + ["table 1"] * 3 + ["table 2"] * 3


def test_unattended_tables_wait_but_continue() -> None:
    unseen = TaskOrigin("unseen", 1, "unseen", is_attended=lambda: False)
    seen = [TaskOrigin(f"caller {n}", n, f"table {n}") for n in range(2)]
    order = [
        one.table for one in run_coroutine(run_slices(WorkerQueue(1), [*seen, unseen], 20, 4 * UNATTENDED_INTERVAL))
    ]
    assert order.count("unseen") == 4
    assert "unseen" not in order[: UNATTENDED_INTERVAL - 1]


def test_a_cancelled_turn_goes_to_the_next_task() -> None:
    async def ask() -> list[str]:
        turns, done = WorkerQueue(1), list[str]()

        async def think(name: str) -> None:
            task = BotTask(TaskOrigin(name, 1, name))
            process = await turns.acquire_process(task)
            done.append(name)
            turns.release_process(task, process)

        first = BotTask(TaskOrigin("first", 1, "first"))
        process = await turns.acquire_process(first)
        gone, called, last = (asyncio.ensure_future(think(name)) for name in ("gone", "called", "last"))
        await asyncio.sleep(0)
        gone.cancel()  # The task is cancelled while it waits.
        await asyncio.sleep(0)
        turns.release_process(first, process)
        called.cancel()  # it has just been given a process, but has not started
        await last
        assert turns.is_alone("nobody")
        await turns.acquire_process(BotTask(TaskOrigin("next", 1, "next")))  # the process is free again
        return done

    assert run_coroutine(ask()) == ["last"]


def test_budgets_are_not_reduced_by_waiting_tables() -> None:
    async def ask() -> tuple[int, int, int]:
        turns = WorkerQueue(1)
        running = asyncio.ensure_future(turns.acquire_process(BotTask(TaskOrigin("hog", 1, "running"))))
        await asyncio.sleep(0)
        waiting = [BotTask(TaskOrigin("hog", 1, f"unseen {n}", is_attended=lambda: False)) for n in range(4)]
        waiting += [BotTask(TaskOrigin("hog", 1, f"seen {n}")) for n in range(2)]
        jobs = [asyncio.ensure_future(turns.acquire_process(task)) for task in waiting]
        await asyncio.sleep(0)
        crowds = (
            turns.count_load(TaskOrigin("other", 2, "own")),
            turns.count_load(TaskOrigin("hog", 1, "one more")),
            turns.count_load(TaskOrigin("hog", 1, "one more", is_attended=lambda: False)),
        )
        for job in (*jobs, running):
            job.cancel()
        await asyncio.gather(*jobs, running, return_exceptions=True)
        return crowds

    assert run_coroutine(ask()) == (2, 3, 7)  # the tables of the busy caller count as one caller


# -- the processes ----------------------------------------------------------------------------------------------------


async def play_next_to_busy_caller(name: str, decisions: int) -> list[BotSlice]:
    """Let one caller run 30 tables of three masters while another asks a bot this many times, and return the log."""
    bot_pool = BotPool(1, slice_seconds=SHORT)

    async def play_on(table: str) -> None:
        while True:
            await bot_pool.choose(make_opened_match(3), TaskOrigin("hog", 1, table), "master")

    tables = [asyncio.ensure_future(play_on(f"hog {n}")) for n in range(30)]
    try:
        while not any(one.caller == "hog" for one in bot_pool.slice_log):
            await asyncio.sleep(0.05)
        for _ in range(decisions):
            assert await bot_pool.choose(make_opened_match(), TaskOrigin("other", 2, "own table"), name)
        return list(bot_pool.slice_log)
    finally:
        for one in tables:
            one.cancel()
        bot_pool.close()
        await asyncio.gather(*tables, return_exceptions=True)


@pytest.mark.parametrize("decisions", [8, slow(100)])
def test_a_steady_bot_is_served_while_another_caller_runs_thirty_tables_of_masters(decisions: int) -> None:
    log = run_coroutine(play_next_to_busy_caller("steady", decisions))
    own = [one for one in log if one.caller == "other"]
    assert len([one for one in own if one.number == 0]) == decisions
    for first in own:
        between = [one for one in log if one.caller == "hog" and first.asked < one.ended <= first.began]
        assert len(between) <= 3


def test_a_long_search_alternates_with_the_other_caller() -> None:
    log = run_coroutine(play_next_to_busy_caller("strong@80x", 1))
    own = [n for n, one in enumerate(log) if one.caller == "other"]
    assert len(own) > 5
    assert {after - before for before, after in itertools.pairwise(own)} == {2}


@pytest.fixture
def faulty_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(registry.BOTS_VARIABLE, BOTS)
    registry.load_bot_classes.cache_clear()
    yield
    registry.load_bot_classes.cache_clear()


@pytest.mark.usefixtures("faulty_bots")
def test_a_suspended_search_restarts_if_its_process_crashes() -> None:
    async def ask() -> list[str]:
        bot_pool = BotPool(1, slice_seconds=SHORT)
        try:
            long = asyncio.ensure_future(
                bot_pool.choose(make_opened_match(), TaskOrigin("one", 1, "one"), "strong@60x")
            )
            while not len(list(bot_pool.slice_log)):
                await asyncio.sleep(0.01)
            deadly = await bot_pool.choose(make_opened_match(), TaskOrigin("two", 2, "two"), "deadly")
            return [await long, deadly]
        finally:
            bot_pool.close()

    legal = make_opened_match().replay().legal
    assert all(EVANGELISTS.read(option) in legal for option in run_coroutine(ask()))


def test_a_cancelled_search_frees_its_process() -> None:
    async def ask() -> int:
        bot_pool = BotPool(1, slice_seconds=SHORT)
        try:
            long = asyncio.ensure_future(
                bot_pool.choose(make_opened_match(), TaskOrigin("one", 1, "one"), "strong@100000x")
            )
            while len(list(bot_pool.slice_log)) < 2:
                await asyncio.sleep(0.01)
            long.cancel()
            await asyncio.gather(long, return_exceptions=True)
            return await bot_pool.run(TaskOrigin("two", 2, "two"), count_suspended)
        finally:
            bot_pool.close()

    assert run_coroutine(ask()) == 0


def count_suspended() -> int:
    """Return the number of tasks that this process has suspended."""
    return len(worker._tasks)


# -- slices and choices -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("short_slices")
def test_slicing_changes_no_choice_by_iterations() -> None:
    """Two interleaved searches in one process choose as separate searches do, and so does a review."""
    case = worker.MatchInput(make_opened_match().dumps())
    jobs = [partial(worker.choose_option, case, f"t{seed}", "strong@40x", seed, 1, 1) for seed in (1, 2)]
    apart = [run_to_end(job()) for job in jobs]
    worker._bots.clear()
    running: dict[int, Sliced[worker.BotChoice]] = {n: job() for n, job in enumerate(jobs)}
    together: dict[int, worker.BotChoice] = {}
    switches = 0
    while running:
        for n, task in list(running.items()):
            try:
                next(task)
                switches += 1
            except StopIteration as end:
                together[n] = end.value
                del running[n]
    assert switches > 4
    assert [together[n] for n in range(2)] == apart


@pytest.mark.usefixtures("short_slices")
def test_a_bot_counts_its_own_time_and_not_the_time_it_waits() -> None:
    task = worker.choose_option(worker.MatchInput(make_opened_match().dumps()), "waits", "strong@100ms", 1, 1, 1)
    own = slices = 0.0
    thought: worker.BotChoice | None = None
    while thought is None:
        began = time.thread_time()
        try:
            next(task)
        except StopIteration as end:
            thought = end.value
        own += time.thread_time() - began
        slices += 1
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass  # another task of the process
    assert slices > 4
    assert own > 0.08
    assert not thought.cut_short


@pytest.mark.usefixtures("short_slices")
def test_the_clock_of_a_task_stops_while_it_is_suspended() -> None:
    clock = TaskClock()
    pause = clock.suspend()
    next(pause)
    time.sleep(0.05)
    with pytest.raises(StopIteration):
        next(pause)
    assert clock.measure_wall_seconds() < 0.04


# -- callers ----------------------------------------------------------------------------------------------------------


def from_address(client: TestClient, address: str) -> TestClient:
    """Return a browser without cookies at this address."""
    came = TestClient(client.app, client=(address, 50000))
    came.portal = client.portal
    return came


def test_a_caller_is_an_address_whatever_its_cookies(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        server, portal = get_server(client), client.portal
        assert portal is not None
        here = [from_address(client, "203.0.113.7") for _ in range(2)]
        visitors = [*here, from_address(client, "203.0.113.8"), from_address(client, "2001:db8:1:1::1")]
        visitors.append(from_address(client, "2001:db8:1:ffff::1"))  # another /64 network of the same site
        tables = [portal.call(server.tables.get_table, ApiClient(one).id) for one in visitors]
        openers = [table.opener for table in tables]
        assert openers[0] == openers[1] != openers[2]
        assert openers[3] == openers[4] not in openers[:3]
        assert len({table.host for table in tables}) == 5
        assert not any("203" in opener for opener in openers)
        server.tables._tables.clear()
        assert portal.call(server.tables.get_table, tables[0].id).opener == openers[0]  # the same after a restart


def test_hints_and_reviews_count_for_the_caller(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        api = ApiClient(from_address(client, "203.0.113.7")).fill()
        api.client = from_address(client, "203.0.113.9")
        who = api.who
        assert who is not None
        assert api.client.post(f"{api.url}/hint", headers=api.auth(who), json={}).status_code in (200, 202)
        api.finish()
        until = time.monotonic() + 120
        while api.client.get(f"{api.url}/review", headers=api.auth(0)).status_code == 202:
            assert time.monotonic() < until
            time.sleep(0.1)
        log = list(get_server(client).bot_pool.slice_log)
        table = make_client(client).portal
        assert table is not None
        opener = table.call(get_server(client).tables.get_table, api.id).opener
    assert {one.kind for one in log} == {"hint", "review"}
    assert len({one.caller for one in log}) == 1
    assert opener not in {one.caller for one in log}


@pytest.mark.parametrize(
    ("address", "found"),
    [("203.0.113.7", "203.0.113.7"), ("2001:db8:1:2::3", "2001:db8:1::/48"), ("nowhere", "nowhere")],
)
def test_a_site_is_an_address_or_a_48(address: str, found: str) -> None:
    assert get_site(get_network(address)) == found
