"""Every sentence of the house has its French."""

import re
from pathlib import Path

import pytest

from triclinium.web.i18n import catalogue

SOURCE = Path(__file__).parents[2] / "src" / "triclinium"
TEMPLATES = sorted((SOURCE / "web" / "templates").rglob("*.jinja"))
MODULES = sorted(
    [*(SOURCE / "web").rglob("*.py"), *(SOURCE / "server").rglob("*.py"), SOURCE / "engine" / "commitment.py"]
)
ERRORS = r"(?:HouseError|NotFound|NotAllowed|Conflict|Stale|TooMuch|NotStored|Fault|Message)"


def sentences(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jinja":
        return set(re.findall(r"""_\('((?:[^'\\]|\\.)*)'""", text))
    found = re.findall(rf'(?:speech|{ERRORS})\(\s*"((?:[^"\\]|\\.)*)"', text)
    said = re.findall(r'"((?:\{0\} (?:sits|leaves|takes|is back)|a bot decides for)[^"]*)"', text)
    return {*found, *said}


@pytest.mark.parametrize("path", [*TEMPLATES, *MODULES], ids=lambda path: path.name)
def test_every_sentence_has_its_french(path: Path) -> None:
    missing = sorted(text for text in sentences(path) if text not in catalogue("fr"))
    assert not missing


def test_a_translation_keeps_what_is_filled_in() -> None:
    for english, french in catalogue("fr").items():
        holes = {hole.split(":")[0] for hole in re.findall(r"\{(\d+[^}]*)\}", english)}
        assert {hole.split(":")[0] for hole in re.findall(r"\{(\d+[^}]*)\}", french)} == holes, english


def test_no_sentence_is_kept_that_nobody_says() -> None:
    said = {text for path in (*TEMPLATES, *MODULES) for text in sentences(path)}
    known = "\n".join(path.read_text(encoding="utf-8") for path in (*TEMPLATES, *MODULES))
    from triclinium.engine.words import HOUSE_FRENCH

    idle = [text for text in catalogue("fr") if text not in said and text not in HOUSE_FRENCH and text not in known]
    assert not idle
