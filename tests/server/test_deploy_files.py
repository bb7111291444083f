"""Tests that the files in deploy/ use existing commands and options (docs/operating.md)."""

import re
import shlex
from pathlib import Path

import pytest

from triclinium.cli.parser import build_parser

DEPLOY = Path(__file__).parents[2] / "deploy"


def commands() -> list[tuple[str, list[str]]]:
    """Return every call of the command in units and in the image."""
    found = []
    for unit in sorted(DEPLOY.glob("*.service")):
        for line in re.findall(
            r"^ExecStart=.*?bin/triclinium ([^'\n]*)", unit.read_text(encoding="utf-8"), re.MULTILINE
        ):
            found.append((unit.name, shlex.split(line)))
    image = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    found += [
        ("Containerfile", re.findall('"(.*?)"', line)) for line in re.findall(r"^CMD (\[.*)", image, re.MULTILINE)
    ]
    return found


@pytest.mark.parametrize(("place", "words"), commands(), ids=[place for place, _ in commands()])
def test_files_that_are_run_are_readable(place: str, words: list[str]) -> None:
    args = build_parser().parse_args(words)
    assert args.command in ("serve", "admin")
    assert args.database.startswith("sqlite:////")


def test_the_image_and_the_unit_run_without_privileges() -> None:
    image = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    assert image.index("USER triclinium") < image.index("ENTRYPOINT")
    assert "HEALTHCHECK" in image
    assert "podman build --format docker" in (DEPLOY.parent / "docs/operating.md").read_text(encoding="utf-8")
    for unit in DEPLOY.glob("*.service"):
        assert "DynamicUser=yes" in unit.read_text(encoding="utf-8")
