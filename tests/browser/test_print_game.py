"""Printed games in Chromium: the number of pages, the size of every piece, backs behind fronts, and whole pieces."""

import re
from typing import Any

import pytest

from tests.browser.axe import find_accessibility_problems
from tests.browser.conftest import EXACT, Visit
from tests.slow import slow

PATIENCE = 120_000.0  # milliseconds
PDF_PAGE = re.compile(rb"/Type\s*/Page\b")
SIZE_TOLERANCE, BACK_TOLERANCE = 0.2, 0.5  # millimetres
SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MEASURE = """() => {
  const mm = 96 / 25.4, cut = [], pieces = [], sheets = [], spaces = [];
  const overflows = (e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;
  document.querySelectorAll(".pr-page").forEach((page, n) => {
    const frame = page.getBoundingClientRect();
    sheets.push([frame.width / mm, frame.height / mm]);
    for (const e of page.querySelectorAll(".pr-piece, .k-card, .k-face, .pr-token, .pr-back, .pr-cover, .pr-leaf,"
      + ".pr-tracks, .pr-tracks li"))
      if (overflows(e)) cut.push([n + 1, e.className, e.innerText.slice(0, 60)]);
    const last = [...page.querySelectorAll(".pr-tracks > *, .pr-cover > *")].pop();
    if (last && last.getBoundingClientRect().bottom > frame.bottom - 5 * mm) cut.push([n + 1, last.className, "end"]);
    for (const e of page.querySelectorAll(".pr-piece")) {
      const box = e.getBoundingClientRect();
      if (e.children.length) pieces.push({page: n + 1, back: e.classList.contains("is-back"),
        wide: box.width / mm - e.dataset.w, high: box.height / mm - e.dataset.h,
        left: (box.left - frame.left) / mm, right: (frame.right - box.right) / mm, top: (box.top - frame.top) / mm});
    }
    for (const e of page.querySelectorAll(".pr-tracks .k-track > li")) {
      const box = e.getBoundingClientRect();
      spaces.push([box.width / mm - e.dataset.w, box.height / mm - e.dataset.h]);
    }
  });
  return {cut, pieces, sheets, spaces};
}"""
CASES = [
    ("portals", "a4", "en"),
    *(slow(id, "a4", "fr") for id in ("evangelists", "ierusalem", "missionnaires", "testoftime", "portals")),
    *(slow(id, "letter", "en") for id in ("evangelists", "ierusalem", "missionnaires", "testoftime", "portals")),
    *(slow(id, "a4", "en") for id in ("evangelists", "ierusalem", "missionnaires", "testoftime")),
    *(slow(id, "letter", "fr") for id in ("evangelists", "ierusalem", "missionnaires", "testoftime", "portals")),
]


def measure(page: Any) -> dict[str, Any]:
    page.emulate_media(media="print")
    found: dict[str, Any] = page.evaluate(MEASURE)
    return found


@pytest.mark.parametrize(("id", "paper", "language"), CASES)
def test_a_game_is_printed_in_its_true_size(open_page: Visit, id: str, paper: str, language: str) -> None:
    """The PDF has the number of pages that the cover says. Every back is behind its front after a flip."""
    page = open_page(locale=language, device_scale_factor=EXACT)
    page.goto(f"/print/{id}?paper={paper}", timeout=PATIENCE)
    found = measure(page)
    assert found["cut"] == []
    width, height = SIZES[paper]
    assert all(abs(wide - width) < 0.1 and abs(high - height) < 0.1 for wide, high in found["sheets"])
    assert len(found["pieces"]) > 100
    for piece in found["pieces"]:
        assert max(abs(piece["wide"]), abs(piece["high"])) < SIZE_TOLERANCE, piece
        assert min(piece["left"], piece["right"], piece["top"]) > 4
    assert found["spaces"]
    assert max(abs(difference) for space in found["spaces"] for difference in space) < SIZE_TOLERANCE
    fronts = [piece for piece in found["pieces"] if not piece["back"]]
    backs = [piece for piece in found["pieces"] if piece["back"]]
    assert backs
    for back in backs:
        assert any(
            front["page"] == back["page"] - 1
            and abs(front["left"] - back["right"]) < BACK_TOLERANCE
            and abs(front["top"] - back["top"]) < BACK_TOLERANCE
            for front in fronts
        ), back
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(PDF_PAGE.findall(pdf)) == len(found["sheets"])
    media = {tuple(map(float, box.split())) for box in re.findall(rb"/MediaBox\s*\[([\d. ]+)\]", pdf)}
    points = width / 25.4 * 72, height / 25.4 * 72
    assert all(abs(box[2] - points[0]) < 1 and abs(box[3] - points[1]) < 1 for box in media)


def test_a_reader_chooses_and_prints(open_page: Visit) -> None:
    """It works by mouse and on a phone. The script only adds the print button."""
    page = open_page()
    page.goto("/rules/portals")
    page.get_by_role("link", name="Print and play").click()
    page.get_by_label("Letter").check()
    page.get_by_label("Fronts only").check()
    page.get_by_text("Parts:").click()
    page.get_by_label("Old Testament cards").uncheck()
    page.evaluate("window.print = () => { window.printed = true }")
    page.get_by_role("button", name="Print", exact=True).click()
    assert page.evaluate("window.printed")
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**paper=letter**")
    assert page.locator(".pr-page").count() == 15  # cover, tokens, 38 cards, two tiles, the tracks, and the rules
    assert "Old Testament cards" not in page.locator(".pr-cover").inner_text()
    assert find_accessibility_problems(page) == []
    phone = open_page(viewport={"width": 360, "height": 640}, color_scheme="dark")
    phone.goto("/print/portals?part=capsule&part=rules")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert find_accessibility_problems(phone) == []
