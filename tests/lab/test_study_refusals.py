"""Tests of errors of ``triclinium study``: one sentence, exit code 2, and nothing lost or played."""

import os
import pickle
import re
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.shell import Shell
from tests.toy import Figs
from triclinium.cli import study as command
from triclinium.engine.core.errors import BadSetup
from triclinium.lab.study import ray_engine
from triclinium.lab.study.comparison_plan import make_comparison_plan
from triclinium.lab.study.engine import LocalEngine, open_local_engine
from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.ray_engine import check_fingerprints
from triclinium.lab.study.study_file import PART_DEALS, Study
from triclinium.lab.study.worker import WorkerFingerprint, compute_fingerprint, play_part

FEW = ("study", "figs", "--bots", "greedy", "--also", "", "--matches", "30", "--looks", "1", "--workers", "1")


@pytest.fixture(autouse=True)
def working_folder(figs: Figs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a separate folder for studies, with Figs installed."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def parts(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "parts").iterdir())


def test_all_broken_constraints_are_reported_together(shell: Shell, working_folder: Path) -> None:
    """Every broken constraint is listed by its number, and nothing is written."""
    words = ("study", "evangelists", "--set", "follow_tokens.stenographer=1", "game.cost_weak=3")
    said = shell.refused(*words)
    assert said.startswith("the edition 'changed' cannot be played: ")
    assert "AE-C17: follow_tokens: has 4 tokens with 3 players" in said
    assert "AE-2.3: " in said
    assert list(working_folder.iterdir()) == []


def test_a_folder_of_another_study_is_refused(shell: Shell, working_folder: Path) -> None:
    shell.run(*FEW, "--to", "mine")
    before = {path: path.read_bytes() for path in working_folder.rglob("*") if path.is_file()}
    said = shell.refused(*FEW, "--to", "mine", "--seed", "8")
    assert said == "mine contains another study; give another folder with --to"
    assert {path: path.read_bytes() for path in working_folder.rglob("*") if path.is_file()} == before


def test_a_folder_of_other_rules_is_refused(shell: Shell, working_folder: Path) -> None:
    """The matches were played by an earlier release, or the file was changed."""
    shell.run("study", "plan", *FEW[1:], "--to", "mine")
    file = working_folder / "mine" / "study.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("seed = 1", "seed = 2"), encoding="utf-8")
    said = shell.refused("study", "report", "mine")
    assert said == "mine contains another study than its study.toml says: that was changed since"
    old = re.sub(r'triclinium = ".*"', 'triclinium = "0.0.9"', text)
    file.write_text(re.sub('study = ".*"', 'study = "of before"', old), encoding="utf-8")
    said = shell.refused("study", "record", "mine", "0")
    assert said.startswith("mine was played by version 1 of the rules and Triclinium 0.0.9; here are 1 and ")


def test_a_full_disk_loses_nothing(shell: Shell, working_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first part is kept although there is no space for the second. With space the same command continues."""
    shell.run("study", "plan", *FEW[1:], "--to", "kept")
    assert parts(working_folder / "kept") == ["0000", "0001"]
    to_place = os.replace

    def full(source: Path, target: Path) -> None:
        if "0002" in str(target):
            raise OSError(28, "No space left on device")
        to_place(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        shell.run(*FEW, "--to", "kept")
    assert (shell.code, shell.error.count("\n")) == (2, 1)
    assert "0002 cannot be written: No space left on device; finished parts are kept" in shell.error
    assert parts(working_folder / "kept")[:2] == ["0000", "0001"]
    assert shell.run(*FEW, "--to", "kept", "--json").json()["deals"] == 30


def test_a_disk_that_is_full_from_the_start_keeps_the_folder_free(
    shell: Shell, working_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder stays as it was, so the same command can start later."""

    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        assert "cannot be written: No space left on device" in shell.refused(*FEW, "--to", "kept")
    assert [path.name for path in (working_folder / "kept").rglob("*") if path.is_file()] == []
    assert shell.run(*FEW, "--to", "kept", "--json").json()["deals"] == 30


def test_a_file_that_is_no_text_is_refused(shell: Shell, working_folder: Path) -> None:
    """Damaged studies, and components files that are not text, are refused with a sentence."""
    (working_folder / "mine.toml").write_bytes(b"\xff\xfe")
    (working_folder / "asked.toml").write_text('game = "figs"\n[[edition]]\nname = "mine"\ncomponents = "mine.toml"\n')
    assert shell.refused("study", "asked.toml") == "edition 'mine': mine.toml is not UTF-8 text"
    said = shell.refused("study", "figs", "--components", "mine.toml")
    assert said == "mine.toml is not a components file: it is not UTF-8 text"
    (working_folder / "asked.toml").write_text(
        'game = "figs"\n[[edition]]\nname = "mine"\ncomponents = "mine.toml"\nset = { "game.coins" = 9 }\n'
    )
    assert shell.refused("study", "asked.toml").endswith(
        "use either set or components to describe an edition, not both"
    )
    (working_folder / "torn").mkdir()
    (working_folder / "torn" / "study.toml").write_bytes(b"\xff\xfe")
    assert shell.refused(*FEW, "--to", "torn") == "torn contains another study; give another folder with --to"


def test_a_half_written_part_is_played_again(shell: Shell, working_folder: Path) -> None:
    """After half a folder, a truncated table or a missing table the study gives the same result."""
    whole = shell.run(*FEW, "--to", "whole", "--json").json()
    shell.run("study", "plan", *FEW[1:], "--to", "torn")
    (working_folder / "torn" / "parts" / "0001.half").mkdir()
    torn = working_folder / "torn" / "parts" / "0001" / "moments.parquet"
    torn.write_bytes(torn.read_bytes()[:200])
    (working_folder / "torn" / "parts" / "0000" / "lines.parquet").unlink()
    again = shell.run(*FEW, "--to", "torn", "--json").json()
    for told in (whole, again):
        del told["time"], told["folder"]
    assert again == whole


def test_a_ray_address_that_does_not_answer_is_refused(shell: Shell, working_folder: Path) -> None:
    """The error comes at once. Ray itself would retry for many minutes."""
    said = shell.refused(*FEW, "--ray", "nowhere")
    assert said.startswith("no Ray cluster answers at nowhere: ")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        place = f"127.0.0.1:{closed.getsockname()[1]}"
    said = shell.refused(*FEW, "--ray", place)
    assert said.startswith(f"no Ray cluster answers at {place}: ")
    assert "refused" in said
    assert list(working_folder.iterdir()) == []


ANSWERS = {
    "silence": b"",
    "a page": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "a shell": b"SSH-2.0-OpenSSH_9.6\r\n",
    "half a frame": b"\x00\x00\x06\x04",
}


@pytest.mark.parametrize("said", ANSWERS)
@pytest.mark.parametrize("before", ["", "ray://"])
def test_a_port_that_answers_and_is_not_rays_is_refused(
    shell: Shell, working_folder: Path, monkeypatch: pytest.MonkeyPatch, said: str, before: str
) -> None:
    """The error comes within seconds, whether the port answers or not, and Ray is not started."""
    monkeypatch.setattr(ray_engine, "TIMEOUT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as other:
        place = f"{before}127.0.0.1:{other.getsockname()[1]}"

        def answer() -> None:
            line, _ = other.accept()
            with line, suppress(ConnectionError):  # a client that has read enough closes the connection
                line.sendall(ANSWERS[said])
                while line.recv(1000):
                    pass

        listening = threading.Thread(target=answer)
        listening.start()
        begun = time.monotonic()
        told = shell.refused(*FEW, "--ray", place)
        listening.join()
    assert told.startswith(f"no Ray cluster answers at {place}: ")
    assert told.endswith(
        "timed out" if said in ("silence", "half a frame") else "a different program than Ray answered"
    )
    assert time.monotonic() - begun < 20
    assert list(working_folder.iterdir()) == []


class Strange(LocalEngine):
    """Workers, one of which has another version of Triclinium, as on a cluster."""

    def play(self, plan: StudyPlan, parts: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        check_fingerprints(compute_fingerprint(plan), [compute_fingerprint(plan), WorkerFingerprint("0.0.9", 7)])
        yield from super().play(plan, parts)


@contextmanager
def open_strange_cluster(workers: int) -> Iterator[Strange]:
    yield Strange(workers)


def test_workers_of_another_version_are_refused(
    shell: Shell, working_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "open_local_engine", open_strange_cluster)
    said = shell.refused(*FEW, "--to", "mixed")
    assert said.startswith("a worker of the cluster has Triclinium 0.0.9 and plays different matches than this machine")
    assert parts(working_folder / "mixed") == []


def test_a_match_beyond_its_bound_is_reported_with_edition_and_seed(
    shell: Shell, working_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Finished parts are kept."""
    shell.run("study", "plan", *FEW[1:], "--to", "endless")
    with monkeypatch.context() as patch:
        patch.setattr(Figs, "max_decisions", 3)
        shell.run(*FEW, "--to", "endless")
    assert (shell.code, shell.error.count("\n")) == (2, 1)
    assert "a match of the edition 'printed' with greedy bots is not over after 3 decisions" in shell.error
    assert "seed " in shell.error
    assert parts(working_folder / "endless") == ["0000", "0001"]
    error = BadSetup("in a process of its own")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # Workers send the error in this form.


@pytest.mark.slow
def test_a_crashed_worker_gives_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker may be killed for lack of memory. Finished parts are kept."""
    plan = make_comparison_plan(Study("figs", seats=2, bots=("random",), also=(), matches=2 * PART_DEALS))
    assert play_part(plan, 0)
    with open_local_engine(2) as engine:
        assert engine.pool is not None
        engine.pool.submit(os._exit, 1)
        with pytest.raises(BadSetup, match="a worker crashed; finished parts are kept"):
            list(engine.play(plan, range(2)))
