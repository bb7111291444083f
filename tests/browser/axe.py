"""Accessibility checks of a page: axe, and the contrast of text."""

from collections.abc import Mapping
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page

LOOKS = (Path(__file__).parent / "looks.js").read_text(encoding="utf-8")
VIOLATIONS = {"resultTypes": ["violations"]}  # leave out elements that pass, which are half of axe's work
COLOURLESS = {"rules": {"color-contrast": {"enabled": False}}}
WINDOWS: dict[str, dict[str, object]] = {
    "laptop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 360, "height": 640}, "color_scheme": "dark"},
}
HIGH = "() => Math.max(innerHeight, document.documentElement.scrollHeight)"


def find_violations(page: Page, where: str, options: Mapping[str, object], context: str | None = None) -> list[str]:
    """Return the violations that axe finds, one line each, beginning with the impact."""
    found = []
    for one in Axe().run(page, context=context, options={**VIOLATIONS, **options}).response["violations"]:
        places = [node["html"][:160] for node in one["nodes"][:3]]
        found.append(f"{one['impact']} {where}: {one['id']}: {one['help']}: {places}")
    return found


def find_accessibility_problems(page: Page, where: str = "", context: str | None = None) -> list[str]:
    """Return all findings of axe and all faint texts.

    looks.js measures the colours, for which axe takes three times as long.
    """
    return find_violations(page, where, COLOURLESS, context) + find_faint_text(page, where)


def find_faint_text(page: Page, where: str = "") -> list[str]:
    """Return texts whose contrast is below WCAG AA, at any scroll position."""
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": size["width"], "height": page.evaluate(HIGH)})
    page.evaluate(LOOKS)
    found = [f"serious {where}: faint: {what}" for what in page.evaluate("looks.faint()")]
    page.set_viewport_size(size)
    return found


def check_page(page: Page) -> None:
    """Require that the page fits its window and is accessible."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
    assert find_accessibility_problems(page, page.url) == []
