"""Tests of the repository: the README runs, packages are pinned, and no file contains a local path."""

import doctest
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests import library_types
from tests.shell import Shell
from tests.slow import slow

ROOT = Path(__file__).resolve().parents[1]


def list_tracked_files() -> list[Path]:
    """Return every file that git tracks or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.splitlines() if (ROOT / name).is_file()]


def test_no_file_contains_a_local_path() -> None:
    places = re.compile(r"(?<![\w.{}])/(?:work|home|root|Users|opt|mnt)/\w")
    for path in list_tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # The file is an image.
        assert places.findall(text) == [], f"{path.relative_to(ROOT)} names a place"


def test_no_compiled_module_is_next_to_its_source() -> None:
    assert [path for path in (ROOT / "src").rglob("*") if path.suffix in (".so", ".pyd")] == []


def test_every_package_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.\-]+==[\w.]+", line) for line in pinned)
    names = {re.split("==", line)[0].lower().replace("_", "-") for line in pinned}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    needed = sum(extras.values(), project["project"]["dependencies"] + project["dependency-groups"]["dev"])
    for requirement in needed:
        name = re.split(r"[\[<>=!~ ;]", requirement)[0].lower().replace("_", "-")
        assert name in names, f"{name} is not in constraints.txt"


def test_the_bare_install_has_two_small_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert [re.split("[<>=]", each)[0] for each in project["project"]["dependencies"]] == ["librt", "mypy-extensions"]


# -- examples ---------------------------------------------------------------------------------------------------------

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_examples_of_the_readme() -> None:
    test = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 10
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)


def console_examples() -> list[tuple[str, str]]:
    """Return each command of a console block with its expected output."""
    examples: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            examples.append((command, output))
    return examples


@pytest.mark.parametrize("matches", [4, slow(20)])
@pytest.mark.parametrize(("command", "output"), console_examples())
def test_the_commands_of_the_readme(
    command: str, output: str, matches: int, tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = re.compile(r"\b20( matches)|(--matches) 20\b")
    command, output = (fewer.sub(rf"\2 {matches}\1", text) for text in (command, output))
    words = shlex.split(command)
    assert words[0] == "triclinium"
    monkeypatch.chdir(tmp_path)
    shell.run(*words[1:])
    assert (shell.code, shell.error) == (0, "")
    same = doctest.OutputChecker().check_output(output, shell.out, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert same, shell.out


def test_the_readme_names_every_game_and_every_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for game_id in project["project"]["entry-points"]["triclinium.games"]:
        assert f"| `{game_id}` |" in README
    for command in ("games", "play", "simulate", "replay", "benchmark", "speed"):
        assert f"`triclinium {command}" in README


def test_type_checks_of_libraries_exclude_our_modules() -> None:
    found = library_types.imports()
    assert "from sqlalchemy import select" in found
    assert "import numpy" in found
    assert not [line for line in found if re.match(r"(from|import) (triclinium|tests|bench|kuhn)\b", line)]
