"""Tests of the layout checks on small pages: they find a fault of each kind, and leave its look-alike alone."""

import pytest
from playwright.sync_api import Page

from bench.layout_checks import SCRIPT
from tests.browser.conftest import Visit

STYLE = """<!doctype html><style>
p { margin: 0 }
body { margin: 0; font: 16px/1.3 sans-serif }
.at { position: absolute }
.panel { position: absolute; background: #fff }
.board { position: relative; width: 400px; height: 300px }
.board > svg { width: 400px; height: 300px }
.low { height: 40px; overflow: hidden auto }
</style>"""
MAP = '<div class="board"><svg viewBox="0 0 400 300">{}</svg>{}</div>'
ROME = '<g role="button" aria-label="Rome: a city"><circle cx="50" cy="50" r="8"/><text x="62" y="55">Rome</text></g>'
ROOM = '<div id="decide"{}><p>Your turn</p><p>Draw</p><div class="low"><p>One</p><p>Two</p><p>Three</p></div></div>'

# Each kind has a page with the fault, parts of its message, and a similar page without a fault.
CASES = {
    "overlap of HTML texts": (
        '<p class="at" style="top: 10px">Alexandria</p><b class="at" style="top: 10px; left: 40px">Cairo</b>',
        ("overlap", "Alexandria", "Cairo"),
        '<p class="at" style="top: 10px">Alexandria</p><b class="at" style="top: 10px; left: 90px">Cairo</b>',
    ),
    "overlap of labels on a map": (
        MAP.format(ROME + '<text x="80" y="57">Naples</text>', ""),
        ("overlap", "Rome", "Naples"),
        # The boxes of turned texts share a corner, but the texts do not overlap.
        MAP.format(ROME + '<text transform="translate(98 20) rotate(60)">Adriatic Sea</text>', ""),
    ),
    "overlap of captions in parts": (
        '<svg width="400" height="90"><rect width="400" height="90" fill="#fff"/>'
        '<text x="9" y="30"><tspan>if kept</tspan> <tspan>160</tspan></text>'
        '<text x="60" y="30"><tspan>if kept</tspan> <tspan>350</tspan></text></svg>',
        ("overlap", "if kept 160", "if kept 350"),
        '<svg width="400" height="90"><rect width="400" height="90" fill="#fff"/>'
        '<text x="9" y="30"><tspan>if kept</tspan> <tspan>160</tspan></text>'
        '<text x="160" y="30"><tspan>if kept</tspan> <tspan>350</tspan></text></svg>',
    ),
    "overlap in a clone of a map": (
        '<svg width="400" height="90"><g id="sheet"><text x="5" y="30">Gaza</text><text x="80" y="30">Petra</text></g>'
        '</svg><svg width="400" height="90"><use href="#sheet" x="5"/><text x="70" y="30">Acre</text></svg>',
        ("overlap", "Petra", "Acre"),
        '<svg width="400" height="90"><g id="sheet"><text x="5" y="30">Gaza</text><text x="80" y="30">Petra</text></g>'
        '</svg><svg width="400" height="90"><use href="#sheet" x="5"/><text x="70" y="60">Acre</text></svg>',
    ),
    "text under a piece": (
        MAP.format(ROME + '<g data-tip="Miriam"><circle cx="80" cy="50" r="9"/></g>', ""),
        ("hidden", "Rome"),
        MAP.format('<g data-tip="Miriam"><circle cx="80" cy="50" r="9" fill="#cdf"/></g>' + ROME, ""),
    ),
    "text under a badge": (
        '<p>Reserve</p><b class="panel" style="top: 0; left: 30px">24</b>',
        ("hidden", "Reserve", "24"),
        '<div class="low"><p>Reserve</p><p>Stock</p><b style="position: sticky; bottom: 0; background: #fff">24</b>',
    ),
    "piece that hides another piece's number": (
        MAP.format('<g><text x="60" y="55">12</text></g><rect x="61" y="30" width="30" height="30"/>', ""),
        ("hidden", "12"),
        MAP.format('<g><text x="60" y="55">8</text></g><circle cx="64.5" cy="49" r="12"/>', ""),  # labels of space 8
    ),
    "word broken inside": (
        '<p style="width: 60px; overflow-wrap: anywhere">Thessalonica</p>',
        ("broken", "Thessa"),
        '<p style="width: 60px">Sea of Galilee, well-watered</p>',
    ),
    "place under a panel": (
        MAP.format(ROME, '<div class="panel" style="top: 30px; left: 30px; width: 90px; height: 90px"></div>'),
        ("covered", "Rome"),
        MAP.format(ROME, '<div class="panel" style="top: 80px; left: 30px; width: 90px; height: 90px"></div>'),
    ),
    "place under a drawn legend": (
        MAP.format(ROME + '<rect x="30" y="30" width="90" height="90"/>', ""),
        ("covered", "Rome"),
        # The name of a sea without a place is decoration and may be covered.
        MAP.format(ROME + '<text x="200" y="100">Adriatic</text><rect x="180" y="70" width="90" height="90"/>', ""),
    ),
    "caption out of its frame": (
        '<svg width="400" height="90"><rect x="40" y="9" width="60" height="30" fill="#fed"/>'
        '<text x="70" y="30" text-anchor="middle">The Missionaries</text></svg>',
        ("outside", "The Missionaries"),
        '<svg width="400" height="90"><rect x="40" y="9" width="160" height="30" fill="#fed"/>'
        '<text x="120" y="30" text-anchor="middle">The Missionaries</text></svg>',
    ),
    "caption in a group out of its frame": (
        '<svg width="400" height="90"><g><rect x="40" y="9" width="60" height="30" fill="#fed"/>'
        '<g><text x="70" y="30" text-anchor="middle">paid to the owner</text></g></g></svg>',
        ("outside", "paid to the owner"),
        '<svg width="400" height="90"><g><rect x="40" y="9" width="160" height="30" fill="#fed"/>'
        '<g><text x="120" y="30" text-anchor="middle">paid to the owner</text></g></g></svg>',
    ),
    "clipped caption": (
        '<p style="width: 60px; overflow: hidden; white-space: nowrap">The good Samaritan</p>',
        ("cut", "The good Samaritan"),
        '<p style="width: 240px; overflow: hidden; white-space: nowrap">The good Samaritan</p>',
    ),
    "name with an ellipsis": (
        '<b class="at" style="width: 60px; overflow: hidden; text-overflow: ellipsis">Priscilla</b>',
        ("cut", "Priscilla"),
        '<b class="at" title="Priscilla" style="width: 60px; overflow: hidden; text-overflow: ellipsis">Priscilla</b>',
    ),
    "preview of a folded text": (
        '<details><summary style="width: 90px; height: 44px; overflow: hidden; text-overflow: ellipsis; '
        'white-space: nowrap">'
        "Lucan sails from Cyrene to Corinth</summary><p>Lucan stays at home.</p></details>",
        ("cut", "Lucan sails"),
        '<details><summary style="width: 90px; height: 44px; overflow: hidden; text-overflow: ellipsis; '
        'white-space: nowrap">'
        "Lucan sails from Cyrene to Corinth</summary><p>Lucan sails from Cyrene to Corinth.</p></details>",
    ),
    "small label": (
        MAP.format(ROME.replace("<text", '<text font-size="9"'), ""),
        ("tiny", "Rome", "9.0"),
        MAP.format(ROME.replace("<text", '<text font-size="11"'), ""),
    ),
    "scroller inside of a scroller": (
        ROOM.format(' style="height: 60px; overflow: auto"'),
        ("nested", "div.low"),
        ROOM.format(""),
    ),
}


def find(page: Page, content: str, wanted: tuple[str, ...] = ()) -> list[str]:
    """Return the faults of a page with this content."""
    page.set_content(STYLE + content)
    found: list[str] = page.evaluate(SCRIPT, [False, list(wanted)])
    return found


@pytest.mark.parametrize("kind", CASES)
def test_a_fault_is_found_and_a_similar_page_is_not_reported(open_page: Visit, kind: str) -> None:
    fault, parts, fine = CASES[kind]
    page = open_page(viewport={"width": 1280, "height": 850})
    found = find(page, fault)
    assert any(one.startswith(parts[0]) and all(part in one for part in parts) for one in found), found
    assert find(page, fine) == []


def test_narrow_windows_need_only_the_labels_in_question(open_page: Visit) -> None:
    """Below 1024 px only places that the question or an option names must be readable."""
    page = open_page(viewport={"width": 820, "height": 850})
    small = MAP.format(ROME.replace("<text", '<text font-size="9"'), "")
    assert find(page, '<h2 id="question">Travel to Ephesus?</h2>' + small) == []
    assert [one.split(":")[0] for one in find(page, '<h2 id="question">Travel to Rome?</h2>' + small)] == ["tiny"]


def test_the_whole_first_option_must_be_visible(open_page: Visit) -> None:
    """An option whose lower half lies under a fixed bar is not visible, although its middle is."""
    page = open_page(viewport={"width": 400, "height": 300})
    option = '<button class="option" style="display: block; width: 200px; height: 60px">Take a card</button>'
    bar = '<div class="panel" style="position: fixed; top: {}px; width: 100%; height: 99px">Hint</div>'
    assert [one.split(":")[0] for one in find(page, option + bar.format(50), (".option",))] == ["unseen"]
    assert find(page, option + bar.format(60), (".option",)) == []
