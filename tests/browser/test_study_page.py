"""Tests of a study's report in a browser: every language, light and dark, a narrow window and paper, with axe."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.axe import find_accessibility_problems
from tests.browser.conftest import PATIENCE
from tests.toy import TOY
from triclinium.engine import registry
from triclinium.lab.study import EditionRequest, Study, run_study

WIDTHS = (320, 1280)
SIDEWAYS = "() => document.documentElement.scrollWidth - window.innerWidth"


def test_a_report_is_readable_on_every_screen(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The single file loads nothing, uses the chosen language, does not scroll sideways, and prints completely."""
    monkeypatch.setattr(registry, "_loaded", {"figs": TOY})
    rich = EditionRequest("rich", {"game.coins": 9})
    study = Study("figs", bots=("greedy",), also=("random",), matches=20, editions=(rich,), replays=10)
    done = run_study(study, tmp_path / "rich")
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"file://{done.folder / 'report.html'}")
    assert len(asked) == 1
    found: list[str] = []
    for width, scheme, language in zip(WIDTHS, ("dark", "light"), ("fr", "en"), strict=True):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of two words
        page.get_by_label({"fr": "Français", "en": "English"}[language]).check()
        heading = {"fr": "Une place a-t-elle un avantage", "en": "Does a seat have an advantage?"}
        assert page.locator("#seats > h2").inner_text().replace("\u00a0", " ").startswith(heading[language])
        assert page.evaluate(SIDEWAYS) <= 0
        assert page.locator("#luck svg:visible, #seats svg:visible").count() == 2  # one chart in each of two forms
        found += find_accessibility_problems(page, f"{width} {scheme}")
    assert not found, "\n".join(found)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 1000})
    cut = "() => [...document.querySelectorAll('svg, table')].filter(e => e.getBoundingClientRect().right > 701).length"
    assert page.evaluate(cut) == 0
    assert not page.locator("nav").is_visible()
    context.close()
