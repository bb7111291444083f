"""Tests of match files in a browser: opened from a disk, without a server and a network."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import find_accessibility_problems
from tests.browser.conftest import Visit
from tests.browser.page_actions import load_golden_record, upload
from tests.slow import mark_slow_except
from triclinium import list_games

PATIENCE = 120_000  # milliseconds; a file takes seconds of processor time
SIZES = ((1440, 900, "light"), (390, 844, "dark"))


def download(page: Page, id: str, path: Path, language: str = "en") -> str:
    """Upload a golden match, download its file, and return the URL of the file on the disk."""
    upload(page, load_golden_record(id))
    answer = page.request.get(f"{page.url}/file", headers={"accept-language": language}, timeout=PATIENCE)
    assert answer.status == 200
    assert answer.headers["content-disposition"].startswith(f'attachment; filename="{id}-')
    path.write_bytes(answer.body())
    return path.as_uri()


def refuse_network(page: Page) -> list[str]:
    """Return a list that collects the requests of a page to any server."""
    asked: list[str] = []
    page.on("request", lambda one: None if one.url.startswith(("file:", "data:")) else asked.append(one.url))
    return asked


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "portals"))
def test_a_file_shows_every_position_without_a_server(open_page: Visit, tmp_path: Path, id: str) -> None:
    """The file's content policy applies. Any script error, or any attempt to load a resource, fails the test."""
    url = download(open_page(), id, tmp_path / "match.html")
    moves = len(load_golden_record(id).options)
    page = open_page(fresh=True, offline=True)
    asked = refuse_network(page)
    page.goto(url)
    expect(page.locator("[data-check=checksum]")).to_have_class("holds")
    expect(page.locator("#count")).to_have_text(f"{moves} / {moves}")
    last = page.locator("#position").inner_html()
    page.get_by_role("button", name="Go to the start").click()
    expect(page.locator("#count")).to_have_text(f"0 / {moves}")
    assert page.locator("#position").inner_html() != last
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#count")).to_have_text(f"11 / {moves}")
    expect(page.locator("#log .is-now").first).to_be_visible()
    expect(page.locator("#told")).not_to_be_empty()
    page.locator('#log a[href="#m9"]').first.click()
    expect(page.locator("#count")).to_have_text(f"9 / {moves}")
    page.keyboard.press("End")
    expect(page.locator("#count")).to_have_text(f"{moves} / {moves}")
    page.evaluate("document.documentElement.scrollTop = 0")
    page.locator("#n").fill(str(moves // 2))
    expect(page.locator("#count")).to_have_text(f"{moves // 2} / {moves}")
    assert not asked


def test_a_step_on_a_phone_scrolls_the_log_and_not_the_page(open_page: Visit, tmp_path: Path) -> None:
    url = download(open_page(), "portals", tmp_path / "match.html")
    page = open_page(fresh=True, viewport={"width": 390, "height": 844})
    page.goto(url)
    page.keyboard.press("Home")
    for _ in range(30):
        page.get_by_role("button", name="Next move").click()
    assert page.evaluate("scrollY") == 0
    assert page.locator("#log").evaluate("one => one.scrollTop") > 0


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "portals"))
def test_a_file_is_accessible_and_fits(open_page: Visit, tmp_path: Path, id: str) -> None:
    """The file is checked in both languages, light and dark, at two sizes, and with a review if the server has one."""
    reader = open_page()
    url = download(reader, id, tmp_path / "match.html", "fr" if id == "portals" else "en")
    for width, height, scheme in SIZES:
        page = open_page(
            fresh=True, seen=True, bypass_csp=True, viewport={"width": width, "height": height}, color_scheme=scheme
        )
        page.goto(url)
        page.keyboard.press("Home")
        for _ in range(20):
            page.keyboard.press("ArrowRight")
        assert not find_accessibility_problems(page, f"{id} {width}")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.slow
def test_a_file_contains_the_review(open_page: Visit, tmp_path: Path) -> None:
    reader = open_page()
    upload(reader, load_golden_record("portals"))
    table = reader.url
    reader.goto(f"{table}/review")
    expect(reader.locator("#course")).to_be_visible(timeout=120_000)
    (tmp_path / "match.html").write_bytes(reader.request.get(f"{table}/file", timeout=PATIENCE).body())
    page = open_page(fresh=True, seen=True, bypass_csp=True)
    page.goto((tmp_path / "match.html").as_uri())
    review = page.locator(".review")
    expect(review.get_by_role("heading", name="Win probability during the match").first).to_be_visible()
    assert review.locator("details[open] .chart").count() == 1
    review.get_by_role("link", name="Show the position").first.click()
    expect(page.locator("#count")).not_to_have_text(
        f"{len(load_golden_record('portals').options)} /", use_inner_text=True
    )
    for fold in review.locator("> details").all():
        fold.evaluate("one => { one.open = true }")
    assert not find_accessibility_problems(page, "review")


def test_a_damaged_file_is_reported(open_page: Visit, tmp_path: Path) -> None:
    url = download(open_page(), "portals", tmp_path / "match.html")
    path = tmp_path / "match.html"
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole.replace('"pieces":["', '"pieces":[" ', 1), encoding="utf-8")
    page = open_page(fresh=True)
    page.goto(url)
    expect(page.locator("[data-check=checksum]")).to_have_text("The file is damaged: its checksum is wrong.")
