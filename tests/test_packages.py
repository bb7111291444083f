"""Tests of the packages of a release: the sdist and the pure wheel work in an empty environment outside the repository.

`make dist` builds the compiled wheel too and tests all three. This test needs a package index for the extras.
"""

import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from bench import packages


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return packages.build_packages(tmp_path_factory.mktemp("dist"), None, compiled=False)


@pytest.mark.slow
def test_the_packages_contain_every_file_of_the_sources(built: list[Path]) -> None:
    source = packages.ROOT / "src"
    wanted = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*")
        if path.is_file() and ".egg-info" not in str(path) and path.suffix not in (".pyc", ".so")
    }
    sdist, wheel = built
    with zipfile.ZipFile(wheel) as archive:
        assert wanted - set(archive.namelist()) == set()
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{name}" for name in wanted} - names == set()
    assert {"setup.py", "pyproject.toml", "LICENSE", "README.md", "docs/new-game.md"} <= names


@pytest.mark.slow
def test_the_packages_work_in_an_empty_environment(built: list[Path]) -> None:
    for package in built:
        packages.check_package(package, sys.executable)


def test_a_compiled_wheel_fits_its_python_only() -> None:
    own = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert packages.fits(Path(f"triclinium-1-{own}-{own}-linux_x86_64.whl"), sys.executable)
    assert not packages.fits(Path("triclinium-1-cp399-cp399-linux_x86_64.whl"), sys.executable)
    assert packages.fits(Path("triclinium-1-py3-none-any.whl"), sys.executable)
    assert packages.fits(Path("triclinium-1.tar.gz"), sys.executable)
