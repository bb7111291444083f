"""A test that failed beside others is run once more alone; nothing else is forgiven (tests/again.py)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ONCE = """
from pathlib import Path

def test_fails_the_first_time():
    mark = Path(__file__).with_suffix(".mark")
    first = not mark.exists()
    mark.touch()
    assert not first
"""
ALWAYS = "def test_fails():\n    assert False\n"
MANY = "\n".join(f"def test_{n}():\n    assert False\n" for n in range(6))


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Without the plugins that these small files do not need: most of a start is theirs."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin"}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("tests", "passes", "said"),
    [
        (ONCE, True, "wants mending: test_it.py::test_fails_the_first_time"),
        (ALWAYS, False, "1 failed"),
        (MANY, False, "6 failed"),
    ],
)
def test_only_what_holds_alone_is_forgiven(tmp_path: Path, tests: str, passes: bool, said: str) -> None:
    (tmp_path / "test_it.py").write_text(tests)
    (tmp_path / "again.py").write_text((ROOT / "tests/again.py").read_text(encoding="utf-8"))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    first, second = run(tmp_path, "-m", "pytest", "-q"), run(tmp_path, "again.py")
    assert first.returncode == 1
    assert (second.returncode == 0) == passes
    assert said in first.stdout + second.stdout
